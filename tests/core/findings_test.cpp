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
  EXPECT_THAT(findings[0].message, testing::StartsWith("is not JSON: line 3, column 11: a value is expected, not '}'"));
  EXPECT_THAT(read("")[0].message, testing::StartsWith("is not JSON: line 1, column 1: "));
  EXPECT_THAT(read("{\"seed\":\n 1e999}")[0].message, testing::StartsWith("is not JSON: line 2, column 6: 1e999 is beyond the range of numbers"));
  EXPECT_THAT(read("{\"name\": \"\xff\"}")[0].message, testing::StartsWith("is not JSON: line 1, column 11: "));
  EXPECT_EQ(read("{} x").size(), 1u);
}

TEST(Findings, DeepNestingIsRefused) {
  EXPECT_THAT(read(std::string(1000000, '[')), ElementsAre(Finding{"", "is nested deeper than 64 levels"}));
}

TEST(Findings, OfManyTheFirstAreTold) {
  std::string tags = "/tags=[0";
  for (int i = 1; i < 50000; ++i) tags += ",0";
  const std::vector<Finding> findings = changed(tags + "]");
  ASSERT_EQ(findings.size(), kMaxFindings + 1);
  EXPECT_EQ(findings.front(), (Finding{"/tags/0", "Item 1 of tags must be a text; it is 0."}));
  EXPECT_EQ(findings.back(), (Finding{"", "There are more findings; these are the first."}));
}

TEST(Findings, AnErrorBehindManyWarningsIsStillOne) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < kMaxFindings + 5; ++i) addFinding(findings, {"/a", "odd", false});
  EXPECT_FALSE(hasErrors(findings));
  addFinding(findings, {"/a", "wrong", true});
  EXPECT_TRUE(hasErrors(findings));
  EXPECT_EQ(findings.size(), kMaxFindings + 1);
}

TEST(Findings, MoreNodesThanARunHasAreNotRead) {
  std::string nodes = "/nodes=[0";
  for (std::size_t i = 0; i < kMaxNodes; ++i) nodes += ",0";
  EXPECT_THAT(changed(nodes + "]"), ElementsAre(Finding{"/nodes", "There are 131073 nodes; a run has at most 131072."}));
}

TEST(Findings, ARepeatedKeyIsRefused) {
  EXPECT_THAT(read(R"({"paceline": 1, "seed": 1, "seed": 2})"), ElementsAre(Finding{"/seed", "occurs twice"}));
  EXPECT_THAT(read(R"({"nodes": [{}, {"emulate": {"a/b": 1, "a/b": 2}}]})"), ElementsAre(Finding{"/nodes/1/emulate/a~1b", "occurs twice"}));
}

TEST(Findings, TheDocumentMustBeAnObject) {
  EXPECT_THAT(read("[1, 2]"), ElementsAre(Finding{"", "The document must be an object; it is an array."}));
  EXPECT_THAT(read("null"), ElementsAre(Finding{"", "The document must be an object; it is null."}));
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
  EXPECT_THAT(changed("/checkpoint/every=1"), ElementsAre(Finding{"/checkpoint/every", "unknown key; have every_rounds, resumes, weights"}));
}

TEST(Findings, SharesOfServersSumToOne) {
  EXPECT_THAT(changed("/nodes/0/share=0.5"), ElementsAre(Finding{"/nodes", "The shares of the servers must sum to 1; they sum to 0.5."}));
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
        Case{"/paceline=2", "\"paceline\" must be 1, the version of the document's form; it is 2. A newer Paceline wrote it."},
        Case{"/paceline=\"1\"", "\"paceline\" must be 1, the version of the document's form; it is \"1\"."},
        Case{"/name=7", "Name must be a text; it is 7."}, Case{"/seed=-1", "Seed must be at least 0; it is -1."},
        Case{"/seed=1.5", "Seed must be a whole number; it is 1.5."}, Case{"/notes=[]", "Notes must be a text; it is an array."},
        Case{"/tags=\"x\"", "Tags must be an array; it is \"x\"."}, Case{"/tags/1=null", "Item 2 of tags must be a text; it is null."},
        Case{"/algorithm=\"esync\"", "\"algorithm\" must be an object; it is \"esync\"."}, Case{"/algorithm/id=\"\"", "must not be empty"},
        Case{"/algorithm/params=[]", "\"params\" must be an object; it is an array."},
        Case{"/algorithm/params/epsilon=null", "\"epsilon\" must be true, false, a number or a text; it is null."},
        Case{"/algorithm/params/epsilon={}", "\"epsilon\" must be true, false, a number or a text; it is an object."},
        Case{"/aggregation=null", "\"aggregation\" must be an object; it is null."}, Case{"/aggregation/engine=1", "Engine must be a text; it is 1."},
        Case{"/batch_size=0", "Batch size must be at least 1; it is 0."}, Case{"/batch_size=2147483648", "Batch size must be at most 2147483647; it is 2147483648."},
        Case{"/batch_size=99999999999999999999999", "Batch size must be at most 2147483647; it is 9.999999999999999e+22."}, Case{"/batch_size=true", "Batch size must be a whole number; it is true."},
        Case{"/groups/0=\"w0\"", "Item 1 of groups must be an array; it is \"w0\"."}, Case{"/groups/1=[]", "must not be empty"},
        Case{"/groups/1/0=3", "Item 1 of item 2 of groups must be a text; it is 3."},
        Case{"/edges/0=[\"w0\"]", "must be [\"node\", \"node\"] or [\"node\", \"node\", {\"every\": n, \"offset\": n}]"},
        Case{"/edges/1/1=1", "Item 2 of item 2 of edges must be a text; it is 1."}, Case{"/edges/0/2=7", "Item 3 of item 1 of \"edges\" must be an object; it is 7."},
        Case{"/edges/0/2/offset=8", "Offset must be below every, which is 8; it is 8."},
        Case{"/edges/0/2/offset=-1", "\"offset\" must be at least 0; it is -1."}, Case{"/nodes={}", "Nodes must be an array; it is an object."},
        Case{"/nodes=[]", "must name at least one worker"}, Case{"/nodes/1/role=\"boss\"", "Role must be worker, server or evaluator; it is \"boss\"."},
        Case{"/nodes/0/host=1", "Host must be a text; it is 1."}, Case{"/nodes/0/device=[]", "Device must be a text; it is an array."},
        Case{"/nodes/0/threads=0", "Threads must be at least 1; it is 0."},
        Case{"/nodes/1/emulate/slowdown=0.2", "Slowdown must be at least 1; it is 0.2."}, Case{"/nodes/1/emulate/slowdown=1e300", "Slowdown must be at most 1000000; it is 1e+300."}, Case{"/nodes/1/emulate/slowdown=null", "Slowdown must be a number; it is null."},
        Case{"/nodes/1/emulate/step_s=0", "Step time must be above 0; it is 0."}, Case{"/nodes/1/emulate/jitter=1", "Jitter must be below 1; it is 1."},
        Case{"/nodes/1/emulate/jitter=-0.1", "Jitter must be at least 0; it is -0.1."}, Case{"/nodes/1/emulate/bandwidth_mbps=0", "Bandwidth must be above 0; it is 0."},
        Case{"/nodes/1/emulate/latency_ms=-1", "Latency must be at least 0; it is -1."}, Case{"/evaluate/every_rounds=-1", "Evaluate every must be at least 0; it is -1."},
        Case{"/evaluate/on=\"s0\"", "Evaluate on must name a worker; it is \"s0\"."}, Case{"/evaluate/on=\"w9\"", "Evaluate on must name a worker; it is \"w9\"."},
        Case{"/checkpoint/every_rounds=-1", "Checkpoint every must be at least 0; it is -1."}, Case{"/stop/rounds=0", "Rounds to stop after must be at least 1; it is 0."},
        Case{"/stop/seconds=0", "Seconds to stop after must be above 0; it is 0."}, Case{"/stop/samples=0", "Samples to stop after must be at least 1; it is 0."},
        Case{"/stop/accuracy=2e15", "Accuracy to stop at must be at most 1000000000000000; it is 2000000000000000."},
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
  EXPECT_THAT(changed("/nodes/1/share=0.75"), ElementsAre(Finding{"/nodes", "The shares of the workers must sum to 1; they sum to 1.25."}));
  EXPECT_TRUE(changed("/nodes/1/share=0.5000009").empty());
  const auto findings = changed("/nodes/1/share=0");
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0], (Finding{"/nodes/1/share", "Share must be above 0; it is 0."}));
}

TEST(Findings, ASchemaMayBeNamed) {
  const std::string named = withOverride(sample::kDocument, "/$schema=paceline.schema.json");
  EXPECT_TRUE(parseRunSpec(named).findings.empty());
  EXPECT_EQ(configHash(parseRunSpec(named).spec), configHash(parseRunSpec(sample::kDocument).spec));
  EXPECT_THAT(changed("/$schema=7"), ElementsAre(Finding{"/$schema", "\"$schema\" must be a text; it is 7."}));
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
