#include "engine/runtime/schedule.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace paceline {
namespace {

TEST(Schedule, ConstantIsOne) { EXPECT_EQ(scheduleFactor({.id = "constant", .params = {}}, 1'000'000), 1); }

TEST(Schedule, StepMultipliesAfterEverySoManyRounds) {
  const Choice step{.id = "step", .params = Params({{"every_rounds", std::int64_t{3}}, {"factor", 0.5}})};
  const std::vector<double> expected{1, 1, 1, 0.5, 0.5, 0.5, 0.25};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(scheduleFactor(step, static_cast<std::int64_t>(i) + 1), expected[i]);
}

TEST(Schedule, UnknownOnesAreRefusedByName) {
  try {
    scheduleFactor({.id = "cosine", .params = {}}, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kSpec);
    EXPECT_NE(std::string(error.what()).find("cosine"), std::string::npos);
  }
}

TEST(Schedule, EveryEntryHasItsDefaults) {
  for (const CatalogEntry& entry : schedules()) {
    std::vector<Finding> findings;
    const Choice choice{.id = entry.id, .params = completeParams(entry.params, {}, "", findings)};
    EXPECT_TRUE(findings.empty());
    EXPECT_EQ(scheduleFactor(choice, 1), 1) << entry.id;
  }
}

}  // namespace
}  // namespace paceline
