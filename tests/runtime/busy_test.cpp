// What a server records of its own work: intervals, and in them every second of work and waiting once.
#include <gtest/gtest.h>

#include "engine/runtime/books/busy_book.h"
#include "tests/comm/fakes.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

struct Desk {
  RunSpec spec = clusterOf("ssgd", 1, 1);
  FakeClock clock;
  FakeWire wire{clock};
  MeteredWire meter{wire};
  std::vector<BusyRecord> records;
  NodeRun run{.spec = spec, .node = 1, .wire = wire, .clock = clock, .emit = [this](const Event& event) { records.push_back(std::get<BusyRecord>(event)); }};
  BusyBook book{run, meter, 0};

  void at(double time) { clock.time = time; }
  void comes(double time, double takenAt = 0, std::int64_t behind = 0) {
    wire.incoming.emplace_back(time, messageFrom(0));
    at(time);
    Message message = meter.receive(0).value();
    message.takenAt = takenAt, message.behind = behind;
    book.arrived(message);
  }
  void handled(double from, double to) {
    at(from), book.begun();
    at(to), book.ended();
  }
};

TEST(Busy, AnIntervalHasItsWorkAndItsWaiting) {
  Desk desk;
  desk.comes(1);
  desk.comes(1.02);
  desk.handled(1.05, 1.10);  // waited 0.05
  desk.handled(1.10, 1.15);  // waited 0.08
  desk.at(2), desk.book.rest();
  ASSERT_EQ(desk.records.size(), 1U);
  const BusyRecord& record = desk.records[0];
  EXPECT_NEAR(record.t, 1.15, 1e-12);
  EXPECT_NEAR(record.span, 0.15, 1e-12);
  EXPECT_NEAR(record.busy, 0.10, 1e-12);
  EXPECT_NEAR(record.queued, 0.13, 1e-12);
  EXPECT_EQ(record.messages, 2);
  EXPECT_EQ(record.longestQueue, 2);
  EXPECT_EQ(record.bytesReceived, 2 * static_cast<std::int64_t>(wireBytes(messageFrom(0))));
  EXPECT_EQ(record.bytesSent, 0);
}

TEST(Busy, ThreadsAddUp) {
  Desk desk;
  desk.comes(0), desk.comes(0);
  desk.at(0), desk.book.begun(), desk.book.begun();
  desk.at(0.3), desk.book.ended(), desk.book.ended();
  desk.book.finish();
  ASSERT_EQ(desk.records.size(), 1U);
  EXPECT_NEAR(desk.records[0].busy, 0.6, 1e-12);
  EXPECT_NEAR(desk.records[0].span, 0.3, 1e-12);
}

TEST(Busy, WhatTheWireHadKeptCountsAsWaiting) {
  Desk desk;
  desk.comes(1, 0.75, 4);
  desk.handled(1, 1);
  desk.book.finish();
  EXPECT_NEAR(desk.records.at(0).queued, 0.25, 1e-12);
  EXPECT_EQ(desk.records.at(0).longestQueue, 5);
}

// However many messages come, and with pauses of any length.
TEST(Busy, ThereAreAtMostFiveRecordsASecondAndNothingIsLost) {
  Desk desk;
  double time = 0, worked = 0;
  int messages = 0;
  for (; time < 20; ++messages) {
    desk.comes(time);
    desk.handled(time, time + 0.001);
    worked += 0.001;
    time += messages % 100 == 99 ? 0.35 : 0.002;
  }
  desk.book.finish();
  EXPECT_LE(desk.records.size(), 101U);
  double busy = 0, last = 0;
  std::int64_t seen = 0, bytes = 0;
  for (const BusyRecord& record : desk.records) {
    EXPECT_GE(record.t - record.span, last - 1e-9);
    EXPECT_LE(record.busy, record.span + 1e-9);
    last = record.t;
    busy += record.busy, seen += record.messages, bytes += record.bytesReceived;
  }
  EXPECT_NEAR(busy, worked, 1e-9);
  EXPECT_EQ(seen, messages);
  EXPECT_EQ(bytes, desk.meter.traffic().bytesReceived);
}

TEST(Busy, AServersRecordsHaveAllThatWasExchanged) {
  const SimResult result = runInSim(clusterOf("asgd", 3, 1), quadratic());
  std::map<std::string, double> totals;
  for (const MetricRecord& metric : result.of<MetricRecord>(3)) totals[metric.name] = metric.value;
  std::int64_t messages = 0, sent = 0;
  for (const BusyRecord& record : result.of<BusyRecord>(3)) {
    messages += record.messages, sent += record.bytesSent;
    EXPECT_EQ(record.busy, 0);  // serving takes no virtual time
    EXPECT_EQ(record.queued, 0);
  }
  EXPECT_EQ(messages, static_cast<std::int64_t>(totals.at("messages_from_workers")) - 3);  // the last one of each is its bye
  EXPECT_EQ(sent, static_cast<std::int64_t>(totals.at("bytes_to_workers")));
}

TEST(Busy, AnEvaluatorsRecordsHaveItsEvaluations) {
  RunSpec spec = clusterOf("ssgd", 2, 1);
  spec.nodes.emplace_back().id = "e0";
  spec.nodes.back().role = Role::kEvaluator;
  const SimResult result = runInSim(spec, quadratic());
  std::int64_t messages = 0;
  for (const BusyRecord& record : result.of<BusyRecord>(3)) messages += record.messages;
  EXPECT_GE(messages, 10);
}

}  // namespace
}  // namespace paceline::tests
