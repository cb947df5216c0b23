#include "app/search/method.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/search/parzen.h"
#include "tests/search/spaces.h"

namespace paceline::tests {
namespace {

using namespace search;

constexpr SearchRange kLog{.from = 0.001, .to = 10, .scale = SearchScale::kLog};
constexpr SearchRange kWhole{.from = 1, .to = 8, .integer = true};
const SearchAxis kUnit{.key = "/x", .range = SearchRange{.from = 0, .to = 1}};

TEST(Ranges, LogScalesHaveEqualRatios) {
  EXPECT_DOUBLE_EQ(placeOf(kLog, 0.1), 0.5);
  EXPECT_DOUBLE_EQ(valueAt(kLog, 0.5), 0.1);
  EXPECT_DOUBLE_EQ(valueAt(kLog, 0), 0.001);
  EXPECT_DOUBLE_EQ(valueAt(kLog, 1), 10);
}

TEST(Ranges, ValuesHaveFourDigitsAndIntegersAreWhole) {
  EXPECT_DOUBLE_EQ(valueAt({.from = 0, .to = 1}, 0.123456), 0.1235);
  EXPECT_DOUBLE_EQ(valueAt(kWhole, 0.49), 4);
  EXPECT_DOUBLE_EQ(valueAt({.from = 0, .to = 0.123456}, 1), 0.123456);  // a rounded one would lie outside
}

TEST(Parzen, IsUniformBeforeAnythingWasTried) {
  const Parzen none(kUnit, {});
  EXPECT_DOUBLE_EQ(none.density(0.1), 1);
  EXPECT_DOUBLE_EQ(none.density(0.9), 1);
}

// One point at 0.5: its neighbours are the ends, so its deviation is 0.5, and of its normal density erf(1 / sqrt 2) lies in the range.
TEST(Parzen, OfOnePointIsThePriorAndOneBell) {
  const Parzen one(kUnit, {0.5});
  const double mass = std::erf(1 / std::numbers::sqrt2), peak = 1 / (0.5 * std::sqrt(2 * std::numbers::pi) * mass);
  EXPECT_NEAR(one.density(0.5), (1 + peak) / 2, 1e-12);
  EXPECT_NEAR(one.density(0), (1 + peak * std::exp(-0.5)) / 2, 1e-12);
}

TEST(Parzen, IsADensity) {
  const Parzen some(kUnit, {0.1, 0.15, 0.8, 0.8, 1});
  double sum = 0;
  constexpr int kSteps = 10000;
  for (int i = 0; i < kSteps; ++i) sum += some.density((i + 0.5) / kSteps) / kSteps;
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST(Parzen, OfAListCountsWithOneMoreForEachValue) {
  const SearchAxis list{.key = "/algorithm/id", .range = std::nullopt, .labels = {"a", "b", "c"}};
  const Parzen some(list, {1, 1, 2});
  EXPECT_DOUBLE_EQ(some.density(0), 1.0 / 6);
  EXPECT_DOUBLE_EQ(some.density(1), 3.0 / 6);
  EXPECT_DOUBLE_EQ(some.density(2), 2.0 / 6);
}

TEST(Parzen, DrawsWhatItsDensitySays) {
  const Parzen some(kUnit, {0.2, 0.25, 0.3});
  Rng rng(5);
  int low = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) low += some.draw(rng) < 0.5 ? 1 : 0;
  double expected = 0;
  for (int i = 0; i < 5000; ++i) expected += some.density((i + 0.5) / 10000) / 10000;
  EXPECT_NEAR(low / double{kDraws}, expected, 4 * std::sqrt(0.25 / kDraws));
}

TEST(Method, RandomStaysInTheSpaceAndIsTheSameForTheSameSeed) {
  const auto space = spaceOf(R"({"over": {"/optimizer/momentum": {"from": 0.1, "to": 0.9}, "/batch_size": {"from": 1, "to": 8, "integer": true}}, "method": "random", "seed": 4, "budget": {"runs": 9}})", R"({"/algorithm/id": ["a", "b"]})");
  for (std::uint64_t number = 0; number < 200; ++number) {
    const SearchPoint at = propose(*space, {}, number)->at;
    EXPECT_EQ(propose(*space, {}, number)->at, at);
    ASSERT_EQ(at.size(), 3u);
    EXPECT_TRUE(at[0] == 0 || at[0] == 1);
    EXPECT_TRUE(at[1] >= 1 && at[1] <= 8 && at[1] == std::floor(at[1]));
    EXPECT_TRUE(at[2] >= 0.1 && at[2] <= 0.9);
  }
}

class EachMethod : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, EachMethod, testing::Values("random", "bayesian"), [](const auto& info) { return std::string(info.param); });

TEST_P(EachMethod, TriesEveryPointOfASmallSpaceOnceAndThenNone) {
  const auto space = spaceOf(strCat(R"({"over": {"/batch_size": {"from": 1, "to": 4, "integer": true, "scale": "log"}}, "method": ")", GetParam(), R"(", "budget": {"runs": 99}})"), R"({"/algorithm/id": ["a", "b", "c"]})");
  EXPECT_EQ(sizeOf(*space), 12);
  History history;
  std::set<SearchPoint> seen;
  for (std::uint64_t number = 0; number < 12; ++number) {
    const auto next = propose(*space, history, number);
    ASSERT_TRUE(next) << number;
    EXPECT_TRUE(seen.insert(next->at).second) << number;
    (number % 3 == 0 ? history.others : history.ranked).push_back(next->at);
  }
  EXPECT_FALSE(propose(*space, history, 12));
}

TEST(Method, BayesianDrawsAtRandomUntilEnoughHasEnded) {
  const auto space = spaceOf(R"({"over": {"/optimizer/momentum": {"from": 0, "to": 0.9}}, "budget": {"runs": 9}})");
  EXPECT_EQ(firstPoints(*space), 5);
  EXPECT_EQ(propose(*space, {.ranked = {{0.1}, {0.2}}, .others = {}}, 2)->why, "Drawn at random: the model needs 5 points that have ended, and there are 2.");
}

TEST(Method, BayesianSaysWhatTheBestHaveAndHowLikelyThePointIsAmongThem) {
  const auto space = spaceOf(R"({"over": {"/optimizer/momentum": {"from": 0, "to": 0.9}}, "budget": {"runs": 9}})", R"({"/algorithm/id": ["ssgd", "asgd"]})");
  History history{.ranked = {{1, 0.8}, {0, 0.1}, {0, 0.2}, {0, 0.3}, {1, 0.05}}, .others = {}};
  EXPECT_THAT(propose(*space, history, 5)->why, testing::MatchesRegex(R"(The best of 5 points has algorithm asgd, momentum 0\.8; this point is [0-9.]+ times as likely beside it as among the other 4\.)"));
  history.compared = "after 4 rounds";
  EXPECT_THAT(propose(*space, history, 5)->why, testing::StartsWith("The best of 5 points, compared after 4 rounds, has algorithm asgd, momentum 0.8; "));
  history.compared.clear();
  history.ranked.insert(history.ranked.begin() + 1, {{1, 0.85}, {0, 0.15}, {0, 0.25}});
  EXPECT_THAT(propose(*space, history, 8)->why, testing::MatchesRegex(R"(The 2 best of 8 points have algorithm asgd, momentum 0\.8 to 0\.85; this point is [0-9.]+ times as likely among them as among the other 6\.)"));
}

// A valley over the logarithm of one value and a second one, and a list with one good entry: 0 at best.
double valley(const SearchPoint& at) {
  const double rate = std::log10(at[1]) + 1.5, momentum = at[2] - 0.6;
  return -(rate * rate + 2 * momentum * momentum + (at[0] == 2 ? 0 : 0.3));
}

double bestAfter(const std::string& method, std::uint64_t seed, int points) {
  const auto space = spaceOf(strCat(R"({"over": {"/algorithm/params/lr": {"from": 0.0001, "to": 10, "scale": "log"}, "/optimizer/momentum": {"from": 0, "to": 0.95}}, "method": ")", method, R"(", "seed": )", seed, R"(, "budget": {"runs": 99}})"),
                             R"({"/algorithm/id": ["a", "b", "c"]})");
  std::vector<std::pair<double, SearchPoint>> tried;
  for (int i = 0; i < points; ++i) {
    History history;
    for (const auto& [value, at] : tried) history.ranked.push_back(at);
    SearchPoint at = propose(*space, history, static_cast<std::uint64_t>(i))->at;
    tried.emplace_back(valley(at), std::move(at));
    std::ranges::stable_sort(tried, [](const auto& a, const auto& b) { return a.first > b.first; });
  }
  return tried.front().first;
}

// Of 200 seeds, each with 30 points. Were the two alike, 120 or more wins would have a probability of 0.003 (binomial).
TEST(Method, BayesianFindsBetterPointsThanRandom) {
  constexpr int kSeeds = 200;
  int wins = 0;
  double bayesian = 0, random = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const double b = bestAfter("bayesian", seed, 30), r = bestAfter("random", seed, 30);
    wins += b > r ? 1 : 0, bayesian += b, random += r;
  }
  EXPECT_GE(wins, 120);
  EXPECT_GT(bayesian, random);
  std::cout << wins << " of " << kSeeds << " won; mean distance from the best: bayesian " << -bayesian / kSeeds << ", random " << -random / kSeeds << "\n";
}

}  // namespace
}  // namespace paceline::tests
