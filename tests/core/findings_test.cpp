// Every finding that reading a document can make, with its pointer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/spec/run_spec.h"
#include "engine/core/spec/suite.h"
#include "tests/core/sample.h"

namespace paceline::tests {
namespace {

using testing::ElementsAre;

std::vector<Finding> changed(const std::string& assignment) { return parseRunSpec(withOverride(sample::kDocument, assignment)).findings; }
std::vector<Finding> read(const std::string& text) { return parseRunSpec(text).findings; }
std::string without(const std::string& part) {  // the smallest document without that piece of text
  std::string text = sample::kSmallest;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return at == std::string::npos ? text : text.erase(at, part.size());
}

TEST(Findings, TextThatIsNoJsonIsOneAtTheRootWithLineAndColumn) {
  const auto findings = read("{\n  \"paceline\": 1,\n  \"seed\": }\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].pointer, "");
  EXPECT_THAT(findings[0].message, testing::StartsWith("is not JSON: line 3, column 11: syntax error while parsing value - unexpected '}'"));
  EXPECT_THAT(read("")[0].message, testing::StartsWith("is not JSON: line 1, column 1: "));
  EXPECT_THAT(read("{\"seed\":\n 1e999}")[0].message, testing::StartsWith("is not JSON: line 2, column 6: number overflow"));
  EXPECT_THAT(read("{\"name\": \"\xff\"}")[0].message, testing::StartsWith("is not JSON: line 1, column 11: "));
  EXPECT_EQ(read("{} x").size(), 1u);
}

TEST(Findings, DeepNestingIsRefused) {
  EXPECT_THAT(read(std::string(1000000, '[')), ElementsAre(Finding{"", "is nested deeper than 64 levels"}));
}

TEST(Findings, ARepeatedKeyIsRefused) {
  EXPECT_THAT(read(R"({"paceline": 1, "seed": 1, "seed": 2})"), ElementsAre(Finding{"/seed", "occurs twice"}));
  EXPECT_THAT(read(R"({"nodes": [{}, {"emulate": {"a/b": 1, "a/b": 2}}]})"), ElementsAre(Finding{"/nodes/1/emulate/a~1b", "occurs twice"}));
}

TEST(Findings, TheDocumentMustBeAnObject) {
  EXPECT_THAT(read("[1, 2]"), ElementsAre(Finding{"", "must be an object, got an array"}));
  EXPECT_THAT(read("null"), ElementsAre(Finding{"", "must be an object, got null"}));
}

TEST(Findings, RequiredKeys) {
  EXPECT_THAT(read(without("\"paceline\": 1, ")), ElementsAre(Finding{"/paceline", "is required and must be 1"}));
  EXPECT_THAT(read(without("\"algorithm\": {\"id\": \"ssgd\"}, ")), ElementsAre(Finding{"/algorithm", "is required"}));
  EXPECT_THAT(read(without("\"id\": \"logistic\"")), ElementsAre(Finding{"/model/id", "is required"}));
  EXPECT_THAT(read(without("\"id\": \"w1\"")), ElementsAre(Finding{"/nodes/2/id", "is required"}));
  EXPECT_THAT(read(without(", \"stop\": {\"rounds\": 5}")), ElementsAre(Finding{"/stop", "needs at least one of rounds, seconds, samples, accuracy"}));
  EXPECT_THAT(read(without("\"rounds\": 5")), ElementsAre(Finding{"/stop", "needs at least one of rounds, seconds, samples, accuracy"}));
  EXPECT_THAT(read("{}"), ElementsAre(Finding{"/paceline", "is required and must be 1"}, Finding{"/algorithm", "is required"},
                                      Finding{"/model", "is required"}, Finding{"/dataset", "is required"},
                                      Finding{"/nodes", "must name at least one worker"},
                                      Finding{"/stop", "needs at least one of rounds, seconds, samples, accuracy"}));
}

TEST(Findings, UnknownKeysAtEveryLevel) {
  EXPECT_THAT(changed("/batchsize=3"), ElementsAre(testing::Field(&Finding::pointer, "/batchsize")));
  for (const char* parent : {"/algorithm", "/aggregation", "/model", "/dataset", "/partition", "/learning_rate_schedule", "/evaluate",
                             "/checkpoint", "/stop", "/nodes/1", "/nodes/1/emulate", "/edges/0/2"}) {
    const auto findings = changed(std::string(parent) + "/foo=1");
    ASSERT_EQ(findings.size(), 1u) << parent;
    EXPECT_EQ(findings[0].pointer, std::string(parent) + "/foo");
    EXPECT_THAT(findings[0].message, testing::StartsWith("unknown key; have "));
  }
  EXPECT_THAT(changed("/checkpoint/every=1"), ElementsAre(Finding{"/checkpoint/every", "unknown key; have every_rounds"}));
}

TEST(Findings, SharesOfServersSumToOne) {
  EXPECT_THAT(changed("/nodes/0/share=0.5"), ElementsAre(Finding{"/nodes", "the shares of the servers must sum to 1, got 0.5"}));
}

struct Case {
  const char* assignment;
  const char* message;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.assignment; }

// The pointer of the one finding is the place that was assigned.
class OneValue : public testing::TestWithParam<Case> {};

TEST_P(OneValue, IsRefusedAtItsPlace) {
  const std::string assignment = GetParam().assignment;
  EXPECT_THAT(changed(assignment), ElementsAre(Finding{assignment.substr(0, assignment.find('=')), GetParam().message}));
}

INSTANTIATE_TEST_SUITE_P(
    Findings, OneValue,
    testing::Values(
        Case{"/paceline=2", "must be 1, the version of the document's form, got 2; a newer Paceline wrote it"},
        Case{"/paceline=\"1\"", "must be 1, the version of the document's form, got \"1\""},
        Case{"/name=7", "must be a text, got 7"}, Case{"/seed=-1", "must be >= 0, got -1"},
        Case{"/seed=1.5", "must be a whole number, got 1.5"}, Case{"/notes=[]", "must be a text, got an array"},
        Case{"/tags=\"x\"", "must be an array, got \"x\""}, Case{"/tags/1=null", "must be a text, got null"},
        Case{"/algorithm=\"esync\"", "must be an object, got \"esync\""}, Case{"/algorithm/id=\"\"", "must not be empty"},
        Case{"/algorithm/params=[]", "must be an object, got an array"},
        Case{"/algorithm/params/epsilon=null", "must be true, false, a number or a text, got null"},
        Case{"/algorithm/params/epsilon={}", "must be true, false, a number or a text, got an object"},
        Case{"/aggregation=null", "must be an object, got null"}, Case{"/aggregation/engine=1", "must be a text, got 1"},
        Case{"/batch_size=0", "must be >= 1, got 0"}, Case{"/batch_size=2147483648", "must be <= 2147483647, got 2147483648"},
        Case{"/batch_size=99999999999999999999999", "must be <= 2147483647, got 9.999999999999999e+22"}, Case{"/batch_size=true", "must be a whole number, got true"},
        Case{"/groups/0=\"w0\"", "must be an array, got \"w0\""}, Case{"/groups/1=[]", "must not be empty"},
        Case{"/groups/1/0=3", "must be a text, got 3"},
        Case{"/edges/0=[\"w0\"]", "must be [\"node\", \"node\"] or [\"node\", \"node\", {\"every\": n, \"offset\": n}]"},
        Case{"/edges/1/1=1", "must be a text, got 1"}, Case{"/edges/0/2=7", "must be an object, got 7"},
        Case{"/edges/0/2/offset=8", "must be < every, which is 8, got 8"},
        Case{"/edges/0/2/offset=-1", "must be >= 0, got -1"}, Case{"/nodes={}", "must be an array, got an object"},
        Case{"/nodes=[]", "must name at least one worker"}, Case{"/nodes/1/role=\"boss\"", "must be worker, server or evaluator, got \"boss\""},
        Case{"/nodes/0/host=1", "must be a text, got 1"}, Case{"/nodes/0/device=[]", "must be a text, got an array"},
        Case{"/nodes/0/threads=0", "must be >= 1, got 0"},
        Case{"/nodes/1/emulate/slowdown=0.2", "must be >= 1, got 0.2"}, Case{"/nodes/1/emulate/slowdown=1e300", "must be <= 1e+06, got 1e+300"}, Case{"/nodes/1/emulate/slowdown=null", "must be a number, got null"},
        Case{"/nodes/1/emulate/step_s=0", "must be > 0, got 0"}, Case{"/nodes/1/emulate/jitter=1", "must be < 1, got 1"},
        Case{"/nodes/1/emulate/jitter=-0.1", "must be >= 0, got -0.1"}, Case{"/nodes/1/emulate/bandwidth_mbps=0", "must be > 0, got 0"},
        Case{"/nodes/1/emulate/latency_ms=-1", "must be >= 0, got -1"}, Case{"/evaluate/every_rounds=-1", "must be >= 0, got -1"},
        Case{"/evaluate/on=\"s0\"", "must name a worker, got \"s0\""}, Case{"/evaluate/on=\"w9\"", "must name a worker, got \"w9\""},
        Case{"/checkpoint/every_rounds=-1", "must be >= 0, got -1"}, Case{"/stop/rounds=0", "must be >= 1, got 0"},
        Case{"/stop/seconds=0", "must be > 0, got 0"}, Case{"/stop/samples=0", "must be >= 1, got 0"},
        Case{"/stop/accuracy=1.01", "must be <= 1, got 1.01"}, Case{"/stop/accuracy=0", "must be > 0, got 0"},
        Case{"/nodes/3/id=\"w0\"", "\"w0\" is the id of another node already"}));

TEST(Findings, NodeIdsAreFileNames) {
  for (const char* id : {"../x", ".x", "a b", "a/b", "", "ü"}) {
    const auto findings = changed("/nodes/0/id=\"" + std::string(id) + "\"");
    ASSERT_EQ(findings.size(), 1u) << id;
    EXPECT_EQ(findings[0].pointer, "/nodes/0/id");
  }
  EXPECT_TRUE(changed("/nodes/0/id=\"gpu-7.rack_2\"").empty());
}

TEST(Findings, SharesAreCompleteAndSumToOne) {
  EXPECT_THAT(changed("/nodes/1/share=null"),
              ElementsAre(Finding{"/nodes/1/share", "is missing: all workers have a share or none has"}));
  EXPECT_THAT(changed("/nodes/1/share=0.75"), ElementsAre(Finding{"/nodes", "the shares of the workers must sum to 1, got 1.25"}));
  EXPECT_TRUE(changed("/nodes/1/share=0.5000009").empty());
  const auto findings = changed("/nodes/1/share=0");
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0], (Finding{"/nodes/1/share", "must be > 0, got 0"}));
}

TEST(Findings, ASchemaMayBeNamed) {
  const std::string named = withOverride(sample::kDocument, "/$schema=paceline.schema.json");
  EXPECT_TRUE(parseRunSpec(named).findings.empty());
  EXPECT_EQ(configHash(parseRunSpec(named).spec), configHash(parseRunSpec(sample::kDocument).spec));
  EXPECT_THAT(changed("/$schema=7"), ElementsAre(Finding{"/$schema", "must be a text, got 7"}));
  const ParsedSuite suite = parseSuite("{\"$schema\": \"x\", \"base\": " + sample::kSmallest + ", \"vary\": {\"/seed\": [1, 2]}}");
  EXPECT_TRUE(suite.findings.empty());
  EXPECT_EQ(suite.points.size(), 2u);
}

TEST(Findings, SomeNodeMustWork) {
  EXPECT_THAT(changed(R"(/nodes=[{"id": "s0", "role": "server"}])"),
              ElementsAre(Finding{"/nodes", "must name at least one worker; all are servers"}));
}

TEST(Findings, WholeNumbersMayHaveAPoint) {
  EXPECT_EQ(parseRunSpec(withOverride(sample::kDocument, "/batch_size=64.0")).spec.batchSize, 64);
  EXPECT_EQ(parseRunSpec(withOverride(sample::kDocument, "/seed=18446744073709551615")).spec.seed, 18446744073709551615ULL);
}

TEST(Findings, WhatCouldBeReadIsKept) {
  const ParsedSpec parsed = parseRunSpec(withOverride(sample::kDocument, "/batch_size=0"));
  EXPECT_EQ(parsed.spec.batchSize, 64);
  EXPECT_EQ(parsed.spec.nodes.size(), 4u);
  EXPECT_EQ(parsed.spec.stop.rounds, 500);
}

}  // namespace
}  // namespace paceline::tests
