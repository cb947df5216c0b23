// What workers record about their gradients and updates, against closed forms: no code in a method, no bit of the training changed.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/algorithms/algorithm.h"
#include "engine/runtime/hollow_objective.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

constexpr double kNear = sizeof(Real) == 8 ? 1e-12 : 2e-5;  // a difference of parameters is exact to their last bit

RunSpec recording(RunSpec spec, int every = 1) {
  spec.records.normsEveryRounds = every;
  return spec;
}

// By round; NaN where there is none.
std::vector<double> recorded(const SimResult& result, int node, const std::string& name) {
  std::vector<double> values(result.rounds(node).size(), NAN);
  for (const MetricRecord& metric : result.of<MetricRecord>(node))
    if (metric.name == name && metric.round > 0) values.at(static_cast<std::size_t>(metric.round) - 1) = metric.value;
  return values;
}

std::string withoutNorms(const SimResult& result) {
  std::string lines;
  for (const auto& [node, event] : result.events) {
    const auto* metric = std::get_if<MetricRecord>(&event);
    if (!metric || (!metric->name.starts_with("gradient_") && !metric->name.starts_with("update_"))) lines += strCat(node, ' ', toLine(event), '\n');
  }
  return lines;
}

// Gradients that neither the parameters nor the step changes: of worker 0 (3, 4, 0, 0), of worker 1 (3, 0, 0, 4).
class Fixed final : public Objective {
 public:
  explicit Fixed(int rank) : gradient_(rank == 0 ? std::vector<Real>{3, 4, 0, 0, 0} : std::vector<Real>{3, 0, 0, 4, 0}), w_(5) {}
  std::span<Real> parameters() override { return w_; }
  StepStats gradient(std::span<Real> out, const StepWatch& = {}) override {
    std::ranges::copy(gradient_, out.begin());
    w_[4] += 100;
    return {.loss = 1, .samples = 1, .fetchSeconds = 0, .computeSeconds = 0};
  }
  StepStats warmUpStep(std::span<Real>) override { return {}; }
  Evaluation evaluate(Cores*) override { return {.correct = 0, .total = 1, .loss = 0}; }
  std::span<const Block> blocks() const override { return blocks_; }

 private:
  std::vector<Real> gradient_, w_;
  std::vector<Block> blocks_{{"first", 0, 2, true}, {"second", 2, 2, true}, {"statistics", 4, 1, false}};
};

ObjectiveFactory fixed() {
  return [](const RunSpec&, int rank) { return std::make_unique<Fixed>(rank); };
}

TEST(RoundNorms, EveryMethodHasThemAndLearnsTheSameBits) {
  for (const AlgorithmDef& def : algorithms()) {
    const int world = def.topology == Topology::kStandalone ? 1 : 3;
    const RunSpec spec = clusterOf(def.id, world, def.makeServer || def.topology == Topology::kAggregated ? 2 : 0);
    const SimResult plain = runInSim(spec, quadratic()), with = runInSim(recording(spec), quadratic());
    EXPECT_EQ(plain.parameters, with.parameters) << def.id;
    EXPECT_EQ(withoutNorms(plain), withoutNorms(with)) << def.id;
    for (int node = 0; node < world; ++node) {
      const std::vector<RoundRecord> rounds = with.rounds(node);
      const std::vector<double> gradients = recorded(with, node, kGradientNorm), updates = recorded(with, node, kUpdateNorm), cosines = recorded(with, node, kGradientCosine);
      for (std::size_t i = 0; i < rounds.size(); ++i) {
        EXPECT_TRUE(rounds[i].localSteps == 0 || gradients[i] > 0) << def.id << " round " << i + 1;
        EXPECT_TRUE(std::isfinite(updates[i])) << def.id << " round " << i + 1;
        EXPECT_FALSE(std::abs(cosines[i]) > 1) << def.id << " round " << i + 1;
      }
    }
  }
}

TEST(RoundNorms, AreThoseOfTheGradientAndOfTheStep) {
  RunSpec spec = recording(clusterOf("ssgd", 2, 1));
  spec.algorithm.params.set("learning_rate", 0.5);
  spec.records.perLayer = true;
  const SimResult result = runInSim(spec, fixed());
  for (const int node : {0, 1})
    for (std::size_t round = 0; round < 10; ++round) {  // the mean gradient is (3, 2, 0, 2)
      const auto at = [&](const char* name) { return recorded(result, node, name)[round]; };
      EXPECT_NEAR(at("gradient_norm"), 5, kNear);
      EXPECT_NEAR(at("update_norm"), 0.5 * std::sqrt(17), kNear);
      EXPECT_NEAR(at("gradient_cosine"), 17 / (5 * std::sqrt(17)), kNear);
      EXPECT_NEAR(at("update_norm.first"), 0.5 * std::sqrt(13), kNear);
      EXPECT_NEAR(at("update_norm.second"), 1, kNear);
      EXPECT_NEAR(at("gradient_norm.first"), node == 0 ? 5 : 3, kNear);
      EXPECT_NEAR(at("gradient_norm.second"), node == 0 ? 0 : 4, kNear);
      EXPECT_NEAR(at("gradient_cosine.first"), (node == 0 ? 17 : 9) / ((node == 0 ? 5 : 3) * std::sqrt(13)), kNear);
      const double second = at("gradient_cosine.second");
      EXPECT_TRUE(node == 0 ? std::isnan(second) : std::abs(second - 1) < kNear) << "a vector of zeros has no direction";
      EXPECT_TRUE(std::isnan(at("update_norm.statistics"))) << "nobody learns statistics";
    }
}

// Standing alone at rate h on sum_d a_d (w_d - x_d)^2 / 2 the gradient of each element shrinks by 1 - h a_d a step.
TEST(RoundNorms, OfSeveralLocalStepsAreTheirMeanAndTheirSum) {
  constexpr QuadraticProblem kStill{.spread = 0};
  RunSpec spec = recording(clusterOf("local_sgd", 1, 1));
  spec.algorithm.params.set("local_steps", std::int64_t{3});
  for (const ParamSpec& param : findAlgorithm("local_sgd")->params)
    if (param.name == "local_lr" || param.name == "learning_rate") spec.algorithm.params.set(param.name, 0.1);
  QuadraticObjective problem(kStill, 0, 1, 4);
  std::vector<Real> gradient(12);
  problem.gradient(gradient);
  const std::vector<double>& optimum = problem.optimum();
  const SimResult result = runInSim(spec, quadratic(kStill));
  std::vector<double> off, curvature;
  for (std::size_t d = 0; d < 12; ++d) off.push_back(-optimum[d]), curvature.push_back(static_cast<double>(gradient[d]) / -optimum[d]);
  for (std::size_t round = 0; round < 10; ++round) {
    double norms = 0, update = 0;
    std::vector<double> begin = off;
    for (int step = 0; step < 3; ++step) {
      double squares = 0;
      for (std::size_t d = 0; d < 12; ++d) squares += std::pow(curvature[d] * off[d], 2), off[d] *= 1 - 0.1 * curvature[d];
      norms += std::sqrt(squares) / 3;
    }
    for (std::size_t d = 0; d < 12; ++d) update += std::pow(begin[d] - off[d], 2);
    EXPECT_NEAR(recorded(result, 0, kGradientNorm)[round], norms, kNear);
    EXPECT_NEAR(recorded(result, 0, kUpdateNorm)[round], std::sqrt(update), kNear);
    EXPECT_NEAR(recorded(result, 0, kGradientCosine)[round], 1, kNear);
  }
}

TEST(RoundNorms, OfAnAsynchronousMethodHaveWhatTheOthersChanged) {
  RunSpec spec = recording(clusterOf("asgd", 2, 1));
  spec.algorithm.params.set("learning_rate", 0.5);
  spec.nodes[1].emulate.slowdown = 3;
  const SimResult result = runInSim(spec, fixed());
  const std::vector<RoundRecord> rounds = result.rounds(1);
  ASSERT_GT(rounds.size(), 1u);
  for (std::size_t i = 0; i < rounds.size(); ++i) {  // k pushes of worker 0 have come between: 0.5 ((3, 0, 0, 4) + k (3, 4, 0, 0))
    const double k = rounds[i].staleness;
    EXPECT_NEAR(recorded(result, 1, kUpdateNorm)[i], 0.5 * std::hypot(3 + 3 * k, 4 * k, 4), kNear) << k;
  }
  EXPECT_GT(rounds[1].staleness, 0);
}

TEST(RoundNorms, OnlyInTheRoundsThatTheDocumentSays) {
  EXPECT_TRUE(std::isnan(recorded(runInSim(clusterOf("ssgd", 2, 1), quadratic()), 0, kUpdateNorm)[0]));
  for (const char* algorithm : {"ssgd", "asgd", "d_sgd"}) {
    const int servers = std::string(algorithm) == "d_sgd" ? 0 : 1;
    const RunSpec spec = clusterOf(algorithm, 3, servers);
    const SimResult third = runInSim(recording(spec, 3), quadratic()), all = runInSim(recording(spec), quadratic());
    for (const char* name : {kGradientNorm, kUpdateNorm, kGradientCosine})
      for (std::size_t i = 0; i < third.rounds(0).size(); ++i) {
        const double value = recorded(third, 0, name)[i];
        EXPECT_TRUE((i + 1) % 3 == 0 ? value == recorded(all, 0, name)[i] : std::isnan(value)) << algorithm << " " << name << " round " << i + 1;
      }
  }
}

// With overlap shards come back in the next round's step, and the gradient's memory is what the mean comes to.
TEST(RoundNorms, WithOverlapAreTheSame) {
  constexpr QuadraticProblem kLong{.size = 16 * 8192 + 48, .statistics = 16, .samples = 8, .blocks = 23};
  for (const char* algorithm : {"ssgd", "local_sgd"}) {
    RunSpec spec = recording(clusterOf(algorithm, 2, 2), 2);
    spec.optimizer.weightDecay = 0.01;
    spec.stop.rounds = 4;
    spec.evaluate.everyRounds = 0;
    for (NodeSpec& node : spec.nodes) node.emulate.bandwidthMbps = 40;
    RunSpec plain = spec;
    plain.wire.overlap = false;
    const SimResult with = runInSim(spec, quadratic(kLong)), without = runInSim(plain, quadratic(kLong));
    EXPECT_LT(with.seconds, without.seconds) << algorithm;
    for (const int node : {0, 1})
      for (const char* name : {kGradientNorm, kUpdateNorm, kGradientCosine})
        for (const std::size_t round : {std::size_t{1}, std::size_t{3}})
          EXPECT_EQ(recorded(with, node, name)[round], recorded(without, node, name)[round]) << algorithm << " " << name;
  }
}

TEST(RoundNorms, AreNoneWhereNobodyLearns) {
  RunSpec spec = recording(clusterOf("ssgd", 2, 1));
  spec.evaluate.everyRounds = 0;
  const SimResult result = runInSim(spec, hollowObjectives({{"all", 0, 12, true}}, {.samples = {40, 40}, .batchSize = 4}));
  ASSERT_EQ(result.rounds(0).size(), 10u);
  EXPECT_TRUE(std::isnan(recorded(result, 0, kUpdateNorm)[0]));
}

}  // namespace
}  // namespace paceline::tests
