// Student's t against printed tables, and an interval worked out by hand.
#include "app/figures/evidence.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

TEST(Evidence, QuantilesAreThoseOfTheTables) {
  for (const auto& [degrees, quantile] : {std::pair(1.0, 12.7062047362), std::pair(2.0, 4.3026527297), std::pair(5.0, 2.5705818356), std::pair(10.0, 2.2281388520), std::pair(30.0, 2.0422724563), std::pair(100.0, 1.9839715185)})
    EXPECT_NEAR(studentT95(degrees), quantile, 1e-6) << degrees;
  EXPECT_NEAR(studentT95(2.56), 3.5154197, 1e-5);  // the density integrated by another rule
  EXPECT_NEAR(studentT95(1e6), studentT95(9e4), 1e-4);
}

// Means 91 and 90, variances 1 and 7: the error is sqrt(8/3), Welch's degrees of freedom are 2.56, the pooled deviation is 2 and Hedges' factor 0.8.
TEST(Evidence, OfThreeAndThreeValues) {
  const auto found = differenceOf({90, 91, 92}, {88, 89, 93});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->mean, 1);
  EXPECT_NEAR(found->upper, 1 + 5.740656, 1e-4);
  EXPECT_NEAR(found->lower, 1 - 5.740656, 1e-4);
  EXPECT_NEAR(found->effect, 0.4, 1e-12);
  EXPECT_FALSE(found->told());
  EXPECT_EQ(found->more, 30);
}

TEST(Evidence, OfOneValueThereIsNone) {
  EXPECT_FALSE(differenceOf({1}, {2, 3}));
  EXPECT_FALSE(differenceOf({}, {}));
}

TEST(Evidence, WithoutSpreadADifferenceIsCertain) {
  const auto found = differenceOf({2, 2}, {1, 1});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->told());
  EXPECT_FALSE(differenceOf({1, 1}, {1, 1})->told());
}

TEST(Evidence, ManySeedsAreNotPromised) {
  const auto found = differenceOf({0, 1}, {0.001, 1.0});  // a thousandth of the spread
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->told());
  EXPECT_FALSE(found->more);
}

}  // namespace
}  // namespace paceline::tests
