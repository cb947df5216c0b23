#include "engine/runtime/control.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

constexpr RunSoFar kMiddle{.rounds = 5, .seconds = 2.5, .samples = 100, .accuracy = 0.7, .asked = false};

StopRules rules(std::optional<std::int64_t> rounds, std::optional<double> seconds, std::optional<std::int64_t> samples,
                std::optional<double> accuracy) {
  return {.rounds = rounds, .seconds = seconds, .samples = samples, .accuracy = accuracy};
}

TEST(StopRules, NothingIsMetNothingStops) { EXPECT_EQ(reasonToStop(rules(6, 2.6, 101, 0.71), kMiddle), std::nullopt); }

TEST(StopRules, EachAloneStopsWhenItIsReached) {
  EXPECT_EQ(reasonToStop(rules(5, {}, {}, {}), kMiddle), StopReason::kRounds);
  EXPECT_EQ(reasonToStop(rules({}, 2.5, {}, {}), kMiddle), StopReason::kSeconds);
  EXPECT_EQ(reasonToStop(rules({}, {}, 100, {}), kMiddle), StopReason::kSamples);
  EXPECT_EQ(reasonToStop(rules({}, {}, {}, 0.7), kMiddle), StopReason::kAccuracy);
}

TEST(StopRules, AccuracyCountsOnlyWhenItWasEvaluated) {
  RunSoFar now = kMiddle;
  now.accuracy.reset();
  EXPECT_EQ(reasonToStop(rules({}, {}, {}, 0.0), now), std::nullopt);
}

TEST(StopRules, AskedComesLast) {
  RunSoFar now = kMiddle;
  now.asked = true;
  EXPECT_EQ(reasonToStop(rules(6, {}, {}, {}), now), StopReason::kAsked);
  EXPECT_EQ(reasonToStop(rules(5, {}, {}, {}), now), StopReason::kRounds);
}

TEST(StopRules, AllMetTheBestNewsIsTheReason) {
  EXPECT_EQ(reasonToStop(rules(5, 2.5, 100, 0.7), kMiddle), StopReason::kAccuracy);
}

TEST(StopRules, PatienceEndsWithSoManyEvaluationsThatWereNoBetter) {
  RunSoFar now = kMiddle;
  StopRules patient;
  patient.patience = 3;
  Improvement improvement;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [accuracy, without] : std::vector<std::pair<double, int>>{{nan, 1}, {0.1, 0}, {0.3, 0}, {0.3, 1}, {nan, 2}, {0.4, 0}, {0.2, 1}, {0.4, 2}, {0.39, 3}}) {
    improvement.take(accuracy);
    now.withoutBetter = improvement.without();
    EXPECT_EQ(now.withoutBetter, without) << accuracy;
    EXPECT_EQ(reasonToStop(patient, now), without < 3 ? std::nullopt : std::optional(StopReason::kPatience));
  }
}

TEST(StopRules, NamesAreThoseOfTheRecords) {
  EXPECT_STREQ(stopReasonName(StopReason::kRounds), "rounds");
  EXPECT_STREQ(stopReasonName(StopReason::kSeconds), "seconds");
  EXPECT_STREQ(stopReasonName(StopReason::kSamples), "samples");
  EXPECT_STREQ(stopReasonName(StopReason::kAccuracy), "accuracy");
  EXPECT_STREQ(stopReasonName(StopReason::kAsked), "asked");
  EXPECT_STREQ(stopReasonName(StopReason::kPatience), "patience");
}

}  // namespace
}  // namespace paceline::tests
