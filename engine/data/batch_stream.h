// Which samples of a rank come next. A value; used by one thread.
#pragma once

#include <cstdint>
#include <map>
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
  bool mayGrow = false;     // share() may give more samples than there are at first
};

// An endless run of epochs over one rank's samples. Batches have exactly batchSize samples; an epoch's last one has what is left.
// The order of epoch e is a function of (seed, rank, e) and its samples only.
class BatchStream {
 public:
  BatchStream(std::vector<std::uint32_t> indices, BatchPlan plan);  // indices: not empty
  std::span<const std::uint32_t> next();                            // valid until the next call of any of these
  std::span<const std::uint32_t> peek();                            // what next() will give
  void share(std::uint64_t epoch, std::vector<std::uint32_t> indices);  // from this epoch on its samples are these; not one that has begun. indices: not empty

  // Where the next batch begins. The end of one epoch and the begin of the next are two places for the same batch.
  struct Place {
    std::uint64_t epoch = 0;
    std::size_t cursor = 0;  // samples of the epoch that have been given
  };
  Place place() const { return {.epoch = epoch_, .cursor = cursor_}; }
  void goTo(const Place& place);                        // one that place() or archived() gave
  void archived(Archive& archive, Place& place) const;  // epoch and place in it; throws Error{kFormat} for a place that is none
  const BatchPlan& plan() const { return plan_; }
  std::size_t epochSize() const { return order_.size(); }

 private:
  void startEpoch();
  const std::vector<std::uint32_t>& samplesOf(std::uint64_t epoch) const;

  std::map<std::uint64_t, std::vector<std::uint32_t>> shares_;  // by the first epoch in which it has them
  std::vector<std::uint32_t> order_;                            // of this epoch
  BatchPlan plan_;
  std::uint64_t epoch_ = 0;
  std::size_t cursor_ = 0;
};

}  // namespace paceline
