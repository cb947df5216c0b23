#include "engine/algorithms/context/worker_context.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

class FakeClock final : public Clock {
 public:
  double now() const override { return now_; }
  void sleepFor(double seconds) override { now_ += std::max(0.0, seconds) + oversleep; }
  double oversleep = 0;

 private:
  double now_ = 0;
};

Emulate slower(double factor, std::optional<double> stepSeconds = {}) {
  Emulate emulate;
  emulate.slowdown = factor;
  emulate.stepSeconds = stepSeconds;
  return emulate;
}
Emulate jittery(double jitter) {
  Emulate emulate;
  emulate.jitter = jitter;
  return emulate;
}

TEST(Pacer, LeavesAPlainStepAlone) {
  FakeClock clock;
  Pacer pacer(clock, {}, Rng(1));
  EXPECT_EQ(pacer.stretch(0.25), 0.25);
  EXPECT_EQ(clock.now(), 0);
}

TEST(Pacer, DrawsEachStepFromThoseThatAreGiven) {
  FakeClock clock;
  Emulate emulate;
  emulate.slowdown = 7, emulate.stepSeconds = 5, emulate.steps = {0.1, 0.2, 0.6};
  Pacer pacer(clock, emulate, Rng(1), 1);
  EXPECT_NEAR(pacer.expected(0), 0.3, 1e-12);
  std::map<int, int> drawn;
  for (int i = 0; i < 300; ++i) ++drawn[static_cast<int>(std::lround(10 * pacer.stretch(0)))];
  EXPECT_EQ(drawn.size(), 3u);
  for (const int step : {1, 2, 6}) EXPECT_GT(drawn[step], 70) << step;
}

TEST(Pacer, WaitsForABatchApartFromItsStep) {
  FakeClock clock;
  Emulate emulate;
  emulate.fetchSeconds = 0.5;
  Pacer pacer(clock, emulate, Rng(1), 1);
  EXPECT_EQ(pacer.fetch(), 0.5);
  EXPECT_EQ(clock.now(), 0.5);
  EXPECT_EQ(Pacer(clock, {}, Rng(1), 1).fetch(), 0);
}

TEST(Pacer, SleepsWhatASlowerDeviceWouldTakeLonger) {
  FakeClock clock;
  Pacer pacer(clock, slower(3), Rng(1));
  EXPECT_EQ(pacer.stretch(0.25), 0.75);
  EXPECT_EQ(clock.now(), 0.5);
  EXPECT_EQ(pacer.expected(0.25), 0.75);
}

TEST(Pacer, AFixedStepOverridesTheSlowdownAndIsAtLeastWhatItTook) {
  FakeClock clock;
  Pacer pacer(clock, slower(3, 1.0), Rng(1));
  EXPECT_EQ(pacer.stretch(0.25), 1.0);
  EXPECT_EQ(clock.now(), 0.75);
  EXPECT_EQ(pacer.stretch(2.0), 2.0);
  EXPECT_EQ(clock.now(), 0.75);
}

TEST(Pacer, ReportsALongSleepAsItWas) {
  FakeClock clock;
  clock.oversleep = 0.125;
  Pacer pacer(clock, slower(2), Rng(1));
  EXPECT_EQ(pacer.stretch(0.5), 1.125);
}

TEST(Pacer, DecidesAloneInVirtualTime) {
  FakeClock clock;
  Pacer plain(clock, slower(2), Rng(1), 0.1);
  EXPECT_EQ(plain.stretch(17), 0.2);
  EXPECT_EQ(clock.now(), 0.2);
  Pacer fixed(clock, slower(2, 3.5), Rng(1), 0.1);
  EXPECT_EQ(fixed.stretch(0), 3.5);
  EXPECT_EQ(fixed.expected(0), 3.5);
}

TEST(Pacer, JitterStaysInBoundsAndIsSeeded) {
  FakeClock clock;
  Pacer a(clock, jittery(0.5), Rng(7), 1.0), b(clock, jittery(0.5), Rng(7), 1.0);
  double low = 9, high = 0;
  for (int i = 0; i < 1000; ++i) {
    const double took = a.stretch(0);
    EXPECT_EQ(took, b.stretch(0));
    low = std::min(low, took);
    high = std::max(high, took);
  }
  EXPECT_GE(low, 0.5);
  EXPECT_LT(high, 1.5);
  EXPECT_LT(low, 0.51);
  EXPECT_GT(high, 1.49);
  EXPECT_EQ(a.expected(0), 1.0);
}

TEST(Pacer, JitterNeverMakesARealStepShorterThanItWas) {
  FakeClock clock;
  Pacer pacer(clock, jittery(0.9), Rng(3));
  for (int i = 0; i < 100; ++i) EXPECT_GE(pacer.stretch(0.5), 0.5);
}

}  // namespace
}  // namespace paceline::tests
