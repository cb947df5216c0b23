// No split: every worker has the whole training set and its own order of it in every epoch, as in ps_pytorch, whose "epoch" is one
// worker's: N workers go N times through the data in one. Shares do not apply.
#include "engine/core/base/error.h"
#include "engine/data/partitioners/partitioner.h"

namespace paceline::partitioners {

PartitionerDef shared() {
  PartitionerDef def;
  def.id = "shared";
  def.title = "Shared (everyone sees everything)";
  def.summary = "Every worker trains on the whole set, each in its own random order: ps_pytorch's way.";
  def.reference = "H. Wang et al., ATOMO (github.com/hwang595/ps_pytorch)";
  def.disjoint = def.shares = false;
  def.split = [](const PartitionRequest& request) {
    PACELINE_CHECK(request.world >= 1, "a partition needs a worker");
    Partition partition{.indices = std::vector(static_cast<std::size_t>(request.world), fileOrder(request.labels.size()))};
    refuseEmptyRanks("shared", request, partition);
    return partition;
  };
  return def;
}

}  // namespace paceline::partitioners
