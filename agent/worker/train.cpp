#include <algorithm>

#include "agent/worker/commands.h"
#include "engine/comm/codecs/select.h"
#include "engine/core/base/error.h"
#include "engine/cuda/select.h"
#include "engine/nn/torch_objective.h"
#include "engine/runtime/node_loop.h"

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

}  // namespace

std::string train(node::ControlInput& input, node::EventOutput& output) {
  std::optional<Prepare> prepare = input.expect<Prepare>("prepare");
  if (!prepare) return "asked";
  checkTorchVersion();
  const RunSpec& spec = prepare->spec;
  const NodeSpec& node = spec.nodes.at(static_cast<std::size_t>(prepare->node));
  const bool evaluates = node.role == Role::kEvaluator;

  // Before the wire, so that everything the wire may still be sending from outlives it; and "listening" means ready to train.
  const std::unique_ptr<Objective> objective = objectiveOf(spec, prepare->node);
  node::NodeFolders folders(*prepare);
  node::NodeWire wire(*prepare);
  output.notice("listening", wire.wire().endpoint());
  const std::optional<Start> start = input.expect<Start>("start");
  if (!start) return "asked";
  wire.connect(*start, spec, output);
  output.notice("started", strCat(node.id, evaluates ? " evaluates " : " trains ", spec.model.id, " with ", spec.algorithm.id));
  const std::unique_ptr<Clock> clock = steadyClock();
  const NodeRun run{.spec = spec,
                    .node = prepare->node,
                    .wire = wire.wire(),
                    .clock = *clock,
                    .emit = [&](const Event& event) { output.write(event); },
                    .askedToStop = &input.askedToStop(),
                    .checkpoints = folders.checkpoints(),
                    .follow = folders.follow(),
                    .resume = folders.resume()};
  const std::string reason = evaluates ? runEvaluator(run, *objective) : runWorker(run, *objective);
  wire.close(output);
  return reason;
}

}  // namespace paceline
