// Lanes of made runs: where spans lie, who was waited for and why, clocks, folding.
#include <gtest/gtest.h>

#include <cmath>

#include "app/figures/lanes/lanes.h"
#include "engine/core/base/error.h"
#include "tests/figures/made_lanes.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using lanes::Lane;
using lanes::Phase;
using lanes::Span;
using lanes::Timeline;

std::string drawn(const Lane& lane) {
  std::string text;
  for (const Span& span : lane.spans) text += strCat(text.empty() ? "" : ", ", lanes::lookOf(span.phase).name, ' ', span.begin, '-', span.end);
  return text;
}

TEST(Lanes, ARoundsPhasesFollowEachOtherToItsEnd) {
  const Timeline timeline = lanes::timelineOf(evaluatedRun());
  ASSERT_EQ(timeline.lanes.size(), 3U);
  EXPECT_EQ(drawn(timeline.lanes[0]), "compute 0-1, evaluate 1-1.5, compute 1.5-2.5");
  EXPECT_EQ(drawn(timeline.lanes[1]), "compute 0-1, compute 1-2, wait 2-2.5");
  EXPECT_EQ(drawn(timeline.lanes[2]), "serve 0.5-2.5");
  EXPECT_EQ(timeline.lanes[2].spans[0].share, 0.25);
  EXPECT_EQ(timeline.end, 2.5);
  EXPECT_EQ(lanes::clockNote(timeline), "all lanes have one clock");
}

TEST(Lanes, AGapSaysWhoWasWaitedForAndWhatItDid) {
  summary::RunData data = evaluatedRun();
  Timeline timeline = lanes::timelineOf(data);
  const Lane& waiting = timeline.lanes[1];
  ASSERT_EQ(waiting.gaps.size(), 1U);
  EXPECT_EQ(waiting.gaps[0].begin, 2);
  EXPECT_EQ(waiting.gaps[0].seconds(), 0.5);
  EXPECT_EQ(lanes::sentenceOf(timeline, waiting, waiting.gaps[0]), "w1 waited 0.50 s for w0: it was computing");
  EXPECT_EQ(lanes::gapAt(waiting, 2.25), &waiting.gaps[0]);
  EXPECT_EQ(lanes::gapAt(waiting, 1.75), nullptr);

  data.rounds[1].record.evaluate = 0.75, data.rounds[1].record.compute = 0.25;  // computes until 1.75, evaluates until 2.5
  timeline = lanes::timelineOf(data);
  EXPECT_EQ(lanes::sentenceOf(timeline, timeline.lanes[1], timeline.lanes[1].gaps[0]), "w1 waited 0.50 s for w0: it was evaluating");
}

TEST(Lanes, WhoWaitedItselfWasHeldUpByAThird) {
  summary::RunData data = evaluatedRun();
  data.rounds[1].record.compute = 0, data.rounds[1].record.wait = 1;
  data.rounds[1].record.longestWait = 1, data.rounds[1].record.longestWaitFor = "w2";
  Timeline timeline = lanes::timelineOf(data);
  EXPECT_EQ(lanes::sentenceOf(timeline, timeline.lanes[1], timeline.lanes[1].gaps[0]), "w1 waited 0.50 s for w0: it was waiting for w2");
  data.rounds[1].record.longestWaitFor = "w1";  // each for the other
  timeline = lanes::timelineOf(data);
  EXPECT_EQ(lanes::sentenceOf(timeline, timeline.lanes[1], timeline.lanes[1].gaps[0]), "w1 waited 0.50 s for w0: it was waiting itself");
}

TEST(Lanes, AServerIsBusyOrItsAnswerIsOnTheWay) {
  summary::RunData data = evaluatedRun();
  data.rounds[3].record.longestWaitFor = "s0";
  Timeline timeline = lanes::timelineOf(data);  // a quarter of the time
  EXPECT_EQ(lanes::sentenceOf(timeline, timeline.lanes[1], timeline.lanes[1].gaps[0]), "w1 waited 0.50 s for s0: the answer was on its way");
  data.busy[0].record.busy = 2;
  timeline = lanes::timelineOf(data);
  EXPECT_EQ(lanes::sentenceOf(timeline, timeline.lanes[1], timeline.lanes[1].gaps[0]), "w1 waited 0.50 s for s0: it was busy with others");
}

TEST(Lanes, WhatTheRoundBeforeHasLeftUnderWayIsWaitedForFirst) {
  summary::RunData data = evaluatedRun();
  data.rounds[2].record.exchangeBegan = 0.5, data.rounds[2].record.exchangeEnded = 1.25;
  EXPECT_EQ(drawn(lanes::timelineOf(data).lanes[1]), "compute 0-1, wait 1-1.5, compute 1.5-2.5");
}

TEST(Lanes, ALinkHasATrackOfItsOwn) {
  const Timeline timeline = lanes::timelineOf(evaluatedRun());
  ASSERT_EQ(timeline.lanes[1].exchanges.size(), 1U);
  EXPECT_EQ(timeline.lanes[1].exchanges[0].begin, 2);
  EXPECT_EQ(timeline.lanes[1].exchanges[0].end, 2.5);
  EXPECT_EQ(timeline.lanes[1].exchanges[0].bytes, 150);
}

// w1's host is ten seconds ahead and gains another in a thousand; w1 begins one second after w0.
TEST(Lanes, ClocksOfHostsAreAlignedAndDrift) {
  summary::RunData data = evaluatedRun();
  data.nodes[1].host = "far";
  data.clocks = {clockAt("w0", 0, 5000, 0.001), clockAt("s0", 0, 5000), clockAt("w1", 0, 5011),
                 offsetOf("local", 5000, 0, 0.0005), offsetOf("far", 5010, 10, 0.002), offsetOf("far", 6011, 11, 0.002)};
  const Timeline timeline = lanes::timelineOf(data);
  EXPECT_NEAR(timeline.lanes[0].spans[0].begin, 0, 1e-6);
  EXPECT_NEAR(timeline.lanes[1].spans[0].begin, 1, 0.01);
  EXPECT_NEAR(timeline.clockError, 2 * (0.001 + 0.002), 1e-9);
  EXPECT_EQ(lanes::clockNote(timeline), "lanes may be shifted against each other by 6.00 ms at most");

  data.rounds[3].record.t = 1001;  // a thousand seconds later by its own clock
  EXPECT_NEAR(lanes::timelineOf(data).lanes[1].spans.back().end, 1001, 0.01);
}

TEST(Lanes, BeginWithTheFirstWorkerWhateverServersDidBefore) {
  summary::RunData data = evaluatedRun();
  data.clocks = {clockAt("w0", 0, 5003), clockAt("w1", 0, 5003), clockAt("s0", 0, 5000)};
  data.busy[0].record.t = 3.5, data.busy[0].record.span = 1;                            // from half a second before to half a second behind
  data.busy.insert(data.busy.begin(), {.node = "s0", .seq = 1, .record = {.t = 1, .span = 1, .busy = 1}});  // long before
  const Timeline timeline = lanes::timelineOf(data);
  EXPECT_EQ(timeline.lanes[0].spans[0].begin, 0);
  EXPECT_EQ(drawn(timeline.lanes[2]), "serve 0-0.5");
}

TEST(Lanes, RunsOfBeforeHaveOneAxisAndSaySo) {
  summary::RunData data = evaluatedRun();
  data.clocks.clear();
  const Timeline timeline = lanes::timelineOf(data);
  EXPECT_EQ(drawn(timeline.lanes[1]), "compute 0-1, compute 1-2, wait 2-2.5");
  EXPECT_TRUE(std::isnan(timeline.clockError));
  EXPECT_EQ(lanes::clockNote(timeline), "the nodes' clocks were not compared: lanes may be shifted against each other");
}

// Ten thousand rounds of a second each: a view of all has merged ones, a view of some has those and knows the end of all.
TEST(Lanes, OfAStoredRunAreAsDetailedAsAViewShows) {
  const std::string path = (ownFolder() / "a.db").string();
  store::StoreWriter writer(path);
  store::RunRow run;
  run.id = "r1", run.name = "long";
  writer.createRun(run, std::vector{nodeRow("w0", "worker", 0)});
  std::vector<StampedEvent> events{{.run = "r1", .node = "w0", .seq = 1, .event = ClockRecord{.unixTime = 500, .t = 0}}};
  for (std::int64_t n = 1; n <= 10000; ++n)
    events.push_back({.run = "r1", .node = "w0", .seq = n + 1, .event = RoundRecord{.round = n, .t = static_cast<double>(n), .compute = 0.75, .wait = 0.25, .total = 1}});
  writer.append(events);
  const store::StoreReader reader(path);
  lanes::StoredLanes stored(reader, "r1");
  const Timeline all = stored.between(0, 1e9, 1000);
  EXPECT_LE(all.lanes.at(0).spans.size(), 4 * 2 * 1040U);
  EXPECT_EQ(all.lanes[0].spans.front().begin, 0);
  EXPECT_EQ(all.end, 10000);
  EXPECT_EQ(all.lanes[0].spans.front().round, all.lanes[0].spans.front().rounds);
  for (std::size_t i = 1; i < all.lanes[0].spans.size(); ++i)
    if (const Span &before = all.lanes[0].spans[i - 1], &span = all.lanes[0].spans[i]; span.round != before.round) {
      EXPECT_EQ(span.round - span.rounds, before.round);
    }
  EXPECT_GE(all.lanes[0].spans.front().rounds, 8);
  const Timeline some = stored.between(5000, 5010, 1000);
  EXPECT_EQ(some.end, 10000);
  const Span* span = lanes::spanAt(some.lanes[0], 5003.5);
  ASSERT_NE(span, nullptr);
  EXPECT_EQ(span->round, 5004);
  EXPECT_EQ(span->rounds, 1);
  EXPECT_NEAR(span->begin, 5003, 1e-9);
  EXPECT_NEAR(span->end, 5003.75, 1e-9);
}

// w0's second round stands for 32: nobody knows when in their time the longest of their waits was, so that what the other did then is not told.
TEST(Lanes, OfMergedRoundsAWaitHasNoCause) {
  summary::RunData data = evaluatedRun();
  data.rounds[3].record.round = 32, data.rounds[3].merged = 31;
  const Timeline timeline = lanes::timelineOf(data);
  const lanes::Gap& gap = timeline.lanes[1].gaps.at(0);
  EXPECT_EQ(lanes::roundsText(gap.round, gap.rounds), "rounds 2 to 32");
  EXPECT_EQ(lanes::sentenceOf(timeline, timeline.lanes[1], gap), "w1 waited 0.50 s at most, for w0");
}

// far's clock gains a thousandth: after 100 000 s it is 100 s ahead, and a second is looked at.
TEST(Lanes, APartOfARunIsFoundHoweverFarClocksHaveDrifted) {
  const std::string path = (ownFolder() / "a.db").string();
  store::StoreWriter writer(path);
  store::RunRow run;
  run.id = "r1", run.name = "far";
  writer.createRun(run, std::vector{nodeRow("w0", "worker", 0), nodeRow("w1", "worker", 1, "far")});
  std::vector<StampedEvent> events{{.run = "r1", .node = "w0", .seq = 1, .event = ClockRecord{.unixTime = 0, .t = 0}},
                                   {.run = "r1", .node = "w1", .seq = 1, .event = ClockRecord{.unixTime = 0, .t = 0}},
                                   {.run = "r1", .node = "local", .seq = 1, .event = ClockRecord{.unixTime = 0, .offset = 0}},
                                   {.run = "r1", .node = "far", .seq = 1, .event = ClockRecord{.unixTime = 0, .offset = 0}},
                                   {.run = "r1", .node = "far", .seq = 2, .event = ClockRecord{.unixTime = 100100, .offset = 100}}};
  for (std::int64_t n = 1; n <= 10000; ++n)
    for (const auto& [node, pace] : {std::pair{"w0", 1.0}, std::pair{"w1", 1.001}})
      events.push_back({.run = "r1", .node = node, .seq = n + 1, .event = RoundRecord{.round = n, .t = 10 * pace * static_cast<double>(n), .compute = 10 * pace, .total = 10 * pace}});
  writer.append(events);
  const store::StoreReader reader(path);
  const Timeline part = lanes::StoredLanes(reader, "r1").between(90000, 90020, 100);
  for (const Lane& lane : part.lanes) {
    const Span* span = lanes::spanAt(lane, 90005);
    ASSERT_NE(span, nullptr) << lane.name;
    EXPECT_EQ(span->round, 9001) << lane.name;
  }
}

// A laptop slept for an hour: its nodes' clocks go on where they were, the dates do not.
TEST(Lanes, APartBehindASleepIsFound) {
  const std::string path = (ownFolder() / "a.db").string();
  store::StoreWriter writer(path);
  store::RunRow run;
  run.id = "r1", run.name = "slept";
  writer.createRun(run, std::vector{nodeRow("w0", "worker", 0)});
  std::vector<StampedEvent> events{{.run = "r1", .node = "w0", .seq = 1, .event = ClockRecord{.unixTime = 0, .t = 0}},
                                   {.run = "r1", .node = "w0", .seq = 2, .event = ClockRecord{.unixTime = 3700, .t = 100}}};
  for (std::int64_t n = 1; n <= 200; ++n) events.push_back({.run = "r1", .node = "w0", .seq = n + 2, .event = RoundRecord{.round = n, .t = static_cast<double>(n), .compute = 1, .total = 1}});
  writer.append(events);
  const store::StoreReader reader(path);
  const Timeline part = lanes::StoredLanes(reader, "r1").between(3740, 3742, 100);
  const Span* span = lanes::spanAt(part.lanes.at(0), 3740.5);
  ASSERT_NE(span, nullptr);
  EXPECT_EQ(span->round, 141);
}

// Ten hours of a server at five intervals a second: the view of all has few, a part has its own, and what is kept is bounded.
TEST(Lanes, AServersIntervalsAreKeptInFewRows) {
  const std::string path = (ownFolder() / "a.db").string();
  store::StoreWriter writer(path);
  store::RunRow run;
  run.id = "r1", run.name = "long";
  writer.createRun(run, std::vector{nodeRow("s0", "server", -1)});
  std::vector<StampedEvent> events{{.run = "r1", .node = "s0", .seq = 1, .event = ClockRecord{.unixTime = 500, .t = 0}}};
  constexpr std::int64_t kIntervals = 50000;
  for (std::int64_t n = 1; n <= kIntervals; ++n)
    events.push_back({.run = "r1", .node = "s0", .seq = n + 1, .event = BusyRecord{.t = 0.25 * static_cast<double>(n), .span = 0.25, .busy = n % 2 == 0 ? 0.25 : 0}});
  writer.append(events);
  const store::StoreReader reader(path);
  lanes::StoredLanes stored(reader, "r1");
  const Timeline all = stored.between(0, 1e9, 1000);
  EXPECT_EQ(all.end, 0.25 * kIntervals);
  EXPECT_LE(all.lanes.at(0).spans.size(), 4100U);
  double busy = 0;
  for (const Span& span : all.lanes[0].spans) busy += span.share * (span.end - span.begin);
  EXPECT_NEAR(busy, 0.25 * kIntervals / 2, 1e-6);
  const Timeline part = stored.between(5000, 5010, 1000);
  const Span* span = lanes::spanAt(part.lanes[0], 5000.375);
  ASSERT_NE(span, nullptr);
  EXPECT_NEAR(span->end - span->begin, 0.25, 1e-9);
  EXPECT_EQ(span->share, 1);
  EXPECT_LE(part.lanes[0].spans.size(), 100U);
  EXPECT_EQ(part.end, 0.25 * kIntervals);
}

// Real workers are never equal: where lanes are too many, those fold that are unlike by some hundredths, under names in the order of their ranks.
TEST(Lanes, TooManyFoldWhereTheyAreAlikeRoughly) {
  summary::RunData data = evaluatedRun();
  for (int i = 2; i <= 40; ++i) {
    const std::string id = strCat("w", i);
    data.nodes.push_back(nodeRow(id, "worker", i));
    for (std::size_t round : {2U, 3U}) {
      store::RoundRow row = data.rounds[round];
      row.node = id;
      if (round == 3) row.record.compute += 0.03 * (i % 2 == 0 ? 1 : -1), row.record.wait = 1.5 - row.record.compute;
      data.rounds.push_back(row);
    }
  }
  EXPECT_GT(lanes::folded(lanes::timelineOf(data), 0.99).lanes.size(), 3U);
  const Timeline timeline = lanes::foldedToFit(lanes::timelineOf(data));
  ASSERT_EQ(timeline.lanes.size(), 3U);
  EXPECT_EQ(timeline.lanes[1].name, "w1 to w40, 40 alike");
}

TEST(Lanes, FewDoNotFold) {
  summary::RunData data = evaluatedRun();
  data.rounds[0] = data.rounds[2], data.rounds[1] = data.rounds[3];
  data.rounds[0].node = data.rounds[1].node = "w0";
  EXPECT_EQ(lanes::foldedToFit(lanes::timelineOf(data)).lanes.size(), 3U);
}

TEST(Lanes, EqualOnesFold) {
  summary::RunData data = evaluatedRun();
  for (int i = 2; i <= 66; ++i) {
    const std::string id = strCat("w", i);
    data.nodes.push_back(nodeRow(id, "worker", i));
    for (std::size_t round : {2U, 3U}) {
      store::RoundRow row = data.rounds[round];
      row.node = id;
      row.record.t += 0.001 * (i % 3), row.record.total += 0.001 * (i % 3);  // not to the last bit
      data.rounds.push_back(row);
    }
  }
  const Timeline timeline = lanes::folded(lanes::timelineOf(data));
  ASSERT_EQ(timeline.lanes.size(), 3U);
  EXPECT_EQ(timeline.lanes[0].name, "w0");
  EXPECT_EQ(timeline.lanes[1].name, "w1 to w66, 66 alike");
  EXPECT_EQ(timeline.find("w40"), &timeline.lanes[1]);
  EXPECT_EQ(lanes::sentenceOf(timeline, timeline.lanes[1], timeline.lanes[1].gaps[0]), "w1 to w66, 66 alike each waited 0.50 s for w0: it was computing");
}

TEST(Lanes, OfARunWithoutRecordsAreEmpty) {
  summary::RunData data;
  data.nodes = {nodeRow("w0", "worker", 0)};
  const Timeline timeline = lanes::timelineOf(data);
  ASSERT_EQ(timeline.lanes.size(), 1U);
  EXPECT_TRUE(timeline.lanes[0].spans.empty());
  EXPECT_EQ(timeline.end, 0);
}

store::HostLoadRow loadAt(const std::string& host, double unixTime, double cpu) { return {.node = host, .seq = 1, .record = {.t = unixTime, .cpu = cpu}}; }

TEST(Lanes, AHostsLoadLiesBelowItsNodes) {
  summary::RunData data = evaluatedRun();
  data.hostLoads = {loadAt("local", -0.5, 0.9), loadAt("local", 0.5, 0.25), loadAt("local", 1.5, 0.5), loadAt("local", 9, 1), loadAt("elsewhere", 1, 1), loadAt("elsewhere", 2, 1)};
  const Timeline timeline = lanes::timelineOf(data);
  ASSERT_EQ(timeline.lanes.size(), 4U);  // none of a host that has no node
  const Lane& load = timeline.lanes[3];
  EXPECT_EQ(load.name, "local CPU");
  EXPECT_EQ(load.role, lanes::kHostRole);
  EXPECT_EQ(drawn(load), "host CPU 0-0.5, host CPU 0.5-1.5, host CPU 1.5-2.5");  // what was before the first worker, and behind the end, is cut
  EXPECT_EQ(load.spans[0].share, 0.25);
  EXPECT_EQ(load.spans[2].share, 1);
  EXPECT_EQ(timeline.end, 2.5);
  EXPECT_EQ(timeline.find("host local"), &load);
}

// Its clock is 100 s ahead of the recorder's.
TEST(Lanes, AHostsLoadIsMovedByItsClock) {
  summary::RunData data = evaluatedRun();
  data.nodes[1].host = "gpu1";
  data.clocks = {clockAt("w0", 0, 1000), clockAt("s0", 0, 1000), clockAt("w1", 0, 1100), offsetOf("local", 1000, 0), offsetOf("gpu1", 1100, 100)};
  data.hostLoads = {loadAt("gpu1", 1100, 0), loadAt("gpu1", 1101, 0.5), loadAt("local", 1001, 0), loadAt("local", 1002, 0.75)};
  const Timeline timeline = lanes::timelineOf(data);
  ASSERT_EQ(timeline.lanes.size(), 5U);
  EXPECT_EQ(timeline.lanes[3].name + ": " + drawn(timeline.lanes[3]), "gpu1 CPU: host CPU 0-1");
  EXPECT_EQ(timeline.lanes[4].name + ": " + drawn(timeline.lanes[4]), "local CPU: host CPU 1-2");
}

TEST(Lanes, AHostsLoadIsNotShownWhereNoNodeToldItsDates) {
  summary::RunData data = evaluatedRun();
  data.clocks.clear();
  data.hostLoads = {loadAt("local", 0, 1), loadAt("local", 1, 1)};
  EXPECT_EQ(lanes::timelineOf(data).lanes.size(), 3U);
}

// Ten hours: what is kept is bounded, and the busy time stays.
TEST(StoredLanes, KeepTheBusyTimeOfAHostThatToldOften) {
  constexpr std::int64_t kTold = 36000;
  const std::string path = (tests::ownFolder() / "a.db").string();
  store::StoreWriter writer(path);
  store::RunRow run;
  run.id = "r1", run.name = "long";
  writer.createRun(run, std::vector{nodeRow("w0", "worker", 0)});
  std::vector<StampedEvent> events{{.run = "r1", .node = "w0", .seq = 1, .event = ClockRecord{.unixTime = 0, .t = 0}}};
  double busy = 0;
  for (std::int64_t i = 0; i <= kTold; ++i) {
    HostLoad load{.t = static_cast<double>(i), .cpu = static_cast<double>(i % 11) / 10};
    events.push_back({.run = "r1", .node = "local", .seq = i + 1, .event = load});
    busy += i > 0 ? load.cpu : 0;
  }
  events.push_back({.run = "r1", .node = "w0", .seq = 2, .event = RoundRecord{.round = 1, .t = kTold, .compute = kTold, .total = kTold}});
  writer.append(events);
  const store::StoreReader reader(path);
  const Timeline timeline = lanes::StoredLanes(reader, "r1").between(0, kTold, 1000);
  ASSERT_EQ(timeline.lanes.size(), 2U);
  const Lane& load = timeline.lanes[1];
  EXPECT_LE(load.spans.size(), 4096U);
  double kept = 0;
  for (const Span& span : load.spans) kept += span.share * (span.end - span.begin);
  EXPECT_NEAR(kept, busy, 1e-6);
  EXPECT_EQ(load.spans.front().begin, 0);
  EXPECT_EQ(load.spans.back().end, kTold);
}

}  // namespace
}  // namespace paceline::tests
