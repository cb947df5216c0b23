// Gradients that never change, for methods that take matrices apart. Header-only.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/sim_run.h"

namespace paceline::tests {

class ConstantGradient final : public Objective {
 public:
  ConstantGradient(std::vector<Real> gradient, std::vector<Block> blocks) : gradient_(std::move(gradient)), w_(gradient_.size()), blocks_(std::move(blocks)) {}
  std::span<Real> parameters() override { return w_; }
  StepStats gradient(std::span<Real> out, const StepWatch& = {}) override {
    std::ranges::copy(gradient_, out.begin());
    return {.loss = 0, .samples = 1, .fetchSeconds = 0, .computeSeconds = 0};
  }
  StepStats warmUpStep(std::span<Real> out) override { return gradient(out); }
  Evaluation evaluate(Cores*) override { return {.correct = 0, .total = 1, .loss = 0}; }
  std::span<const Block> blocks() const override { return blocks_; }

 private:
  std::vector<Real> gradient_, w_;
  std::vector<Block> blocks_;
};

// rows x columns numbers, then two that are no matrix.
inline std::vector<Block> matrixBlocks(std::size_t size, std::int64_t rows) {
  std::vector<Block> blocks = {{.name = "matrix", .offset = 0, .size = size - 2}, {.name = "bias", .offset = size - 2, .size = 2}};
  blocks[0].shape = {rows, static_cast<std::int64_t>(size - 2) / rows};
  blocks[1].shape = {2};
  return blocks;
}

// Of rank r, r + 1 times as large.
inline ObjectiveFactory constant(const std::vector<Real>& gradient, std::int64_t rows) {
  return [=](const RunSpec&, int rank) {
    std::vector<Real> own = gradient;
    for (Real& value : own) value *= static_cast<Real>(rank + 1);
    return std::make_unique<ConstantGradient>(own, matrixBlocks(own.size(), rows));
  };
}

inline void expectNear(const SimResult& a, const SimResult& b, double close) {
  for (std::size_t rank = 0; rank < a.parameters.size(); ++rank)
    for (std::size_t i = 0; i < a.parameters[rank].size(); ++i)
      ASSERT_NEAR(static_cast<double>(a.parameters[rank][i]), static_cast<double>(b.parameters[rank][i]), close) << rank << ' ' << i;
}

}  // namespace paceline::tests
