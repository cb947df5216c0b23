// Learning problems with a known answer, no torch. Header-only; deterministic; one thread each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/base/objective.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {

// Samples x_s; loss of one is sum_d a_d (w_d - x_sd)^2 / 2 with curvatures a_d in [0.5, 2]; the optimum is the samples' mean.
struct QuadraticProblem {
  std::size_t size = 12;       // trainable elements
  std::size_t statistics = 0;  // elements of a running mean of the batches behind them, as batch norm has: trainable = false
  std::size_t samples = 240;
  std::uint64_t seed = 1;
  double spread = 1;  // of the samples around their mean
  std::size_t blocks = 2;
};

// Worker `rank` of `world` takes samples [(t * world + rank) * batch, ... + batch) of the endless repetition at its step t, so
// that `world` workers with `batch` see in a step what one worker with world * batch sees.
class QuadraticObjective final : public Objective {
 public:
  QuadraticObjective(const QuadraticProblem& problem, int rank, int world, int batch)
      : problem_(problem),
        rank_(static_cast<std::size_t>(rank)),
        world_(static_cast<std::size_t>(world)),
        batch_(static_cast<std::size_t>(batch)),
        w_(problem.size + problem.statistics),
        curvature_(problem.size),
        x_(problem.samples * problem.size),
        optimum_(problem.size) {
    Rng rng = Rng::stream(problem.seed, "quadratic");
    for (double& a : curvature_) a = rng.uniform(0.5, 2);
    for (std::size_t d = 0; d < problem.size; ++d) optimum_[d] = rng.uniform(-2, 2);
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = optimum_[i % problem.size] + problem.spread * rng.uniform(-1, 1);
    for (std::size_t d = 0; d < problem.size; ++d) {
      double sum = 0;
      for (std::size_t s = 0; s < problem.samples; ++s) sum += x_[s * problem.size + d];
      optimum_[d] = sum / static_cast<double>(problem.samples);
    }
    for (std::size_t b = 0; b < problem.blocks; ++b) {
      const std::size_t begin = b * problem.size / problem.blocks;
      const std::string name = problem.blocks == 2 ? (b == 0 ? "head" : "tail") : strCat("block ", b);
      const std::size_t size = (b + 1) * problem.size / problem.blocks - begin;
      std::size_t rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(size)));
      while (rows > 1 && size % rows != 0) --rows;
      blocks_.push_back({name, begin, size, true});
      blocks_.back().shape = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(rows == 0 ? 0 : size / rows)};  // as square as it goes
    }
    if (problem.statistics > 0) blocks_.push_back({"running_mean", problem.size, problem.statistics, false});
  }

  std::span<Real> parameters() override { return w_; }

  StepStats gradient(std::span<Real> out, const StepWatch& watch = {}) override {
    if (watch.begins) watch.begins(batch_);
    for (std::size_t block = 0; watch.needed && block < blocks_.size(); ++block) watch.needed(block);
    const StepStats stats = look(out);
    for (std::size_t i = 0; i < problem_.statistics; ++i) {
      double mean = 0;
      for (std::size_t j = 0; j < batch_; ++j) mean += sample(j, i % problem_.size);
      Real& running = w_[problem_.size + i];
      running = static_cast<Real>(0.9 * static_cast<double>(running) + 0.1 * mean / static_cast<double>(batch_));
    }
    ++step_;
    for (std::size_t block = blocks_.size(); watch.ready && block > 0; --block) watch.ready(block - 1);
    return stats;
  }

  StepStats warmUpStep(std::span<Real> out) override { return look(out); }

  // "Correct" are the elements that are nearer to the optimum than 0.25.
  Evaluation evaluate(Cores*) override {
    Evaluation result{.correct = 0, .total = problem_.size, .loss = 0};
    for (std::size_t d = 0; d < problem_.size; ++d) {
      const double off = static_cast<double>(w_[d]) - optimum_[d];
      if (std::abs(off) < 0.25) ++result.correct;
      result.loss += curvature_[d] * off * off / 2;
    }
    return result;
  }

  std::span<const Block> blocks() const override { return blocks_; }
  void state(Archive& archive) override { archive.number("step", step_); }

  const std::vector<double>& optimum() const { return optimum_; }
  double distance() const {  // to the optimum, largest element
    double worst = 0;
    for (std::size_t d = 0; d < problem_.size; ++d) worst = std::max(worst, std::abs(static_cast<double>(w_[d]) - optimum_[d]));
    return worst;
  }
  std::int64_t steps() const { return step_; }

 private:
  double sample(std::size_t j, std::size_t d) const {
    const std::size_t s = ((static_cast<std::size_t>(step_) * world_ + rank_) * batch_ + j) % problem_.samples;
    return x_[s * problem_.size + d];
  }

  StepStats look(std::span<Real> out) const {
    std::fill(out.begin(), out.end(), Real{0});
    double loss = 0;
    for (std::size_t d = 0; d < problem_.size; ++d) {
      double sum = 0;
      for (std::size_t j = 0; j < batch_; ++j) {
        const double off = static_cast<double>(w_[d]) - sample(j, d);
        sum += off;
        loss += curvature_[d] * off * off / 2;
      }
      out[d] = static_cast<Real>(curvature_[d] * sum / static_cast<double>(batch_));
    }
    return {.loss = loss / static_cast<double>(batch_), .samples = batch_, .fetchSeconds = 0, .computeSeconds = 0};
  }

  QuadraticProblem problem_;
  std::size_t rank_, world_, batch_;
  std::vector<Real> w_;
  std::vector<double> curvature_, x_, optimum_;
  std::vector<Block> blocks_;
  std::int64_t step_ = 0;
};

// Gradients are small integers that do not depend on the parameters: their sums are exact in any order, so a lost or doubled one
// shows.
class IntegerObjective final : public Objective {
 public:
  IntegerObjective(std::size_t size, int rank) : rank_(rank), w_(size), blocks_{{"all", 0, size, true}} {}
  std::span<Real> parameters() override { return w_; }
  StepStats gradient(std::span<Real> out, const StepWatch& = {}) override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Real>(at(rank_, step_, i));
    ++step_;
    return {.loss = 0, .samples = 1, .fetchSeconds = 0, .computeSeconds = 0};
  }
  StepStats warmUpStep(std::span<Real> out) override {
    std::fill(out.begin(), out.end(), Real{0});
    return {};
  }
  Evaluation evaluate(Cores*) override { return {.correct = 0, .total = 1, .loss = 0}; }
  std::span<const Block> blocks() const override { return blocks_; }
  void state(Archive& archive) override { archive.number("step", step_); }

  static std::int64_t at(int rank, std::int64_t step, std::size_t i) {  // in [-8, 8]
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(rank) * 7 + static_cast<std::uint64_t>(step) * 5 + i * 3) % 17) -
           8;
  }

 private:
  int rank_;
  std::vector<Real> w_;
  std::vector<Block> blocks_;
  std::int64_t step_ = 0;
};

}  // namespace paceline::tests
