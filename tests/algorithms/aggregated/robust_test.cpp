// Rules that servers combine contributions by: closed forms on small vectors, and what a worker that sends garbage does to the others.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/combining.h"
#include "tests/algorithms/scalar_costs.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

using aggregators::Combining;

std::vector<Dense> parts(const std::vector<std::vector<Real>>& vectors) {
  std::vector<Dense> all;
  for (const std::vector<Real>& vector : vectors) all.push_back(Dense::copied(vector));
  return all;
}

std::vector<Real> by(Combining how, const std::vector<std::vector<Real>>& vectors, const std::vector<int>& numbers = {}) {
  const Dense result = aggregators::combined(parts(vectors), {.how = how, .numbers = numbers});
  return {result.values().begin(), result.values().end()};
}

TEST(Combining, HasItsClosedForms) {
  const std::vector<std::vector<Real>> odd = {{1, 9}, {5, -2}, {3, 4}}, even = {{1, 9}, {5, -2}, {3, 4}, {100, 0}};
  EXPECT_EQ(by(Combining::kMedian, odd), (std::vector<Real>{3, 4}));
  EXPECT_EQ(by(Combining::kMedian, even), (std::vector<Real>{4, 2}));
  EXPECT_EQ(by(Combining::kTrimmedMean, even, {1}), (std::vector<Real>{4, 2}));
  EXPECT_EQ(by(Combining::kTrimmedMean, {{1}, {2}, {6}, {-90}, {70}}, {1}), std::vector<Real>{3});
  EXPECT_EQ(by(Combining::kTrimmedMean, odd, {0}), by(Combining::kMean, odd));
  EXPECT_THROW(by(Combining::kTrimmedMean, even, {2}), Error);
  EXPECT_THROW(by(Combining::kTrimmedMean, even, {-1}), Error);
}

TEST(Combining, TakesWhatIsNoNumberForTheLargest) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_EQ(by(Combining::kMedian, {{nan}, {1}, {2}}), std::vector<Real>{2});
  EXPECT_EQ(by(Combining::kTrimmedMean, {{nan}, {1}, {2}, {3}}, {1}), std::vector<Real>{Real(2.5)});
}

std::vector<double> distances(const std::vector<std::vector<Real>>& vectors) {
  const Dense between = aggregators::distancesOf(parts(vectors));
  return {between.values().begin(), between.values().end()};
}

TEST(Krum, PicksWhatIsNearestToTheOthers) {
  EXPECT_EQ(distances({{0, 0}, {3, 4}}), (std::vector<double>{0, 25, 25, 0}));
  const std::vector<double> line = distances({{0}, {1}, {Real(2.5)}, {1e9}, {Real(1.2)}});
  EXPECT_EQ(aggregators::krum(line, 1, 1), std::vector<int>{1});  // scores of the two nearest: 2.44, 1.04, 3.94, huge, 1.48
  EXPECT_EQ(aggregators::krum(line, 1, 3), (std::vector<int>{0, 1, 4}));
  EXPECT_EQ(aggregators::krum(distances({{7}}), 0, 1), std::vector<int>{0});
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_EQ(aggregators::krum(distances({{nan}, {1}, {2}, {2}, {2}}), 1, 1), std::vector<int>{2});
}

RunSpec robust(const std::string& rule, std::int64_t byzantine, int workers = 7, int servers = 2) {
  RunSpec spec = clusterOf("robust_ssgd", workers, servers);
  spec.algorithm.params.set("rule", rule);
  spec.algorithm.params.set("byzantine", byzantine);
  spec.algorithm.params.set("learning_rate", 0.1);
  spec.stop.rounds = 40;
  return spec;
}

TEST(RobustSsgd, OfATrimmedMeanOfAllIsSsgdBitForBit) {
  RunSpec ssgd = clusterOf("ssgd", 7, 2);
  ssgd.algorithm.params.set("learning_rate", 0.1);
  ssgd.stop.rounds = 40;
  ssgd.optimizer.momentum = 0.5;
  RunSpec trimmed = robust("trimmed_mean", 0);
  trimmed.optimizer.momentum = 0.5;
  const QuadraticProblem problem{.size = 12, .statistics = 3};
  EXPECT_EQ(runInSim(trimmed, quadratic(problem)).parameters, runInSim(ssgd, quadratic(problem)).parameters);
}

// The last worker sends 1e9 everywhere.
class Garbage final : public Objective {
 public:
  explicit Garbage(std::unique_ptr<Objective> below) : below_(std::move(below)) {}
  std::span<Real> parameters() override { return below_->parameters(); }
  StepStats gradient(std::span<Real> out, const StepWatch& watch) override {
    const StepStats stats = below_->gradient(out, watch);
    std::ranges::fill(out, Real(1e9));
    return stats;
  }
  StepStats warmUpStep(std::span<Real> out) override { return below_->warmUpStep(out); }
  Evaluation evaluate(Cores* cores) override { return below_->evaluate(cores); }
  std::span<const Block> blocks() const override { return below_->blocks(); }

 private:
  std::unique_ptr<Objective> below_;
};

ObjectiveFactory withGarbage(const QuadraticProblem& problem) {
  return [problem](const RunSpec& spec, int rank) -> std::unique_ptr<Objective> {
    const int world = static_cast<int>(spec.workers().size());
    auto own = std::make_unique<QuadraticObjective>(problem, rank, world, spec.batchSize);
    if (rank + 1 < world) return own;
    return std::make_unique<Garbage>(std::move(own));
  };
}

TEST(RobustSsgd, LearnsBesideAWorkerThatSendsGarbage) {
  const QuadraticProblem problem{.size = 12, .spread = 0.02};
  for (const char* rule : {"median", "trimmed_mean", "krum", "multi_krum"}) {
    RunSpec spec = robust(rule, 1);
    spec.stop.rounds = 200;
    const SimResult result = runInSim(spec, withGarbage(problem));
    EXPECT_LT(result.evaluations(0).back().loss, result.evaluations(0).front().loss / 1000) << rule;
    for (const auto& parameters : result.parameters) EXPECT_EQ(parameters, result.parameters[0]) << rule;
  }
  const SimResult mean = runInSim(robust("trimmed_mean", 0), withGarbage(problem));
  EXPECT_GT(mean.evaluations(0).back().loss, 1e6) << "the mean follows it";
}

// Krum's step is by a gradient that was really sent, whole: of one rank, though three servers have a part of it each.
TEST(RobustSsgd, KrumStepsByOneWorkersWholeGradient) {
  const ObjectiveFactory integers = [](const RunSpec&, int rank) { return std::make_unique<IntegerObjective>(300, rank); };
  RunSpec spec = robust("krum", 1, 5, 3);
  spec.algorithm.params.set("learning_rate", 1.0);
  spec.stop.rounds = 1;
  const std::vector<Real> end = runInSim(spec, integers).parameters[0];
  std::vector<std::vector<Real>> sent(5, std::vector<Real>(300));
  for (int rank = 0; rank < 5; ++rank)
    for (std::size_t i = 0; i < 300; ++i) sent[static_cast<std::size_t>(rank)][i] = static_cast<Real>(IntegerObjective::at(rank, 0, i));
  const int picked = aggregators::krum(distances(sent), 1, 1).front();  // of the whole vectors
  for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(end[i], -sent[static_cast<std::size_t>(picked)][i]);
}

TEST(RobustSsgd, SaysHowManyWorkersKrumNeeds) {
  try {
    runInSim(robust("krum", 2, 5), quadratic());
    FAIL() << "2 of 5";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "robust_ssgd: krum against 2 Byzantine workers needs at least 7 workers; there are 5");
  }
}

}  // namespace
}  // namespace paceline::tests
