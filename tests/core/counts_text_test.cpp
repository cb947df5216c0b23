#include "engine/core/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "engine/core/spec/catalog.h"
#include "engine/core/base/error.h"
#include "tests/core/sample.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

TEST(BoundText, SaysTheBoundItselfNotOneNearIt) {
  for (const auto& [bound, text] : std::map<double, std::string>{{0.0, "0"}, {-1.0, "-1"}, {0.5, "0.5"}, {0.999, "0.999"}, {65535.0, "65535"}, {1e6, "1000000"},
                                                                 {1e7, "1e7"}, {1e9, "1e9"}, {1e15, "1e15"}, {1e300, "1e300"}, {1e-6, "1e-6"}, {-1e-10, "-1e-10"},
                                                                 {2147483647.0, "2147483647"}, {4294967295.0, "4294967295"}, {9007199254740991.0, "9007199254740991"}})
    EXPECT_EQ(boundText(bound), text);
}

TEST(CountsFromText, AreGrowingWholeNumbers) {
  EXPECT_THAT(countsFromText("600000"), ElementsAre(600'000));
  EXPECT_THAT(countsFromText(" 1,20 ,  300"), ElementsAre(1, 20, 300));
}

TEST(CountsFromText, RefusesEverythingElse) {
  for (const char* text : {"", ",", "1,", "1,,2", "0", "-5", "1.5", "1e6", "ten", "1 2", "2, 1", "3,3", "99999999999999999999", "1000000000000001"})
    EXPECT_THROW(countsFromText(text), Error) << text;
}

TEST(CountsFromText, IsCheckedWhereAScheduleHasThem) {
  Catalog catalog = sample::catalog();
  ParamSpec at = textParam("at_samples", "10, 20", "");
  at.counts = true;
  catalog.schedules.push_back({.id = "multi_step", .title = "", .summary = "", .reference = "", .params = {at}});
  RunSpec spec = parseRunSpec(sample::kSmallest).spec;
  spec.learningRateSchedule.id = "multi_step";
  EXPECT_TRUE(validate(spec, catalog).findings.empty());
  spec.learningRateSchedule.params.set("at_samples", std::string("10, 5"));
  EXPECT_THAT(validate(spec, catalog).findings,
              ElementsAre(Finding{"/learning_rate_schedule/params/at_samples", "must grow, got 5 after 10"}));
}

}  // namespace
}  // namespace paceline::tests
