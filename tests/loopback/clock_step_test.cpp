// A computer whose clock is set by an hour while real workers and a server train on it: all that is measured goes on as if nothing had happened.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/core/record/event.h"
#include "tests/loopback/loopback_fixture.h"
#include "tests/support/stepped_clock.h"

namespace paceline::tests {
namespace {

constexpr double kHalfAnHour = 1800;  // far from the hour of a step, far from the time that a run here takes

using Set = std::tuple<const char*, int>;  // the algorithm, the step

class ComputersClockIsSet : public LoopbackTest, public ::testing::WithParamInterface<Set> {
 protected:
  // This process, its supervisor and its nodes: those obey the preloaded library, the agent is one that obeys.
  void SetUp() override {
#if defined(PACELINE_SANITIZED)
    GTEST_SKIP() << "a sanitizer's library must be the first";
#endif
    const std::filesystem::path bin = folder_ / "bin";
    std::filesystem::create_directory(bin);
    for (const char* program : {"paceline-worker", "paceline-server"}) std::filesystem::create_symlink(std::string(PACELINE_BIN_DIR "/") + program, bin / program);
    std::filesystem::create_symlink(PACELINE_TEST_DIR "/paceline-agent-stepped", bin / "paceline-agent");
    spec_ = spec(std::get<0>(GetParam()), {{"stop", {{"rounds", 100}}}});
    ::setenv("PACELINE_BIN", bin.c_str(), 1);
    ::setenv(kClockStepVariable, clock_.path().c_str(), 1);
    ::setenv("LD_PRELOAD", PACELINE_TEST_DIR "/stepped-clock.so", 1);
  }
  ~ComputersClockIsSet() override { stepOwnClock(0); }

  void expectGrowing(const std::string& what, double value, double& latest) {
    EXPECT_GE(value, latest) << what;
    EXPECT_LT(value, latest + kHalfAnHour) << what;
    latest = value;
  }

  RunSpec spec_;
  ClockStep clock_{(folder_ / "clock").string()};
};

TEST_P(ComputersClockIsSet, AndTheRunIsMeasuredAsBefore) {
  const int step = std::get<1>(GetParam());
  const double before = unixNow();
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records, atRound(10, [&](const std::string&) {
                                                     clock_.set(step);
                                                     stepOwnClock(step);
                                                   })}).run(spec_);
  EXPECT_NEAR(unixNow(), before + step, kHalfAnHour) << "this test needs a clock that was set";
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.reason, "rounds");

  const store::StoreReader store(storePath());
  std::map<std::string, double> at;
  for (const store::RoundRow& row : store.rounds(outcome.run)) {
    expectGrowing(row.node + " round", row.record.t, at[row.node]);
    for (const double phase : {row.record.fetch, row.record.compute, row.record.update, row.record.send, row.record.wait, row.record.receive, row.record.query, row.record.total}) {
      EXPECT_GE(phase, 0) << row.node << " round " << row.record.round;
      EXPECT_LT(phase, kHalfAnHour) << row.node << " round " << row.record.round;
    }
  }
  EXPECT_EQ(at.size(), 2U);
  double evaluated = 0;
  for (const store::EvaluationRow& row : store.evaluations(outcome.run)) expectGrowing("evaluation", row.record.t, evaluated);
  const store::RunRow run = row(outcome.run);
  for (const store::NoticeRow& notice : store.notices(outcome.run)) EXPECT_NEAR(notice.record.unixTime, before, kHalfAnHour) << notice.node << " " << notice.record.kind;
  EXPECT_GE(run.endedUtc, run.startedUtc);
  EXPECT_LT(run.endedUtc, run.startedUtc + kHalfAnHour);
  expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(ByAnHour, ComputersClockIsSet, ::testing::Combine(::testing::Values("ssgd", "asgd", "esync"), ::testing::Values(3600, -3600)),
                         [](const auto& info) { return std::get<0>(info.param) + std::string(std::get<1>(info.param) > 0 ? "Ahead" : "Back"); });

}  // namespace
}  // namespace paceline::tests
