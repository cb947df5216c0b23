// Images that were left out because they do not decode: each is counted once, the first 20 are named on stderr. Any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>

namespace paceline::images {

struct BrokenImage {
  std::uint32_t index = 0;
  std::string reason;  // names the file
};

class SkippedImages {
 public:
  void add(std::span<const BrokenImage> broken);
  std::uint64_t count() const;

 private:
  mutable std::mutex mutex_;  // guards indices_
  std::set<std::uint32_t> indices_;
};

}  // namespace paceline::images
