// Anonymous memory (memfd) of this process that others of this host map, and memory of others mapped here. It lives as long as anybody maps it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "engine/core/base/fd.h"

namespace paceline::shm {

class Mapping {
 public:
  // Zeros, to read and write; it neither shrinks nor grows. nullopt: this host gives none (errno).
  static std::optional<Mapping> make(std::size_t bytes, Fd& descriptor);
  // Another process's; nullopt: it could shrink under its reader, or cannot be mapped.
  static std::optional<Mapping> of(const Fd& descriptor, bool writable);

  Mapping(Mapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapping();

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  explicit Mapping(std::span<std::byte> bytes) : bytes_(bytes) {}
  static std::optional<Mapping> mapped(int descriptor, std::size_t bytes, bool writable);

  std::span<std::byte> bytes_;
};

}  // namespace paceline::shm
