// The numbers of messages on the way from one node to another, from 1 on, where that way outlives a process at its end. They travel modulo 2^32.
#pragma once

#include <cstdint>
#include <set>

namespace paceline {

// The number that ends in `low` and is nearest to `near`.
inline std::int64_t wholeNumber(std::uint32_t low, std::int64_t near) { return near + static_cast<std::int32_t>(low - static_cast<std::uint32_t>(near)); }

// Which have come: all up to one, and some beyond it.
class TakenNumbers {
 public:
  std::int64_t first() const { return upTo_; }
  void startAt(std::int64_t upTo) { upTo_ = upTo, beyond_.clear(); }
  const std::set<std::int64_t>& beyond() const { return beyond_; }

  bool take(std::int64_t number) {  // false: it has come before
    if (number <= upTo_ || !beyond_.insert(number).second) return false;
    while (!beyond_.empty() && *beyond_.begin() == upTo_ + 1) upTo_ = *beyond_.begin(), beyond_.erase(beyond_.begin());
    return true;
  }

 private:
  std::int64_t upTo_ = 0;
  std::set<std::int64_t> beyond_;
};

}  // namespace paceline
