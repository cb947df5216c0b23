#include "app/cli/runs/followed_runs.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

TEST(ProgressText, SaysHowFarARunIs) {
  recorder::Progress progress;
  progress.fraction = 0.4, progress.round = 4;
  EXPECT_EQ(cli::progressText(progress), "40 %, round 4");
  progress.accuracy = 0.8125;
  EXPECT_EQ(cli::progressText(progress), "40 %, round 4, accuracy 0.812");
}

TEST(ProgressText, SaysTheTimeLeftAsARangeWhereItIsOne) {
  recorder::Progress progress;
  progress.fraction = 0.4;
  progress.leftLowSeconds = 80, progress.leftHighSeconds = 80;
  EXPECT_EQ(cli::progressText(progress), "40 %, about 1:20 left");
  progress.leftHighSeconds = 100;
  EXPECT_EQ(cli::progressText(progress), "40 %, 1:20 to 1:40 left");
}

}  // namespace
}  // namespace paceline::tests
