#include "engine/core/record/dates.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/core/record/event.h"
#include "tests/support/stepped_clock.h"

namespace paceline::tests {
namespace {

constexpr double kHalfAnHour = 1800;  // far from the hour of a step, far from the time that a test takes

class SetClock : public ::testing::TestWithParam<int> {
 protected:
  ~SetClock() override { stepOwnClock(0); }
};

TEST_P(SetClock, DatesGoOnAndNewOnesAreTheNewClocks) {
  const Dates before;
  const double first = before.now(), wall = unixNow();
  stepOwnClock(GetParam());
  EXPECT_NEAR(unixNow(), wall + GetParam(), kHalfAnHour) << "this test needs a clock that was set";
  const double second = before.now();
  EXPECT_GE(second, first);
  EXPECT_LT(second, first + kHalfAnHour);
  EXPECT_NEAR(Dates().now(), unixNow(), kHalfAnHour);
}

TEST_P(SetClock, RecordsHaveTheNewClockOnceTheyBeginAnew) {
  beginRecordDates();
  const double first = recordDates().now();
  stepOwnClock(GetParam());
  EXPECT_NEAR(recordDates().now(), first, kHalfAnHour);
  beginRecordDates();
  EXPECT_NEAR(recordDates().now(), first + GetParam(), kHalfAnHour);
}

INSTANTIATE_TEST_SUITE_P(AnHour, SetClock, ::testing::Values(3600, -3600), [](const auto& info) { return info.param > 0 ? "Ahead" : "Back"; });

TEST(Dates, AreTheWallClocksWhenTheyAreMade) {
  const double before = unixNow(), now = Dates().now(), after = unixNow();
  EXPECT_GE(now, before - 0.001);
  EXPECT_LE(now, after + 0.001);
}

// Clocks of a process that is made to wait for 10 ms between two of its calls, but for the third pair.
double waitedFor = 0;
int calls = 0;
double slowly() { return waitedFor += calls++ / 3 == 2 ? 1e-6 : 0.01; }

TEST(Dates, AreRightWhenTheProcessWaitsBetweenTwoClocks) {
  waitedFor = 0, calls = 0;
  EXPECT_NEAR(unixAtBootBy([] { return 1e9 + slowly(); }, slowly), 1e9, 2e-6);
}

TEST(Dates, OfANodeAreItsSupervisors) {
  const Dates supervisor(1e9);
  EXPECT_EXIT(
      {
        ::setenv(kDatesVariable, std::to_string(supervisor.unixAtBoot()).c_str(), 1);
        std::exit(recordDates().unixAtBoot() == supervisor.unixAtBoot() ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace paceline::tests
