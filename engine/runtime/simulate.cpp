#include <algorithm>
#include <utility>
#include <vector>

#include "engine/comm/sim/sim_world.h"
#include "engine/runtime/compute_threads.h"
#include "engine/runtime/node_loop.h"
#include "engine/runtime/setup.h"

namespace paceline {
namespace {

// Learning calls LibTorch, without it there are only our own loops; every two megabytes that are touched cost a page table.
constexpr std::size_t kStackWithoutLearning = std::size_t{128} << 10;

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
    const auto earlier = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::ranges::is_sorted(held_, earlier)) std::ranges::stable_sort(held_, earlier);
    std::vector<std::pair<int, Event>> told = std::exchange(held_, {});  // once, also when emit throws
    for (const auto& [node, event] : told) emit_(node, event);
    told.clear();
    held_ = std::move(told);  // its room
  }

 private:
  const std::function<void(int, const Event&)>& emit_;
  double time_ = 0;
  std::vector<std::pair<int, Event>> held_;
};

// One, but in a replay of a run that took it in again.
std::string workersLives(const NodeRun& run, const ObjectiveFactory& objectives, int rank) {
  std::optional<Rebirth> again;
  for (;;) {
    NodeRun life = run;
    life.again = again ? &*again : nullptr;
    const std::unique_ptr<Objective> objective = objectives(run.spec, rank);
    try {
      return runWorker(life, *objective);
    } catch (Rebirth& next) {
      again = std::move(next);
    }
  }
}

void live(const NodeRun& run, const ObjectiveFactory& objectives, sim::SimWorld& world) {
  NoticeRecord finished{.kind = "finished", .text = {}, .level = "info", .reason = {}, .code = 0, .unixTime = 0};
  if (const std::optional<std::size_t> rank = run.parts->workers.placeOf(run.node)) {
    finished.reason = workersLives(run, objectives, static_cast<int>(*rank));
    if (finished.reason == kVanished) return world.vanish(run.node);
  } else if (run.spec.nodes[static_cast<std::size_t>(run.node)].role == Role::kEvaluator) {
    finished.reason = runEvaluator(run, *objectives(run.spec, 0));
  } else {
    finished.reason = runServer(run);
  }
  run.emit(finished);
}

}  // namespace

void simulate(const RunSpec& spec, const ObjectiveFactory& objectives, const std::function<void(int, const Event&)>& emit, const Computing& computing, const Replay* replay) {
  std::vector<Emulate> links;
  std::vector<std::string> names;
  for (const NodeSpec& node : spec.nodes) {
    links.push_back(node.emulate);
    names.push_back(node.id);
  }
  ComputeThreads cores(spec.learn ? computing.threads : 1, computing.onThread);
  sim::SimWorld world(links, names, spec.learn ? sim::kStackBytes : kStackWithoutLearning);
  OrderedEvents events(emit);
  const auto parts = std::make_shared<const RunParts>(partsOf(spec));
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
            .nominalStepSeconds = kNominalStepSeconds,
            .cores = spec.learn ? &cores : nullptr,
            .replay = replay,
            .parts = parts},
           objectives, world);
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
