// ESync's "i.i.d." split: rank r of N owns [r L, (r + 1) L), L = floor(samples / N), reshuffled every epoch. It relies on a file
// in random order.
#include "engine/data/partitioners/partitioner.h"

namespace paceline::partitioners {

PartitionerDef contiguous() {
  PartitionerDef def;
  def.id = "contiguous";
  def.title = "Contiguous blocks";
  def.summary = "Each worker gets one stretch of the file in its own order, reshuffled every epoch: ESync's i.i.d. split.";
  def.reference = "Li et al., ESync (github.com/Lizonghang/ESync), split_by_class = 0";
  def.params = {dropRemainderParam()};
  def.split = [](const PartitionRequest& request) {
    return Partition{.indices = cut("contiguous", request, fileOrder(request.labels.size()), remainderOf(request.params))};
  };
  return def;
}

}  // namespace paceline::partitioners
