// paceline-worker: one worker of one run; also says what this agent can do, and simulates whole runs.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <thread>

#include "agent/node/fork_server.h"
#include "agent/node/node_process.h"
#include "agent/simulation/simulation.h"
#include "agent/worker/data_questions.h"
#include "agent/worker/model_questions.h"
#include "agent/worker/process_limits.h"
#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/aggregation_engine.h"
#include "engine/comm/codecs/select.h"
#include "engine/core/base/disk.h"

#include "engine/core/base/text.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/kernels.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/topologies.h"
#include "engine/cuda/select.h"
#include "engine/data/datasets/dataset.h"
#include "engine/data/partitioners/partitioner.h"
#include "engine/nn/c10d.h"
#include "engine/nn/torch_objective.h"
#include "engine/runtime/schedule.h"

namespace paceline {
namespace {

constexpr std::size_t kSelectOnDeviceFrom = std::size_t{1} << 20;  // values; below, the way there costs more than the CPU's selection

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

// What the document's network is made of, on the given data.
ModelLayout layoutOf(const RunSpec& spec, const std::shared_ptr<const datasets::Dataset>& data) {
  const std::unique_ptr<Objective> objective = makeTorchObjective(spec, 0, data);
  objective->countWork();
  return {.input = data->shape, .classes = data->classes, .params = spec.model.params, .blocks = {objective->blocks().begin(), objective->blocks().end()}};
}

// The catalogue with the layout of the document's network.
Catalog describeFor(const RunSpec& spec, const std::shared_ptr<const datasets::Dataset>& data) {
  Catalog catalog = describe();
  std::ranges::find(catalog.models, spec.model.id, &ModelEntry::id)->layouts.push_back(layoutOf(spec, data));
  return catalog;
}

// A document that is still being written has a split as soon as these parts of it are sound.
bool aboutTheSplit(const Finding& finding) {
  const std::string_view parts[] = {"/dataset", "/partition", "/nodes", "/seed"};
  return finding.pointer.empty() || std::any_of(std::begin(parts), std::end(parts), [&](std::string_view part) { return finding.pointer.starts_with(part); });
}

// How many samples of each class every worker gets, as JSON.
void splitFile(const std::string& path) {
  ParsedSpec parsed = parseRunSpec(simulation::textOf(path));
  std::erase_if(parsed.findings, [](const Finding& finding) { return !aboutTheSplit(finding); });
  simulation::refuseErrors(path, parsed.findings);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(parsed.spec);
  Json workers = Json::array();
  for (const int worker : parsed.spec.workers()) workers.push_back(parsed.spec.nodes[static_cast<std::size_t>(worker)].id);
  const Json document = {{"workers", workers}, {"counts", partitioners::labelCountsOf(partitioners::splitOf(parsed.spec, *data), data->train.labels, data->hasClasses ? data->classes : 1)}};
  std::cout << document.dump() << '\n';
  if (!std::cout.flush()) throw Error(Errc::kFile, "cannot write the counts to stdout");
}

// What follows "simulate" on the command line.
constexpr int kMostThreads = 1024;
struct Simulated {
  std::string path, replay;  // replay: of a run's records; "": none
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
};

Simulated simulatedOf(const std::vector<std::string>& words) {
  Simulated asked;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--threads" && i + 1 < words.size()) {
      const std::string& text = words[++i];
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), asked.threads);
      if (error != std::errc() || end != text.data() + text.size() || asked.threads < 1 || asked.threads > kMostThreads)
        throw Error(Errc::kUsage, strCat("simulate: --threads takes a number from 1 to ", kMostThreads, ", not \"", quotable(text), "\""));
    } else if (words[i] == "--replay" && i + 1 < words.size()) {
      asked.replay = words[++i];
    } else if (asked.path.empty()) {
      asked.path = words[i];
    } else {
      throw Error(Errc::kUsage, strCat("simulate: \"", words[i], "\" is not expected"));
    }
  }
  if (asked.path.empty()) throw Error(Errc::kUsage, "simulate: expected SPEC.json, or - for stdin");
  return asked;
}

// Events on stdout.
void simulateFile(const Simulated& asked) {
  RunSpec spec = simulation::simulable(asked.path, describe());
  std::optional<Replay> replay;
  if (!asked.replay.empty()) replay = simulation::replayOf(spec, asked.replay);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(spec);
  if (!spec.learn && replay) throw Error(Errc::kSpec, strCat(asked.path, ": /learn is false, so there is nothing to repeat (--replay)"));
  if (!spec.learn) return simulation::printEvents(spec, simulation::withoutLearning(spec, describeFor(spec, data), *data));
  useDeterministicKernels(true);
  const auto objectives = [&](const RunSpec& run, int rank) { return makeTorchObjective(run, rank, data); };
  simulation::printEvents(spec, objectives, {.threads = asked.threads, .onThread = [] { useThreads(1); }}, replay ? &*replay : nullptr);
}

void describeFile(const std::string& path) {
  const RunSpec spec = simulation::simulable(path, describe());
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(spec);
  limitForCode(spec);
  const std::string catalog = toJsonText(describeFor(spec, data), 2);
  mayWriteFilesAgain();  // stdout may be one
  std::cout << catalog << '\n';
}

// The data set that a fork server has loaded for the workers forked from it.
struct SharedData {
  Choice choice;
  std::uint64_t seed = 0;
  std::shared_ptr<const datasets::Dataset> data;
};
SharedData& sharedData() {
  static SharedData shared;
  return shared;
}

std::shared_ptr<const datasets::Dataset> dataOf(const RunSpec& spec) {
  const SharedData& shared = sharedData();
  return shared.data && shared.choice == spec.dataset && shared.seed == spec.seed ? shared.data : loadDataset(spec);
}

std::unique_ptr<Objective> objectiveOf(const RunSpec& spec, int index) {
  const NodeSpec& node = spec.nodes.at(static_cast<std::size_t>(index));
  if (node.role == Role::kServer)
    throw Error(Errc::kSpec, strCat("node ", node.id, " is a ", roleName(node.role), ", this program runs workers and evaluators"));
  useThreads(node.threads);
  limitNode(spec);
  if (node.role == Role::kEvaluator) return makeEvaluationObjective(spec, index, dataOf(spec));
  const std::vector<int> workers = spec.workers();
  const auto rank = static_cast<int>(std::find(workers.begin(), workers.end(), index) - workers.begin());
  std::unique_ptr<Objective> objective = makeTorchObjective(spec, rank, dataOf(spec));  // says so where the device is not there
  if (DeviceSelect select = deviceSelect(node.device)) codecs::selectElsewhere(std::move(select), kSelectOnDeviceFrom);
  return objective;
}

// Why it ended. Its weights are left also where a peer was lost.
std::string trained(const NodeRun& run, Objective& objective, bool evaluates) {
  try {
    std::string reason = evaluates ? runEvaluator(run, objective) : runWorker(run, objective);
    if (reason != kVanished) leaveWeights(run, objective);
    return reason;
  } catch (...) {
    leaveWeights(run, objective);
    throw;
  }
}

node::NodeWork workerWork(const Prepare& prepare) {
  checkTorchVersion();
  const RunSpec& spec = prepare.spec;
  const bool evaluates = spec.nodes.at(static_cast<std::size_t>(prepare.node)).role == Role::kEvaluator;
  const std::shared_ptr<Objective> objective = objectiveOf(spec, prepare.node);
  return {.what = strCat(evaluates ? "evaluates " : "trains ", spec.model.id, " with ", spec.algorithm.id),
          .run = [=](const NodeRun& run) { return trained(run, *objective, evaluates); },
          .kernels = kernelsInUse(spec.nodes[static_cast<std::size_t>(prepare.node)].threads)};
}

// Nothing random is drawn here and no device is touched: workers do that, each for itself.
int serveForks() {
  const auto load = [](const std::string& document) {
    checkTorchVersion();
    useThreads(1);
    const RunSpec spec = parseRunSpec(document).spec;  // not a whole one: its findings do not count
    sharedData() = {.choice = spec.dataset, .seed = spec.seed, .data = loadDataset(spec)};
  };
  return node::serveForks(load, [] { return node::runNode(workerWork); });
}

// A simulation computes with those that a supervisor gives the nodes of this host, to the same bits.
void takeKernelsOfNodes(char** arguments) {
  const Variables changes = kernelsHere();
  for (const auto& [name, value] : changes) ::setenv(name.c_str(), value.c_str(), 1);
  if (!changes.empty()) ::execv("/proc/self/exe", arguments);  // where that fails, with those that are loaded
}

int usage() {
  std::cerr << "usage: paceline-worker run | fork | describe [SPEC.json|-] | simulate SPEC.json|- [--threads N] [--replay RECORDS] | split SPEC.json|- | data list|check PATH|look | model check FILE | version\n"
               "  run       train in one run; orders on stdin, events on stdout, one JSON object a line (agent/README.md)\n"
               "  fork      loads once what several workers of a run need, and is forked into them; by paceline-agent at the other end of stdin\n"
               "  describe  the catalogue of this agent as JSON; with a document what its network is made of\n"
               "  simulate  a whole experiment document in virtual time; events on stdout, the same bytes with any number of threads (default: this computer's).\n"
               "            --replay: a run's records, a line each with its node; it is repeated in the order in which its servers applied what came\n"
               "  split     how many samples of each class every worker gets, as JSON\n"
               "  data      the data sets of this host as JSON, with their sizes by --sizes; check PATH [--as ID] [--decode]: what lies in a folder;\n"
               "            look [PATH] [--as ID] [--split train|test] [--count N] [--seed N]: samples by class, and some of them\n"
               "  model     check FILE [SPEC.json|-]: what a TorchScript file is made of, and one step on the document's data; runs what is in it, within limits\n";
  return 2;
}

int report(const std::function<void()>& command) { return node::runCommand("paceline-worker", command); }

int main(int count, char** arguments) {
  aggregators::offerC10d(c10dCollective());
  const std::string_view command = count >= 2 ? arguments[1] : "";
  if (count == 2 && command == "run") return node::runNode(workerWork);
  if (count == 2 && command == "fork") return serveForks();
  if (count == 2 && command == "describe") return report([] { std::cout << toJsonText(describe(), 2) << '\n'; });
  if (count == 3 && command == "describe") return report([&] { describeFile(arguments[2]); });
  if (count >= 3 && command == "simulate") takeKernelsOfNodes(arguments);
  if (count >= 3 && command == "simulate")
    return report([&] {
      simulateFile(simulatedOf({arguments + 2, arguments + count}));
    });
  if (count == 3 && command == "split") return report([&] { splitFile(arguments[2]); });
  if (count >= 3 && command == "model") return report([&] { answerAboutModels({arguments + 2, arguments + count}); });
  if (count >= 3 && command == "data") return report([&] { answerAboutData({arguments + 2, arguments + count}); });
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
