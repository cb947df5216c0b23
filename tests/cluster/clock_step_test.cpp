// A computer whose clock is set by an hour while a run goes on: the supervisor and the nodes of one host, or the desktop. The nodes do not train.
#include <gmock/gmock.h>

#include "engine/core/record/event.h"
#include "tests/cluster/fleet_fixture.h"
#include "tests/storage/samples.h"
#include "tests/support/stepped_clock.h"

namespace paceline::tests {
namespace {

constexpr double kHalfAnHour = 1800;  // far from the hour of a step, far from the time that a run here takes

class ClockIsSet : public FleetTest, public ::testing::WithParamInterface<int> {
 protected:
  ClockIsSet() {
    const std::filesystem::path agent = folder_ / "bin" / "paceline-agent";  // its clock can be set
    std::filesystem::remove(agent);
    std::filesystem::create_symlink(PACELINE_TEST_DIR "/paceline-agent-stepped", agent);
    env_["a"][kClockStepVariable] = clock_.path();
  }
  ~ClockIsSet() override { stepOwnClock(0); }

  run::RunOutcome ran(std::int64_t rounds, const std::function<void()>& atRound10) {
    run::RecordWriter records(storePath());
    return session(records, atRoundOf("w0", 10, [&](const std::string&) { atRound10(); })).run(spec(rounds));
  }

  // All rounds once, no connection made again, and dates as far apart as what happened.
  void expectUnharmed(const run::RunOutcome& outcome, std::int64_t rounds) {
    EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
    EXPECT_EQ(outcome.reason, "rounds");
    expectAllRoundsOnce(outcome.run, rounds);
    const store::RunRow row = this->row(outcome.run);
    EXPECT_GE(row.endedUtc, row.startedUtc);
    EXPECT_LT(row.endedUtc, row.startedUtc + kHalfAnHour);
    for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(outcome.run))
      EXPECT_NEAR(notice.record.unixTime, row.startedUtc, kHalfAnHour) << notice.node << " " << notice.record.kind;
    for (const store::HostLoadRow& load : store::StoreReader(storePath()).records<HostLoad>(outcome.run)) EXPECT_NEAR(load.record.t, row.startedUtc, kHalfAnHour);
  }
  double wallClockOf(const std::string& name) {
    const std::string ask = "\n";
    const auto said = hosts::runOn(*there(name), {(folder_ / "bin" / "paceline-agent").string(), "clock"}, {.input = &ask});
    return Json::parse(said.lines.at(0)).at("unix_s");
  }

  ClockStep clock_{(folder_ / "clock-of-a").string()};
};

TEST_P(ClockIsSet, OfAHostInARun) {
  int connections = 0;
  const run::RunOutcome outcome = ran(300, [&] {
    clock_.set(GetParam());
    connections = cable("a").connections;
  });
  EXPECT_NEAR(wallClockOf("a"), unixNow() + GetParam(), kHalfAnHour) << "this test needs a clock that was set";
  expectUnharmed(outcome, 300);
  EXPECT_EQ(cable("a").connections, connections) << "a lease or a timeout ended the connection";

  // The next run there has the new clock's dates.
  const run::RunOutcome next = ran(20, [] {});
  for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(next.run))
    EXPECT_NEAR(notice.record.unixTime, unixNow() + (notice.node == "w1" || notice.node == "b" ? 0 : GetParam()), kHalfAnHour) << notice.node << " " << notice.record.kind;
  std::map<std::string, double> offsets;
  for (const store::ClockRow& clock : store::StoreReader(storePath()).records<ClockRecord>(next.run))
    if (clock.record.offset) offsets[clock.node] = *clock.record.offset;
  EXPECT_NEAR(offsets.at("a"), GetParam(), 60);
  EXPECT_NEAR(offsets.at("b"), 0, 60);
  const store::RunRow row = this->row(next.run);
  EXPECT_NEAR(row.startedUtc, unixNow() + GetParam(), kHalfAnHour) << "of the host that the coordinator is on";
  EXPECT_NEAR(row.endedUtc, row.startedUtc, kHalfAnHour);
}

TEST_P(ClockIsSet, OfTheDesktopInARun) {
  std::map<std::string, int> connections;
  const double before = unixNow();
  const run::RunOutcome outcome = ran(300, [&] {
    stepOwnClock(GetParam());
    for (const char* name : {"a", "b"}) connections[name] = cable(name).connections;
  });
  EXPECT_NEAR(unixNow(), before + GetParam(), kHalfAnHour) << "this test needs a clock that was set";
  expectUnharmed(outcome, 300);
  for (const auto& [name, count] : connections) EXPECT_EQ(cable(name).connections, count) << name;
}

TEST_P(ClockIsSet, OfWhoWritesTheStatesOfARun) {
  store::StoreWriter writer(storePath());
  writer.createRun(makeRun("r1", "run", store::RunState::kChecking), {});
  writer.setState("r1", store::RunState::kRunning);
  stepOwnClock(GetParam());
  writer.setState("r1", store::RunState::kFailed, "w1 was killed");
  EXPECT_GE(row("r1").endedUtc, row("r1").startedUtc);
  EXPECT_LT(row("r1").endedUtc, row("r1").startedUtc + kHalfAnHour);
}

INSTANTIATE_TEST_SUITE_P(ByAnHour, ClockIsSet, ::testing::Values(3600, -3600), [](const auto& info) { return info.param > 0 ? "Ahead" : "Back"; });

}  // namespace
}  // namespace paceline::tests
