// A run that lost what it cannot do without goes on by itself: who takes its place in queue and suite, how often, what is not gone on with, hosts that are away meanwhile.
#include "app/cluster/recorder/resumption.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <fstream>

#include "app/cluster/recorder/protocol.h"
#include "app/cluster/recorder/suites.h"
#include "engine/core/json/json_text.h"
#include "tests/recorder/recorder_fixture.h"

namespace paceline::tests {
namespace {

using recorder::Client;
using recorder::Entry;
using recorder::EntryKind;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

class GoesOn : public RecorderTest {
 protected:
  static RunSpec kept(std::int64_t rounds, const std::string& habits, int resumes) {
    RunSpec kept = spec(rounds, habits);
    kept.checkpointEveryRounds = 3, kept.checkpointResumes = resumes;
    return kept;
  }
  store::StoreReader store() const { return store::StoreReader(storePath()); }
  // A lost run of four rounds, before its first checkpoint, whose entry is still in the queue; its id.
  std::string lostUnderAnother(const std::string& boot) const {
    const RunSpec document = kept(4, "", 3);
    store::RunRow lost = run::newRunRow(document, "", {}, "");
    lost.versions = R"({"lost": {"checkpointed": false}})";
    store::StoreWriter writer(storePath());
    writer.createRun(lost, run::nodeRows(lost.id, document));
    writer.setState(lost.id, store::RunState::kFailed, "w0 was killed by signal 9 (SIGKILL)", "failure");
    writer.enqueue({.position = 1, .kind = "run", .run = lost.id, .specText = lost.specText, .name = lost.name, .begun = true, .boot = boot, .context = "{}"});
    return lost.id;
  }
  // From the run that was handed in to the last one that took its place.
  static std::vector<Entry> chain(Client& desk, const std::string& first) {
    std::vector<Entry> all{ended(desk, first)};
    for (;;) {
      const std::vector<Entry> queue = desk.queue();
      const auto next = std::ranges::find(queue, all.back().run, &Entry::insteadOf);
      if (next == queue.end()) return all;
      all.push_back(next->ended ? *next : ended(desk, next->run));
    }
  }
  static std::vector<std::string> texts(const std::vector<Entry>& entries) {
    std::vector<std::string> all;
    for (const Entry& entry : entries) all.push_back(entry.text);
    return all;
  }
};

TEST_F(GoesOn, AsOftenAsItsDocumentSays) {
  Client desk = client();
  const std::vector<Entry> all = chain(desk, desk.submit(submission({kept(100'000, "w0=checkpoint_at:3;w0=die_at:5", 2)})).at(0).run);
  EXPECT_THAT(texts(all), ElementsAre("w0 was killed by signal 9 (SIGKILL); it goes on from its newest checkpoint, 1 more time at most (checkpoint.resumes)",
                                      "w0 was killed by signal 9 (SIGKILL); it goes on from its newest checkpoint, 0 more times at most (checkpoint.resumes)", "w0 was killed by signal 9 (SIGKILL)"));
  EXPECT_EQ(run::resumedFrom(row(all[0].run)), "");
  EXPECT_EQ(run::resumedFrom(row(all[1].run)), all[0].run);
  EXPECT_EQ(run::resumedFrom(row(all[2].run)), all[1].run);
  EXPECT_EQ(run::goesOn(row(all[1].run)).value().insteadOf, all[0].run);
  EXPECT_EQ(row(all[1].run).name, row(all[0].run).name);
  EXPECT_EQ(row(all[2].run).error, "w0 was killed by signal 9 (SIGKILL)");
  EXPECT_EQ(store().runs().size(), 3U);
}

TEST_F(GoesOn, FromItsBeginningWhereItHasNoCheckpointYet) {
  Client desk = client();
  const std::vector<Entry> all = chain(desk, desk.submit(submission({kept(100'000, "w0=die_at:2", 1)})).at(0).run);
  EXPECT_THAT(texts(all), ElementsAre("w0 was killed by signal 9 (SIGKILL); it had no checkpoint yet and begins again, 0 more times at most (checkpoint.resumes)", "w0 was killed by signal 9 (SIGKILL)"));
  EXPECT_EQ(run::resumedFrom(row(all[1].run)), "");
  EXPECT_EQ(run::goesOn(row(all[1].run)).value().insteadOf, all[0].run);
  EXPECT_EQ(roundsOf(all[1].run, "w0"), (std::vector<std::int64_t>{1}));
}

// What a node refuses it would refuse again.
TEST_F(GoesOn, NotWhereANodeFailedByItself) {
  Client desk = client();
  EXPECT_THAT(texts(chain(desk, desk.submit(submission({kept(100'000, "w1=fail_at:5", 3)})).at(0).run)), ElementsAre("w1: data has a hole"));
  EXPECT_THAT(texts(chain(desk, desk.submit(submission({kept(100'000, "w1=refuse", 3)})).at(0).run)), ElementsAre("w1: data is not here"));
  EXPECT_EQ(store().runs().size(), 2U);
}

TEST_F(GoesOn, InItsPlaceOfQueueAndSuite) {
  std::vector<RunSpec> specs{kept(100'000, "w0=die_at:2", 1), spec(3), spec(3)};
  for (std::size_t i = 0; i < specs.size(); ++i) specs[i].name = strCat("sweep ", i), specs[i].seed = i;
  recorder::Submission wanted = submission(specs);
  wanted.suite = "sweep";
  Client desk = client();
  const std::vector<Entry> first = desk.submit(wanted);
  allEnded(desk);
  const store::SuiteRow suite = recorder::suiteOf(store(), "sweep");
  ASSERT_EQ(suite.cells[0].runs.size(), 2U);
  std::vector<std::string> order;
  for (const store::RunRow& run : store().runs()) order.push_back(run.id);
  std::ranges::sort(order, {}, [this](const std::string& run) { return row(run).createdUtc; });
  EXPECT_THAT(order, ElementsAre(first[0].run, suite.cells[0].runs[1], first[1].run, first[2].run));
  EXPECT_THAT(recorder::standingsOf(store(), suite, desk.queue()), ElementsAre(recorder::CellStanding::kFailed, recorder::CellStanding::kFinished, recorder::CellStanding::kFinished));
}

// Host b is cut off, which host a does not survive; the run that goes on waits for b, and what is still under way there is ended first.
class GoesOnWhen : public GoesOn, public testing::WithParamInterface<bool> {};  // another recorder takes over while it waits

TEST_P(GoesOnWhen, ItsHostsAreThereAgain) {
  auto serving = serve();
  Client desk = client();
  RunSpec two = FleetTest::spec(1'000'000);
  two.checkpointEveryRounds = 3, two.serverRestarts = 0;
  const std::string run = desk.submit(submission({two})).at(0).run;
  awaited(desk, run, [](const Entry& entry) { return entry.progress.round > 3; });
  const pid_t left = pidOf("b", "w1");
  cable("b").cut = true;
  ASSERT_EQ(::kill(pidOf("a", "s0"), SIGKILL), 0);
  EXPECT_THAT(ended(desk, run).text, HasSubstr("s0 was killed by signal 9 (SIGKILL); it had no checkpoint yet and begins again"));
  EXPECT_EQ(::kill(left, 0), 0);

  const std::vector<Entry> queue = desk.queue();
  const auto next = std::ranges::find(queue, run, &Entry::insteadOf);
  ASSERT_NE(next, queue.end());
  awaited(desk, next->run, [](const Entry& entry) { return entry.text.find("b: waits until it is back: ") != std::string::npos; });
  if (GetParam()) {
    serving.reset();
    serving = serve();
    desk.queue();  // whom the other one answers
    awaited(desk, next->run, [](const Entry& entry) { return entry.text.find("b: waits until it is back: ") != std::string::npos; });
  }
  cable("b").cut = false;
  awaited(desk, next->run, [](const Entry& entry) { return entry.progress.round > 3; });
  EXPECT_NE(::kill(left, 0), 0);
  desk.stop(next->run);
  EXPECT_EQ(ended(desk, next->run).state, store::RunState::kStopped);
  expectNothingLeftOn({"a", "b"});
}

INSTANTIATE_TEST_SUITE_P(Fleet, GoesOnWhen, testing::Bool(), [](const auto& info) { return std::string(info.param ? "under_another_recorder" : "under_one_recorder"); });

// Of one whose supervisor was told to end, as when its computer is started again.
TEST_F(GoesOn, WhereAHostGoesDown) {
  const auto serving = serve();
  Client desk = client();
  RunSpec two = FleetTest::spec(1'000'000, "w0=lose_at:500");
  two.checkpointEveryRounds = 3, two.checkpointResumes = 1;
  const std::string run = desk.submit(submission({two})).at(0).run;
  awaited(desk, run, [](const Entry& entry) { return entry.progress.round > 3; });
  ASSERT_EQ(::kill(supervisorOf("b"), SIGTERM), 0);
  EXPECT_THAT(ended(desk, run).text, EndsWith("begins again, 0 more times at most (checkpoint.resumes)"));
  const std::vector<Entry> queue = desk.queue();
  const auto next = std::ranges::find(queue, run, &Entry::insteadOf);
  ASSERT_NE(next, queue.end());
  awaited(desk, next->run, [](const Entry& entry) { return entry.progress.round > 3; });
  desk.stop(next->run);
  EXPECT_EQ(ended(desk, next->run).state, store::RunState::kStopped);
}

// The recorder of the lost run went away when that was failed, and before the next one was in the queue.
TEST_F(GoesOn, WhoeverRecordsThen) {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  const std::string lost = lostUnderAnother(boot);
  Client desk = client();
  allEnded(desk);
  const std::vector<Entry> queue = desk.queue();
  ASSERT_EQ(queue.size(), 1U);
  EXPECT_EQ(queue[0].insteadOf, lost);
  EXPECT_EQ(queue[0].state, store::RunState::kFinished) << queue[0].text;
  EXPECT_EQ(run::goesOn(row(queue[0].run)).value().count, 1);
}

// After a reboot it is held like all that waits.
TEST_F(GoesOn, OnlyWhenAPersonLetsItAfterThisComputersNextStart) {
  lostUnderAnother("before");
  Client desk = client();
  const std::vector<Entry> queue = desk.queue();
  ASSERT_EQ(queue.size(), 1U);
  EXPECT_TRUE(queue[0].held);
  desk.go();
  EXPECT_EQ(ended(desk, queue[0].run).state, store::RunState::kFinished);
}

// Somebody may have cancelled the job that gave the host.
TEST_F(GoesOn, NotOnHostsThatASchedulerGave) {
  const auto serving = serve([this](const std::string&, hosts::CredentialPrompts&) -> hosts::HostOpener {
    return [open = opener()](const std::string& name, const hosts::HostNeeds& needs) {
      hosts::ReadyHost ready = open(name, needs);
      ready.scheduled = name == "b";
      return ready;
    };
  });
  Client desk = client();
  RunSpec two = FleetTest::spec(100'000, "w1=die_at:2;w0=lose_at:60");
  two.checkpointEveryRounds = 3;
  EXPECT_THAT(texts(chain(desk, desk.submit(submission({two})).at(0).run)), ElementsAre("w1 was killed by signal 9 (SIGKILL)"));
}

TEST(Resumption, IsOfLostRunsWithCheckpointsAlone) {
  RunSpec spec = parseRunSpec(R"({"paceline": 1, "algorithm": {"id": "ssgd"}, "model": {"id": "m"}, "dataset": {"id": "d"}, "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}],
    "stop": {"rounds": 5}, "checkpoint": {"every_rounds": 2}})").spec;
  EXPECT_EQ(spec.checkpointResumes, 3);
  const auto follows = [](const RunSpec& document, const run::RunOutcome& outcome, int resumes = 0) {
    store::RunRow run;
    run.id = "r", run.specText = toJsonText(document), run.versions = strCat(R"({"resumed_from": "before", "instead_of": "before", "resumes": )", resumes, "}");
    return recorder::resumptionOf(run, {.kind = "attach", .run = "r", .name = "n", .suite = "s", .now = true, .context = dumped(written(recorder::Context{.folder = "/f"}))}, outcome);
  };
  const run::RunOutcome lost{.run = "r", .byLoss = true, .checkpointed = true}, early{.run = "r", .byLoss = true};
  const auto next = follows(spec, lost, 1);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->kind, "resume");
  EXPECT_EQ(next->resumedFrom, "r");
  EXPECT_EQ(next->specText, toJsonText(spec));
  EXPECT_EQ(next->suite, "s");
  EXPECT_FALSE(next->now);  // it was picked up beside others; nobody asked that it be trained beside them
  EXPECT_EQ(jsonOrNull(next->context)["folder"], "/f");
  EXPECT_EQ(jsonOrNull(next->context)["resumes"], 2);
  EXPECT_EQ(jsonOrNull(next->context)["instead_of"], "r");
  EXPECT_THAT(recorder::resumptionText(*next), HasSubstr("1 more time at most"));
  EXPECT_EQ(follows(spec, early)->resumedFrom, "before");  // that one's checkpoint is still the newest
  EXPECT_FALSE(follows(spec, lost, 3));
  EXPECT_FALSE(follows(spec, {.run = "r"}));
  EXPECT_FALSE(follows(spec, {.run = "r", .state = store::RunState::kStopped, .byLoss = true}));
  spec.checkpointResumes = 0;
  EXPECT_FALSE(follows(spec, lost));
  spec.checkpointResumes = 3, spec.checkpointEveryRounds = 0;
  EXPECT_FALSE(follows(spec, lost));
}

}  // namespace
}  // namespace paceline::tests
