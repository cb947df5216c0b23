// paceline-worker: one worker of one run; also says what this agent can do, and simulates whole runs.
#include <algorithm>
#include <iostream>
#include <string_view>

#include "agent/node/node_process.h"
#include "agent/worker/commands.h"
#include "engine/comm/codecs/select.h"
#include "engine/core/base/error.h"
#include "engine/cuda/select.h"
#include "engine/nn/torch_objective.h"

namespace paceline {
namespace {

constexpr std::size_t kSelectOnDeviceFrom = std::size_t{1} << 20;  // values; below, the way there costs more than the CPU's selection

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
    std::cerr << "paceline-worker: " << error.what() << '\n';
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

int main(int count, char** arguments) { return paceline::main(count, arguments); }
