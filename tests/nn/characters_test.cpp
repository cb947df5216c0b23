// Text and the models that read it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "engine/core/base/error.h"
#include "engine/nn/learner.h"
#include "engine/nn/torch_objective.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const datasets::Dataset> textOf(const std::map<std::string, ParamValue>& params) {
  RunSpec spec;
  spec.dataset = {.id = "text_characters", .params = Params(params)};
  return loadDataset(spec);
}

std::vector<std::int64_t> inputOf(const datasets::Dataset& data, const datasets::Images& split, std::size_t index) {
  std::vector<std::int64_t> values(data.form.input[0]);
  split.rows->input(index, values.data());
  return values;
}
std::vector<std::int64_t> targetOf(const datasets::Dataset& data, const datasets::Images& split, std::size_t index) {
  std::vector<std::int64_t> values(data.form.input[0]);
  split.rows->target(index, values.data());
  return values;
}

TEST(Text, IsCutIntoPlacesWithTheNextCharacterAsTarget) {
  const std::string path = (ownFolder() / "t.txt").string();
  std::ofstream(path) << "abcabcabcabcabcabcabcabcabcabcab";  // 32: 28 to train, 4 to test
  const auto data = textOf({{"path", path}, {"sequence", std::int64_t{3}}, {"test_fraction", 0.125}});
  EXPECT_EQ(data->classes, 3);
  EXPECT_FALSE(data->hasClasses);
  EXPECT_EQ(data->train.count(), 9U);
  EXPECT_EQ(data->test.count(), 1U);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(inputOf(*data, data->train, i), (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(targetOf(*data, data->train, i), (std::vector<std::int64_t>{1, 2, 0}));
  }
  EXPECT_EQ(inputOf(*data, data->test, 0), (std::vector<std::int64_t>{1, 2, 0}));  // from the 28th on
}

TEST(Text, ThatIsMadeIsTheSameForTheSameSeed) {
  const auto one = textOf({{"length", std::int64_t{5000}}}), same = textOf({{"length", std::int64_t{5000}}}), other = textOf({{"length", std::int64_t{5000}}, {"text_seed", std::int64_t{2}}});
  EXPECT_EQ(inputOf(*one, one->train, 7), inputOf(*same, same->train, 7));
  EXPECT_NE(inputOf(*one, one->train, 7), inputOf(*other, other->train, 7));
}

TEST(Text, ThatIsTooShortIsRefused) {
  const std::string path = (ownFolder() / "t.txt").string();
  std::ofstream(path) << "short";
  try {
    textOf({{"path", path}});
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), path + " has 5 characters: too few for sequences of 64 to train and, from its last 1, to test");
  }
}

class Characters : public ::testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<const datasets::Dataset> data_ = textOf({{"length", std::int64_t{6000}}, {"sequence", std::int64_t{16}}});
  Learner learner_{{.id = GetParam(), .params = Params(std::map<std::string, ParamValue>{{"width", std::int64_t{32}}})}, 1, data_, 8};
};

TEST_P(Characters, BeginNearAUniformGuessAndLearn) {
  const double uniform = std::log(data_->classes);
  const Evaluation before = learner_.evaluate();
  EXPECT_NEAR(before.loss, uniform, 0.5);
  EXPECT_EQ(before.total, data_->test.count() * 16);
  ASSERT_EQ(before.metrics.size(), 1U);
  EXPECT_EQ(before.metrics[0].name, "bits_per_symbol");
  EXPECT_DOUBLE_EQ(before.metrics[0].value, before.loss / std::log(2.0));
  std::vector<Real> gradient(learner_.parameters().size());
  std::vector<std::uint32_t> samples(8);
  for (std::uint32_t step = 0; step < 150; ++step) {
    for (std::uint32_t i = 0; i < 8; ++i) samples[i] = (step * 8 + i) % static_cast<std::uint32_t>(data_->train.count());
    learner_.gradient(samples, gradient);
    for (std::size_t i = 0; i < gradient.size(); ++i) learner_.parameters()[i] -= Real{0.5} * gradient[i];
  }
  EXPECT_LT(learner_.evaluate().loss, before.loss - 0.2);
}

// Half of the directional derivative, from both sides, is what the gradient says.
TEST_P(Characters, GradientIsThatOfTheLoss) {
  std::vector<Real> gradient(learner_.parameters().size()), unused(gradient.size());
  const std::vector<std::uint32_t> samples{0, 1, 2, 3};
  learner_.gradient(samples, gradient);
  double squares = 0;
  for (const Real g : gradient) squares += static_cast<double>(g) * g;
  const Real step = static_cast<Real>(0.01 / std::sqrt(squares));
  const std::vector<Real> at(learner_.parameters().begin(), learner_.parameters().end());
  const auto lossAt = [&](Real sign) {
    for (std::size_t i = 0; i < at.size(); ++i) learner_.parameters()[i] = at[i] + sign * step * gradient[i];
    return learner_.gradient(samples, unused).loss;
  };
  EXPECT_NEAR((lossAt(1) - lossAt(-1)) / (2 * step), squares, 0.02 * squares);
}

INSTANTIATE_TEST_SUITE_P(Every, Characters, ::testing::Values("char_lstm", "char_gpt"), [](const auto& info) { return info.param; });

TEST(CharacterModels, AndPicturesDoNotGoTogether) {
  RunSpec spec;
  spec.dataset.id = "synthetic";
  const auto refused = [](const char* model, const std::shared_ptr<const datasets::Dataset>& data) {
    try {
      const Learner learner({.id = model, .params = {}}, 1, data, 1);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing thrown");
  };
  EXPECT_EQ(refused("char_gpt", loadDataset(spec)), "model \"char_gpt\" takes whole numbers, as texts have, the data set has no whole numbers");
  EXPECT_EQ(refused("mlp", textOf({})), "model \"mlp\" takes pictures or numbers, the data set has whole numbers");
}

}  // namespace
}  // namespace paceline::tests
