// The document's wire format below every kind of dense method: it learns, is deterministic, and costs the bytes it says.
#include <gtest/gtest.h>

#include "engine/algorithms/algorithm.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

struct Method {
  const char* algorithm;
  const char* aggregation;
};
const Method kMethods[] = {{"ssgd", "server"},     {"ssgd", "ring"},      {"ssgd", "butterfly"}, {"ssgd", "binary_blocks"}, {"ssgd", "tree"},
                           {"local_sgd", "server"}, {"local_sgd", "ring"}, {"asgd", "server"},    {"dc_asgd", "server"}};

RunSpec specOf(const Method& method, const std::string& format, int workers = 5) {
  const bool needsServer = method.aggregation == std::string("server");
  RunSpec spec = clusterOf(method.algorithm, workers, needsServer ? 2 : 0);
  spec.aggregation.id = method.aggregation;
  spec.algorithm.params.set("learning_rate", 0.05);
  spec.wire.format = format;
  return spec;
}

std::string nameOf(const Method& method, const std::string& format) { return strCat(method.algorithm, " by ", method.aggregation, " in ", format); }

TEST(WireFormatContract, EveryMethodLearnsInEveryFormat) {
  for (const Method& method : kMethods)
    for (const std::string format : {"fp32", "fp16", "int8"}) {
      RunSpec spec = specOf(method, format);
      spec.stop.rounds = 300;
      spec.evaluate.everyRounds = 50;
      const std::vector<EvaluationRecord> evaluations = runInSim(spec, quadratic({.size = 40, .statistics = 3, .spread = 0.02})).evaluations(0);
      EXPECT_LT(evaluations.back().loss, evaluations.front().loss / 1000) << nameOf(method, format);
      EXPECT_EQ(evaluations.back().accuracy, 1) << nameOf(method, format);
    }
}

TEST(WireFormatContract, FormatsAreDeterministicAndDiffer) {
  for (const Method& method : kMethods) {
    const auto parametersIn = [&](const std::string& format) { return runInSim(specOf(method, format), quadratic({.size = 40})).parameters; };
    for (const std::string format : {"fp16", "int8"}) EXPECT_EQ(parametersIn(format), parametersIn(format)) << nameOf(method, format);
    EXPECT_NE(parametersIn("fp32"), parametersIn("int8")) << nameOf(method, "int8");
  }
}

// Values that fp16 represents arrive as they are: integers of this size do, and so do their sums at five workers.
TEST(WireFormatContract, Fp16OfRepresentableValuesIsFp32BitForBit) {
  const ObjectiveFactory integers = [](const RunSpec&, int rank) { return std::make_unique<IntegerObjective>(100, rank); };
  for (const Method& method : kMethods) {
    if (method.algorithm == std::string("local_sgd")) continue;  // sends parameters, which are no integers
    EXPECT_EQ(runInSim(specOf(method, "fp16"), integers).parameters, runInSim(specOf(method, "fp32"), integers).parameters)
        << nameOf(method, "fp16");
  }
}

// What a worker sends in a round beside headers and scalars, in elements' bytes.
std::int64_t payloadSent(const std::string& format, const Method& method, int rank) {
  const SimResult result = runInSim(specOf(method, format, 4), quadratic({.size = 4096}));
  const RoundRecord record = result.rounds(rank).at(4);
  return record.bytesSent - record.messagesSent * static_cast<std::int64_t>(kHeaderBytes);
}

TEST(WireFormatContract, BytesAreHalfAndAQuarterPlusScales) {
  const auto real = static_cast<std::int64_t>(sizeof(Real));
  const std::int64_t n = 4096, halves = 2 * n, codes = n + 4 * 4;  // four blocks of 1024
  // By the server everything a worker sends is a contribution; its progress message has two scalars, as in every format.
  const std::int64_t progress = payloadSent("fp32", {"ssgd", "server"}, 1) - n * real;
  EXPECT_EQ(progress, 16);
  EXPECT_EQ(payloadSent("fp16", {"ssgd", "server"}, 1), halves + progress);
  EXPECT_EQ(payloadSent("int8", {"ssgd", "server"}, 1), codes + progress);
  // On a ring of four, three of four quarters leave as contributions and three as means, which stay as they are.
  EXPECT_EQ(payloadSent("fp16", {"ssgd", "ring"}, 1), halves * 3 / 4 + n * real * 3 / 4 + progress);
  EXPECT_EQ(payloadSent("int8", {"ssgd", "ring"}, 1), codes * 3 / 4 + n * real * 3 / 4 + progress);
}

}  // namespace
}  // namespace paceline::tests
