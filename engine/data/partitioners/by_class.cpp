// ESync's non-i.i.d. split: samples ordered by class, file order within a class, cut into N equal stretches, never shuffled:
// batches run through one class after another. With one worker ESync ignores the split and reads the file in order.
#include "engine/data/partitioners/partitioner.h"

namespace paceline::partitioners {
namespace {

Partition byClassInTurn(const PartitionRequest& request) {
  std::vector<std::uint32_t> order;
  for (const auto& bucket : classBuckets(request)) order.insert(order.end(), bucket.begin(), bucket.end());
  if (request.world == 1) order = fileOrder(request.labels.size());
  return {.indices = cut("by_class", request, order, remainderOf(request.params)), .shuffled = request.params.boolean("shuffle")};
}

}  // namespace

PartitionerDef by_class() {
  PartitionerDef def;
  def.id = "by_class";
  def.title = "By class (non-i.i.d.)";
  def.byClass = true;
  def.summary = "Samples sorted by class and cut into one stretch per worker, so each worker sees few classes: ESync's non-i.i.d. split.";
  def.reference = "Li et al., ESync (github.com/Lizonghang/ESync), split_by_class = 1";
  def.params = {dropRemainderParam(),
                advanced(booleanParam("shuffle", false, "Reshuffle a worker's own samples every epoch; ESync does not, so its batches hold one class."))};
  def.split = byClassInTurn;
  return def;
}

}  // namespace paceline::partitioners
