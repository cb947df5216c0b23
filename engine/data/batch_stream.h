// Which samples come next. No torch. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/base/archive.h"

namespace paceline {

struct BatchPlan {
  std::size_t batchSize = 64;
  std::size_t minimum = 1;  // an epoch's leftover smaller than this is left out of that epoch
  bool shuffled = true;     // a new order every epoch; false: the given order, always
  std::uint64_t seed = 1;
  int rank = 0;
};

// An endless run of epochs over one rank's samples. Batches have exactly batchSize samples; an epoch's last one has what is left.
// The order of epoch e is a function of (seed, rank, e) only.
class BatchStream {
 public:
  BatchStream(std::vector<std::uint32_t> indices, BatchPlan plan);  // indices: not empty
  std::span<const std::uint32_t> next();                            // valid until the next call of either
  std::span<const std::uint32_t> peek();                            // what next() will give
  void state(Archive& archive);                                     // epoch and place in it; throws Error{kFormat} for a place that is none

  // Where the next batch begins. The end of one epoch and the begin of the next are two places for the same batch.
  struct Place {
    std::uint64_t epoch = 0;
    std::size_t cursor = 0;  // samples of the epoch that have been given
  };
  Place place() const { return {.epoch = epoch_, .cursor = cursor_}; }
  void goTo(const Place& place);                        // one that place() or archived() gave
  void archived(Archive& archive, Place& place) const;  // as state() does, of another place of this stream
  const BatchPlan& plan() const { return plan_; }
  std::size_t epochSize() const { return indices_.size(); }

 private:
  void startEpoch();

  std::vector<std::uint32_t> indices_, order_;
  BatchPlan plan_;
  std::uint64_t epoch_ = 0;
  std::size_t cursor_ = 0;
};

}  // namespace paceline
