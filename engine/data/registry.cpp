#include "engine/data/datasets/dataset.h"
#include "engine/data/partitioners/partitioner.h"
#include "registry/datasets.h"
#include "registry/partitioners.h"

namespace paceline {
namespace {

template <class Def, std::size_t kCount>
std::vector<Def> made(Def (*const (&functions)[kCount])()) {
  std::vector<Def> defs;
  for (auto* function : functions) defs.push_back(function());
  return defs;
}

template <class Def>
const Def* found(const std::vector<Def>& defs, const std::string& id) {
  for (const Def& def : defs)
    if (def.id == id) return &def;
  return nullptr;
}

}  // namespace

const std::vector<DatasetDef>& datasets() {
  static const std::vector<DatasetDef> defs = made(k_datasets);
  return defs;
}

const DatasetDef* findDataset(const std::string& id) { return found(datasets(), id); }

const std::vector<PartitionerDef>& partitioners() {
  static const std::vector<PartitionerDef> defs = made(k_partitioners);
  return defs;
}

const PartitionerDef* findPartitioner(const std::string& id) { return found(partitioners(), id); }

}  // namespace paceline
