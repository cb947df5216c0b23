// When the supervisor reads a node's output again.
#include "agent/supervisor/supervise/read_pace.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

using supervise::ReadPace;

constexpr std::size_t kLine = 420;    // of a round, bytes
constexpr std::size_t kPipe = 64 << 10;

struct Reading {
  int reads = 0;
  double longest = 0;            // seconds that a line waited
  std::size_t fullest = 0;       // bytes that waited
};

// A node says a line every so many seconds for a second; its reader is woken by each unless it leaves the node alone.
Reading readingOf(double everySeconds) {
  ReadPace pace;
  Reading reading;
  double again = 0, first = 0;
  std::size_t waiting = 0;
  for (double now = 0; now < 1; now += everySeconds) {
    if (waiting == 0) first = now;
    waiting += kLine;
    reading.fullest = std::max(reading.fullest, waiting);
    if (now < again) continue;
    reading.longest = std::max(reading.longest, now - first);
    again = now + pace.pause(waiting, now);
    ++reading.reads;
    waiting = 0;
  }
  return reading;
}

TEST(ReadPace, ASlowNodeIsReadLineByLine) {
  const Reading reading = readingOf(0.005);
  EXPECT_GE(reading.reads, 199);
  EXPECT_EQ(reading.longest, 0);
}

TEST(ReadPace, AFastNodeIsLeftAloneForSomeMilliseconds) {
  const Reading reading = readingOf(64e-6);  // a step of logistic regression
  EXPECT_LT(reading.reads, 1000);            // of 15 600 lines
  EXPECT_LT(reading.longest, 0.006);
}

TEST(ReadPace, WhatComesMeanwhileHasRoomInThePipe) {
  for (const double every : {1e-3, 1e-4, 1e-5}) EXPECT_LT(readingOf(every).fullest, kPipe) << every;
}

TEST(ReadPace, WhoBecomesSlowIsReadAtOnceAgain) {
  ReadPace pace;
  double now = 0;
  for (int line = 0; line < 1000; ++line) pace.pause(kLine, now += 64e-6);
  EXPECT_GT(pace.pause(kLine, now), 0);
  EXPECT_EQ(pace.pause(kLine, now + 1), 0);
}

}  // namespace
}  // namespace paceline::tests
