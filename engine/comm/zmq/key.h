// A secret or public key of 32 bytes that is overwritten when its holder goes. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace paceline::zeromq {

constexpr std::size_t kKeyBytes = 32;

class Key {
 public:
  Key() = default;
  ~Key();
  Key(const Key&) = default;
  Key& operator=(const Key&) = default;
  std::uint8_t* data() { return bytes_.data(); }
  const std::uint8_t* data() const { return bytes_.data(); }
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes_.data()), kKeyBytes}; }

 private:
  std::array<std::uint8_t, kKeyBytes> bytes_{};
};

}  // namespace paceline::zeromq
