// Groups by speed: exact where small cases can be tried one by one, and what the rules about noise are for.
#include "engine/core/spec/speed_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

using Groups = std::vector<int>;

TEST(SpeedGroups, AreNumberedFromTheFastest) { EXPECT_EQ(groupsBySpeed(std::vector{3.0, 1.0, 3.1, 1.05}), (Groups{1, 0, 1, 0})); }

TEST(SpeedGroups, OfWorkersThatAreAlikeAreOne) {
  EXPECT_EQ(groupsBySpeed(std::vector{0.1, 0.1, 0.1, 0.1, 0.1}), (Groups{0, 0, 0, 0, 0}));
  EXPECT_EQ(groupsBySpeed(std::vector{0.1, 0.105, 0.098}), (Groups{0, 0, 0}));
  EXPECT_EQ(groupsBySpeed(std::vector{0.1}), (Groups{0}));
  EXPECT_EQ(groupsBySpeed(std::vector{0.1, 0.104}), (Groups{0, 0}));
}

TEST(SpeedGroups, OfTwoThatDifferAreTwo) { EXPECT_EQ(groupsBySpeed(std::vector{0.3, 0.1}), (Groups{1, 0})); }

// Twelve workers of MXNet-G's sample: two slow, four middle, six fast, each within a few per cent of its like.
TEST(SpeedGroups, FindThreeKindsOfDevices) {
  const std::vector<double> steps{1.0, 1.02, 0.5, 0.51, 0.49, 0.505, 0.25, 0.26, 0.252, 0.248, 0.255, 0.251};
  EXPECT_EQ(groupsBySpeed(steps), (Groups{2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(SpeedGroups, DoNotFallApartIntoPairsBecauseOfNoise) {
  EXPECT_EQ(groupsBySpeed(std::vector{1.0, 1 / 0.99, 0.5, 0.51, 1 / 5.0, 1 / 5.1}), (Groups{2, 2, 1, 1, 0, 0}));
}

TEST(SpeedGroups, AsManyAsAskedFor) {
  const std::vector<double> steps{0.4, 0.2, 0.1, 0.11};
  EXPECT_EQ(groupsBySpeed(steps, 1), (Groups{0, 0, 0, 0}));
  EXPECT_EQ(groupsBySpeed(steps, 2), (Groups{1, 1, 0, 0}));
  EXPECT_EQ(groupsBySpeed(steps, 3), (Groups{2, 1, 0, 0}));
  EXPECT_EQ(groupsBySpeed(steps, 4), (Groups{3, 2, 0, 1}));
  EXPECT_EQ(groupsBySpeed(std::vector{0.1, 0.1, 0.1}, 2).size(), 3u);
  EXPECT_THROW(groupsBySpeed(steps, 5), InvariantError);
}

double within(const std::vector<double>& steps, const Groups& groups, int count) {
  double sum = 0;
  for (int g = 0; g < count; ++g) {
    double mean = 0, members = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (groups[i] == g) mean += 1 / steps[i], ++members;
    EXPECT_GT(members, 0) << "an empty group";
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (groups[i] == g) sum += (1 / steps[i] - mean / members) * (1 / steps[i] - mean / members);
  }
  return sum;
}

TEST(SpeedGroups, AreTheBestOfAllAssignments) {
  Rng rng = Rng::stream(2, "speeds");
  for (int round = 0; round < 60; ++round) {
    std::vector<double> steps(2 + rng.below(5));
    for (double& step : steps) step = rng.below(4) == 0 ? 0.2 : rng.uniform(0.05, 1);
    for (int count = 1; count <= static_cast<int>(steps.size()); ++count) {
      const double found = within(steps, groupsBySpeed(steps, count), count);
      std::size_t all = 1;
      for (std::size_t i = 0; i < steps.size(); ++i) all *= static_cast<std::size_t>(count);
      double best = std::numeric_limits<double>::infinity();
      for (std::size_t code = 0; code < all; ++code) {
        Groups groups(steps.size());
        std::size_t rest = code;
        for (int& group : groups) group = static_cast<int>(rest % static_cast<std::size_t>(count)), rest /= static_cast<std::size_t>(count);
        bool full = true;
        for (int g = 0; g < count; ++g) full = full && std::count(groups.begin(), groups.end(), g) > 0;
        if (full) best = std::min(best, within(steps, groups, count));
      }
      ASSERT_NEAR(found, best, 1e-9 * (1 + best)) << count << " groups";
    }
  }
}

}  // namespace
}  // namespace paceline::tests
