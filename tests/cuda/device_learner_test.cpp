// A learner on a CUDA device against the CPU's. Skips, saying why, where there is no device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/data/loader.h"
#include "engine/nn/learner.h"
#include "engine/nn/torch_objective.h"
#include "tests/nn/small_set.h"

namespace paceline::tests {
namespace {

TEST(Devices, AnAbsentOneIsRefusedInOneSentenceThatListsWhatIsThere) {
  RunSpec spec = specOf("logistic");
  spec.nodes[0].device = "cuda:77";
  try {
    makeTorchObjective(spec, 0, loadDataset(spec));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kUnsupported);
    EXPECT_THAT(error.what(), ::testing::StartsWith("device \"cuda:77\" is not here; have cpu"));
  }
}

class DeviceLearner : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::vector<std::string> have = computeDevices();
    if (std::find(have.begin(), have.end(), "cuda:0") == have.end()) GTEST_SKIP() << "no CUDA device here";
  }
};

double distance(std::span<const Real> a, std::span<const Real> b) {  // relative to b
  double apart = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
    size += double{b[i]} * b[i];
  }
  return std::sqrt(apart / size);
}

TEST_P(DeviceLearner, OneStepIsTheCpus) {
  const auto data = loadDataset(specOf("logistic"));
  Learner cpu({.id = GetParam(), .params = {}}, 3, data, 32), device({.id = GetParam(), .params = {}}, 3, data, 32, "cuda:0");
  ASSERT_TRUE(std::ranges::equal(cpu.parameters(), device.parameters()));
  std::vector<Real> wanted(cpu.parameters().size()), got(wanted.size());
  for (int step = 0; step < 3; ++step) {
    const StepStats onCpu = cpu.gradient(firstSamples(32), wanted), onDevice = device.gradient(firstSamples(32), got);
    EXPECT_NEAR(onDevice.loss, onCpu.loss, 5e-3);  // TF32 keeps 10 bits of a factor, over ResNet's 18 layers
    EXPECT_LT(distance(got, wanted), 2e-2);
    for (std::size_t i = 0; i < got.size(); ++i) {
      cpu.parameters()[i] -= 0.01F * wanted[i];
      device.parameters()[i] -= 0.01F * wanted[i];
    }
    EXPECT_LT(distance(device.parameters(), cpu.parameters()), 1e-3);  // with the statistics, which come back from the device
  }
  const Evaluation here = cpu.evaluate(), there = device.evaluate();
  EXPECT_EQ(there.total, here.total);
  EXPECT_NEAR(there.loss, here.loss, 2e-2);
}

TEST_P(DeviceLearner, WarmUpStepLeavesTheStatistics) {
  const auto data = loadDataset(specOf("logistic"));
  Learner device({.id = GetParam(), .params = {}}, 3, data, 32, "cuda:0");
  const std::vector<Real> before(device.parameters().begin(), device.parameters().end());
  std::vector<Real> out(before.size());
  BatchBuffer room(*data, 32, device.loading(0));
  const std::size_t count = trainBatch(*data, firstSamples(32), 3, 0, device.loading(0).channelsLast, room.inputs(), room.targets());
  device.warmUpStep(room.first(count), out);
  EXPECT_TRUE(std::ranges::equal(before, device.parameters()));
}

INSTANTIATE_TEST_SUITE_P(Some, DeviceLearner, ::testing::Values("logistic", "lenet", "resnet18_v1"), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace paceline::tests
