// The same loops over real sockets on loopback, each node a thread. Deadlines guard against hanging only.
#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "engine/comm/shm/shared_wire.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/vector_memory.h"
#include "tests/support/own_folder.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

struct RealResult {
  std::vector<std::vector<Real>> parameters;  // by rank
  std::vector<std::vector<RoundRecord>> rounds;
  std::vector<std::string> reasons;
  std::vector<std::size_t> closings;  // which node closed a round, in the order in which they did
};

// Constant step times that nothing disturbs, whatever the machine is doing: of the workers that are in a step, the one whose step ends
// first goes on, once all others are in theirs or have ended. What lies between steps takes no time.
class UndisturbedSteps {
 public:
  explicit UndisturbedSteps(std::size_t workers) : workers_(workers) {}

  std::unique_ptr<Clock> clockOf(std::size_t worker) { return std::make_unique<StepClock>(*this, workers_[worker]); }
  void end(std::size_t worker) {
    const std::lock_guard lock(mutex_);
    workers_[worker].ended = true;
    goOn();
  }

 private:
  struct Worker {
    double now = 0;
    bool inStep = false, ended = false;
  };
  class StepClock final : public Clock {
   public:
    StepClock(UndisturbedSteps& all, Worker& own) : all_(all), own_(own) {}
    double now() const override { return own_.now; }
    void sleepFor(double seconds) override {
      std::unique_lock lock(all_.mutex_);
      own_.now += seconds;
      own_.inStep = true;
      all_.goOn();
      all_.changed_.wait(lock, [this] { return !own_.inStep; });
    }

   private:
    UndisturbedSteps& all_;
    Worker& own_;
  };

  void goOn() {
    Worker* first = nullptr;
    for (Worker& worker : workers_) {
      if (worker.ended) continue;
      if (!worker.inStep) return;
      if (!first || worker.now < first->now) first = &worker;
    }
    if (first) first->inStep = false;
    changed_.notify_all();
  }

  std::mutex mutex_;  // guards inStep, ended, and now while inStep
  std::condition_variable changed_;
  std::vector<Worker> workers_;
};

class RealRun {
 public:
  explicit RealRun(const RunSpec& spec, UndisturbedSteps* steps = nullptr, const QuadraticProblem& problem = {})
      : steps_(steps), problem_(problem), spec_(spec), count_(spec.nodes.size()), endpoints_(count_), bound_(static_cast<std::ptrdiff_t>(count_)) {
    result_.reasons.resize(count_);
    result_.rounds.resize(count_);
    result_.parameters.resize(count_);
  }

  // On private sockets, with vectors in memory that all nodes read.
  RealRun& inSharedMemory() {
    folder_ = ownFolder();
    useVectorMemory([arena = arena_](std::size_t bytes) { return arena.allocate(bytes); });
    return *this;
  }
  ~RealRun() { useVectorMemory({}); }

  RealResult run() {
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < count_; ++i)
        threads.emplace_back([this, i] {
          live(i);
          const std::lock_guard lock(mutex_);
          ended_ = true;
          someEnded_.notify_all();
        });
    }
    if (failure_) std::rethrow_exception(failure_);
    return std::move(result_);
  }

 private:
  void live(std::size_t i) try {
    const int node = static_cast<int>(i);
    const Role role = spec_.nodes[i].role;
    const std::unique_ptr<Objective> objective = role == Role::kServer ? nullptr : quadratic(problem_)(spec_, role == Role::kWorker ? node : 0);
    const std::unique_ptr<zeromq::BoundWire> wire = zeromq::bindZmqWire(node, folder_.empty() ? "127.0.0.1" : strCat("ipc://", folder_), {}, {.plainTcp = true});
    endpoints_[i] = wire->endpoint();
    std::optional<shm::SharedWire> shared;
    if (!folder_.empty()) shared.emplace(*wire, arena_, endpoints_[i]);
    bound_.arrive_and_wait();
    std::vector<std::string> names;
    for (const NodeSpec& other : spec_.nodes) names.push_back(other.id);
    if (role == Role::kEvaluator) awaitEnded();
    const std::vector<std::string> met = endpointsMetBy(spec_, node, endpoints_);
    wire->connect(met, names);
    if (shared) shared->connect(met);
    const std::unique_ptr<Clock> clock = steps_ && objective ? steps_->clockOf(i) : steadyClock();
    const NodeRun run{.spec = spec_,
                      .node = node,
                      .wire = shared ? static_cast<Wire&>(*shared) : *wire,
                      .clock = *clock,
                      .emit =
                          [&](const Event& event) {
                            const auto* round = std::get_if<RoundRecord>(&event);
                            if (!round) return;
                            result_.rounds[i].push_back(*round);
                            const std::lock_guard lock(mutex_);
                            result_.closings.push_back(i);
                          },
                      .askedToStop = nullptr,
                      .nominalStepSeconds = steps_ ? kNominalStepSeconds : 0};
    result_.reasons[i] = role == Role::kEvaluator ? runEvaluator(run, *objective) : objective ? runWorker(run, *objective) : runServer(run);
    if (steps_ && objective) steps_->end(i);
    if (objective) result_.parameters[i].assign(objective->parameters().begin(), objective->parameters().end());
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }

  // Gives the others the time for a whole run, should they take it.
  void awaitEnded() {
    std::unique_lock lock(mutex_);
    someEnded_.wait_for(lock, std::chrono::milliseconds(500), [this] { return ended_; });
  }

  UndisturbedSteps* steps_;
  QuadraticProblem problem_;
  std::string folder_;  // of private sockets; "": TCP
  shm::VectorArena arena_;
  const RunSpec& spec_;
  std::size_t count_;
  std::vector<std::string> endpoints_;
  std::barrier<> bound_;
  RealResult result_;
  std::mutex mutex_;  // guards failure_, ended_, result_.closings
  std::condition_variable someEnded_;
  bool ended_ = false;
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
    for (const char* aggregation : {"server", "ring", "butterfly", "binary_blocks", "tree"}) {
      RunSpec spec = quick(algorithm, 3, 2);
      spec.aggregation.id = aggregation;
      const RealResult real = RealRun(spec).run();
      const SimResult simulated = runInSim(spec, quadratic());
      for (std::size_t rank = 0; rank < 3; ++rank)
        EXPECT_EQ(real.parameters[rank], simulated.parameters[rank]) << algorithm << ' ' << aggregation;
      for (const std::string& reason : real.reasons) EXPECT_EQ(reason, "rounds");
    }
}

// Sixteen shards and more: they leave and land while others are computed.
TEST(RealWire, OverlappedRunsEndWithTheSimulatorsBits) {
  const QuadraticProblem problem{.size = 17 * 8192, .statistics = 40, .samples = 8, .blocks = 21};
  for (const char* format : {"fp32", "int8"})
    for (const int servers : {1, 3}) {
      RunSpec spec = quick("ssgd", 3, servers);
      spec.wire.format = format;
      spec.optimizer.momentum = 0.9;
      spec.evaluate.everyRounds = 10;
      spec.nodes[1].emulate.bandwidthMbps = 2000;
      spec.stop.rounds = 25;
      const RealResult real = RealRun(spec, nullptr, problem).run();
      RunSpec plain = spec;
      plain.wire.overlap = false;
      const SimResult simulated = runInSim(plain, quadratic(problem));
      for (std::size_t rank = 0; rank < 3; ++rank) EXPECT_TRUE(real.parameters[rank] == simulated.parameters[rank]) << format << ' ' << servers << " w" << rank;
      for (std::size_t rank = 0; rank < 3; ++rank) EXPECT_EQ(real.rounds[rank].size(), 25U);
    }
}

// Vectors are read where they lie, and a server has threads: nobody's bits change. Three shards, long enough for that.
const QuadraticProblem kLongShards{.size = 3 * 8192, .statistics = 40, .samples = 8, .blocks = 5};

TEST(RealWire, RunsInSharedMemoryEndWithTheSimulatorsBits) {
  for (const char* algorithm : {"ssgd", "local_sgd"})
    for (const double momentum : {0.0, 0.9})
      for (const bool overlap : {true, false}) {
        RunSpec spec = quick(algorithm, 3, 2);
        spec.optimizer.momentum = momentum;
        spec.wire.overlap = overlap;
        for (NodeSpec& node : spec.nodes)
          if (node.role == Role::kServer) node.threads = 3;
        spec.stop.rounds = 8;
        const RealResult real = RealRun(spec, nullptr, kLongShards).inSharedMemory().run();
        RunSpec plain = spec;
        plain.wire.overlap = false;
        const SimResult simulated = runInSim(plain, quadratic(kLongShards));
        for (std::size_t rank = 0; rank < 3; ++rank)
          EXPECT_TRUE(real.parameters[rank] == simulated.parameters[rank]) << algorithm << ", momentum " << momentum << ", overlap " << overlap << ", w" << rank;
      }
}

TEST(RealWire, WireFormatsEndWithTheSimulatorsBits) {
  for (const char* format : {"fp16", "int8"})
    for (const char* aggregation : {"server", "ring"}) {
      RunSpec spec = quick("ssgd", 3, 1);
      spec.aggregation.id = aggregation;
      spec.wire.format = format;
      EXPECT_EQ(RealRun(spec).run().parameters[1], runInSim(spec, quadratic()).parameters[1]) << format << ' ' << aggregation;
    }
}

// The trace of a simulation is that of a real run whose step times are constant: same updates in the same order, each as stale.
TEST(RealWire, AsynchronousRunsHaveTheSimulatorsTrace) {
  for (const char* algorithm : {"asgd", "dc_asgd"}) {
    RunSpec spec = clusterOf(algorithm, 3, 1);
    for (const std::size_t rank : {0, 1, 2}) spec.nodes[rank].emulate.stepSeconds = (std::vector{0.1, 0.17, 0.31})[rank];  // no two end a step together
    spec.stop.rounds = 16;
    UndisturbedSteps steps(3);
    const RealResult real = RealRun(spec, &steps).run();
    const SimResult simulated = runInSim(spec, quadratic());
    const auto traceOf = [&](const auto& roundsOf) {
      const double end = roundsOf(0).back().t;  // afterwards others may or may not finish a round before they hear of the end
      std::vector<std::tuple<double, std::size_t, std::int64_t, double>> trace;
      for (const std::size_t rank : {0, 1, 2})
        for (const RoundRecord& record : roundsOf(rank))
          if (record.t <= end) trace.emplace_back(record.t, rank, record.round, record.staleness);
      std::sort(trace.begin(), trace.end());
      return trace;
    };
    const auto expected = traceOf([&](std::size_t rank) { return simulated.rounds(static_cast<int>(rank)); });
    EXPECT_EQ(traceOf([&](std::size_t rank) { return real.rounds[rank]; }), expected) << algorithm;
    EXPECT_GT(expected.size(), 16u + 8 + 4) << algorithm;
    EXPECT_EQ(real.parameters[0], simulated.parameters[0]) << algorithm;
  }
}

TEST(RealWire, GlooMakesTheSameMeansForAll) {
  for (const char* aggregation : {"ring", "butterfly"}) {
    RunSpec spec = quick("ssgd", 3, 0);
    spec.aggregation = {.id = aggregation, .engine = "gloo"};
    const RealResult real = RealRun(spec).run();
    for (const std::string& reason : real.reasons) EXPECT_EQ(reason, "rounds") << aggregation;
    EXPECT_EQ(real.parameters[1], real.parameters[0]) << aggregation;
    const auto simulated = runInSim(spec, quadratic()).parameters[0];
    for (std::size_t i = 0; i < simulated.size(); ++i) EXPECT_NEAR(real.parameters[0][i], simulated[i], 1e-5) << aggregation;
  }
}

TEST(RealWire, EveryAlgorithmEndsOnSockets) {
  for (const char* algorithm : {"asgd", "dc_asgd", "esync", "ssp", "grouping_sgd"}) {
    RunSpec spec = quick(algorithm, 3, 1);
    spec.nodes[2].emulate.stepSeconds = 0.02;
    for (const bool shares : {false, true}) {
      RealRun run(spec, nullptr, shares ? kLongShards : QuadraticProblem{});
      for (NodeSpec& node : spec.nodes)
        if (node.role == Role::kServer) node.threads = shares ? 4 : 1;
      const RealResult real = shares ? run.inSharedMemory().run() : run.run();
      for (const std::string& reason : real.reasons) EXPECT_EQ(reason, "rounds") << algorithm;
      EXPECT_EQ(real.rounds[0].size(), 30u);
    }
  }
}

// Closing a round and starting the next are one moment, so the order of closings shows who ran how far ahead, whatever the clock says.
TEST(RealWire, SspHoldsItsBoundOnSockets) {
  RunSpec spec = quick("ssp", 3, 2);
  spec.algorithm.params.set("staleness_bound", std::int64_t{2});
  spec.nodes[2].emulate.stepSeconds = 0.02;
  const RealResult real = RealRun(spec).run();
  std::vector<std::int64_t> closed(3);
  std::int64_t widest = 0;
  for (const std::size_t node : real.closings) {
    ++closed[node];
    const auto [low, high] = std::minmax_element(closed.begin(), closed.end());
    widest = std::max(widest, *high - *low);
  }
  EXPECT_EQ(closed[0], 30);
  EXPECT_LE(widest, 3);
}

// Its order to start may come when a run of milliseconds would be over: it would find nobody.
TEST(RealWire, AnEvaluatorThatStartsLateFindsEveryWorker) {
  RunSpec spec = quick("ssgd", 2, 1);
  NodeSpec& evaluator = spec.nodes.emplace_back();
  evaluator.id = "e0", evaluator.role = Role::kEvaluator;
  for (const std::string& reason : RealRun(spec).run().reasons) EXPECT_EQ(reason, "rounds");
}

TEST(RealWire, PhasesNeverExceedTheRound) {
  const RealResult real = RealRun(quick("ssgd", 2, 1)).run();
  for (const RoundRecord& r : real.rounds[1])
    EXPECT_LE(r.fetch + r.compute + r.update + r.send + r.wait + r.receive + r.query + r.evaluate, r.total * (1 + 1e-9) + 1e-9);
}

TEST(RealWire, EmulatedLinksAreHonoured) {
  RunSpec spec = quick("ssgd", 2, 1);
  spec.nodes[1].emulate.latencyMs = 15;
  spec.wire.overlap = false;  // with it a round's answers come in the next one
  spec.stop.rounds = 5;
  const RealResult real = RealRun(spec).run();
  EXPECT_EQ(real.rounds[1].size(), 5u);
  for (const RoundRecord& r : real.rounds[1]) EXPECT_GE(r.total, 0.015);  // the other one waits less in a round that it began late
}

}  // namespace
}  // namespace paceline::tests
