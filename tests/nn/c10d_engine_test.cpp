#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/comm/aggregators/aggregation_engine.h"
#include "engine/core/base/error.h"
#include "engine/nn/c10d.h"
#include "tests/support/engine_contract.h"

namespace paceline::tests {
namespace {

constexpr EngineCase kRing{.engine = "c10d", .aggregation = "ring", .formula = "ring"};

const bool kOffered = [] {
  aggregators::offerC10d(c10dCollective());
  return static_cast<bool>(c10dCollective());
}();

// Of a rank whose peers have told their device and are lost then.
class LostBoard final : public Board {
 public:
  void tell(const std::string& key, const std::vector<char>& value) override { told_[key] = value; }
  std::vector<char> hear(const std::string& key) override {
    if (told_.contains(key)) return told_[key];
    if (key.starts_with("paceline/device/")) return {'c', 'p', 'u'};
    throw Error(Errc::kPeerLost, "w1 is gone");
  }

 private:
  std::map<std::string, std::vector<char>> told_;
};

class C10dEngine : public testing::Test {
 protected:
  void SetUp() override {
    if (!kOffered) GTEST_SKIP() << "this LibTorch has no c10d";
    try {
      LostBoard alone;
      (void)c10dCollective()({.timeout = std::chrono::seconds(10)}, alone);
    } catch (const Error& error) {
      if (error.code() != Errc::kUnsupported) throw;
      GTEST_SKIP() << error.what();  // NCCL alone
    }
  }
};

TEST_F(C10dEngine, GivesTheExactMeanToAllAndBooksTheFormula) {
  for (const int world : {2, 3, 4, 5}) expectExactMeansAndBookedBytes(kRing, world);
}

TEST_F(C10dEngine, AStopEndsTheWaitForWorkersThatDoNotCome) { expectAStopToEndTheWaitForWorkersThatDoNotCome(kRing); }

TEST_F(C10dEngine, AWorkerThatIsElsewhereIsNamed) { expectAWorkerThatIsElsewhereToBeNamed(kRing); }

TEST_F(C10dEngine, AWorkerKilledInACollectiveIsNamed) { expectAWorkerKilledInACollectiveToBeNamed(kRing); }

TEST(C10d, IsListedWhereItIsThere) {
  const std::vector<std::string> engines = aggregators::findAggregator("ring")->engines;
  EXPECT_EQ(std::ranges::count(engines, "c10d"), kOffered ? 1 : 0);
  EXPECT_THROW(aggregators::offerC10d({}), InvariantError);  // they have been listed
}

// What the board throws in the middle of LibTorch's own code comes out of it as it was.
TEST_F(C10dEngine, APeerThatIsLostWhileItConnectsIsThatError) {
  LostBoard board;
  try {
    (void)c10dCollective()({.rank = 0, .world = 2, .timeout = std::chrono::seconds(10)}, board);
    ADD_FAILURE() << "it connected to nobody";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kPeerLost);
    EXPECT_STREQ(error.what(), "w1 is gone");
  }
}

}  // namespace
}  // namespace paceline::tests
