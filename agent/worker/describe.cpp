#include "agent/worker/commands.h"
#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/aggregator.h"
#include "engine/core/spec/topologies.h"
#include "engine/data/datasets/dataset.h"
#include "engine/data/partitioners/partitioner.h"
#include "engine/nn/torch_objective.h"
#include "engine/runtime/schedule.h"

namespace paceline {
namespace {

DatasetEntry entryOf(const datasets::DatasetDef& def) {
  DatasetEntry entry = def;
  std::vector<Finding> none;
  entry.location = def.locate(completeParams(def.params, {}, "", none));
  return entry;
}

}  // namespace

Catalog describe() {
  checkTorchVersion();
  Catalog catalog;
  catalog.version = PACELINE_VERSION;
  catalog.torch = torchVersion();
  for (const AlgorithmDef& def : algorithms()) catalog.algorithms.push_back(def);
  for (const aggregators::AggregatorDef& def : aggregators::aggregators()) catalog.aggregations.push_back(def);
  catalog.models = modelCatalog();
  for (const datasets::DatasetDef& def : datasets::datasets()) catalog.datasets.push_back(entryOf(def));
  for (const partitioners::PartitionerDef& def : partitioners::partitioners()) catalog.partitions.push_back(def);
  catalog.schedules = schedules();
  catalog.topologies = topologies();
  catalog.devices = computeDevices();
  return catalog;
}

}  // namespace paceline
