#include "engine/core/spec/varied_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/json/fields.h"

namespace paceline::tests {
namespace {

std::string read(std::string_view text) { return dumped(OrderedJson(readNumbers(text).values)); }
std::string refused(std::string_view text) {
  const VariedValues read = readNumbers(text);
  EXPECT_TRUE(read.values.empty()) << text;
  return mustBe("Batch size", "/batch_size", read.wanted, read.found);
}

TEST(VariedValues, ListsAndRanges) {
  EXPECT_EQ(read("1, 2, 4"), "[1,2,4]");
  EXPECT_EQ(read(" 0.5 ,-3,1e-3"), "[0.5,-3,0.001]");
  EXPECT_EQ(read("7"), "[7]");
  EXPECT_EQ(read("1..4"), "[1,2,3,4]");
  EXPECT_EQ(read("3..1"), "[3,2,1]");
  EXPECT_EQ(read("1..8 step 2"), "[1,3,5,7]");
  EXPECT_EQ(read("0.1..0.5 step 0.1"), "[0.1,0.2,0.3,0.4,0.5]");
  EXPECT_EQ(read("1..-1 step -0.5"), "[1,0.5,0,-0.5,-1]");
  EXPECT_EQ(read("0.001..1 log 4"), "[0.001,0.01,0.1,1]");
  EXPECT_EQ(read("1..100 log 4"), "[1,4.642,21.54,100]");
  EXPECT_EQ(read("1..3, 8, 2"), "[1,2,3,8]");
  EXPECT_EQ(read("18446744073709551615"), "[18446744073709551615]");
}

TEST(VariedValues, BadInputIsOneSentence) {
  EXPECT_EQ(refused("1, x"), "Batch size must be numbers such as 1, 2, 4 or a range such as 1..8 step 2 or 0.001..1 log 4; it is \"x\".");
  for (const char* bad : {"", ",", "1,,2", "..", "1..", "1..8 by 2", "1..8 step", "nan", "inf", "0x10", "1 2"}) EXPECT_THAT(refused(bad), testing::HasSubstr("must be numbers such as")) << bad;
  EXPECT_THAT(refused("1..8 step -2"), testing::StartsWith("Batch size must be a range whose step leads from its start to its end; it is \"1..8 step -2\""));
  EXPECT_THAT(refused("1..8 step 0"), testing::HasSubstr("whose step leads"));
  EXPECT_THAT(refused("0.1..0.5"), testing::HasSubstr("a range with a step"));
  EXPECT_THAT(refused("0..1 log 3"), testing::HasSubstr("above 0"));
  EXPECT_THAT(refused("1..2 log 1"), testing::HasSubstr("2 to 1000 values"));
  EXPECT_THAT(refused("1..2 log 99999999999"), testing::HasSubstr("2 to 1000 values"));
  EXPECT_THAT(refused("1..1001"), testing::HasSubstr("at most 1000 values"));
  EXPECT_THAT(refused("1..2 step 1e-300"), testing::HasSubstr("at most 1000 values"));
  EXPECT_THAT(refused("1e300..1e301"), testing::HasSubstr("below 9e15"));
}

TEST(VariedValues, TextReadsBackToTheSameValues) {
  for (const char* text : {"1, 2, 4", "0.001..1 log 7", "-1..1 step 0.1", "1..100 log 5"}) {
    const std::vector<OrderedJson> values = readNumbers(text).values;
    EXPECT_EQ(readNumbers(variedText(OrderedJson(values))).values, values) << text;
  }
  EXPECT_EQ(variedText(OrderedJson(readTexts("local, gpu box").values)), "local, gpu box");
  EXPECT_TRUE(readTexts("a,,b").values.empty());
  EXPECT_EQ(variedText(OrderedJson(readNumbers("none, 60").values)), "none, 60");
}

}  // namespace
}  // namespace paceline::tests
