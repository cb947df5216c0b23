#include "engine/core/spec/distinct_ids.h"
#include "engine/data/datasets/dataset.h"
#include "engine/data/partitioners/partitioner.h"
#include "registry/datasets.h"
#include "registry/partitioners.h"

namespace paceline {
namespace {

template <class Def, std::size_t kCount>
std::vector<Def> made(const char* kinds, Def (*const (&functions)[kCount])()) {
  std::vector<Def> defs;
  for (auto* function : functions) defs.push_back(function());
  requireDistinctIds(kinds, defs);
  return defs;
}

}  // namespace

const std::vector<datasets::DatasetDef>& datasets::datasets() {
  static const std::vector<datasets::DatasetDef> defs = made("data sets", datasets::k_datasets);
  return defs;
}

const datasets::DatasetDef* datasets::findDataset(const std::string& id) { return findEntry(datasets::datasets(), id); }

std::shared_ptr<const datasets::Dataset> loadDataset(const RunSpec& spec) {
  const datasets::DatasetDef* def = datasets::findDataset(spec.dataset.id);
  if (def == nullptr) throw Error(Errc::kSpec, unknownId("dataset", spec.dataset.id, datasets::datasets()));
  return std::make_shared<const datasets::Dataset>(def->load(completed(def->params, spec.dataset.params, "/dataset/params"), spec.seed));
}

const std::vector<partitioners::PartitionerDef>& partitioners::partitioners() {
  static const std::vector<partitioners::PartitionerDef> defs = made("partitions", partitioners::k_partitioners);
  return defs;
}

const partitioners::PartitionerDef* partitioners::findPartitioner(const std::string& id) { return findEntry(partitioners::partitioners(), id); }

}  // namespace paceline
