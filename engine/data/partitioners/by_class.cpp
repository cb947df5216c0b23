// ESync's non-i.i.d. split: samples ordered by class, file order within a class, cut into N equal stretches, never shuffled:
// batches run through one class after another. With one worker ESync ignores the split and reads the file in order.
#include "engine/core/error.h"
#include "engine/data/cut.h"

namespace paceline {
namespace {

std::vector<std::uint32_t> classOrder(std::span<const std::uint16_t> labels, int classes) {
  std::vector<std::vector<std::uint32_t>> buckets(static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    PACELINE_CHECK(labels[i] < classes, "a label is not below the number of classes");
    buckets[labels[i]].push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<std::uint32_t> order;
  order.reserve(labels.size());
  for (const auto& bucket : buckets) order.insert(order.end(), bucket.begin(), bucket.end());
  return order;
}

Partition split(const PartitionRequest& request) {
  const auto order = request.world == 1 ? fileOrder(request.labels.size()) : classOrder(request.labels, request.classes);
  return {.indices = cut("by_class", request, order, remainderOf(request.params)), .shuffled = request.params.boolean("shuffle")};
}

}  // namespace

PartitionerDef by_class() {
  return {
      .id = "by_class",
      .title = "By class (non-i.i.d.)",
      .summary =
          "Samples sorted by class and cut into one stretch per worker, so each worker sees few classes: ESync's non-i.i.d. "
          "split.",
      .reference = "Li et al., ESync (github.com/Lizonghang/ESync), split_by_class = 1",
      .params = {dropRemainderParam(),
                 booleanParam("shuffle", false,
                              "Reshuffle a worker's own samples every epoch; ESync does not, so its batches hold one class.")},
      .split = split};
}

}  // namespace paceline
