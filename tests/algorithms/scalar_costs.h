// Decentralised problems with known answers, exact gradients. Scalar: worker i has f_i(w) = h_i/2 (w - b_i)^2. Least squares: worker i has
// |A_i w - b_i|^2 / 2m with data of its own; the optimum of the sum solves the normal equations.
#pragma once

#include <cmath>

#include "tests/support/sim_run.h"

namespace paceline::tests {

inline constexpr bool kDouble = sizeof(Real) == 8;

struct ScalarCost {
  double h = 1, b = 0;
};

class LeastSquares {
 public:
  LeastSquares(int workers, std::size_t dim, std::size_t rows, std::uint64_t seed) : dim_(dim), rows_(rows) {
    Rng rng(seed);
    for (int i = 0; i < workers; ++i) {
      std::vector<double>& data = data_.emplace_back();
      const double shift = rng.normal();  // every worker has its own answer
      for (std::size_t r = 0; r < rows; ++r) {
        double b = shift;
        for (std::size_t d = 0; d < dim; ++d) {
          data.push_back(rng.normal());
          b += data.back() * (static_cast<double>(d) - shift);
        }
        data.push_back(b);
      }
    }
  }
  std::size_t dim() const { return dim_; }

  void gradient(int worker, std::span<const Real> w, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    const std::vector<double>& data = data_[static_cast<std::size_t>(worker)];
    for (std::size_t r = 0; r < rows_; ++r) {
      const double* row = &data[r * (dim_ + 1)];
      double off = -row[dim_];
      for (std::size_t d = 0; d < dim_; ++d) off += row[d] * static_cast<double>(w[d]);
      for (std::size_t d = 0; d < dim_; ++d) out[d] += off * row[d] / static_cast<double>(rows_);
    }
  }

  std::vector<double> optimum() const {  // by elimination, the equations are positive definite
    const std::size_t n = dim_;
    std::vector<std::vector<double>> m(n, std::vector<double>(n + 1));
    for (const std::vector<double>& data : data_)
      for (std::size_t r = 0; r < rows_; ++r)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j <= n; ++j) m[i][j] += data[r * (n + 1) + i] * data[r * (n + 1) + j];
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i) {
        if (i == k) continue;
        const double factor = m[i][k] / m[k][k];
        for (std::size_t j = k; j <= n; ++j) m[i][j] -= factor * m[k][j];
      }
    std::vector<double> w(n);
    for (std::size_t i = 0; i < n; ++i) w[i] = m[i][n] / m[i][i];
    return w;
  }

 private:
  std::size_t dim_, rows_;
  std::vector<std::vector<double>> data_;  // by worker: rows of A | b
};

class LeastSquaresObjective final : public Objective {
 public:
  LeastSquaresObjective(const LeastSquares& problem, int rank)
      : problem_(problem), rank_(rank), w_(problem.dim()), exact_(problem.dim()), blocks_{{.name = "w", .offset = 0, .size = problem.dim()}} {}
  std::span<Real> parameters() override { return w_; }
  StepStats gradient(std::span<Real> out, const StepWatch& = {}) override {
    problem_.gradient(rank_, w_, exact_);
    for (std::size_t d = 0; d < out.size(); ++d) out[d] = static_cast<Real>(exact_[d]);
    return {.loss = 0, .samples = 1, .fetchSeconds = 0, .computeSeconds = 0};
  }
  StepStats warmUpStep(std::span<Real> out) override { return gradient(out); }
  Evaluation evaluate(Cores*) override { return {.correct = 0, .total = 1, .loss = 0}; }
  std::span<const Block> blocks() const override { return blocks_; }

 private:
  const LeastSquares& problem_;
  int rank_;
  std::vector<Real> w_;
  std::vector<double> exact_;
  std::vector<Block> blocks_;
};

class ScalarObjective final : public Objective {
 public:
  ScalarObjective(ScalarCost cost, double start) : cost_(cost), w_{static_cast<Real>(start)} {}
  std::span<Real> parameters() override { return w_; }
  StepStats gradient(std::span<Real> out, const StepWatch& = {}) override {
    out[0] = static_cast<Real>(cost_.h * (static_cast<double>(w_[0]) - cost_.b));
    return {.loss = 0, .samples = 1, .fetchSeconds = 0, .computeSeconds = 0};
  }
  StepStats warmUpStep(std::span<Real> out) override { return gradient(out); }
  Evaluation evaluate(Cores*) override { return {.correct = 0, .total = 1, .loss = static_cast<double>(w_[0])}; }
  std::span<const Block> blocks() const override { return blocks_; }

 private:
  ScalarCost cost_;
  std::vector<Real> w_;
  std::vector<Block> blocks_ = {{.name = "w", .offset = 0, .size = 1}};
};

inline ObjectiveFactory scalars(const std::vector<ScalarCost>& costs, double start) {
  return [=](const RunSpec&, int rank) { return std::make_unique<ScalarObjective>(costs[static_cast<std::size_t>(rank)], start); };
}
// No costs: pure gossip from these weights.
inline ObjectiveFactory gossip(const std::vector<double>& starts) {
  return [=](const RunSpec&, int rank) { return std::make_unique<ScalarObjective>(ScalarCost{.h = 0, .b = 0}, starts[static_cast<std::size_t>(rank)]); };
}
inline ObjectiveFactory leastSquares(const LeastSquares& problem) {
  return [&problem](const RunSpec&, int rank) { return std::make_unique<LeastSquaresObjective>(problem, rank); };
}

// The weights of all workers after so many rounds.
inline std::vector<double> weightsAfter(RunSpec spec, int rounds, const std::vector<ScalarCost>& costs, double start) {
  spec.stop.rounds = rounds;
  spec.evaluate.everyRounds = 0;
  std::vector<double> weights;
  for (const auto& parameters : runInSim(spec, scalars(costs, start)).parameters) weights.push_back(static_cast<double>(parameters[0]));
  return weights;
}

}  // namespace paceline::tests
