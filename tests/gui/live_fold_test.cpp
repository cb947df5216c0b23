#include "app/models/runs/live_run.h"

#include <gtest/gtest.h>

#include "app/models/words.h"
#include "tests/support/stepped_clock.h"

namespace paceline::tests {
namespace {

store::RunRow running(const std::string& stop) {
  store::RunRow row;
  row.id = "r1", row.state = store::RunState::kRunning;
  row.specText = R"({"paceline":1,"algorithm":{"id":"ssgd"},"model":{"id":"logistic"},"dataset":{"id":"synthetic"},
    "nodes":[{"id":"w0","role":"worker"},{"id":"w1","role":"worker"}],"evaluate":{"every_rounds":1,"on":"w0"},"stop":)" +
                 stop + "}";
  return row;
}

std::vector<store::NodeRow> nodes() {
  std::vector<store::NodeRow> rows(3);
  const char* const ids[] = {"w1", "s0", "w0"};
  const char* const roles[] = {"worker", "server", "worker"};
  const int ranks[] = {1, -1, 0};
  for (std::size_t i = 0; i < 3; ++i) rows[i].run = "r1", rows[i].id = ids[i], rows[i].role = roles[i], rows[i].rank = ranks[i];
  return rows;
}

store::RoundRow round(const std::string& node, int n, double seconds = 1.0) {
  store::RoundRow row;
  row.node = node;
  row.record.round = n, row.record.t = n * seconds, row.record.total = seconds;
  row.record.compute = 0.6 * seconds, row.record.wait = 0.3 * seconds, row.record.samples = 32, row.record.localSteps = 2;
  row.record.bytesSent = 10, row.record.bytesReceived = 20;
  return row;
}

TEST(LiveFold, WorkersComeByRankThenServers) {
  runs::LiveFold fold(running(R"({"rounds":10})"), nodes());
  const auto& lines = fold.snapshot().nodes;
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].id, "w0");
  EXPECT_EQ(lines[1].id, "w1");
  EXPECT_EQ(lines[2].id, "s0");
}

TEST(LiveFold, TimeIsSplitAsItIsRecorded) {
  runs::LiveFold fold(running(R"({"rounds":10})"), nodes());
  for (int i = 1; i <= 4; ++i) {
    store::RoundRow row = round("w0", i);
    row.record.fetch = 0.02, row.record.update = 0.03, row.record.send = 0.01, row.record.wait = 0.04, row.record.receive = 0.05, row.record.query = 0.06, row.record.evaluate = 0.19;
    fold.add(row);
  }
  const runs::WorkerLine& w0 = fold.snapshot().nodes[0];
  const double expected[] = {0.02, 0.6, 0.03, 0.01, 0.04, 0.05, 0.06, 0.19};
  for (std::size_t i = 0; i < runs::kPhases.size(); ++i) EXPECT_NEAR(w0.share(i), expected[i], 1e-12) << runs::kPhases[i].word;
  EXPECT_NEAR(w0.busy(), 0.65, 1e-12);
  EXPECT_NEAR(w0.samplesPerSecond, 32, 1e-12);
  EXPECT_EQ(w0.bytesSent, 40);
}

TEST(LiveFold, LocalStepsAndStalenessAreOfAllRounds) {
  runs::LiveFold fold(running(R"({"rounds":10})"), nodes());
  for (int i = 1; i <= 4; ++i) {
    store::RoundRow row = round("w0", i);
    row.record.localSteps = i == 4 ? 1 : 5, row.record.staleness = i == 4 ? 0 : 2;
    fold.add(row);
  }
  const runs::WorkerLine& w0 = fold.snapshot().nodes[0];
  EXPECT_DOUBLE_EQ(w0.localSteps, 4);
  EXPECT_EQ(w0.lastLocalSteps, 1);
  EXPECT_DOUBLE_EQ(w0.staleness, 1.5);
}

TEST(LiveFold, ElapsedTimeIsOfTheTrainingNotOfTheAttaching) {
  runs::LiveSnapshot shot;
  shot.seconds = 3600;
  shot.run.state = store::RunState::kRunning, shot.run.startedUtc = 1'000'000;  // written when it was attached to
  EXPECT_DOUBLE_EQ(runs::elapsedSeconds(shot, 1'000'010), 3600);
  EXPECT_DOUBLE_EQ(runs::elapsedSeconds(shot, 1'005'000), 5000);
  shot.run.state = store::RunState::kFailed, shot.run.endedUtc = 1'900'000;  // when its end was found out
  EXPECT_DOUBLE_EQ(runs::elapsedSeconds(shot, 2'000'000), 3600);
  shot.run.state = store::RunState::kStale;
  EXPECT_DOUBLE_EQ(runs::elapsedSeconds(shot, 2'000'000), 3600);
}

TEST(LiveRun, ElapsedTimeGoesOnWhenTheDesktopsClockIsSet) {
  runs::LiveRun run("/no such store");
  run.follow("r1");
  const double before = run.now();
  for (const int step : {3600, -3600}) {
    stepOwnClock(step);
    EXPECT_NEAR(run.now(), before, 1800) << step;
  }
  run.follow("r2");
  EXPECT_NEAR(run.now(), before - 3600, 1800) << "by the clock when it came there";
  stepOwnClock(0);
}

TEST(LiveFold, EveryByteOnTheNetworkIsCountedOnce) {
  runs::LiveFold served(running(R"({"rounds":10})"), nodes());
  served.add(round("w0", 1));
  EXPECT_EQ(served.snapshot().bytes, 30);
  auto workers = nodes();
  std::erase_if(workers, [](const store::NodeRow& node) { return node.role == "server"; });
  runs::LiveFold ring(running(R"({"rounds":10})"), workers);
  ring.add(round("w0", 1));
  EXPECT_EQ(ring.snapshot().bytes, 10);
}

store::EvaluationRow evaluation(const std::string& node, double t, double accuracy, const std::string& of = "") {
  store::EvaluationRow row;
  row.node = node;
  row.record.t = t, row.record.accuracy = accuracy, row.record.of = of;
  return row;
}

std::vector<store::NodeRow> withEvaluator() {
  std::vector<store::NodeRow> rows = nodes();
  rows.push_back({.run = "r1", .id = "e0", .role = "evaluator", .host = "local", .device = "cpu"});
  return rows;
}

TEST(LiveFold, AnEvaluatorNodesEvaluationsAreShownAndItDoesNotTrain) {
  runs::LiveFold fold(running(R"({"rounds":10})"), withEvaluator());
  store::NoticeRow started;
  started.node = "e0", started.record.kind = "started";
  fold.add(started);
  fold.add(evaluation("w0", 1, 0.9));  // of before the evaluator was there
  fold.add(evaluation("e0", 2, 0.3));
  fold.add(evaluation("w0", 3, 0.9));
  fold.add(evaluation("e0", 4, 0.4));
  EXPECT_EQ(fold.snapshot().accuracy, (std::vector<double>{0.3, 0.4}));
  EXPECT_EQ(fold.snapshot().accuracyBest, 0.4);
  EXPECT_EQ(fold.snapshot().nodes.back().state, "evaluating");
  EXPECT_EQ(fold.snapshot().samples, 0);
}

TEST(LiveFold, OfADecentralisedRunTheMeanIsShown) {
  runs::LiveFold fold(running(R"({"rounds":10})"), withEvaluator());
  fold.add(evaluation("e0", 1, 0.2, "w0"));
  fold.add(evaluation("e0", 1, 0.5, "mean"));
  fold.add(evaluation("e0", 2, 0.1, "w1"));
  fold.add(evaluation("e0", 2, 0.6, "mean"));
  EXPECT_EQ(fold.snapshot().accuracySeconds, (std::vector<double>{1, 2}));
  EXPECT_EQ(fold.snapshot().accuracyLast, 0.6);
}

TEST(LiveFold, OfWorkersThatEvaluateThemselvesTheEvaluatingOneIsShown) {
  runs::LiveFold fold(running(R"({"rounds":10})"), nodes());
  fold.add(evaluation("w1", 1, 0.8));
  fold.add(evaluation("w0", 1, 0.5));
  fold.add(evaluation("w1", 2, 0.9));
  EXPECT_EQ(fold.snapshot().accuracyLast, 0.5);
  EXPECT_EQ(fold.snapshot().accuracyBest, 0.5);
}

TEST(LiveFold, AnEndedRunShowsEachWorkersRateOverAllItsRounds) {
  store::RunRow run = running(R"({"rounds":100})");
  runs::LiveFold fold(run, nodes());
  for (int i = 1; i <= 99; ++i) fold.add(round("w0", i));
  store::RoundRow evaluated = round("w0", 100);
  evaluated.record.total = 2;  // the last round had an evaluation
  fold.add(evaluated);
  EXPECT_LT(fold.snapshot().nodes[0].samplesPerSecond, 3200.0 / 101 - 0.1);  // the latest rounds alone
  run.state = store::RunState::kFinished;
  fold.setRun(run);
  EXPECT_NEAR(fold.snapshot().nodes[0].samplesPerSecond, 3200.0 / 101, 1e-9);
}

TEST(LiveFold, SamplesOfARoundAreSpreadOverItsTime) {
  runs::LiveFold fold(running(R"({"rounds":10})"), nodes());
  store::RoundRow slow = round("w1", 1);
  slow.record.t = slow.record.total = 10, slow.record.samples = 100;
  fold.add(slow);
  const runs::LiveSnapshot& shot = fold.snapshot();
  ASSERT_GT(shot.rate.size(), 10u);
  for (const double rate : shot.rate) EXPECT_NEAR(rate, 10, 1e-9);
}

TEST(LiveFold, BucketsMergeAndLoseNothing) {
  runs::LiveFold fold(running(R"({"rounds":100000})"), nodes());
  for (int i = 1; i <= 5000; ++i) fold.add(round("w0", i));
  const runs::LiveSnapshot& shot = fold.snapshot();
  EXPECT_LE(shot.rate.size(), 240u);
  for (const double rate : shot.rate) EXPECT_NEAR(rate, 32, 1e-6);
}

TEST(LiveFold, NoticesBecomeStatesAndLogLines) {
  runs::LiveFold fold(running(R"({"rounds":10})"), nodes());
  store::NoticeRow notice;
  notice.node = "w1", notice.record.kind = "failed", notice.record.text = "no such device";
  const auto line = fold.add(notice);
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->level, "error");
  EXPECT_EQ(line->text, "failed: no such device");
  EXPECT_EQ(fold.snapshot().nodes[1].state, "failed");
}

TEST(LiveFold, ALineOfTheLogIsOneSentence) {
  runs::LiveFold fold(running(R"({"rounds":10})"), nodes());
  const auto told = [&fold](const NoticeRecord& record) {
    store::NoticeRow notice;
    notice.node = "w1", notice.record = record;
    return fold.add(notice)->text;
  };
  EXPECT_EQ(told({.kind = "exit", .text = "ended with exit code 1", .level = "error", .reason = "exit_code", .code = 1}), "ended with exit code 1");
  EXPECT_EQ(told({.kind = "failed", .text = "no such device", .level = "error", .reason = "device"}), "failed: no such device");
  EXPECT_EQ(told({.kind = "note", .text = "the run is ended because a node failed", .level = "info", .reason = "failure"}), "the run is ended because a node failed");
  EXPECT_EQ(told({.kind = "finished", .text = "", .level = "info", .reason = "rounds"}), "finished: reached its rounds");
  EXPECT_EQ(told({.kind = "listening", .text = "", .level = "info", .reason = ""}), "listening");
}

TEST(LiveFold, AServerServes) {
  runs::LiveFold fold(running(R"({"rounds":10})"), nodes());
  std::size_t server = 0;
  while (fold.snapshot().nodes.at(server).role != "server") ++server;
  store::NoticeRow notice;
  notice.node = fold.snapshot().nodes[server].id, notice.record.kind = "started";
  fold.add(notice);
  EXPECT_EQ(fold.snapshot().nodes[server].state, "serving");
  runs::WorkersModel table;
  table.take(fold.snapshot().nodes);
  EXPECT_EQ(table.index(static_cast<int>(server), runs::WorkersModel::kSent).data().toString(), "—");  // its workers record it
}

TEST(LiveFold, ANodeOfAStaleRunIsNotSaidToTrain) {
  runs::LiveFold fold(running(R"({"rounds":10})"), nodes());
  fold.add(round("w0", 1));
  EXPECT_EQ(fold.snapshot().nodes[0].state, "training");
  store::RunRow stale = running(R"({"rounds":10})");
  stale.state = store::RunState::kStale;
  fold.setRun(stale);
  EXPECT_EQ(fold.snapshot().nodes[0].state, "not known");
}

TEST(Words, DurationsAndRates) {
  EXPECT_EQ(durationText(4.24), "4.2 s");
  EXPECT_EQ(durationText(200), "3 min 20 s");
  EXPECT_EQ(durationText(3900), "1 h 05 min");
  EXPECT_EQ(etaText(200, 205), "about 3 min left");
  EXPECT_EQ(etaText(std::nullopt, 3), "");
  EXPECT_EQ(bytesText(44.7e6), "44.7 MB");
  EXPECT_EQ(percentText(std::nullopt), "—");
}

}  // namespace
}  // namespace paceline::tests
