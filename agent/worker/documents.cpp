// What the worker knows without a run: its catalogue, what a document's split is, a whole document in virtual time.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>

#include "agent/worker/commands.h"
#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/aggregator.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/record/event.h"
#include "engine/core/spec/completed.h"
#include "engine/core/spec/topologies.h"
#include "engine/data/datasets/dataset.h"
#include "engine/data/partitioners/partitioner.h"
#include "engine/nn/torch_objective.h"
#include "engine/runtime/node_loop.h"
#include "engine/runtime/schedule.h"

namespace paceline {
namespace {

// Of the document named on a command line; "-": stdin.
std::string textOf(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  if (auto text = fileText(path)) return std::move(*text);
  throw Error(Errc::kFile, strCat("cannot read ", path, ": ", std::strerror(errno)));
}

// Throws Error{kSpec} with every error among them.
void refuseErrors(const std::string& path, const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& finding : findings)
    if (finding.error)
      all += strCat(all.empty() ? "" : "; ", finding.pointer, finding.pointer.empty() ? "" : " ", finding.message);
  if (!all.empty()) throw Error(Errc::kSpec, strCat(path, ": ", all));
}

DatasetEntry entryOf(const datasets::DatasetDef& def) {
  DatasetEntry entry = def;
  std::vector<Finding> none;
  entry.location = def.locate(completeParams(def.params, {}, "", none));
  return entry;
}

// Every node is emulated on this host's CPU, whatever device of whatever host the document names.
RunSpec simulable(const std::string& path) {
  ParsedSpec parsed = parseRunSpec(textOf(path));
  refuseErrors(path, parsed.findings);
  for (NodeSpec& node : parsed.spec.nodes) {
    node.host = "local";
    node.device = "cpu";
    node.threads = 1;
  }
  ParsedSpec valid = validate(parsed.spec, describe());
  refuseErrors(path, valid.findings);
  return valid.spec;
}

// A document that is still being written has a split as soon as these parts of it are sound.
bool aboutTheSplit(const Finding& finding) {
  const std::string_view parts[] = {"/dataset", "/partition", "/nodes", "/seed"};
  return finding.pointer.empty() || std::any_of(std::begin(parts), std::end(parts), [&](std::string_view part) { return finding.pointer.starts_with(part); });
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

void splitFile(const std::string& path) {
  ParsedSpec parsed = parseRunSpec(textOf(path));
  std::erase_if(parsed.findings, [](const Finding& finding) { return !aboutTheSplit(finding); });
  refuseErrors(path, parsed.findings);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(parsed.spec);
  Json workers = Json::array();
  for (const int worker : parsed.spec.workers()) workers.push_back(parsed.spec.nodes[static_cast<std::size_t>(worker)].id);
  const Json document = {{"workers", workers}, {"counts", partitioners::labelCountsOf(partitioners::splitOf(parsed.spec, *data), data->train.labels, data->classes)}};
  std::cout << document.dump() << '\n';
  if (!std::cout.flush()) throw Error(Errc::kFile, "cannot write the counts to stdout");
}

void simulateFile(const std::string& path) {
  const RunSpec spec = simulable(path);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(spec);
  const ObjectiveFactory objectives = [&](const RunSpec& run, int rank) {
    useThreads(1);
    useDeterministicKernels(true);
    return makeTorchObjective(run, rank, data);
  };
  simulate(spec, objectives, [&](int node, const Event& event) {
    // An event's line with the node in front: ids hold letters, digits, _, - and . only.
    std::cout << "{\"node\":\"" << spec.nodes[static_cast<std::size_t>(node)].id << "\","
              << std::string_view(toLine(event)).substr(1) << '\n';
  });
  if (!std::cout.flush()) throw Error(Errc::kFile, "cannot write the events to stdout");
}

}  // namespace paceline
