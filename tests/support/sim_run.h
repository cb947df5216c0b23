// Runs a spec in virtual time through the real loops and keeps everything a test asks about. Header-only.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/sim/sim_world.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/base/error.h"
#include "engine/runtime/node_loop.h"
#include "tests/support/quadratic_objective.h"

namespace paceline::tests {

// w0, w1, ... then s0, s1, ...; evaluated by w0 every round; quadratic things are up to the objective. A method of groups gets two:
// the first half of the workers, rounded up, and the others. A decentralised one gets a ring.
inline RunSpec clusterOf(const std::string& algorithm, int workers, int servers) {
  RunSpec spec;
  spec.name = algorithm;
  spec.algorithm.id = algorithm;
  spec.batchSize = 4;
  for (int i = 0; i < workers + servers; ++i) {
    NodeSpec& node = spec.nodes.emplace_back();
    node.role = i < workers ? Role::kWorker : Role::kServer;
    node.id = i < workers ? strCat("w", i) : strCat("s", i - workers);
  }
  const AlgorithmDef* def = findAlgorithm(algorithm);
  if (def && def->groups)
    for (int i = 0; i < workers; ++i) {
      if (i == 0 || i == (workers + 1) / 2) spec.groups.emplace_back();
      spec.groups.back().push_back(strCat("w", i));
    }
  if (def && def->topology == Topology::kDecentralised) spec.topology.id = "ring";
  spec.evaluate.on = "w0";
  spec.stop.rounds = 10;
  return spec;
}

struct SimOptions {
  double nominal = kNominalStepSeconds;
  std::function<std::unique_ptr<Clock>(Clock& clock, int node)> clock;            // what a node sees instead of its clock
  std::function<void(int node, const Event&, std::atomic<bool>& asked)> onEvent;  // may ask that node to stop
  std::function<void(const NodeRun&)> server;                                     // lives instead of runServer
  bool serversReturn = false;                                                     // as in NodeRun
  const Replay* replay = nullptr;                                                 // repeated
  Cores* cores = nullptr;                                                         // where its nodes compute; null: one after the other, as they come to it
  std::function<CheckpointFolder*(int node)> checkpoints, resume, follow;         // where a node saves, what it goes on from, what it evaluates
};

struct SimResult {
  std::vector<std::pair<int, Event>> events;  // (node, event) as emitted
  std::vector<std::vector<Real>> parameters;  // by rank, at the end; none where nobody learns
  std::vector<std::string> reasons;           // by node
  double seconds = 0;                         // virtual, of the whole run
  std::uint64_t simulatedEvents = 0;

  template <class Record>
  std::vector<Record> of(int node) const {
    std::vector<Record> records;
    for (const auto& [from, event] : events)
      if (const Record* record = std::get_if<Record>(&event); record && from == node) records.push_back(*record);
    return records;
  }
  std::vector<RoundRecord> rounds(int node) const { return of<RoundRecord>(node); }
  std::vector<EvaluationRecord> evaluations(int node) const { return of<EvaluationRecord>(node); }
  std::int64_t samples() const {
    std::int64_t sum = 0;
    for (const auto& [from, event] : events)
      if (const auto* record = std::get_if<RoundRecord>(&event)) sum += record->samples;
    return sum;
  }
};

// On a real wire nobody reaches a node to which it did not connect.
class WireToPeers final : public LayerWire {
 public:
  WireToPeers(Wire& below, const RunSpec& spec, const std::vector<std::string>& ids) : LayerWire(below), met_(endpointsMetBy(spec, below.self(), ids)) {}
  void send(int to, Message message) override {
    check(to);
    below_.send(to, std::move(message));
  }
  void sendToAll(const NodeList& nodes, const Message& message) override {
    for (const int to : nodes) check(to);
    below_.sendToAll(nodes, message);
  }
  std::optional<Message> receive(double timeoutSeconds) override { return below_.receive(timeoutSeconds); }

 private:
  void check(int to) const {
    PACELINE_CHECK(!met_.at(static_cast<std::size_t>(to)).empty(), strCat("node ", self(), " sends to node ", to, ", which is no peer of it"));
  }
  std::vector<std::string> met_;  // by node: its id; "": no peer
};

// One node's life; everything but its own entries of `result` belongs to whoever runs. One node runs at a time.
inline void liveInSim(const NodeRun& run, const ObjectiveFactory& objectives, const SimOptions& options, SimResult& result, sim::SimWorld& world) {
  const std::vector<int> workers = run.spec.workers();
  const auto worker = std::find(workers.begin(), workers.end(), run.node);
  std::string& reason = result.reasons[static_cast<std::size_t>(run.node)];
  if (run.spec.nodes[static_cast<std::size_t>(run.node)].role == Role::kEvaluator) {
    reason = runEvaluator(run, *objectives(run.spec, 0));
    return;
  }
  if (worker == workers.end()) {
    if (options.server) return options.server(run);
    reason = runServer(run);
    return;
  }
  const auto rank = static_cast<std::size_t>(worker - workers.begin());
  const std::unique_ptr<Objective> objective = objectives(run.spec, static_cast<int>(rank));
  reason = runWorker(run, *objective);
  if (reason == kVanished) world.vanish(run.node);
  const std::span<const Real> parameters = objective->parameters();
  if (!isHollow(parameters)) result.parameters[rank].assign(parameters.begin(), parameters.end());
}

inline SimResult runInSim(const RunSpec& spec, const ObjectiveFactory& objectives, const SimOptions& options = {}) {
  std::vector<Emulate> links;
  std::vector<std::string> names;
  for (const NodeSpec& node : spec.nodes) links.push_back(node.emulate), names.push_back(node.id);
  sim::SimWorld world(links, names);
  SimResult result;
  result.reasons.resize(spec.nodes.size());
  result.parameters.resize(spec.workers().size());
  std::vector<std::atomic<bool>> asked(spec.nodes.size());
  std::vector<std::function<void()>> bodies;
  for (int node = 0; node < static_cast<int>(spec.nodes.size()); ++node)
    bodies.push_back([&, node] {
      const std::unique_ptr<Clock> seen = options.clock ? options.clock(world.clock(node), node) : nullptr;
      std::atomic<bool>& askedToStop = asked[static_cast<std::size_t>(node)];
      const Emit emit = [&, node](const Event& event) {
        result.events.emplace_back(node, event);
        if (options.onEvent) options.onEvent(node, event, askedToStop);
      };
      WireToPeers wire(world.wire(node), spec, names);
      liveInSim({.spec = spec,
                 .node = node,
                 .wire = wire,
                 .clock = seen ? *seen : world.clock(node),
                 .emit = emit,
                 .askedToStop = &askedToStop,
                 .nominalStepSeconds = options.nominal,
                 .checkpoints = options.checkpoints ? options.checkpoints(node) : nullptr,
                 .follow = options.follow ? options.follow(node) : nullptr,
                 .resume = options.resume ? options.resume(node) : nullptr,
                 .cores = options.cores,
                 .serversReturn = options.serversReturn,
                 .replay = options.replay},
                objectives, options, result, world);
    });
  world.run(std::move(bodies));
  result.seconds = world.now();
  result.simulatedEvents = world.events();
  return result;
}

inline ObjectiveFactory quadratic(const QuadraticProblem& problem = {}) {
  return [problem](const RunSpec& spec, int rank) {
    return std::make_unique<QuadraticObjective>(problem, rank, static_cast<int>(spec.workers().size()), spec.batchSize);
  };
}

}  // namespace paceline::tests
