#include "engine/core/spec/params.h"

#include <gtest/gtest.h>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

const std::vector<ParamSpec> kSpecs = {realParam("lr", 0.1, 0.0, 1.0, ""), integerParam("steps", 4, 1.0, 9.0, ""), booleanParam("adaptive", true, ""),
                                       choiceParam("variant", "paper", {"paper", "mxnet"}, ""), textParam("path", "", "")};

struct Completed {
  Params params;
  std::vector<Finding> findings;
};
Completed complete(std::map<std::string, ParamValue> given, const std::vector<ParamSpec>& specs = kSpecs) {
  Completed result;
  result.params = completeParams(specs, Params(std::move(given)), "/algorithm/params", result.findings);
  return result;
}
std::vector<Finding> told(const std::string& name, ParamValue value) { return complete({{name, std::move(value)}}).findings; }
std::vector<Finding> one(const std::string& pointer, const std::string& message) { return {{"/algorithm/params/" + pointer, message}}; }

TEST(Params, DefaultsAreWrittenOut) {
  const Completed result = complete({{"steps", std::int64_t{5}}});
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.params.real("lr"), 0.1);
  EXPECT_EQ(result.params.integer("steps"), 5);
  EXPECT_TRUE(result.params.boolean("adaptive"));
  EXPECT_EQ(result.params.text("variant"), "paper");
}

TEST(Params, WholeNumbersConvertBothWays) {
  const Completed result = complete({{"lr", std::int64_t{1}}, {"steps", 3.0}});
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.params.values().at("lr"), ParamValue(1.0));
  EXPECT_EQ(result.params.values().at("steps"), ParamValue(std::int64_t{3}));
}

TEST(Params, MistakesNameThePlaceAndTheValue) {
  EXPECT_EQ(told("lr", 1.5), one("lr", "Lr must be at most 1; it is 1.5."));
  EXPECT_EQ(told("lr", true), one("lr", "Lr must be a number; it is true."));
  EXPECT_EQ(told("steps", std::int64_t{0}), one("steps", "Steps must be at least 1; it is 0."));
  EXPECT_EQ(told("steps", 2.5), one("steps", "Steps must be a whole number; it is 2.5."));
  EXPECT_EQ(told("adaptive", std::int64_t{1}), one("adaptive", "Adaptive must be true or false; it is 1."));
  EXPECT_EQ(told("variant", std::string("tf")), one("variant", "\"tf\" is not known; have paper, mxnet"));
  EXPECT_EQ(told("variant", 1.0), one("variant", "Variant must be a text; it is 1."));
  EXPECT_EQ(told("path", false), one("path", "Path must be a text; it is false."));
  EXPECT_EQ(told("l/r", 0.1), one("l~1r", "unknown parameter; have lr, steps, adaptive, variant, path"));
  EXPECT_EQ(complete({{"x", 0.1}}, {}).findings, one("x", "unknown parameter; it takes none"));
}

TEST(Params, AskingForWhatIsNotThereIsABug) {
  const Completed result = complete({});
  EXPECT_THROW(result.params.real("nothing"), InvariantError);
  EXPECT_THROW(result.params.integer("lr"), InvariantError);
}

TEST(Params, ValuesThatAnotherEntryTakesAreShared) {
  const std::vector<ParamSpec> next = {realParam("learning_rate", 0.1, 0, 1, ""), integerParam("steps", 4, 1, 8, ""), realParam("momentum", 0, 0, 1, "")};
  const Params given({{"learning_rate", 0.5}, {"steps", std::int64_t{99}}, {"lambda", 0.04}});  // 99: out of its bounds there
  EXPECT_EQ(sharedParams(next, {}, given), Params({{"learning_rate", 0.5}}));
}

TEST(Params, ValuesOfAPartAreSharedUnderAnotherName) {
  const std::vector<ParamSpec> plain = {realParam("learning_rate", 0.1, 0, 1, "")};
  const std::vector<ParamSpec> local = {realParam({"local_lr", "Local learning rate", "learning_rate"}, 0.1, 0, 1, ""), realParam("global_lr", 1, 0, 1, "")};
  EXPECT_EQ(sharedParams(local, plain, Params({{"learning_rate", 0.077}})), Params({{"local_lr", 0.077}}));
  EXPECT_EQ(sharedParams(plain, local, Params({{"local_lr", 0.05}, {"global_lr", 0.5}})), Params({{"learning_rate", 0.05}}));
}

TEST(Params, AChoiceIsCalledAsTheEntrySaysElseItsNameInWords) {
  const ParamSpec plain = choiceParam("augment", "none", {"none", "crop_flip"}, "");
  EXPECT_EQ(labelOf(plain, "crop_flip"), "crop flip");
  EXPECT_EQ(labelOf(worded(plain, {"none", "crop and flip"}), "crop_flip"), "crop and flip");
}

TEST(Params, ALabelIsWhatTheEntrySaysElseItsNameInWords) {
  EXPECT_EQ(labelOf(realParam({"local_lr", "Local learning rate"}, 0, {}, {}, "")), "Local learning rate");
  EXPECT_EQ(labelOf(realParam("batch_size", 0, {}, {}, "")), "Batch size");
}

}  // namespace
}  // namespace paceline::tests
