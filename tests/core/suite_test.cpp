#include "engine/core/spec/suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/core/sample.h"
#include "tests/support/failure.h"

namespace paceline::tests {
namespace {

using testing::ElementsAre;

std::string suite(const std::string& vary, const std::string& name = "demo") {
  const std::string base = name.empty() ? sample::kSmallest : withOverride(sample::kSmallest, "/name=" + name);
  return "{\"base\": " + base + ", \"vary\": " + vary + "}";
}
std::vector<std::string> names(const std::string& text) {
  std::vector<std::string> found;
  for (const SuitePoint& point : parseSuite(text).points) found.push_back(point.name);
  return found;
}
std::vector<Finding> told(const std::string& vary) {
  const ParsedSuite parsed = parseSuite(suite(vary));
  EXPECT_TRUE(parsed.points.empty());
  return parsed.findings;
}
std::string suiteFailure(std::string_view text, std::string_view assignment) { return failureOf([&] { withOverride(text, assignment); }, Errc::kSpec); }

TEST(Suite, ASingleRunIsOnePoint) {
  const ParsedSuite parsed = parseSuite(sample::kSmallest);
  EXPECT_FALSE(parsed.isSuite);
  EXPECT_TRUE(parsed.findings.empty());
  ASSERT_EQ(parsed.points.size(), 1u);
  EXPECT_EQ(parsed.points[0].name, "ssgd logistic");
  EXPECT_EQ(parsed.points[0].text, sample::kSmallest);
}

TEST(Suite, SeedsGivenLastChangeSlowest) {
  const std::string text = suite(R"({"/algorithm/id": ["esync", "ssgd"], "/seed": [1, 2]})");
  EXPECT_THAT(names(text), ElementsAre("demo esync seed 1", "demo ssgd seed 1", "demo esync seed 2", "demo ssgd seed 2"));
  const ParsedSuite parsed = parseSuite(text);
  EXPECT_TRUE(parsed.isSuite);
  EXPECT_EQ(parsed.name, "demo");
  const ParsedSpec third = parseRunSpec(parsed.points[2].text);
  EXPECT_TRUE(third.findings.empty());
  EXPECT_EQ(third.spec.name, "demo esync seed 2");
  EXPECT_EQ(third.spec.algorithm.id, "esync");
  EXPECT_EQ(third.spec.seed, 2u);
}

TEST(Suite, OtherwiseDocumentOrderHolds) {
  EXPECT_THAT(names(suite(R"({"/seed": [1, 2], "/algorithm/id": ["b", "a"]})")),
              ElementsAre("demo seed 1 b", "demo seed 1 a", "demo seed 2 b", "demo seed 2 a"));
  EXPECT_THAT(names(suite(R"({"/model/id": ["x", "y"], "/batch_size": [16, 8]})")),
              ElementsAre("demo x batch_size 16", "demo x batch_size 8", "demo y batch_size 16", "demo y batch_size 8"));
}

TEST(Suite, LabelledValuesSetSeveralPlaces) {
  const ParsedSuite parsed = parseSuite(suite(R"({"algorithm": [
      {"name": "ESync", "set": {"/algorithm": {"id": "esync", "params": {"local_lr": 0.1}}, "/nodes/1/emulate/slowdown": 3}},
      {"name": "alone", "set": {"/algorithm/id": "standalone", "/nodes": [{"id": "w0"}]}}], "/seed": [5]})"));
  EXPECT_TRUE(parsed.findings.empty());
  ASSERT_EQ(parsed.points.size(), 2u);
  EXPECT_EQ(parsed.points[0].name, "demo ESync seed 5");
  const RunSpec first = parseRunSpec(parsed.points[0].text).spec;
  EXPECT_EQ(first.algorithm.params.real("local_lr"), 0.1);
  EXPECT_EQ(first.nodes[1].emulate.slowdown, 3);
  const RunSpec second = parseRunSpec(parsed.points[1].text).spec;
  EXPECT_EQ(second.nodes.size(), 1u);
  EXPECT_EQ(second.algorithm.id, "standalone");
}

TEST(Suite, AnEntryThatSetsNothingIsAWarning) {
  const ParsedSuite parsed = parseSuite(suite(R"({"algorithm": [{"name": "ESync", "set": {}}, {"name": "SSGD", "set": {"/algorithm/id": "ssgd"}}]})"));
  EXPECT_EQ(parsed.points.size(), 2u);
  EXPECT_THAT(parsed.findings, ElementsAre(Finding{"/vary/algorithm/0", "\"ESync\" sets nothing: its runs take all values from the base, whatever its name says.", false}));
}

std::string skipping(const std::string& vary, const std::string& skip) {
  const std::string all = suite(vary);
  return all.substr(0, all.size() - 1) + ", \"skip\": " + skip + "}";
}
std::vector<Finding> toldOfSkip(const std::string& skip) {
  const ParsedSuite parsed = parseSuite(skipping(R"({"/algorithm/id": ["esync", "ssgd"], "/seed": [1, 2]})", skip));
  EXPECT_TRUE(parsed.points.empty());
  return parsed.findings;
}

TEST(Suite, SkipsWhatHasTheNamedValues) {
  const std::string vary = R"({"algorithm": [{"name": "A", "set": {"/batch_size": 8}}, {"name": "B", "set": {"/batch_size": 9}}], "/seed": [1, 2, 3]})";
  EXPECT_THAT(names(skipping(vary, "[]")), testing::SizeIs(6));
  EXPECT_THAT(names(skipping(vary, R"([{"algorithm": "A", "/seed": 2}])")), ElementsAre("demo A seed 1", "demo B seed 1", "demo B seed 2", "demo A seed 3", "demo B seed 3"));
  EXPECT_THAT(names(skipping(vary, R"([{"algorithm": "A"}, {"/seed": 3}])")), ElementsAre("demo B seed 1", "demo B seed 2"));
}

TEST(Suite, PointsSayWhereTheyAreOnTheAxes) {
  const ParsedSuite parsed = parseSuite(skipping(R"({"/algorithm/id": ["esync", "ssgd"], "/batch_size": [8], "/seed": [1, 2]})", R"([{"/algorithm/id": "esync", "/seed": 1}])"));
  ASSERT_EQ(parsed.axes.size(), 3u);
  EXPECT_EQ(parsed.axes[0].key, "/algorithm/id");
  EXPECT_THAT(parsed.axes[2].labels, ElementsAre("seed 1", "seed 2"));
  ASSERT_EQ(parsed.points.size(), 3u);
  EXPECT_THAT(parsed.points[0].position, ElementsAre(1, 0, 0));
  EXPECT_THAT(parsed.points[1].position, ElementsAre(0, 0, 1));
}

TEST(Suite, ASkippedPointLeavesTheOthersTheirNames) {
  EXPECT_THAT(names(skipping(R"({"/algorithm": [{"id": "esync"}, {"id": "esync", "params": {"a": 1}}]})", R"([{"/algorithm": {"id": "esync"}}])")), ElementsAre("demo esync #2"));
}

TEST(Suite, MistakesOfSkipNameThePlace) {
  EXPECT_THAT(toldOfSkip("3"), ElementsAre(Finding{"/skip", "\"skip\" must be a list; it is 3."}));
  EXPECT_THAT(toldOfSkip("[{}]"), ElementsAre(Finding{"/skip/0", "Item 1 of \"skip\" must be an object such as {\"/seed\": 2}; it is empty."}));
  EXPECT_THAT(toldOfSkip(R"([{"/batch_size": 2}])"), ElementsAre(Finding{"/skip/0/~1batch_size", "\"/batch_size\" does not vary"}));
  EXPECT_THAT(toldOfSkip(R"([{"/seed": 9}])"), ElementsAre(Finding{"/skip/0/~1seed", "9 is no value of \"/seed\" in \"vary\""}));
  EXPECT_THAT(toldOfSkip(R"([{"/seed": 1}, {"/seed": 2}])"), ElementsAre(Finding{"/skip", "leaves out every run"}));
  EXPECT_THAT(toldOfSkip(R"([{"/seed": 1}, {"/seed": 1}, {"/seed": 1}, {"/seed": 1}, {"/seed": 1}])"),
              ElementsAre(Finding{"/skip", "has 5 entries, more than the 4 runs that it could leave out"}));
}

TEST(Suite, NamesAreUniqueAndSpeakOfTheValues) {
  EXPECT_THAT(names(suite(R"({"/algorithm": [{"id": "esync"}, {"id": "esync", "params": {"a": 1}}, {}]})")),
              ElementsAre("demo esync", "demo esync #2", "demo algorithm 3"));
  EXPECT_THAT(names(suite(R"({"/seed": [1]})", "")), ElementsAre("seed 1"));
  EXPECT_THAT(names(suite("{}")), ElementsAre("demo"));
  EXPECT_THAT(names(suite("{}", "")), ElementsAre("ssgd logistic"));
  EXPECT_THAT(names("{\"base\": " + sample::kSmallest + "}"), ElementsAre("ssgd logistic"));
}

TEST(Suite, MistakesNameThePlace) {
  EXPECT_THAT(told(R"({"/seed": 3})"), ElementsAre(Finding{"/vary/~1seed", "\"/seed\" must be a list of at least one value; it is 3."}));
  EXPECT_THAT(told(R"({"/seed": []})"), ElementsAre(Finding{"/vary/~1seed", "\"/seed\" must be a list of at least one value; it is empty."}));
  EXPECT_THAT(told(R"({"seed": [3]})"), ElementsAre(Finding{"/vary/seed/0", "Item 1 of \"seed\" must be {\"name\": label, \"set\": {pointer: value, ...}}; it is 3."}));
  EXPECT_THAT(told(R"({"/nodes/9/threads": [1, 2]})"), ElementsAre(Finding{"/vary", "/nodes/9/threads: there is no \"9\" in an array of 3"}));
  EXPECT_THAT(told(R"({"/stop/rounds/x": [1]})"), ElementsAre(Finding{"/vary", "/stop/rounds/x: there is no \"x\" in 5"}));
  EXPECT_THAT(told(R"({"x": [{"name": "n", "set": {"seed": 1}}]})"), ElementsAre(Finding{"/vary", "\"seed\" is no pointer like /algorithm/id"}));
  EXPECT_THAT(told(R"({"/tags~x": [1]})"), ElementsAre(Finding{"/vary", "\"/tags~x\": behind '~' belongs 0 (for '~') or 1 (for '/')"}));
  EXPECT_THAT(parseSuite(R"({"vary": []})").findings,
              ElementsAre(Finding{"/vary", "\"vary\" must be an object; it is an array."}, Finding{"/base", "is required"}));
  EXPECT_THAT(parseSuite(R"({"base": {}, "very": {}})").findings, ElementsAre(Finding{"/very", "unknown key; have base, vary, skip, search"}));
  EXPECT_THAT(parseSuite("[").findings[0].message, testing::StartsWith("is not JSON: line 1, column 2"));
}

TEST(Suite, RefusesToMakeMoreRunsThanAnybodyWants) {
  std::string list = "[0";
  for (int i = 1; i < 200; ++i) list += strCat(",", i);
  list += "]";
  EXPECT_THAT(told("{\"/seed\": " + list + ", \"/batch_size\": " + list + "}"), ElementsAre(Finding{"/vary", "makes more than 10000 runs"}));
}

TEST(Suite, RefusesDocumentsThatTogetherFillTheMemory) {
  std::string seeds = "[0";
  for (int i = 1; i < 10000; ++i) seeds += strCat(",", i);
  const std::string text = strCat(R"({"base": {"notes": ")", std::string(100000, 'x'), R"("}, "vary": {"/seed": )", seeds, "]}}");
  const ParsedSuite suite = parseSuite(text);
  EXPECT_THAT(suite.findings, ElementsAre(Finding{"/vary", "makes 10000 documents of about 100 kB, more than 100 MB together; write a shorter base or fewer runs"}));
  EXPECT_TRUE(suite.points.empty());
}

TEST(WithOverride, SetsJsonOrText) {
  EXPECT_EQ(withOverride(R"({"b":1,"a":{"x":[1,2]}})", "/a/x/1=3"), R"({"b":1,"a":{"x":[1,3]}})");
  EXPECT_EQ(withOverride("{}", "/algorithm/id=esync"), R"({"algorithm":{"id":"esync"}})");
  EXPECT_EQ(withOverride("{}", "/name=a=b"), R"({"name":"a=b"})");
  EXPECT_EQ(withOverride("{}", "/stop/seconds=null"), R"({"stop":{"seconds":null}})");
  EXPECT_EQ(withOverride("{}", "/a~1b=\"1\""), R"({"a/b":"1"})");
  EXPECT_EQ(withOverride("{}", "/name="), R"({"name":""})");
}

TEST(WithOverride, MistakesNameThePointer) {
  EXPECT_EQ(suiteFailure("{}", "seed=3"), "\"seed=3\" is no assignment like /seed=3");
  EXPECT_EQ(suiteFailure("{}", "/seed"), "\"/seed\" is no assignment like /seed=3");
  EXPECT_EQ(suiteFailure("{}", "/=3"), "\"/\" is no pointer like /algorithm/id");
  EXPECT_EQ(suiteFailure("{}", "/tags~x=3"), "\"/tags~x\": behind '~' belongs 0 (for '~') or 1 (for '/')");
  EXPECT_EQ(suiteFailure("{}", "/tags~=3"), "\"/tags~\": behind '~' belongs 0 (for '~') or 1 (for '/')");
  EXPECT_EQ(suiteFailure(R"({"seed":3})", "/seed/x=3"), "/seed/x: there is no \"x\" in 3");
  EXPECT_EQ(suiteFailure(R"({"nodes":[]})", "/nodes/0/id=a"), "/nodes/0/id: there is no \"0\" in an array of 0");
  EXPECT_THAT(suiteFailure("{", "/seed=3"), testing::StartsWith("the document is not JSON: line 1, column 2"));
}

}  // namespace
}  // namespace paceline::tests
