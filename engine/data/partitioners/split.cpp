#include "engine/data/partitioners/split.h"

#include "engine/core/base/error.h"
#include "engine/data/completed.h"

namespace paceline::partitioners {

Partition splitOf(const RunSpec& spec, const datasets::Dataset& data) {
  const PartitionerDef* def = findPartitioner(spec.partition.id);
  if (def == nullptr) throw Error(Errc::kSpec, unknownId("partition", spec.partition.id, partitioners()));
  const std::vector<int> workers = spec.workers();
  if (workers.empty()) throw Error(Errc::kSpec, "nodes: there is no worker to divide the data among");
  PartitionRequest request{.labels = data.train.labels,
                           .classes = data.classes,
                           .world = static_cast<int>(workers.size()),
                           .shares = {},
                           .seed = spec.seed,
                           .params = completed(def->params, spec.partition.params, "/partition/params")};
  for (const int worker : workers)
    if (const auto share = spec.nodes[static_cast<std::size_t>(worker)].share) request.shares.push_back(*share);
  if (!request.shares.empty() && request.shares.size() != workers.size())
    throw Error(Errc::kSpec,
                strCat("share: ", request.shares.size(), " of ", workers.size(), " workers have one; give it to all or to none"));
  return def->split(request);
}

LabelCounts labelCountsOf(std::span<const std::uint32_t> samples, std::span<const std::uint16_t> labels, int classes) {
  LabelCounts counts(static_cast<std::size_t>(classes));
  for (const std::uint32_t sample : samples) ++counts.at(labels[sample]);
  return counts;
}

std::vector<LabelCounts> labelCountsOf(const Partition& partition, std::span<const std::uint16_t> labels, int classes) {
  std::vector<LabelCounts> counts;
  for (const auto& samples : partition.indices) counts.push_back(labelCountsOf(samples, labels, classes));
  return counts;
}

}  // namespace paceline::partitioners
