// Steps in 16 bits: near those in 32, with parameters, gradients and the exchange as they were.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/core/base/error.h"
#include "tests/nn/small_set.h"

namespace paceline::tests {
namespace {

RunSpec inPrecision(const std::string& model, const std::string& precision) {
  RunSpec spec = specOf(model);
  spec.model.params.set("precision", precision);
  return spec;
}

struct Trained {
  std::vector<Real> gradient;  // of the first step
  double firstLoss = 0, lastLoss = 0;
  std::vector<Real> parameters;
  Evaluation evaluation;
};

Trained trained(const RunSpec& spec, int steps = 20, Real rate = 0.05f) {
  const auto objective = makeTorchObjective(spec, 0, loadDataset(spec));
  Trained result;
  std::vector<Real> gradient(objective->parameters().size());
  for (int step = 0; step < steps; ++step) {
    result.lastLoss = objective->gradient(gradient).loss;
    if (step == 0) result.firstLoss = result.lastLoss, result.gradient = gradient;
    for (std::size_t i = 0; i < gradient.size(); ++i) objective->parameters()[i] -= rate * gradient[i];
  }
  result.parameters.assign(objective->parameters().begin(), objective->parameters().end());
  result.evaluation = objective->evaluate();
  return result;
}

double length(const std::vector<Real>& values) {
  double squares = 0;
  for (const Real value : values) squares += std::pow(static_cast<double>(value), 2);
  return std::sqrt(squares);
}

TEST(Precision, Bf16StepsAreNearThoseInFp32) {
  for (const char* model : {"logistic", "mlp", "lenet"}) {
    const Trained full = trained(specOf(model)), half = trained(inPrecision(model, "bf16"));
    EXPECT_EQ(half.gradient.size(), full.gradient.size()) << model;
    EXPECT_NE(half.gradient, full.gradient) << model << ": nothing was computed in 16 bits";
    std::vector<Real> off = half.gradient;
    for (std::size_t i = 0; i < off.size(); ++i) off[i] -= full.gradient[i];
    EXPECT_LT(length(off), 0.06 * length(full.gradient)) << model;  // bf16 has 8 bits of mantissa, and rounding turns some units on or off
    EXPECT_NEAR(half.firstLoss, full.firstLoss, 0.02 * full.firstLoss) << model;
    EXPECT_NEAR(half.lastLoss, full.lastLoss, 0.05 * full.firstLoss) << model;
    EXPECT_LT(half.lastLoss, half.firstLoss) << model;
  }
}

// A 32-bit float whose lower half is zero is one that went through bf16.
TEST(Precision, ParametersKeepTheBitsThatBf16DoesNotHave) {
  const Trained half = trained(inPrecision("lenet", "bf16"), 3);
  const auto rounded = [](const std::vector<Real>& values) {
    return std::ranges::count_if(values, [](Real value) { return (std::bit_cast<std::uint32_t>(value) & 0xffff) == 0; });
  };
  EXPECT_LT(static_cast<double>(rounded(half.parameters)), 0.01 * static_cast<double>(half.parameters.size()));
}

TEST(Precision, EvaluationsAreInFp32) {
  const auto data = loadDataset(specOf("lenet"));
  const Evaluation full = makeTorchObjective(specOf("lenet"), 0, data)->evaluate(), half = makeTorchObjective(inPrecision("lenet", "bf16"), 0, data)->evaluate();
  EXPECT_EQ(full.loss, half.loss);
  EXPECT_EQ(full.correct, half.correct);
}

TEST(Precision, TwiceIsTheSameToTheBit) {
  EXPECT_EQ(trained(inPrecision("lenet", "bf16"), 5).parameters, trained(inPrecision("lenet", "bf16"), 5).parameters);
}

// The step after one in 16 bits is not in 16 bits.
TEST(Precision, IsTheModelsOwn) {
  const Trained before = trained(specOf("lenet"), 3);
  trained(inPrecision("lenet", "bf16"), 3);
  EXPECT_EQ(trained(specOf("lenet"), 3).parameters, before.parameters);
}

TEST(Precision, Fp16OnACpuIsRefusedInASentence) {
  const RunSpec spec = inPrecision("lenet", "fp16");
  try {
    makeTorchObjective(spec, 0, loadDataset(spec));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kUnsupported);
    EXPECT_STREQ(error.what(), "/model/params/precision: fp16 needs a GPU, and worker \"w0\" computes on cpu; bf16 works there");
  }
  EXPECT_GT(makeEvaluationObjective(spec, 0, loadDataset(spec))->evaluate().total, 0u) << "an evaluator takes no steps";
}

}  // namespace
}  // namespace paceline::tests
