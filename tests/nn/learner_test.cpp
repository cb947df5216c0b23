#include "engine/nn/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "tests/nn/small_set.h"

namespace paceline::tests {
namespace {

std::shared_ptr<const datasets::Dataset> smallSet() { return loadDataset(specOf("logistic")); }

Choice model(const std::string& id, const std::map<std::string, ParamValue>& params = {}) {
  return {.id = id, .params = Params(params)};
}

// The soft-max regression that the flat vector describes (weights 10 x 784, then biases), computed by hand in double.
Evaluation logisticOracle(std::span<const Real> flat, const datasets::Images& images) {
  Evaluation sum;
  for (std::size_t i = 0; i < images.count(); ++i) {
    std::vector<double> scores(10);
    for (std::size_t k = 0; k < 10; ++k) {
      scores[k] = flat[7840 + k];
      for (std::size_t p = 0; p < 784; ++p) scores[k] += double{flat[k * 784 + p]} * images.pixels[i * 784 + p] / 255.0;
    }
    const double top = *std::max_element(scores.begin(), scores.end());
    double total = 0;
    for (const double score : scores) total += std::exp(score - top);
    sum.loss += std::log(total) + top - scores[images.labels[i]];
    sum.correct += scores[images.labels[i]] == top ? 1 : 0;
    ++sum.total;
  }
  sum.loss /= static_cast<double>(sum.total);
  return sum;
}

TEST(Learner, AccuracyIsCorrectOverTotalWithAnUnevenLastBatch) {
  const auto data = smallSet();
  Learner learner(model("logistic"), 3, data, 32);
  std::vector<Real> gradient(learner.parameters().size());
  for (int i = 0; i < 5; ++i) {
    learner.gradient(firstSamples(32), gradient);
    for (std::size_t j = 0; j < gradient.size(); ++j) learner.parameters()[j] -= 0.1F * gradient[j];
  }
  const Evaluation got = learner.evaluate(), expected = logisticOracle(learner.parameters(), data->test);
  EXPECT_EQ(got.total, 503U);
  EXPECT_EQ(got.correct, expected.correct);
  EXPECT_DOUBLE_EQ(got.accuracy(), static_cast<double>(expected.correct) / 503.0);
  EXPECT_NEAR(got.loss, expected.loss, 1e-5);
}

TEST(Learner, WritingTheFlatVectorChangesTheModel) {
  const auto data = smallSet();
  Learner learner(model("lenet"), 3, data, 32);
  const std::span<Real> parameters = learner.parameters();
  std::fill(parameters.begin(), parameters.end(), Real{0});
  EXPECT_NEAR(learner.evaluate().loss, std::log(10.0), 1e-6);
  const Block& bias = learner.blocks().back();
  EXPECT_EQ(bias.name, "dense2.bias");
  parameters[bias.offset + 4] = 50;  // now every sample is of class 4
  EXPECT_EQ(learner.evaluate().correct,
            static_cast<std::uint64_t>(std::count(data->test.labels.begin(), data->test.labels.end(), 4)));
}

TEST(Learner, LogisticGradientEqualsFiniteDifferences) {
  const auto data = smallSet();
  Learner learner(model("logistic"), 3, data, 32);
  const auto samples = firstSamples(32);
  std::vector<Real> gradient(learner.parameters().size()), ignored(gradient.size());
  learner.gradient(samples, gradient);
  datasets::Images batch;
  batch.labels.assign(data->train.labels.begin(), data->train.labels.begin() + 32);
  batch.pixels.assign(data->train.pixels.begin(), data->train.pixels.begin() + 32 * 784);
  const float step = 1.0F / 128;  // exact in binary; the losses come from the oracle in double
  for (std::size_t i = 0; i < gradient.size(); i += 611) {
    const Real before = learner.parameters()[i];
    learner.parameters()[i] = before + step;
    const double above = logisticOracle(learner.parameters(), batch).loss;
    learner.parameters()[i] = before - step;
    const double below = logisticOracle(learner.parameters(), batch).loss;
    learner.parameters()[i] = before;
    EXPECT_NEAR(gradient[i], (above - below) / (2.0 * step), 2e-5) << i;
  }
}

TEST(Learner, TwoHalfBatchesAverageToTheWhole) {
  Learner learner(model("logistic"), 3, smallSet(), 64);
  const std::size_t size = learner.parameters().size();
  std::vector<Real> first(size), second(size), whole(size);
  learner.gradient(firstSamples(32), first);
  learner.gradient(firstSamples(32, 32), second);
  learner.gradient(firstSamples(64), whole);
  for (std::size_t i = 0; i < size; ++i) ASSERT_NEAR((first[i] + second[i]) / 2, whole[i], 1e-7) << i;
}

TEST(Learner, AnnouncesEveryBlockOnceLastFirstWithItsFinalGradient) {
  Learner learner(model("lenet"), 3, smallSet(), 32);
  std::vector<Real> gradient(learner.parameters().size(), 77), final(gradient.size());
  learner.gradient(firstSamples(32), final);
  std::size_t expected = learner.blocks().size();
  StepWatch watch;
  watch.ready = [&](std::size_t block) {
    ASSERT_EQ(block, --expected);
    const Block& b = learner.blocks()[block];
    EXPECT_TRUE(std::equal(gradient.begin() + static_cast<std::ptrdiff_t>(b.offset),
                           gradient.begin() + static_cast<std::ptrdiff_t>(b.offset + b.size),
                           final.begin() + static_cast<std::ptrdiff_t>(b.offset)))
        << b.name;
  };
  learner.gradient(firstSamples(32), gradient, watch);
  EXPECT_EQ(expected, 0U);
}

TEST(Learner, AnnouncesTheLastLayerBeforeTheFirstIsComputed) {
  Learner learner(model("lenet"), 3, smallSet(), 32);
  std::vector<Real> gradient(learner.parameters().size(), 77);
  bool early = false;
  StepWatch watch;
  watch.ready = [&](std::size_t block) { early = early || (block + 1 == learner.blocks().size() && gradient[0] == 77); };
  learner.gradient(firstSamples(32), gradient, watch);
  EXPECT_TRUE(early);
}

TEST(Learner, PassesOnWhatTheCallbackThrows) {
  Learner learner(model("mlp"), 3, smallSet(), 32);
  std::vector<Real> gradient(learner.parameters().size()), again(gradient.size());
  const auto asked = [](std::size_t) { throw Error(Errc::kStopped, "asked to stop"); };
  StepWatch needed, ready;
  needed.needed = asked;
  ready.ready = asked;
  for (const StepWatch& watch : {needed, ready}) {
    try {
      learner.gradient(firstSamples(32), gradient, watch);
      FAIL() << "nothing thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kStopped);
    }
  }
  learner.gradient(firstSamples(32), again);
  EXPECT_EQ(gradient, again);
}

TEST(Learner, WritesIntoWhicheverBufferItIsGiven) {
  Learner learner(model("mlp"), 3, smallSet(), 32);
  std::vector<Real> a(learner.parameters().size()), b(a.size());
  learner.gradient(firstSamples(32), a);
  learner.gradient(firstSamples(32), b);
  EXPECT_EQ(a, b);
  learner.gradient(firstSamples(32, 32), a);
  EXPECT_NE(a, b);
}

TEST(BatchNormalisation, StatisticsAreBlocksWithoutGradient) {
  Learner learner(model("resnet18_v1"), 3, smallSet(), 8);
  std::size_t statistics = 0, firstStatistic = learner.parameters().size();
  for (const Block& block : learner.blocks()) {
    if (block.trainable) continue;
    statistics += block.size;
    firstStatistic = std::min(firstStatistic, block.offset);
  }
  EXPECT_EQ(statistics, 9600U);
  EXPECT_EQ(firstStatistic, 11175370U);
  std::vector<Real> gradient(learner.parameters().size(), 77);
  const std::vector<Real> before(learner.parameters().begin() + 11175370, learner.parameters().end());
  learner.gradient(firstSamples(8), gradient);
  EXPECT_TRUE(std::all_of(gradient.begin() + 11175370, gradient.end(), [](Real g) { return g == 0; }));
  EXPECT_NE(before, std::vector<Real>(learner.parameters().begin() + 11175370, learner.parameters().end())) << "updated in place";
}

TEST(BatchNormalisation, EvaluationNeitherMovesStatisticsNorStaysInForce) {
  Learner learner(model("resnet18_v1"), 3, loadDataset(specOf("logistic", 1, 32, 10)), 8);
  std::vector<Real> gradient(learner.parameters().size());
  const std::vector<Real> before(learner.parameters().begin(), learner.parameters().end());
  learner.evaluate();
  EXPECT_EQ(before, std::vector<Real>(learner.parameters().begin(), learner.parameters().end()));
  learner.gradient(firstSamples(8), gradient);
  EXPECT_NE(before, std::vector<Real>(learner.parameters().begin(), learner.parameters().end())) << "training mode is back";
}

TEST(BatchNormalisation, AWarmUpStepLeavesStatisticsAsTheyWere) {
  const auto data = smallSet();
  Learner learner(model("resnet18_v1"), 3, data, 8);
  BatchLoader batches(data, BatchStream(firstSamples(8), {.batchSize = 8}), learner.loading(0));
  std::vector<Real> gradient(learner.parameters().size()), warm(gradient.size());
  const std::vector<Real> before(learner.parameters().begin(), learner.parameters().end());
  learner.warmUpStep(batches.front(), warm);
  EXPECT_EQ(before, std::vector<Real>(learner.parameters().begin(), learner.parameters().end()));
  learner.gradient(batches.front(), gradient);
  EXPECT_EQ(gradient, warm);
}

struct Spread {
  double mean = 0, deviation = 0, reach = 0;
};

Spread spread(std::span<const Real> values) {
  Spread s;
  for (const Real v : values) {
    s.mean += v / static_cast<double>(values.size());
    s.reach = std::max(s.reach, std::abs(double{v}));
  }
  for (const Real v : values) s.deviation += (v - s.mean) * (v - s.mean) / static_cast<double>(values.size());
  s.deviation = std::sqrt(s.deviation);
  return s;
}

std::span<const Real> blockOf(Learner& learner, const std::string& name) {
  for (const Block& block : learner.blocks())
    if (block.name == name) return learner.parameters().subspan(block.offset, block.size);
  return {};
}

TEST(Initialise, XavierIsUniformWithAverageFansAndMagnitudeThree) {
  Learner learner(model("lenet"), 1, smallSet(), 32);
  const double reach = std::sqrt(3.0 / ((20 * 25 + 50 * 25) / 2.0));  // conv2: fans count the kernel
  const Spread s = spread(blockOf(learner, "conv2.weight"));
  EXPECT_LE(s.reach, reach);
  EXPECT_GT(s.reach, 0.99 * reach);
  EXPECT_NEAR(s.deviation, reach / std::sqrt(3.0), 0.02 * reach);
  EXPECT_EQ(spread(blockOf(learner, "conv2.bias")).reach, 0);
}

TEST(Initialise, HeIsNormalWithVarianceTwoOverFanIn) {
  Learner learner(model("lenet", {{"init", std::string("he")}}), 1, smallSet(), 32);
  const Spread s = spread(blockOf(learner, "dense1.weight"));
  EXPECT_NEAR(s.deviation, std::sqrt(2.0 / 800), 0.01 * std::sqrt(2.0 / 800));
  EXPECT_NEAR(s.mean, 0, 0.001);
  EXPECT_EQ(spread(blockOf(learner, "dense1.bias")).reach, 0);
}

TEST(Initialise, TorchReachesOneOverRootFanInBiasesToo) {
  Learner learner(model("lenet", {{"init", std::string("torch")}}), 1, smallSet(), 32);
  for (const char* name : {"dense1.weight", "dense1.bias"}) {
    EXPECT_LE(spread(blockOf(learner, name)).reach, 1 / std::sqrt(800.0) + 1e-8) << name;
    EXPECT_GT(spread(blockOf(learner, name)).reach, 0.95 / std::sqrt(800.0)) << name;
  }
}

TEST(Mlp, HasTheAskedLayers) {
  Learner one(model("mlp", {{"hidden_1", std::int64_t{5}}, {"hidden_2", std::int64_t{0}}}), 1, smallSet(), 32);
  EXPECT_EQ(one.parameters().size(), 784U * 5 + 5 + 5 * 10 + 10);
  Learner two(model("mlp", {{"hidden_1", std::int64_t{5}}, {"hidden_2", std::int64_t{3}}}), 1, smallSet(), 32);
  EXPECT_EQ(two.parameters().size(), 784U * 5 + 5 + 5 * 3 + 3 + 3 * 10 + 10);
}

}  // namespace
}  // namespace paceline::tests
