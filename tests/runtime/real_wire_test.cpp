// The same loops over real sockets on loopback, each node a thread. Deadlines guard against hanging only.
#include <gtest/gtest.h>

#include <barrier>
#include <exception>
#include <mutex>
#include <thread>

#include "engine/comm/zmq_wire.h"
#include "tests/support/sim_run.h"

namespace paceline {
namespace {

using testing::clusterOf;
using testing::quadratic;
using testing::runInSim;

struct RealResult {
  std::vector<std::vector<Real>> parameters;  // by rank
  std::vector<std::vector<RoundRecord>> rounds;
  std::vector<std::string> reasons;
};

class RealRun {
 public:
  explicit RealRun(const RunSpec& spec)
      : spec_(spec), count_(spec.nodes.size()), endpoints_(count_), bound_(static_cast<std::ptrdiff_t>(count_)) {
    result_.reasons.resize(count_);
    result_.rounds.resize(count_);
    result_.parameters.resize(count_);
  }

  RealResult run() {
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < count_; ++i) threads.emplace_back([this, i] { live(i); });
    }
    if (failure_) std::rethrow_exception(failure_);
    return std::move(result_);
  }

 private:
  void live(std::size_t i) try {
    const int node = static_cast<int>(i);
    const std::unique_ptr<Objective> objective = spec_.nodes[i].role == Role::kWorker ? quadratic()(spec_, node) : nullptr;
    const std::unique_ptr<BoundWire> wire = bindZmqWire(node, "127.0.0.1", {}, {.plainTcp = true});
    endpoints_[i] = wire->endpoint();
    bound_.arrive_and_wait();
    std::vector<std::string> names;
    for (const NodeSpec& other : spec_.nodes) names.push_back(other.id);
    wire->connect(endpoints_, names);
    const std::unique_ptr<Clock> clock = steadyClock();
    const NodeRun run{.spec = spec_,
                      .node = node,
                      .wire = *wire,
                      .clock = *clock,
                      .emit =
                          [&](const Event& event) {
                            if (const auto* round = std::get_if<RoundRecord>(&event)) result_.rounds[i].push_back(*round);
                          },
                      .askedToStop = nullptr};
    result_.reasons[i] = objective ? runWorker(run, *objective) : runServer(run);
    if (objective) result_.parameters[i].assign(objective->parameters().begin(), objective->parameters().end());
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }

  const RunSpec& spec_;
  std::size_t count_;
  std::vector<std::string> endpoints_;
  std::barrier<> bound_;
  RealResult result_;
  std::mutex mutex_;  // guards failure_
  std::exception_ptr failure_;
};

RunSpec quick(const std::string& algorithm, int workers, int servers) {
  RunSpec spec = clusterOf(algorithm, workers, servers);
  for (NodeSpec& node : spec.nodes)
    if (node.role == Role::kWorker) node.emulate.stepSeconds = 0.002;
  spec.stop.rounds = 30;
  return spec;
}

TEST(RealWire, SynchronousRunsEndWithTheSimulatorsBits) {
  for (const char* algorithm : {"ssgd", "local_sgd"})
    for (const char* aggregation : {"server", "ring"}) {
      RunSpec spec = quick(algorithm, 3, 2);
      spec.aggregation.id = aggregation;
      const RealResult real = RealRun(spec).run();
      const testing::SimResult simulated = runInSim(spec, quadratic());
      for (std::size_t rank = 0; rank < 3; ++rank)
        EXPECT_EQ(real.parameters[rank], simulated.parameters[rank]) << algorithm << ' ' << aggregation;
      for (const std::string& reason : real.reasons) EXPECT_EQ(reason, "rounds");
    }
}

TEST(RealWire, EveryAlgorithmEndsOnSockets) {
  for (const char* algorithm : {"asgd", "dc_asgd", "esync"}) {
    RunSpec spec = quick(algorithm, 3, 1);
    spec.nodes[2].emulate.stepSeconds = 0.02;
    const RealResult real = RealRun(spec).run();
    for (const std::string& reason : real.reasons) EXPECT_EQ(reason, "rounds") << algorithm;
    EXPECT_EQ(real.rounds[0].size(), 30u);
  }
}

TEST(RealWire, PhasesNeverExceedTheRound) {
  const RealResult real = RealRun(quick("ssgd", 2, 1)).run();
  for (const RoundRecord& r : real.rounds[1])
    EXPECT_LE(r.fetch + r.compute + r.update + r.send + r.wait + r.receive + r.query + r.evaluate, r.total * (1 + 1e-9) + 1e-9);
}

TEST(RealWire, EmulatedLinksAreHonoured) {
  RunSpec spec = quick("ssgd", 2, 1);
  spec.nodes[1].emulate.latencyMs = 15;
  spec.stop.rounds = 5;
  const RealResult real = RealRun(spec).run();
  for (const RoundRecord& r : real.rounds[0]) EXPECT_GE(r.total, 0.015);
}

}  // namespace
}  // namespace paceline
