#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

std::vector<std::int64_t> evaluatedRounds(const SimResult& result, int node) {
  std::vector<std::int64_t> rounds;
  for (const EvaluationRecord& record : result.evaluations(node)) rounds.push_back(record.round);
  return rounds;
}

TEST(WorkerLoop, NumbersRoundsFromOne) {
  const SimResult result = runInSim(clusterOf("ssgd", 2, 1), quadratic());
  for (int node : {0, 1}) {
    const std::vector<RoundRecord> rounds = result.rounds(node);
    ASSERT_EQ(rounds.size(), 10u);
    for (std::size_t i = 0; i < rounds.size(); ++i) EXPECT_EQ(rounds[i].round, static_cast<std::int64_t>(i) + 1);
  }
}

TEST(WorkerLoop, EvaluatesFirstOnScheduleAndAtTheEnd) {
  RunSpec spec = clusterOf("ssgd", 2, 1);
  spec.evaluate.everyRounds = 4;
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_EQ(evaluatedRounds(result, 0), (std::vector<std::int64_t>{0, 4, 8, 10}));
  EXPECT_TRUE(result.evaluations(1).empty());
  EXPECT_EQ(result.evaluations(0)[0].samples, 0);
  EXPECT_EQ(result.evaluations(0)[0].t, 0);
  EXPECT_EQ(result.evaluations(0)[1].samples, 16);
}

TEST(WorkerLoop, AScheduledLastRoundIsEvaluatedOnce) {
  RunSpec spec = clusterOf("ssgd", 2, 1);
  spec.evaluate.everyRounds = 5;
  EXPECT_EQ(evaluatedRounds(runInSim(spec, quadratic()), 0), (std::vector<std::int64_t>{0, 5, 10}));
}

TEST(WorkerLoop, NeverEvaluatesWhenToldSo) {
  RunSpec spec = clusterOf("asgd", 2, 1);
  spec.evaluate.everyRounds = 0;
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_TRUE(result.evaluations(0).empty());
  EXPECT_EQ(result.rounds(0).size(), 10u);
}

TEST(WorkerLoop, AnyWorkerMayEvaluate) {
  for (const char* algorithm : {"ssgd", "asgd", "esync"}) {
    RunSpec spec = clusterOf(algorithm, 3, 1);
    spec.evaluate.on = "w2";
    const SimResult result = runInSim(spec, quadratic());
    EXPECT_TRUE(result.evaluations(0).empty());
    EXPECT_EQ(result.evaluations(2).size(), 11u) << algorithm;
    EXPECT_EQ(result.rounds(2).size(), 10u);
  }
}

// An objective whose evaluation takes time on the node's clock.
class SlowEvaluation final : public Objective {
 public:
  SlowEvaluation(std::unique_ptr<Objective> below, Clock*& clock) : below_(std::move(below)), clock_(clock) {}
  std::span<Real> parameters() override { return below_->parameters(); }
  StepStats gradient(std::span<Real> out, const StepWatch& watch) override { return below_->gradient(out, watch); }
  StepStats warmUpStep(std::span<Real> out) override { return below_->warmUpStep(out); }
  Evaluation evaluate(Cores*) override {
    clock_->sleepFor(5);
    return below_->evaluate();
  }
  std::span<const Block> blocks() const override { return below_->blocks(); }

 private:
  std::unique_ptr<Objective> below_;
  Clock*& clock_;
};

// Hands the clock of node 0 to the objective made on it.
class Passed final : public Clock {
 public:
  explicit Passed(Clock& below) : below_(below) {}
  double now() const override { return below_.now(); }
  void sleepFor(double seconds) override { below_.sleepFor(seconds); }

 private:
  Clock& below_;
};

TEST(WorkerLoop, EvaluationIsTimedApartFromTraining) {
  Clock* clock = nullptr;
  SimOptions options;
  options.clock = [&](Clock& below, int node) {
    auto own = std::make_unique<Passed>(below);
    if (node == 0) clock = own.get();
    return own;
  };
  const SimResult result = runInSim(
      clusterOf("standalone", 1, 0),
      [&](const RunSpec& spec, int rank) { return std::make_unique<SlowEvaluation>(quadratic()(spec, rank), clock); }, options);
  const RoundRecord first = result.rounds(0)[0];
  EXPECT_NEAR(first.compute, kNominalStepSeconds, 1e-9);
  EXPECT_NEAR(first.evaluate, 5, 1e-9);
  EXPECT_NEAR(first.total, 5 + kNominalStepSeconds, 1e-9);
  EXPECT_NEAR(first.t, 5 + kNominalStepSeconds, 1e-9) << "the evaluation before round 1 is before the clock starts";
  EXPECT_NEAR(result.evaluations(0)[1].t, kNominalStepSeconds, 1e-9);
  EXPECT_NEAR(result.evaluations(0)[1].seconds, 5, 1e-9);
}

// Rank 0's start values are slower than the others' first pushes.
TEST(ServerLoop, HoldsPushesUntilTheStartValuesAreThere) {
  sim::SimWorld world({{}, {}}, {"w0", "s0"});
  const RunSpec spec = clusterOf("asgd", 1, 1);
  const std::vector<Real> gradient{2, 4}, start{1, 1};
  std::vector<Real> answered;
  const auto pushFirst = [&] {
    Wire& wire = world.wire(0);
    wire.send(1, {.kind = MessageKind::kPush, .scalars = {0.5, 4}, .dense = Dense::borrowed(gradient)});
    wire.send(1, {.kind = MessageKind::kInit, .scalars = {}, .dense = Dense::borrowed(start)});
    const auto reply = wire.receive(std::numeric_limits<double>::infinity());
    answered.assign(reply->dense.values().begin(), reply->dense.values().end());
    wire.send(1, {.kind = MessageKind::kBye, .scalars = {0}, .dense = {}});
  };
  const auto serve = [&] {
    runServer({.spec = spec, .node = 1, .wire = world.wire(1), .clock = world.clock(1), .emit = {}, .askedToStop = nullptr, .nominalStepSeconds = 1});
  };
  world.run({pushFirst, serve});
  EXPECT_EQ(answered, (std::vector<Real>{0, -1}));
}

// A worker that is busy before the first round, as the coordinator is with its first evaluation.
class SlowToEvaluate final : public Objective {
 public:
  SlowToEvaluate(std::unique_ptr<Objective> inner, Clock& clock) : inner_(std::move(inner)), clock_(clock) {}
  std::span<Real> parameters() override { return inner_->parameters(); }
  StepStats gradient(std::span<Real> out, const StepWatch& watch) override { return inner_->gradient(out, watch); }
  StepStats warmUpStep(std::span<Real> out) override { return inner_->warmUpStep(out); }
  Evaluation evaluate(Cores*) override {
    clock_.sleepFor(100);
    return inner_->evaluate();
  }
  std::span<const Block> blocks() const override { return inner_->blocks(); }

 private:
  std::unique_ptr<Objective> inner_;
  Clock& clock_;
};

TEST(WorkerLoop, AllClocksStartWhenAllAreReady) {
  for (const char* algorithm : {"ssgd", "asgd", "esync"}) {
    RunSpec spec = clusterOf(algorithm, 3, 1);
    spec.evaluate.everyRounds = 1000;
    std::vector<Emulate> links(spec.nodes.size());
    sim::SimWorld world(links, {"w0", "w1", "w2", "s0"});
    std::map<int, RoundRecord> first;
    std::vector<std::function<void()>> bodies;
    for (int node = 0; node < 4; ++node)
      bodies.push_back([&, node] {
        const NodeRun run{.spec = spec, .node = node, .wire = world.wire(node), .clock = world.clock(node),
                          .emit = [&first, node](const Event& event) {
                            if (const auto* round = std::get_if<RoundRecord>(&event)) first.try_emplace(node, *round);
                          },
                          .askedToStop = nullptr, .nominalStepSeconds = 1};
        if (node == 3) return void(runServer(run));
        SlowToEvaluate objective(quadratic()(spec, node), run.clock);
        runWorker(run, objective);
      });
    world.run(std::move(bodies));
    for (int node = 0; node < 3; ++node) {
      EXPECT_LT(first.at(node).t, 5) << algorithm << " w" << node;  // not the 100 s of the evaluation before the start
      EXPECT_LT(first.at(node).wait, 5) << algorithm << " w" << node;
    }
  }
}

TEST(ServerLoop, RefusesWhatTheAlgorithmHasNoServerFor) {
  SimOptions options;
  sim::SimWorld world({{}, {}}, {"w0", "s0"});
  RunSpec spec = clusterOf("ssgd", 1, 1);
  const auto serve = [&] {
    runServer({.spec = spec,
               .node = 1,
               .wire = world.wire(1),
               .clock = world.clock(1),
               .emit = {},
               .askedToStop = nullptr,
               .nominalStepSeconds = 1});
  };
  const auto confuse = [&] { world.wire(0).send(1, {.kind = MessageKind::kPush, .scalars = {0.1, 4}, .dense = {}}); };
  try {
    world.run({confuse, serve});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kFormat);
    EXPECT_NE(std::string(error.what()).find("node 0"), std::string::npos) << error.what();
  }
}

TEST(WorkerLoop, AWorkerThatFailsEndsTheRunWithItsReason) {
  SimOptions options;
  options.onEvent = [](int node, const Event& event, std::atomic<bool>&) {
    const auto* round = std::get_if<RoundRecord>(&event);
    if (node == 1 && round && round->round == 3) throw Error(Errc::kFile, "no space left");
  };
  for (const char* algorithm : {"ssgd", "asgd", "esync"}) {
    try {
      runInSim(clusterOf(algorithm, 3, 1), quadratic(), options);
      ADD_FAILURE() << algorithm;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "no space left");
    }
  }
}

// The step length multiplies the parameters by so much each round that their squares are infinite after the second: the third loss is the first that is no number.
RunSpec divergingSpec(const char* algorithm) {
  RunSpec spec = clusterOf(algorithm, 2, 1);
  spec.algorithm.params.set("learning_rate", sizeof(Real) == 4 ? 1e30 : 1e120);
  return spec;
}

TEST(WorkerLoop, TellsTheFirstLossThatIsNoNumberOnceAndBeforeItsRound) {
  const SimResult result = runInSim(divergingSpec("ssgd"), quadratic());
  for (const int node : {0, 1}) {
    std::int64_t rounds = 0, told = 0;
    for (const auto& [from, event] : result.events) {
      if (from != node) continue;
      if (std::get_if<RoundRecord>(&event)) ++rounds;
      const auto* notice = std::get_if<NoticeRecord>(&event);
      if (!notice || notice->reason != kNotFinite) continue;
      ++told;
      EXPECT_EQ(rounds, 2);
      EXPECT_EQ(notice->level, "warn");
      EXPECT_EQ(notice->text, "in round 3 the loss is infinite: training has diverged");
    }
    EXPECT_EQ(told, 1);
    EXPECT_EQ(rounds, 10);
  }
}

// The server refuses the gradient, and the round is never closed.
TEST(WorkerLoop, TellsItThoughTheServerEndsTheRun) {
  int told = 0;
  SimOptions options;
  options.onEvent = [&told](int, const Event& event, std::atomic<bool>&) {
    const auto* notice = std::get_if<NoticeRecord>(&event);
    told += notice && notice->reason == kNotFinite;
  };
  EXPECT_THROW(runInSim(divergingSpec("asgd"), quadratic(), options), Error);
  EXPECT_GE(told, 1);
}

TEST(WorkerLoop, TellsNothingWhereEveryLossIsANumber) {
  const SimResult result = runInSim(clusterOf("ssgd", 2, 1), quadratic());
  for (const int node : {0, 1})
    for (const NoticeRecord& notice : result.of<NoticeRecord>(node)) EXPECT_NE(notice.reason, kNotFinite);
}

}  // namespace
}  // namespace paceline::tests
