#include <atomic>
#include <barrier>
#include <latch>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "engine/runtime/compute_threads.h"

namespace paceline::tests {
namespace {

TEST(ComputeThreads, OneComputesWhereItIsWaitedFor) {
  ComputeThreads cores(1);
  std::thread::id by;
  const auto task = cores.begin([&] { by = std::this_thread::get_id(); });
  EXPECT_EQ(by, std::thread::id());
  task->finish();
  EXPECT_EQ(by, std::this_thread::get_id());
}

TEST(ComputeThreads, TwoComputeAtOnce) {
  std::atomic<int> begun = 0;
  ComputeThreads cores(2, [&] { ++begun; });
  std::barrier both(2);
  const auto one = cores.begin([&] { both.arrive_and_wait(); }), other = cores.begin([&] { both.arrive_and_wait(); });
  one->finish();
  other->finish();
  EXPECT_EQ(begun, 1);
}

TEST(ComputeThreads, WhoWaitsForAnothersTaskComputesTheNext) {
  ComputeThreads cores(2);
  std::latch taken(1), nextIsDone(1);
  const auto first = cores.begin([&] {
    taken.count_down();
    nextIsDone.wait();
  });
  taken.wait();
  const auto next = cores.begin([&] { nextIsDone.count_down(); });
  first->finish();
  next->finish();
}

TEST(ComputeThreads, WhatNobodyHasBegunIsDroppedWithItsTask) {
  ComputeThreads cores(1);
  bool ran = false;
  cores.begin([&] { ran = true; }).reset();
  EXPECT_FALSE(ran);
}

TEST(ComputeThreads, ATaskThatRunsIsWaitedForBeforeItGoes) {
  ComputeThreads cores(2);
  std::latch taken(1);
  std::atomic<bool> done = false;
  auto task = cores.begin([&] {
    taken.count_down();
    std::this_thread::yield();
    done = true;
  });
  taken.wait();
  task.reset();
  EXPECT_TRUE(done);
}

TEST(ComputeThreads, WhatItThrewComesOutOfFinish) {
  for (const int threads : {1, 2}) {
    ComputeThreads cores(threads);
    const auto task = cores.begin([] { throw Error(Errc::kData, "no batch"); });
    EXPECT_THROW(task->finish(), Error);
  }
}

TEST(ComputeThreads, OfPartsTheFirstFailureIsTold) {
  ComputeThreads cores(4);
  for (Cores* const given : {static_cast<Cores*>(nullptr), static_cast<Cores*>(&cores)}) {
    try {
      inParts(given, 100, [](std::size_t i) {
        if (i >= 7) throw Error(Errc::kData, strCat("part ", i));
      });
      FAIL();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "part 7");
    }
  }
}

}  // namespace
}  // namespace paceline::tests
