// Vectors without values, for simulations in which nobody learns: spans that have a length and a place and nothing there. Their places are addresses of
// the kernel's half, where on x86-64 and AArch64 (which looks at bit 55) no program has memory: what reads or writes one by mistake ends at once. Whoever
// touches values asks isHollow() first, or leaves it to vec.h, which does. Each has a place of its own, as memory has. Any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace paceline {

template <class T>
bool isHollow(const T* values) { return reinterpret_cast<std::intptr_t>(values) < 0; }
template <class T>
bool isHollow(std::span<T> values) { return isHollow(values.data()); }

template <class T>
std::span<T> hollow(std::size_t size) {
  constexpr std::uint64_t kFirst = std::uint64_t{0x1ff} << 55, kPlaces = std::uint64_t{1} << 54, kAlignment = 64;
  static std::atomic<std::uint64_t> next = 0;
  const std::uint64_t place = next.fetch_add(size * sizeof(T) / kAlignment * kAlignment + kAlignment, std::memory_order_relaxed) % kPlaces;
  return {reinterpret_cast<T*>(kFirst + place), size};
}

// A vector that somebody owns: of values, or hollow where what it is made of is.
template <class T>
class Owned {
 public:
  Owned() = default;
  // As long as `like`: zeros, or hollow.
  static Owned zeros(std::span<const T> like) {
    Owned made;
    if (isHollow(like)) made.hollow_ = hollow<T>(like.size());
    else made.values_.resize(like.size());
    return made;
  }
  void assign(std::span<const T> from) {
    if (isHollow(from)) {
      if (hollow_.size() != from.size()) hollow_ = hollow<T>(from.size());
    } else {
      values_.assign(from.begin(), from.end());
    }
  }
  std::span<T> span() { return hollow_.empty() ? std::span<T>(values_) : hollow_; }
  std::span<const T> span() const { return hollow_.empty() ? std::span<const T>(values_) : hollow_; }
  operator std::span<T>() { return span(); }
  operator std::span<const T>() const { return span(); }
  const T* data() const { return span().data(); }
  std::size_t size() const { return span().size(); }
  bool empty() const { return size() == 0; }
  std::vector<T>& values() { return values_; }  // for a checkpoint

 private:
  std::vector<T> values_;
  std::span<T> hollow_;  // instead
};

}  // namespace paceline
