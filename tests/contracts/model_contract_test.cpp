// What every registered model promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/nn/learner.h"
#include "engine/nn/torch_objective.h"
#include "tests/nn/small_set.h"

namespace paceline {
namespace {

using testing::firstSamples;
using testing::specOf;

class ModelContract : public ::testing::TestWithParam<std::string> {
 protected:
  static std::shared_ptr<const Dataset> data() {
    static const auto set = loadDataset(specOf("logistic", 1, 64, 23));
    return set;
  }
  Learner learner() const { return Learner({.id = GetParam(), .params = {}}, 3, data(), 16); }
};

std::vector<Real> copyOf(std::span<const Real> values) { return {values.begin(), values.end()}; }

TEST_P(ModelContract, HasThePromisedParameterCount) {
  const auto catalog = modelCatalog();
  std::size_t trainable = 0;
  for (const Block& block : learner().blocks()) trainable += block.trainable ? block.size : 0;
  EXPECT_EQ(static_cast<std::int64_t>(trainable), findEntry(catalog, GetParam())->parameterCount);
}

TEST_P(ModelContract, BlocksTileTheFlatVectorTrainableFirst) {
  Learner model = learner();
  std::size_t offset = 0;
  bool trainable = true;
  for (const Block& block : model.blocks()) {
    EXPECT_EQ(block.offset, offset) << block.name;
    EXPECT_GT(block.size, 0U) << block.name;
    EXPECT_TRUE(trainable || !block.trainable) << block.name;
    trainable = block.trainable;
    offset += block.size;
  }
  EXPECT_EQ(offset, model.parameters().size());
}

TEST_P(ModelContract, BiasesDoNotDecayAndWeightsDo) {
  bool some = false;
  Learner model = learner();
  for (const Block& block : model.blocks()) {
    if (block.name.ends_with("bias")) {
      EXPECT_FALSE(block.decays) << block.name;
    }
    some = some || (block.trainable && block.decays);
  }
  EXPECT_TRUE(some);
}

TEST_P(ModelContract, GradientsAreFiniteAndReachEveryBlock) {
  Learner model = learner();
  std::vector<Real> gradient(model.parameters().size(), std::nanf(""));
  const StepStats stats = model.gradient(firstSamples(16), gradient);
  EXPECT_TRUE(std::isfinite(stats.loss));
  EXPECT_EQ(stats.samples, 16U);
  EXPECT_GE(stats.fetchSeconds, 0);
  EXPECT_GT(stats.computeSeconds, 0);
  EXPECT_TRUE(std::all_of(gradient.begin(), gradient.end(), [](Real g) { return std::isfinite(g); }));
  for (const Block& block : model.blocks()) {
    const auto from = gradient.begin() + static_cast<std::ptrdiff_t>(block.offset);
    EXPECT_EQ(std::any_of(from, from + static_cast<std::ptrdiff_t>(block.size), [](Real g) { return g != 0; }), block.trainable)
        << block.name;
  }
}

// Along the gradient the loss falls as fast as the gradient says: the sum of gradient times movement. In floats a small movement is
// rounded, so the sum takes the movement that came out.
TEST_P(ModelContract, LossFallsAlongTheGradientAsFastAsItSays) {
  Learner model = learner();
  const std::vector<Real> start = copyOf(model.parameters());
  std::vector<Real> gradient(start.size()), ignored(start.size());
  model.gradient(firstSamples(16), gradient);
  double squared = 0;
  for (const Real g : gradient) squared += double{g} * g;
  const double step = 0.01 / squared;  // changes the loss by 0.01
  double predicted = 0;
  const auto lossAt = [&](double distance) {
    for (std::size_t i = 0; i < start.size(); ++i) {
      Real& value = model.parameters()[i];
      value = static_cast<Real>(start[i] - distance * gradient[i]);
      predicted += (distance < 0 ? 1 : -1) * double{gradient[i]} * (double{value} - start[i]);
    }
    return model.gradient(firstSamples(16), ignored).loss;
  };
  EXPECT_NEAR((lossAt(-step) - lossAt(step)) / predicted, 1, 0.05);
}

TEST_P(ModelContract, OneStepLowersTheLossOnItsBatch) {
  Learner model = learner();
  std::vector<Real> gradient(model.parameters().size());
  const double before = model.gradient(firstSamples(16), gradient).loss;
  for (std::size_t i = 0; i < gradient.size(); ++i) model.parameters()[i] -= 0.001F * gradient[i];
  EXPECT_LT(model.gradient(firstSamples(16), gradient).loss, before);
}

TEST_P(ModelContract, TakesEveryInitialisation) {
  std::vector<std::vector<Real>> starts;
  for (const char* init : {"xavier", "he", "torch"}) {
    Learner model({.id = GetParam(), .params = Params({{"init", std::string(init)}})}, 3, data(), 16);
    starts.push_back(copyOf(model.parameters()));
  }
  EXPECT_NE(starts[0], starts[1]);
  EXPECT_NE(starts[1], starts[2]);
}

TEST_P(ModelContract, EvaluatesEverySampleAndChangesNothing) {
  Learner model = learner();
  const std::vector<Real> before = copyOf(model.parameters());
  const Evaluation evaluation = model.evaluate();
  EXPECT_EQ(evaluation.total, 23U);
  EXPECT_LE(evaluation.correct, 23U);
  EXPECT_TRUE(std::isfinite(evaluation.loss));
  EXPECT_EQ(before, copyOf(model.parameters()));
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const ModelEntry& entry : modelCatalog()) all.push_back(entry.id);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, ModelContract, ::testing::ValuesIn(ids()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace paceline
