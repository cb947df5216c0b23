// The device's selection is the CPU's, bit for bit. Skips, saying why, where there is no device.
#include "engine/cuda/select.h"

#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/cuda/vectors.h"

namespace paceline::tests {
namespace {

class DeviceSelection : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      select_ = deviceSelect("cuda:0");
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
    if (!select_) GTEST_SKIP() << "this build has no CUDA (PACELINE_CUDA=OFF)";
  }
  std::vector<std::uint32_t> places(const std::vector<float>& values, std::size_t k) {
    std::vector<std::uint32_t> found{99};  // what was there before is gone
    select_(values.data(), values.size(), k, found);
    return found;
  }
  DeviceSelect select_;
};

TEST(DeviceSelect, IsOnCudaOnly) {
  EXPECT_FALSE(deviceSelect("cpu"));
  EXPECT_FALSE(deviceSelect("xpu:0"));
}

TEST_F(DeviceSelection, IsTheCpus) {
  forHardVectors({1, 7, 2047, 2048, 2049, 100'003}, [&](const std::vector<float>& values, std::size_t k, const std::string& name) {
    EXPECT_EQ(places(values, k), placesOnTheCpu(values, k)) << name;
  });
}

// More than two pieces of pinned memory, more tiles than the scan has threads; then a shorter one in the same buffers.
TEST_F(DeviceSelection, LongVectorsAreTheCpus) {
  forHardVectors({3'500'001, 5}, [&](const std::vector<float>& values, std::size_t k, const std::string& name) {
    EXPECT_EQ(places(values, k), placesOnTheCpu(values, k)) << name;
  });
}

TEST_F(DeviceSelection, InfinityAndNanCountAsLargest) {
  std::vector<float> values(5000, 1.0F);
  values[7] = std::numeric_limits<float>::quiet_NaN();
  values[4070] = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(places(values, 2), (std::vector<std::uint32_t>{7, 4070}));
  EXPECT_TRUE(places(values, 0).empty());
}

}  // namespace
}  // namespace paceline::tests
