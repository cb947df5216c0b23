// A flat vector on its way, shard by shard: which of its shards are whole and may leave, which have come back. Header-only, pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/comm/transport/layers.h"
#include "engine/core/base/error.h"

namespace paceline {

class ShardStream {
 public:
  void begin(std::span<const ShardRange> shards) {
    shards_.assign(shards.begin(), shards.end());
    missing_.clear();
    for (const ShardRange& shard : shards_) missing_.push_back(shard.size);
    back_.assign(shards_.size(), false);
    left_ = shards_.size();
  }

  bool open() const { return left_ > 0; }  // something has not come back
  std::size_t size() const { return shards_.size(); }
  const ShardRange& operator[](std::size_t shard) const { return shards_[shard]; }

  // These elements are final, each once. whole(shard): of those that are so now.
  template <class Whole>
  void give(std::size_t offset, std::size_t size, const Whole& whole) {
    eachOf(offset, size, [&](std::size_t s) {
      const std::size_t from = std::max(offset, shards_[s].offset), to = std::min(offset + size, shards_[s].offset + shards_[s].size);
      PACELINE_CHECK(missing_[s] >= to - from, "an element is given once");
      missing_[s] -= to - from;
      if (missing_[s] == 0) whole(s);
    });
  }

  void back(std::size_t shard) {
    PACELINE_CHECK(!back_[shard], "a shard comes back once");
    back_[shard] = true;
    --left_;
  }
  bool isBack(std::size_t shard) const { return back_[shard]; }
  bool areBack(std::size_t offset, std::size_t size) const {  // all shards of these elements
    bool all = true;
    eachOf(offset, size, [&](std::size_t s) { all = all && back_[s]; });
    return all;
  }

 private:
  template <class See>
  void eachOf(std::size_t offset, std::size_t size, const See& see) const {
    auto shard = std::ranges::upper_bound(shards_, offset, {}, [](const ShardRange& range) { return range.offset + range.size; });
    for (; size > 0 && shard != shards_.end() && shard->offset < offset + size; ++shard) see(static_cast<std::size_t>(shard - shards_.begin()));
  }

  std::vector<ShardRange> shards_;
  std::vector<std::size_t> missing_;  // elements that are not final, by shard
  std::vector<bool> back_;
  std::size_t left_ = 0;
};

}  // namespace paceline
