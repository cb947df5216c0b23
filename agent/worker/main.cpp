// paceline-worker: one worker of one run; also says what this agent can do, and simulates whole runs.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <thread>

#include "agent/node/node_process.h"
#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/codecs/select.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/event.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/topologies.h"
#include "engine/cuda/select.h"
#include "engine/data/datasets/data_check.h"
#include "engine/data/datasets/dataset.h"
#include "engine/data/partitioners/partitioner.h"
#include "engine/nn/torch_objective.h"
#include "engine/runtime/schedule.h"

namespace paceline {
namespace {

constexpr std::size_t kSelectOnDeviceFrom = std::size_t{1} << 20;  // values; below, the way there costs more than the CPU's selection

// Of the document named on a command line; "-": stdin.
std::string textOf(const std::string& path) {
  if (auto text = path == "-" ? restOf(stdin) : fileText(path)) return std::move(*text);
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
  entry.downloads = !def.files.empty();
  return entry;
}

// What this agent can do on this host.
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

Json fileJson(const datasets::PublishedFile& file) { return {{"name", file.name}, {"url", file.url}, {"bytes", file.bytes}, {"sha256", file.sha256}}; }

Json setJson(const datasets::DatasetDef& def) {
  std::vector<Finding> none;
  const std::string home = userDataSets();
  Json files = Json::array();
  for (const datasets::PublishedFile& file : def.files)
    if (!file.url.empty()) files.push_back(fileJson(file));
  return {{"id", def.id},
          {"title", def.title},
          {"reference", def.reference},
          {"location", def.locate(completeParams(def.params, {}, "", none))},
          {"shape", {def.shape.channels, def.shape.height, def.shape.width}},
          {"classes", def.classes},
          {"train_count", def.trainCount},
          {"test_count", def.testCount},
          {"download_to", def.files.empty() || home.empty() ? "" : strCat(home, "/", def.folder)},
          {"files", files}};
}

Json splitJson(const datasets::CheckedSplit& split) {
  return {{"name", split.name}, {"images", split.images}, {"expected", split.expected}, {"per_class", split.perClass}, {"broken", split.broken}, {"broken_files", split.brokenFiles}};
}

Json checkJson(const datasets::DataCheck& check) {
  Json files = Json::array(), splits = Json::array();
  for (const datasets::CheckedFile& file : check.files)
    files.push_back({{"name", file.name}, {"path", file.path}, {"bytes", file.bytes}, {"state", datasets::fileStateName(file.state)}, {"expected_sha256", file.expected}, {"found_sha256", file.found}});
  for (const datasets::CheckedSplit& split : check.splits) splits.push_back(splitJson(split));
  return {{"id", check.id}, {"path", check.path}, {"decoded", check.decoded}, {"classes", check.classes}, {"class_names", check.classNames}, {"files", files}, {"splits", splits}, {"problems", check.problems}};
}

const datasets::DatasetDef& setAt(const std::string& path, const std::string& id) {
  if (!id.empty()) {
    const datasets::DatasetDef* def = datasets::findDataset(id);
    if (def == nullptr) throw Error(Errc::kData, unknownId("data set", id, datasets::datasets()));
    if (!datasets::hasFiles(*def)) throw Error(Errc::kData, strCat("data set \"", id, "\" has no files"));
    return *def;
  }
  const std::vector<const datasets::DatasetDef*> could = datasets::setsAt(path);
  if (could.size() == 1) return *could.front();
  std::string names;
  for (const datasets::DatasetDef* def : could) names += strCat(names.empty() ? "" : " or ", def->id);
  if (could.empty()) throw Error(Errc::kData, strCat(path, ": is no known data set; name one with --as ID"));
  throw Error(Errc::kData, strCat(path, ": could be ", names, "; name one with --as ID"));
}

void check(const std::vector<std::string>& words) {
  std::string path, id;
  bool decode = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--decode")
      decode = true;
    else if (words[i] == "--as" && i + 1 < words.size())
      id = words[++i];
    else if (path.empty())
      path = words[i];
    else
      throw Error(Errc::kUsage, strCat("data check: \"", words[i], "\" is not expected"));
  }
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw Error(Errc::kFile, strCat(path.empty() ? "data check: the path" : path, ": ", error ? error.message() : "no such file or folder"));
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::cout << dumped(checkJson(datasets::checkData(setAt(path, id), path, decode, threads)), 2) << '\n';
}

// How many samples of each class every worker gets, as JSON.
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

// Events on stdout.
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

// list, or check PATH [--as ID] [--decode]: JSON on stdout.
void data(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "list") {
    Json sets = Json::array();
    for (const datasets::DatasetDef& def : datasets::datasets()) sets.push_back(setJson(def));
    std::cout << dumped(Json{{"datasets", sets}}, 2) << '\n';
  } else if (words.size() >= 2 && words[0] == "check") {
    check({words.begin() + 1, words.end()});
  } else {
    throw Error(Errc::kUsage, "data: expected list, or check PATH [--as ID] [--decode]");
  }
  if (!std::cout.flush()) throw Error(Errc::kFile, "cannot write to stdout");
}

std::unique_ptr<Objective> objectiveOf(const RunSpec& spec, int index) {
  const NodeSpec& node = spec.nodes.at(static_cast<std::size_t>(index));
  if (node.role == Role::kServer)
    throw Error(Errc::kSpec, strCat("node ", node.id, " is a ", roleName(node.role), ", this program runs workers and evaluators"));
  useThreads(node.threads);
  if (node.role == Role::kEvaluator) return makeEvaluationObjective(spec, index, loadDataset(spec));
  const std::vector<int> workers = spec.workers();
  const auto rank = static_cast<int>(std::find(workers.begin(), workers.end(), index) - workers.begin());
  std::unique_ptr<Objective> objective = makeTorchObjective(spec, rank, loadDataset(spec));  // says so where the device is not there
  if (DeviceSelect select = deviceSelect(node.device)) codecs::selectElsewhere(std::move(select), kSelectOnDeviceFrom);
  return objective;
}

node::NodeWork workerWork(const Prepare& prepare) {
  checkTorchVersion();
  const RunSpec& spec = prepare.spec;
  const bool evaluates = spec.nodes.at(static_cast<std::size_t>(prepare.node)).role == Role::kEvaluator;
  const std::shared_ptr<Objective> objective = objectiveOf(spec, prepare.node);
  return {.what = strCat(evaluates ? "evaluates " : "trains ", spec.model.id, " with ", spec.algorithm.id),
          .run = [=](const NodeRun& run) { return evaluates ? runEvaluator(run, *objective) : runWorker(run, *objective); }};
}

int usage() {
  std::cerr << "usage: paceline-worker run | describe | simulate SPEC.json|- | split SPEC.json|- | data list|check PATH | version\n"
               "  run       train in one run; orders on stdin, events on stdout, one JSON object a line (agent/README.md)\n"
               "  describe  the catalogue of this agent as JSON\n"
               "  simulate  a whole experiment document in virtual time; events on stdout\n"
               "  split     how many samples of each class every worker gets, as JSON\n"
               "  data      the data sets of this host as JSON; check PATH [--as ID] [--decode]: what lies in a folder\n";
  return 2;
}

int report(const std::function<void()>& command) {
  try {
    command();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "paceline-worker: " << reasonOf(error) << '\n';
    return 1;
  }
}

int main(int count, char** arguments) {
  const std::string_view command = count >= 2 ? arguments[1] : "";
  if (count == 2 && command == "run") return node::runNode(workerWork);
  if (count == 2 && command == "describe") return report([] { std::cout << toJsonText(describe(), 2) << '\n'; });
  if (count == 3 && command == "simulate") return report([&] { simulateFile(arguments[2]); });
  if (count == 3 && command == "split") return report([&] { splitFile(arguments[2]); });
  if (count >= 3 && command == "data") return report([&] { data({arguments + 2, arguments + count}); });
  if (count == 2 && (command == "version" || command == "--version"))
    return report([] { std::cout << "paceline-worker " PACELINE_VERSION " (LibTorch " << torchVersion() << ")\n"; });
  return usage();
}

}  // namespace
}  // namespace paceline

int main(int count, char** arguments) {
  paceline::disk::tellFileSizeLimits();
  return paceline::main(count, arguments);
}
