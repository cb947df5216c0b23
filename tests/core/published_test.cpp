// Published values of a document: read, refused in a sentence, in no hash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"
#include "engine/core/spec/schema.h"
#include "engine/core/spec/suite.h"
#include "tests/core/sample.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kValues = R"({"source": "Somebody 2020, table 1", "differs": "on GPUs", "values": [
  {"measure": "throughput_samples_per_s", "value": 1556, "band": {"relative": 0.1}, "formula": "script", "algorithm": "ssgd", "workers": 2, "where": {"/batch_size": 64}},
  {"measure": "speedup_time", "value": 7, "over": "ssgd", "target": 0.75, "source": "figure 2", "differs": "on a cluster"}]})";

std::string with(const std::string& published) { return withOverride(sample::kSmallest, "/published=" + published); }
std::string withValue(const std::string& value) { return with(strCat(R"({"source": "s", "values": [)", value, "]}")); }

std::vector<std::string> sentences(const std::string& document) {
  const ParsedSpec parsed = parseRunSpec(document);
  const ParsedSpec checked = hasErrors(parsed.findings) ? parsed : validate(parsed.spec, sample::catalog());
  std::vector<std::string> all;
  for (const Finding& finding : checked.findings)
    if (finding.pointer.starts_with("/published")) all.push_back(strCat(finding.pointer, ": ", finding.message));
  return all;
}

TEST(PublishedValues, AreReadWithWhatTheSectionSaysOfAll) {
  const ParsedSpec parsed = parseRunSpec(with(kValues));
  ASSERT_TRUE(parsed.findings.empty()) << parsed.findings[0].message;
  const std::vector<PublishedValue> values = valuesOf(parsed.spec.published);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].measure, PublishedMeasure::kThroughput);
  EXPECT_EQ(values[0].formula, "script");
  EXPECT_EQ(values[0].workers, 2);
  EXPECT_EQ(values[0].where.integer("/batch_size"), 64);
  EXPECT_EQ(values[0].source, "Somebody 2020, table 1");
  EXPECT_EQ(values[0].differs, "on GPUs");
  EXPECT_NEAR(rangeOf(values[0])->low, 1400.4, 1e-9);
  EXPECT_NEAR(rangeOf(values[0])->high, 1711.6, 1e-9);
  EXPECT_EQ(values[1].target, 0.75);
  EXPECT_EQ(values[1].source, "figure 2");
  EXPECT_EQ(values[1].differs, "on a cluster");
  EXPECT_FALSE(rangeOf(values[1]).has_value());
  EXPECT_EQ(sentences(with(kValues)), std::vector<std::string>());
}

TEST(PublishedValues, ComeBackFromTheTextAndAreAbsentWhereThereAreNone) {
  const RunSpec spec = parseRunSpec(with(kValues)).spec;
  EXPECT_EQ(parseRunSpec(toJsonText(spec)).spec, spec);
  EXPECT_THAT(toJsonText(parseRunSpec(sample::kSmallest).spec), Not(HasSubstr("published")));
  EXPECT_EQ(parseRunSpec(with("{}")).spec, parseRunSpec(sample::kSmallest).spec);
}

TEST(PublishedValues, AreInNoHash) {
  const RunSpec plain = parseRunSpec(sample::kSmallest).spec, published = parseRunSpec(with(kValues)).spec;
  EXPECT_NE(plain, published);
  EXPECT_EQ(configHash(published), configHash(plain));
  EXPECT_EQ(groupHash(published), groupHash(plain));
  EXPECT_EQ(stateConfig(published), stateConfig(plain));
  EXPECT_EQ(configHash(plain), "b9599b89afe1657501175e881d46862302a5a292a9d27f3f769e52feafa75f48");
}

TEST(PublishedValues, TravelIntoEveryRunOfASuite) {
  const ParsedSuite suite = parseSuite(strCat(R"({"base": )", with(kValues), R"(, "vary": {"/seed": [1, 2]}})"));
  ASSERT_EQ(suite.points.size(), 2u);
  for (const SuitePoint& point : suite.points) EXPECT_EQ(parseRunSpec(point.text).spec.published, parseRunSpec(with(kValues)).spec.published);
}

TEST(PublishedValues, AreRefusedInOneSentence) {
  EXPECT_THAT(sentences(with("7")), ElementsAre("/published: \"published\" must be an object; it is 7."));
  EXPECT_THAT(sentences(with(R"({"values": [{"measure": "loss_last", "value": 1}]})")), ElementsAre("/published/source: is required: the paper, and its table or figure, of value 1"));
  EXPECT_THAT(sentences(with(R"({"paper": "x"})")), ElementsAre("/published/paper: unknown key; have source, differs, values"));
  EXPECT_THAT(sentences(withValue(R"({"value": 1})")), ElementsAre("/published/values/0/measure: is required"));
  EXPECT_THAT(sentences(withValue(R"({"measure": "speed", "value": 1})")),
              ElementsAre("/published/values/0/measure: \"measure\" must be accuracy_last, accuracy_best, loss_last, time_to_target_s, throughput_samples_per_s, traffic_mb_per_s, computing_ratio, speedup_time or speedup_throughput; it is \"speed\"."));
  EXPECT_THAT(sentences(withValue(R"({"measure": "accuracy_best", "value": 92.98})")),
              ElementsAre("/published/values/0/value: Published value must be a fraction, 0 to 1, where \"measure\" is accuracy_best; it is 92.98."));
  EXPECT_THAT(sentences(withValue(R"({"measure": "loss_last", "value": 1, "band": {"absolute": 0.1, "relative": 0.2}})")),
              ElementsAre("/published/values/0/band/relative: A band is absolute or relative, not both; absolute is 0.1, relative is 0.2."));
  EXPECT_THAT(sentences(withValue(R"({"measure": "loss_last", "value": 1, "band": {"absolute": -1}})")), ElementsAre("/published/values/0/band/absolute: Band must be at least 0; it is -1."));
  EXPECT_THAT(sentences(withValue(R"({"measure": "speedup_time", "value": 7})")), ElementsAre("/published/values/0/over: is required where \"measure\" is speedup_time: the algorithm that has 1"));
  EXPECT_THAT(sentences(withValue(R"({"measure": "loss_last", "value": 7, "over": "ssgd"})")), ElementsAre("/published/values/0/over: Over is of speed-ups; \"measure\" is loss_last."));
  EXPECT_THAT(sentences(withValue(R"({"measure": "loss_last", "value": 7, "node": "w0"})")), ElementsAre("/published/values/0/node: Node is of computing_ratio; \"measure\" is loss_last."));
  EXPECT_THAT(sentences(withValue(R"({"measure": "loss_last", "value": 7, "formula": "script"})")),
              ElementsAre("/published/values/0/formula: The scripts have no formula of their own for loss_last; leave \"formula\" out."));
  EXPECT_THAT(sentences(withValue(R"({"measure": "loss_last", "value": 7, "where": {"batch_size": 64}})")),
              ElementsAre("/published/values/0/where/batch_size: \"batch_size\" leads to no member of a document; write a pointer like /batch_size"));
  EXPECT_THAT(sentences(withValue(R"({"measure": "loss_last", "value": 7, "where": {"/colour": 64}})")),
              ElementsAre("/published/values/0/where/~1colour: \"/colour\" leads to no member of a document; write a pointer like /batch_size"));
}

TEST(PublishedValues, NameAlgorithmsAndWorkersThatThereAre) {
  EXPECT_THAT(sentences(withValue(R"({"measure": "loss_last", "value": 7, "algorithm": "sgd"})")),
              ElementsAre("/published/values/0/algorithm: algorithm \"sgd\" is not known; have standalone, asgd, ssgd, d_sgd, esync"));
  EXPECT_THAT(sentences(withValue(R"({"measure": "speedup_time", "value": 7, "over": "sgd"})")),
              ElementsAre("/published/values/0/over: algorithm \"sgd\" is not known; have standalone, asgd, ssgd, d_sgd, esync"));
  EXPECT_THAT(sentences(withValue(R"({"measure": "computing_ratio", "value": 0.5, "node": "w9"})")), ElementsAre("/published/values/0/node: worker \"w9\" is not in this run"));
  EXPECT_THAT(sentences(withValue(R"({"measure": "computing_ratio", "value": 0.5, "node": "w1"})")), ElementsAre());
}

TEST(PublishedValues, AreInTheSchema) {
  const Json schema = jsonFrom(schemaText(sample::catalog()), "schema");
  const Json& published = schema.at("definitions").at("document").at("properties").at("published");
  EXPECT_EQ(published.at("additionalProperties"), false);
  const Json& value = published.at("properties").at("values").at("items");
  EXPECT_EQ(value.at("required"), Json::array({"measure", "value"}));
  EXPECT_EQ(value.at("properties").at("measure").at("enum").size(), 9u);
  EXPECT_EQ(value.at("properties").at("band").at("properties").at("absolute").at("minimum"), 0);
}

}  // namespace
}  // namespace paceline::tests
