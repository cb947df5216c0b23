#include <gtest/gtest.h>

#include <string>

#include "engine/core/base/error.h"
#include "tests/support/engine_contract.h"

namespace paceline::tests {
namespace {

constexpr EngineCase kRing{.engine = "gloo", .aggregation = "ring", .formula = "ring"};

class GlooEngine : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(GlooEngine, GivesTheExactMeanToAllAndBooksTheFormula) {
  const auto& [id, world] = GetParam();
  expectExactMeansAndBookedBytes({.engine = "gloo", .aggregation = id, .formula = id == std::string("ring") ? "ring" : "binary_blocks"}, world);
}

INSTANTIATE_TEST_SUITE_P(All, GlooEngine, testing::Combine(testing::Values("ring", "butterfly", "binary_blocks"), testing::Range(2, 6)),
                         [](const auto& info) { return strCat(std::get<0>(info.param), "_", std::get<1>(info.param)); });

TEST(GlooEngine, AStopEndsTheWaitForWorkersThatDoNotCome) { expectAStopToEndTheWaitForWorkersThatDoNotCome(kRing); }

TEST(GlooEngine, AWorkerThatIsElsewhereIsNamed) { expectAWorkerThatIsElsewhereToBeNamed(kRing); }

TEST(GlooEngine, AWorkerKilledInACollectiveIsNamed) { expectAWorkerKilledInACollectiveToBeNamed(kRing); }

}  // namespace
}  // namespace paceline::tests
