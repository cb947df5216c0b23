#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "engine/comm/sim/fibers.h"
#include "engine/comm/sim/stacks.h"

namespace paceline::tests {
namespace {

using sim::Stack;
using sim::Stacks;

constexpr std::size_t kSmall = std::size_t{64} << 10;

std::size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) ++count;
  return count;
}

TEST(Stacks, AreApartAndWritableToTheTop) {
  Stacks stacks(kSmall);
  const Stack one = stacks.take(), two = stacks.take();
  EXPECT_GE(std::max(one.begin, two.begin) - std::min(one.begin, two.begin), static_cast<std::ptrdiff_t>(kSmall));
  for (const Stack& stack : {one, two}) stack.begin[kSmall - 1] = std::byte{1};
  EXPECT_FALSE(one.overrun() || two.overrun());
}

// A hundred thousand, where a process may have 65 530 mappings.
TEST(Stacks, AHundredThousandNeedFewMappings) {
  for (const Stacks::Guards guards : {Stacks::Guards::kBest, Stacks::Guards::kCanaries}) {
    const std::size_t before = mappings();
    Stacks stacks(kSmall, guards);
    for (int i = 0; i < 100'000; ++i) stacks.take();
    EXPECT_LT(mappings(), before + 40'000);
  }
}

TEST(Stacks, BeyondTheGuardsThatSplitMappingsThereAreCanaries) {
  Stacks stacks(kSmall, Stacks::Guards::kSplitting);
  EXPECT_EQ(stacks.take().canary, nullptr);
  for (int i = 0; i < 20'000; ++i) stacks.take();
  EXPECT_NE(stacks.take().canary, nullptr);
}

TEST(Stacks, ACanaryTellsAnOverrun) {
  Stacks stacks(kSmall, Stacks::Guards::kCanaries);
  stacks.take();
  const Stack stack = stacks.take();
  EXPECT_FALSE(stack.overrun());
  stack.begin[0] ^= std::byte{1};
  EXPECT_TRUE(stack.overrun());
}

TEST(StacksDeathTest, AGuardEndsTheProcessAtOnce) {
  for (const Stacks::Guards guards : {Stacks::Guards::kBest, Stacks::Guards::kSplitting}) {
    Stacks stacks(kSmall, guards);
    stacks.take();
    const Stack stack = stacks.take();
    ASSERT_EQ(stack.canary, nullptr);
    EXPECT_EXIT(const_cast<volatile std::byte&>(stack.begin[100]) = std::byte{1}, testing::KilledBySignal(SIGSEGV), "");
  }
}

int depthOf(int left) {  // some hundred bytes a call
  volatile char room[256] = {};
  room[0] = static_cast<char>(left);
  return left == 0 ? room[0] : depthOf(left - 1) + (room[0] != 0 ? 1 : 0);
}

TEST(Fibers, RunOnTheStackThatWasAskedFor) {
  sim::Fibers fibers(kSmall);
  int depth = 0;
  fibers.add([&] {
    depth = depthOf(100);  // half of it
    return sim::Fibers::kMaker;
  });
  fibers.pass(0);
  EXPECT_GT(depth, 0);
}

// What is being thrown in one fiber is nothing to another.
TEST(Fibers, ExceptionsStayWithTheirFiber) {
  sim::Fibers fibers(kSmall);
  std::string seen;
  fibers.add([&]() -> std::size_t {
    try {
      throw std::runtime_error("first");
    } catch (const std::exception& error) {
      fibers.pass(1);
      seen += error.what();
      EXPECT_EQ(std::uncaught_exceptions(), 0);
      try {
        throw;
      } catch (const std::exception& again) {
        seen += again.what();
      }
    }
    return sim::Fibers::kMaker;
  });
  fibers.add([&]() -> std::size_t {
    try {
      throw std::runtime_error("second ");
    } catch (const std::exception& error) {
      seen += error.what();
      fibers.pass(0);
    }
    return sim::Fibers::kMaker;
  });
  fibers.pass(0);
  EXPECT_EQ(seen, "second firstfirst");
}

}  // namespace
}  // namespace paceline::tests
