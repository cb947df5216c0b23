// Whole runs with the document's optimizer against recursions worked out apart from it, Real = double, 1e-12.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/algorithms/context/optimizer.h"
#include "tests/algorithms/torch_optimizer_numbers.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

constexpr double kRate = 0.1;
constexpr int kRounds = 60;

RunSpec optimizedRun(const std::string& algorithm, int workers, int servers, const Optimizer& optimizer) {
  RunSpec spec = clusterOf(algorithm, workers, servers);
  spec.algorithm.params.set(algorithm == "esync" ? "local_lr" : "learning_rate", kRate);
  spec.optimizer = optimizer;
  spec.stop.rounds = kRounds;
  return spec;
}

const std::vector<Optimizer>& optimizers() {
  static const std::vector<Optimizer> all = {
      {.clipNorm = {}},
      {.momentum = 0.9, .clipNorm = {}},
      {.momentum = 0.9, .nesterov = true, .clipNorm = {}},
      {.weightDecay = 0.05, .clipNorm = {}},
      {.clipNorm = 0.7},
      {.momentum = 0.8, .nesterov = true, .weightDecay = 0.01, .clipNorm = 1.5},
      {.weightDecay = 0.05, .clipNorm = {}, .id = "adam"},
      {.weightDecay = 0.05, .clipNorm = 0.7, .id = "adamw", .beta1 = 0.7, .beta2 = 0.9, .epsilon = 1e-3},
      {.clipNorm = {}, .id = "adagrad"},
  };
  return all;
}

void expectClose(const std::vector<Real>& a, const std::vector<Real>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << what << ", element " << i;
}

// The textbook's loop, one line per symbol.
std::vector<Real> textbook(const Optimizer& o, int batch) {
  QuadraticObjective objective({}, 0, 1, batch);
  const std::span<Real> w = objective.parameters();
  std::vector<Real> g(w.size()), v(w.size(), 0), s(w.size(), 0);
  const bool apart = o.id == "adamw";
  for (int round = 0; round < kRounds; ++round) {
    objective.gradient(g);
    double squares = 0;
    for (std::size_t i = 0; i < w.size(); ++i) g[i] += apart ? 0 : o.weightDecay * w[i], squares += g[i] * g[i];
    const double scale = o.clipNorm && std::sqrt(squares) > *o.clipNorm ? *o.clipNorm / std::sqrt(squares) : 1;
    for (std::size_t i = 0; i < w.size(); ++i) {
      if (o.id == "adagrad") {
        s[i] += std::pow(scale * g[i], 2);
        w[i] -= kRate * scale * g[i] / (std::sqrt(s[i]) + 1e-10);
        continue;
      }
      if (o.id != "sgd") {
        v[i] = o.beta1 * v[i] + (1 - o.beta1) * scale * g[i];
        s[i] = o.beta2 * s[i] + (1 - o.beta2) * std::pow(scale * g[i], 2);
        const double mean = v[i] / (1 - std::pow(o.beta1, round + 1)), square = s[i] / (1 - std::pow(o.beta2, round + 1));
        w[i] -= kRate * (mean / (std::sqrt(square) + o.epsilon.value_or(1e-8)) + (apart ? o.weightDecay * w[i] : 0));
        continue;
      }
      v[i] = o.momentum * v[i] + scale * g[i];
      w[i] -= kRate * (o.nesterov ? scale * g[i] + o.momentum * v[i] : v[i]);
    }
  }
  return {w.begin(), w.end()};
}

TEST(Standalone, FollowsTheTextbookWithEveryOptimizerPiece) {
  for (const Optimizer& optimizer : optimizers())
    expectClose(runInSim(optimizedRun("standalone", 1, 0, optimizer), quadratic()).parameters[0], textbook(optimizer, 4),
                strCat(optimizer.id, ", momentum ", optimizer.momentum));
}

// With the whole problem in every batch the gradient is a (w - optimum): the heavy ball then has a closed form per element,
// w_t - optimum = c1 r1^t + c2 r2^t with r the roots of r^2 - (1 + m - rate a) r + m = 0.
TEST(Standalone, HeavyBallHasTheClosedFormsRoots) {
  const QuadraticProblem problem{.size = 6, .samples = 24};
  const double m = 0.2;
  RunSpec spec = optimizedRun("standalone", 1, 0, {.momentum = m, .clipNorm = {}});
  spec.batchSize = 24;
  spec.algorithm.params.set("learning_rate", 0.05);
  spec.stop.rounds = 20;
  QuadraticObjective objective(problem, 0, 1, 24);
  std::vector<Real> g(6);
  objective.gradient(g);  // at w = 0: a (0 - optimum)
  const std::vector<Real> end = runInSim(spec, quadratic(problem)).parameters[0];
  for (std::size_t d = 0; d < 6; ++d) {
    const double optimum = objective.optimum()[d], a = -g[d] / optimum, e0 = -optimum, e1 = e0 - 0.05 * a * e0;
    const double sum = 1 + m - 0.05 * a, root = std::sqrt(sum * sum - 4 * m), r1 = (sum + root) / 2, r2 = (sum - root) / 2;
    const double c1 = (e1 - r2 * e0) / (r1 - r2), c2 = e0 - c1;
    EXPECT_NEAR(end[d], optimum + c1 * std::pow(r1, 20) + c2 * std::pow(r2, 20), 1e-12);
  }
}

// E1 with everything that the document can ask for: momentum the same on all workers, decay once, the mean clipped.
TEST(Ssgd, NTimesBEqualsStandaloneWithNBAndEveryOptimizerPiece) {
  for (const Optimizer& optimizer : optimizers())
    for (const int world : {2, 3, 5}) {
      const auto all = runInSim(optimizedRun("ssgd", world, 1, optimizer), quadratic()).parameters;
      for (const auto& one : all) expectClose(one, textbook(optimizer, 4 * world), strCat(world, " workers"));
    }
}

// One worker alone does the same thing by every aggregated method.
TEST(Optimizers, OneWorkerOfAnyAggregatedMethodIsStandalone) {
  for (const Optimizer& optimizer : optimizers())
    for (const char* algorithm : {"ssgd", "local_sgd", "esync"}) {
      RunSpec spec = optimizedRun(algorithm, 1, 1, optimizer);
      if (spec.algorithm.id == "local_sgd") spec.algorithm.params.set("local_steps", std::int64_t{1});
      expectClose(runInSim(spec, quadratic()).parameters[0], textbook(optimizer, 4), algorithm);
    }
}

// PyTorch's own numbers: torch_optimizer_numbers.h is what tests/algorithms/torch_optimizer_numbers.py printed.
TEST(Direction, IsTorchOptims) {
  for (const TorchCase& c : kTorchCases) {
    const Optimizer optimizer{.momentum = c.momentum, .nesterov = c.nesterov, .weightDecay = c.weightDecay, .clipNorm = {}, .id = c.optimizer, .beta1 = c.beta1, .beta2 = c.beta2};
    Direction direction(optimizer);
    std::vector<Real> w{1, -2, 0.5}, g(3);
    const std::vector<Block> blocks = {{"all", 0, 3}};
    for (int step = 0; step < kTorchSteps; ++step) {
      for (std::size_t i = 0; i < 3; ++i) g[i] = static_cast<double>(i + 1) * w[i] - 0.25 * static_cast<double>((step * 7 + static_cast<int>(i) * 3) % 5);
      addWeightDecay(optimizer, blocks, w, g);
      direction.turn(g, w, blocks);
      for (std::size_t i = 0; i < 3; ++i) w[i] -= c.rate * g[i];
    }
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(w[i], c.w[i], 1e-12) << c.optimizer << ' ' << c.momentum << ' ' << c.nesterov << ' ' << c.weightDecay;
  }
}

}  // namespace
}  // namespace paceline::tests
