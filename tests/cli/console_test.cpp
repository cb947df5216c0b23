#include "app/cli/console.h"

#include <gtest/gtest.h>

#include <cmath>

namespace paceline {
namespace {

TEST(Table, PutsNumbersToTheRight) {
  EXPECT_EQ(tableText({"name", "rounds"}, {{"esync ± 1", "5"}, {"ssgd", "1200"}}),
            "name       rounds\n"
            "esync ± 1       5\n"
            "ssgd         1200\n");
}

TEST(Table, TakesIdsAndDatesForTexts) {
  EXPECT_EQ(tableText({"id", "created"}, {{"01m7z", "2026-01-01T00:00:00Z"}}), "id     created\n01m7z  2026-01-01T00:00:00Z\n");
}

TEST(Table, LeavesTextsLeft) { EXPECT_EQ(tableText({"a", "b"}, {{"x", "y1"}, {"long", "z"}}), "a     b\nx     y1\nlong  z\n"); }

TEST(Duration, ReadsAsAPersonSaysIt) {
  EXPECT_EQ(durationText(0.0234), "0.023 s");
  EXPECT_EQ(durationText(2.44), "2.4 s");
  EXPECT_EQ(durationText(59.96), "1:00");
  EXPECT_EQ(durationText(80), "1:20");
  EXPECT_EQ(durationText(3599.6), "1:00:00");
  EXPECT_EQ(durationText(7390), "2:03:10");
  EXPECT_EQ(durationText(NAN), "?");
}

TEST(Numbers, KeepThreeDigits) {
  EXPECT_EQ(significant(812.4), "812");
  EXPECT_EQ(significant(12.34), "12.3");
  EXPECT_EQ(significant(0.01234), "0.0123");
  EXPECT_EQ(significant(123456), "123456");
  EXPECT_EQ(decimals(0.8125, 3), "0.812");
}

TEST(Utc, IsIso8601) {
  EXPECT_EQ(utcText(1740830400.7), "2025-03-01T12:00:00Z");
  EXPECT_EQ(utcText(0), "");
}

}  // namespace
}  // namespace paceline
