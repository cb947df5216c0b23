#include "engine/core/base/rng.h"
#include "engine/data/partitioners/partitioner.h"

namespace paceline::partitioners {

PartitionerDef iid() {
  PartitionerDef def;
  def.id = "iid";
  def.title = "Random (i.i.d.)";
  def.summary = "A seeded random permutation, cut into one part per worker; what does not divide evenly goes to the first workers.";
  def.split = [](const PartitionRequest& request) {
    std::vector<std::uint32_t> order = fileOrder(request.labels.size());
    Rng::stream(request.seed, "partition").shuffle(std::span<std::uint32_t>(order));
    return Partition{.indices = cut("iid", request, order, Remainder::kToFirstRanks)};
  };
  return def;
}

}  // namespace paceline::partitioners
