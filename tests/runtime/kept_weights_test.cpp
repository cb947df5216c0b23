#include "engine/runtime/kept_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/record/weights.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

// A convolution of 2 x 3 x 1 x 2 that lies with the channels last, and a bias.
const std::vector<Block> kBlocks = {{.name = "conv.weight", .offset = 0, .size = 12, .shape = {2, 3, 1, 2}, .channelsLast = true}, {.name = "conv.bias", .offset = 12, .size = 2, .shape = {2}}};

std::vector<Real> filled(Real first) {
  std::vector<Real> values(14);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<Real>(i);
  return values;
}

class Kept : public ::testing::Test {
 protected:
  Weights read(const std::string& name) const {
    const auto bytes = fileText(folder_ + "/w/" + name);
    if (!bytes) throw Error(Errc::kFile, name + " is not there");
    return parseSafetensors(*bytes);
  }
  bool isThere(const std::string& name) const { return std::filesystem::exists(folder_ + "/w/" + name); }
  std::string folder_ = ownFolder().string();
  KeptWeights weights_{folder_ + "/w", {{"run", "r1"}}};
};

Evaluation scored(double score, double loss = 1) { return {.loss = loss, .score = score}; }

TEST_F(Kept, AreInTheLayoutOfEverybodyElse) {
  weights_.finish(kBlocks, filled(0));
  const Weights left = read(kLastWeights);
  ASSERT_EQ(left.tensors.size(), 2U);
  EXPECT_EQ(left.tensors[0].name, "conv.weight");
  EXPECT_THAT(left.tensors[0].dims, ElementsAre(2, 3, 1, 2));
  EXPECT_THAT(left.tensors[0].values, ElementsAre(0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11));  // out, height, width, in: w = 3 apart, channels beside each other
  EXPECT_THAT(left.tensors[1].values, ElementsAre(12, 13));
  EXPECT_EQ(left.notes.at("run"), "r1");
  EXPECT_FALSE(isThere(kBestWeights));
}

TEST_F(Kept, AreOfTheBestAndTheLastEvaluation) {
  weights_.evaluated(scored(0.5), filled(1), 0);
  weights_.evaluated(scored(0.8), filled(2), 10);
  weights_.evaluated(scored(0.8), filled(3), 20);  // the earlier of equals is the best
  weights_.evaluated(scored(0.7), filled(4), 30);
  weights_.finish(kBlocks, filled(9));
  EXPECT_EQ(read(kBestWeights).tensors[0].values[0], 2);
  EXPECT_EQ(read(kBestWeights).notes.at("round"), "10");
  EXPECT_EQ(read(kLastWeights).tensors[0].values[0], 4);
  EXPECT_EQ(read(kLastWeights).notes.at("round"), "30");
}

TEST_F(Kept, AreOfTheLowestLossWhereThereIsNoAccuracy) {
  weights_.evaluated(scored(NAN, 3), filled(1), 0);
  weights_.evaluated(scored(NAN, 2), filled(2), 1);
  weights_.evaluated(scored(NAN, NAN), filled(3), 2);
  weights_.finish(kBlocks, filled(9));
  EXPECT_EQ(read(kBestWeights).tensors[0].values[0], 2);
  EXPECT_EQ(read(kLastWeights).tensors[0].values[0], 3);
}

TEST_F(Kept, OfARunThatWasBestAtItsEndAreTheSame) {
  weights_.evaluated(scored(0.5), filled(1), 0);
  weights_.evaluated(scored(0.6), filled(2), 1);
  weights_.finish(kBlocks, filled(9));
  EXPECT_EQ(read(kBestWeights).tensors, read(kLastWeights).tensors);
  EXPECT_EQ(read(kLastWeights).tensors[0].values[0], 2);
}

TEST_F(Kept, OfCheckpointsTheTwoNewestStay) {
  for (const int round : {10, 20, 30}) weights_.checkpoint(kBlocks, filled(static_cast<Real>(round)), round);
  EXPECT_FALSE(isThere(checkpointWeights(10)));
  EXPECT_EQ(read(checkpointWeights(20)).tensors[0].values[0], 20);
  EXPECT_EQ(read(checkpointWeights(30)).notes.at("round"), "30");
}

}  // namespace
}  // namespace paceline::tests
