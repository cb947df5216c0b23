#include "agent/supervisor/probe/probe.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

TEST(Compute, EveryKernelMultipliesLikeTheTextbook) {
  const std::vector<float> plain = probe::computeProduct("plain");
  for (const std::string& kernel : probe::computeKernels())
    EXPECT_THAT(probe::computeProduct(kernel), testing::Pointwise(testing::FloatNear(1e-4f), plain)) << kernel;
}

TEST(Compute, SaysHowFastOneThreadAndAllAre) {
  const auto json = nlohmann::json::parse(probe::computeJson("0.2"));
  EXPECT_GT(json["gflops_one"].get<double>(), 0);
  EXPECT_GT(json["gflops_all"].get<double>(), 0);
  EXPECT_GE(json["threads"].get<int>(), 1);
  EXPECT_GE(json["seconds"].get<double>(), 0.2);
  EXPECT_EQ(json["kernel"], probe::computeKernels().front());
  EXPECT_GE(json["cpus"].get<int>(), json["threads"].get<int>());
  EXPECT_GE(json["others_cpus"].get<double>(), 0);
  EXPECT_EQ(json["active_runs"], 0);
}

TEST(Compute, TheSecondsHaveBounds) {
  for (const char* bad : {"", "0", "-1", "61", "nan", "1e9", "2s", " 2"}) {
    try {
      probe::computeJson(bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), strCat("compute: seconds must be a number from 0.1 to 60, got ", bad));
    }
  }
}

}  // namespace
}  // namespace paceline::tests
