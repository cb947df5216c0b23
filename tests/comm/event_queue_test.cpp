#include "engine/comm/sim/event_queue.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

// A ring on links that cost nothing: each event makes the next one of the same instant, and some always wait.
TEST(EventQueue, AnInstantThatLastsTakesTheMemoryOfWhatWaits) {
  constexpr int kWaiting = 100, kTaken = 1'000'000;
  sim::EventQueue events;
  for (int node = 0; node < kWaiting; ++node) events.add(0, {.node = node});
  for (int i = 0; i < kTaken; ++i) {
    const sim::SimEvent event = events.take();
    ASSERT_EQ(event.sequence, static_cast<std::uint64_t>(i));
    ASSERT_EQ(event.node, i % kWaiting);
    events.add(0, {.node = event.node});
  }
  EXPECT_LT(events.room(), 20'000U);
}

TEST(EventQueue, WhatIsLaterComesInOrderOfTimeThenOfWhenItWasAdded) {
  sim::EventQueue events;
  events.add(0, {.time = 2, .node = 0});
  events.add(0, {.time = 1, .node = 1});
  events.add(0, {.time = 1, .node = 2});
  events.add(0, {.time = 0, .node = 3});
  for (const int node : {3, 1, 2, 0}) EXPECT_EQ(events.take().node, node);
  EXPECT_TRUE(events.empty());
}

}  // namespace
}  // namespace paceline::tests
