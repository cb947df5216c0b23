#include "engine/runtime/schedule.h"

#include <gtest/gtest.h>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

Choice completed(const std::string& id, Params given = {}) {
  std::vector<Finding> findings;
  const Choice choice{.id = id, .params = completeParams(findEntry(schedules(), id)->params, given, "", findings)};
  EXPECT_TRUE(findings.empty());
  return choice;
}

TEST(Schedule, ConstantIsOne) {
  EXPECT_EQ(scheduleFactor(completed("constant"), 1'000'000), 1);
  EXPECT_TRUE(isConstant(completed("constant")));
}

TEST(Schedule, StepMultipliesAfterEverySoManySamples) {
  const Choice step = completed("step", Params({{"every_samples", std::int64_t{300}}, {"factor", 0.5}}));
  EXPECT_EQ(scheduleFactor(step, 0), 1);
  EXPECT_EQ(scheduleFactor(step, 299), 1);
  EXPECT_EQ(scheduleFactor(step, 300), 0.5);
  EXPECT_EQ(scheduleFactor(step, 1200), 0.0625);
  EXPECT_FALSE(isConstant(step));
}

TEST(Schedule, MultiStepMultipliesAtEachCount) {
  const Choice steps = completed("multi_step", Params({{"at_samples", std::string("10, 20,1000")}, {"factor", 0.5}}));
  EXPECT_EQ(scheduleFactor(steps, 9), 1);
  EXPECT_EQ(scheduleFactor(steps, 10), 0.5);
  EXPECT_EQ(scheduleFactor(steps, 999), 0.25);
  EXPECT_EQ(scheduleFactor(steps, 1000), 0.125);
}

TEST(Schedule, CosineFallsToItsFloorAndStays) {
  const Choice cosine = completed("cosine", Params({{"total_samples", std::int64_t{900}}, {"floor", 0.5}}));
  EXPECT_EQ(scheduleFactor(cosine, 0), 1);
  EXPECT_NEAR(scheduleFactor(cosine, 300), 0.5 + 0.5 * 0.75, 1e-15);  // cos(pi / 3) = 1 / 2
  EXPECT_NEAR(scheduleFactor(cosine, 450), 0.75, 1e-15);
  EXPECT_EQ(scheduleFactor(cosine, 900), 0.5);
  EXPECT_EQ(scheduleFactor(cosine, 90'000), 0.5);
}

TEST(Schedule, WarmUpGrowsLinearlyAndMultipliesTheRest) {
  const auto warm = [](const std::string& id, Params params) {
    params.set("warmup_samples", std::int64_t{400});
    params.set("warmup_from", 0.5);
    return completed(id, params);
  };
  EXPECT_EQ(scheduleFactor(warm("constant", {}), 0), 0.5);
  EXPECT_EQ(scheduleFactor(warm("constant", {}), 200), 0.75);
  EXPECT_EQ(scheduleFactor(warm("constant", {}), 400), 1);
  EXPECT_FALSE(isConstant(warm("constant", {})));
  const Params halving({{"every_samples", std::int64_t{200}}, {"factor", 0.5}});
  EXPECT_EQ(scheduleFactor(warm("step", halving), 200), 0.75 * 0.5);
}

TEST(Schedule, UnknownOnesAreRefusedByName) {
  try {
    scheduleFactor({.id = "cosinus", .params = completed("constant").params}, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kSpec);
    EXPECT_NE(std::string(error.what()).find("cosinus"), std::string::npos);
  }
}

TEST(Schedule, EveryEntryBeginsAtOneWithItsDefaults) {
  for (const CatalogEntry& entry : schedules()) EXPECT_EQ(scheduleFactor(completed(entry.id), 0), 1) << entry.id;
}

}  // namespace
}  // namespace paceline::tests
