#include <algorithm>
#include <utility>
#include <vector>

#include "engine/comm/sim/sim_world.h"
#include "engine/runtime/node_loop.h"

namespace paceline {
namespace {

// Events in the order (virtual time, node): those of one instant are held back until time goes on. One node runs at a time.
class OrderedEvents {
 public:
  explicit OrderedEvents(const std::function<void(int, const Event&)>& emit) : emit_(emit) {}

  void add(double time, int node, const Event& event) {
    if (time != time_) flush();
    time_ = time;
    held_.emplace_back(node, event);
  }

  void flush() {
    std::stable_sort(held_.begin(), held_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [node, event] : std::exchange(held_, {})) emit_(node, event);
  }

 private:
  const std::function<void(int, const Event&)>& emit_;
  double time_ = 0;
  std::vector<std::pair<int, Event>> held_;
};

void live(const NodeRun& run, const ObjectiveFactory& objectives) {
  NoticeRecord finished{.kind = "finished", .text = {}, .level = "info", .reason = {}, .code = 0, .unixTime = 0};
  const std::vector<int> workers = run.spec.workers();
  const auto worker = std::find(workers.begin(), workers.end(), run.node);
  if (worker != workers.end()) {
    const std::unique_ptr<Objective> objective = objectives(run.spec, static_cast<int>(worker - workers.begin()));
    finished.reason = runWorker(run, *objective);
  } else if (run.spec.nodes[static_cast<std::size_t>(run.node)].role == Role::kEvaluator) {
    finished.reason = runEvaluator(run, *objectives(run.spec, 0));
  } else {
    finished.reason = runServer(run);
  }
  run.emit(finished);
}

}  // namespace

void simulate(const RunSpec& spec, const ObjectiveFactory& objectives, const std::function<void(int, const Event&)>& emit) {
  std::vector<Emulate> links;
  std::vector<std::string> names;
  for (const NodeSpec& node : spec.nodes) {
    links.push_back(node.emulate);
    names.push_back(node.id);
  }
  sim::SimWorld world(links, names);
  OrderedEvents events(emit);
  std::vector<std::function<void()>> bodies;
  for (int node = 0; node < static_cast<int>(spec.nodes.size()); ++node)
    bodies.push_back([&, node] {
      Clock& clock = world.clock(node);
      live({.spec = spec,
            .node = node,
            .wire = world.wire(node),
            .clock = clock,
            .emit = [&, node](const Event& event) { events.add(clock.now(), node, event); },
            .askedToStop = nullptr,
            .nominalStepSeconds = kNominalStepSeconds},
           objectives);
    });
  try {
    world.run(std::move(bodies));
  } catch (...) {
    events.flush();  // what happened before it broke
    throw;
  }
  events.flush();
}

}  // namespace paceline
