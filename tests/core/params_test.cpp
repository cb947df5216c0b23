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
  EXPECT_EQ(told("lr", 1.5), one("lr", "must be <= 1, got 1.5"));
  EXPECT_EQ(told("lr", true), one("lr", "must be a number, got true"));
  EXPECT_EQ(told("steps", std::int64_t{0}), one("steps", "must be >= 1, got 0"));
  EXPECT_EQ(told("steps", 2.5), one("steps", "must be a whole number, got 2.5"));
  EXPECT_EQ(told("adaptive", std::int64_t{1}), one("adaptive", "must be true or false, got 1"));
  EXPECT_EQ(told("variant", std::string("tf")), one("variant", "\"tf\" is not known; have paper, mxnet"));
  EXPECT_EQ(told("variant", 1.0), one("variant", "must be a text, got 1"));
  EXPECT_EQ(told("path", false), one("path", "must be a text, got false"));
  EXPECT_EQ(told("l/r", 0.1), one("l~1r", "unknown parameter; have lr, steps, adaptive, variant, path"));
  EXPECT_EQ(complete({{"x", 0.1}}, {}).findings, one("x", "unknown parameter; it takes none"));
}

TEST(Params, AskingForWhatIsNotThereIsABug) {
  const Completed result = complete({});
  EXPECT_THROW(result.params.real("nothing"), InvariantError);
  EXPECT_THROW(result.params.integer("lr"), InvariantError);
}

}  // namespace
}  // namespace paceline::tests
