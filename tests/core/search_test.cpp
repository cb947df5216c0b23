#include "engine/core/spec/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/spec/suite.h"
#include "tests/core/sample.h"

namespace paceline::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kRateRange = R"("/algorithm/params/lr": {"from": 0.001, "to": 1, "scale": "log"})";

std::string searched(const std::string& search, const std::string& vary = "{}", const std::string& name = "demo") {
  return "{\"base\": " + withOverride(sample::kSmallest, "/name=" + name) + ", \"vary\": " + vary + ", \"search\": " + search + "}";
}
std::string searchOver(const std::string& ranges, const std::string& rest = "") { return "{\"over\": {" + ranges + "}, \"budget\": {\"runs\": 20}" + rest + "}"; }
std::vector<std::string> toldOf(const std::string& text) {
  const ParsedSuite parsed = parseSuite(text);
  std::vector<std::string> all;
  for (const Finding& finding : parsed.findings) all.push_back(finding.pointer + ": " + finding.message);
  EXPECT_TRUE(!hasErrors(parsed.findings) || (parsed.points.empty() && parsed.search == nullptr));
  return all;
}
std::vector<std::string> namesOfSearch(const ParsedSuite& suite) {
  std::vector<std::string> found;
  for (const SuitePoint& point : suite.points) found.push_back(point.name);
  return found;
}

TEST(Search, ChoosesFromRangesAndFromTheListsOfVary) {
  const ParsedSuite suite = parseSuite(searched(searchOver(kRateRange), R"({"/algorithm/id": ["ssgd", "esync"], "/seed": [3, 4]})"));
  ASSERT_TRUE(suite.search) << (suite.findings.empty() ? "" : suite.findings[0].message);
  ASSERT_EQ(suite.search->axes().size(), 2u);
  EXPECT_THAT(suite.search->axes()[0].labels, ElementsAre("ssgd", "esync"));
  EXPECT_EQ(suite.search->axes()[1].range, (SearchRange{.from = 0.001, .to = 1, .scale = SearchScale::kLog}));
  EXPECT_EQ(suite.search->seeds(), 2u);
  const SuitePoint point = suite.search->point({1, 0.03}, 1);
  EXPECT_EQ(point.name, "demo esync lr 0.03 seed 4");
  const RunSpec spec = parseRunSpec(point.text).spec;
  EXPECT_EQ(spec.algorithm.id, "esync");
  EXPECT_EQ(spec.seed, 4u);
  EXPECT_EQ(spec.algorithm.params.real("lr"), 0.03);
}

TEST(Search, IsCheckedAtEachValueAndAtBothEndsOfARange) {
  const ParsedSuite suite = parseSuite(searched(searchOver(R"("/batch_size": {"from": 16, "to": 64, "integer": true})"), R"({"/algorithm/id": ["ssgd", "esync", "asgd"]})"));
  EXPECT_THAT(namesOfSearch(suite), ElementsAre("demo ssgd batch_size 16", "demo esync batch_size 16", "demo asgd batch_size 16", "demo ssgd batch_size 64"));
}

TEST(Search, IntegersAreWrittenWhole) {
  const ParsedSuite suite = parseSuite(searched(searchOver(R"("/batch_size": {"from": 16, "to": 64, "integer": true})")));
  const ParsedSpec parsed = parseRunSpec(suite.search->point({32}, 0).text);
  EXPECT_TRUE(parsed.findings.empty());
  EXPECT_EQ(parsed.spec.batchSize, 32);
}

TEST(Search, HasDefaultsForAllButItsBudget) {
  const ParsedSuite suite = parseSuite(searched(searchOver(kRateRange)));
  const SearchSpec& search = suite.search->spec();
  EXPECT_EQ(search.method, SearchMethod::kBayesian);
  EXPECT_EQ(search.goal, SearchGoal::kAccuracyLast);
  EXPECT_EQ(search.atOnce, 1);
  EXPECT_FALSE(search.halving);
  EXPECT_EQ(search.budget.runs, 20);
}

struct Bad {
  const char* search;
  const char* finding;
};

TEST(Search, SaysWhatIsWrongWithPlaceAndValue) {
  const std::vector<Bad> cases = {
      {R"({"over": {"/batch_size": {"from": 1, "to": 2}}})", "/search/budget: is required"},
      {R"({"over": {"/batch_size": {"from": 1, "to": 2}}, "budget": {}})", "/search/budget: needs at least one of runs and minutes"},
      {R"({"over": {"/batch_size": {"from": 4, "to": 2}}, "budget": {"runs": 2}})", "/search/over/~1batch_size: The range must lead upwards; it leads from 4 to 2."},
      {R"({"over": {"/batch_size": {"from": 0, "to": 2, "scale": "log"}}, "budget": {"runs": 2}})", "/search/over/~1batch_size: A range with scale log must begin above 0; it begins at 0."},
      {R"({"over": {"/batch_size": {"from": 1, "to": 2.5, "integer": true}}, "budget": {"runs": 2}})", "/search/over/~1batch_size: A range of integers must lead between whole numbers below 9e15; it leads from 1 to 2.5."},
      {R"({"over": {"/batch_size": {"from": 1, "to": 2, "scale": "cubic"}}, "budget": {"runs": 2}})", "/search/over/~1batch_size/scale: \"scale\" must be linear or log; it is \"cubic\"."},
      {R"({"over": {"/batch_size": {"from": 1}}, "budget": {"runs": 2}})", "/search/over/~1batch_size/to: is required"},
      {R"({"over": {"/seed": {"from": 1, "to": 5, "integer": true}}, "budget": {"runs": 2}})", "/search/over/~1seed: Seeds are not searched: name them in \"vary\", and each point runs with all of them"},
      {R"({"over": {}, "budget": {"runs": 2}})", "/search/over: There is nothing to search: no range here, and no list in \"vary\" but seeds."},
      {R"({"over": {"/batch_size": {"from": 1, "to": 2}}, "budget": {"runs": 0}})", "/search/budget/runs: \"runs\" must be at least 1; it is 0."},
      {R"({"over": {"/batch_size": {"from": 1, "to": 2}}, "budget": {"runs": 2}, "goal": "time_to_target"})",
       "/search/goal: The goal time_to_target needs \"stop\": {\"accuracy\": ...} in the base: that is the target."},
      {R"({"over": {"/batch_size": {"from": 1, "to": 2}}, "budget": {"runs": 2}, "halving": {}})", "/search/halving/first: is required"},
      {R"({"over": {"/batch_size": {"from": 1, "to": 2}}, "budget": {"runs": 2}, "halving": {"first": 1.5}})", "/search/halving/first: The first rung must be a whole number of rounds; it is 1.5."},
      {R"({"over": {"/batch_size": {"from": 1, "to": 2}}, "budget": {"runs": 2}, "halving": {"first": 2, "eta": 1}})", "/search/halving/eta: \"eta\" must be at least 2; it is 1."},
      {R"({"over": {"/nodes/9/threads": {"from": 1, "to": 2}}, "budget": {"runs": 2}})", "/search/over: /nodes/9/threads: there is no \"9\" in an array of 3"},
      {R"({"over": {"/batch_size": {"from": 1, "to": 2}}, "budget": {"runs": 2}, "colour": 1})", "/search/colour: "},
      {R"([])", "/search: "},
  };
  for (const Bad& each : cases) {
    const std::vector<std::string> found = toldOf(searched(each.search));
    ASSERT_EQ(found.size(), 1u) << each.search << testing::PrintToString(found);
    EXPECT_THAT(found[0], testing::StartsWith(each.finding)) << each.search;
  }
}

TEST(Search, AValueIsChosenFromAListOrFromARange) {
  EXPECT_THAT(toldOf(searched(searchOver(R"("/batch_size": {"from": 1, "to": 2})"), R"({"/batch_size": [1, 2]})")),
              ElementsAre("/search/over/~1batch_size: /batch_size varies in \"vary\" already: a value is chosen from a list or from a range"));
}

TEST(Search, DoesNotGoWithSkip) {
  const std::string text = "{\"base\": " + sample::kSmallest + R"(, "vary": {"/batch_size": [1, 2]}, "skip": [{"/batch_size": 1}], "search": {"budget": {"runs": 2}}})";
  EXPECT_THAT(toldOf(text), ElementsAre("/skip: does not go with \"search\", which runs no product of lists: leave the values out of the lists"));
}

TEST(Search, WarnsOfARungBehindTheEnd) {
  const ParsedSuite suite = parseSuite(searched(searchOver(kRateRange, R"(, "halving": {"first": 5})")));
  ASSERT_EQ(suite.findings.size(), 1u);
  EXPECT_FALSE(suite.findings[0].error);
  EXPECT_EQ(suite.findings[0].message, "No run is looked at before its end: the first rung is after 5 rounds, the run ends after 5.");
  EXPECT_TRUE(suite.search);
}

TEST(Search, NeedsABase) { EXPECT_THAT(toldOf(R"({"search": {"over": {}, "budget": {"runs": 1}}})"), ElementsAre("/base: is required")); }

}  // namespace
}  // namespace paceline::tests
