// Sample i of the file goes to worker i mod N, as cards are dealt. An example: a partition is one pure function from the labels, the number of workers
// and a seed to the samples of each; the same on every node.
#include "engine/data/partitioners/partitioner.h"

namespace paceline::partitioners {

PartitionerDef dealt() {
  PartitionerDef def;
  def.id = "dealt";
  def.title = "Dealt one by one";
  def.summary = "Sample i of the file goes to worker i mod N.";
  def.reference = "an example";
  def.shares = false;  // all get equally many, whatever the nodes' shares say
  def.split = [](const PartitionRequest& request) {
    Partition made{.indices = std::vector<std::vector<std::uint32_t>>(static_cast<std::size_t>(request.world))};
    for (std::uint32_t sample = 0; sample < request.labels.size(); ++sample) made.indices[sample % made.indices.size()].push_back(sample);
    refuseEmptyRanks("dealt", request, made);
    return made;
  };
  return def;
}

}  // namespace paceline::partitioners
