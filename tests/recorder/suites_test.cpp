// Suites in the recorder: what is missing of one and run again; runs that are held, let go and moved together.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>

#include "app/cluster/recorder/suites.h"
#include "engine/core/base/error.h"
#include "tests/recorder/recorder_fixture.h"

namespace paceline::tests {
namespace {

using recorder::CellStanding;
using recorder::Client;
using recorder::Entry;
using recorder::Submission;
using testing::ElementsAre;

class SuiteRuns : public RecorderTest {
 protected:
  // A long run and short ones behind it.
  Submission sweep(int runs) {
    std::vector<RunSpec> specs;
    for (int i = 0; i < runs; ++i) specs.push_back(spec(i == 0 ? 100'000 : 5)), specs.back().name = strCat("sweep ", i), specs.back().seed = static_cast<std::uint64_t>(i);
    Submission wanted = submission(specs);
    wanted.suite = "sweep";
    return wanted;
  }
  std::vector<CellStanding> standings(Client& desk) const { return recorder::standingsOf(store(), suite(), desk.queue()); }
  store::StoreReader store() const { return store::StoreReader(storePath()); }
  store::SuiteRow suite() const { return recorder::suiteOf(store(), "sweep"); }
  static std::vector<std::string> waiting(Client& desk) {
    std::vector<std::string> names;
    for (const Entry& entry : desk.queue())
      if (entry.waiting && !entry.ended) names.push_back(entry.name);
    return names;
  }
  static std::string refused(const std::function<void()>& act) {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST(CellStandings, SayWhatBecameOfACell) {
  store::RunRow run;
  run.state = store::RunState::kFailed;
  Entry entry{.id = 1, .run = "r", .name = "n"};
  EXPECT_EQ(recorder::standingOf(nullptr, nullptr), CellStanding::kNotRun);
  EXPECT_EQ(recorder::standingOf(nullptr, &entry), CellStanding::kWaiting);
  entry.held = true;
  EXPECT_EQ(recorder::standingOf(nullptr, &entry), CellStanding::kHeld);
  entry.waiting = false;
  EXPECT_EQ(recorder::standingOf(&run, &entry), CellStanding::kUnderWay);
  entry.ended = true;
  EXPECT_EQ(recorder::standingOf(&run, &entry), CellStanding::kFailed);
  run.trashed = true;
  EXPECT_EQ(recorder::standingOf(&run, nullptr), CellStanding::kTrashed);
  EXPECT_EQ(recorder::standingsText({CellStanding::kNotRun, CellStanding::kFinished, CellStanding::kTrashed, CellStanding::kFinished}), "2 finished, 1 not run");
}

TEST_F(SuiteRuns, ThatWereStoppedOrTakenOutAreMissingAndAreRunAgainInTheSuite) {
  Client desk = client();
  const std::vector<Entry> first = desk.submit(sweep(3));
  desk.stop(first[1].run);
  desk.stop(first[0].run);
  ended(desk, first[2].run);
  EXPECT_THAT(standings(desk), ElementsAre(CellStanding::kStopped, CellStanding::kNotRun, CellStanding::kFinished));

  Submission missing = recorder::missingOf(store(), suite(), desk.queue());
  ASSERT_EQ(missing.points.size(), 2U);
  EXPECT_EQ(parseRunSpec(missing.points[1].spec).spec.seed, 1U);
  const std::vector<Entry> again = desk.submit(missing);
  EXPECT_EQ(refused([&] { desk.submit(missing); }), "sweep 0 is not missing: under way");
  desk.stop(again[0].run);
  EXPECT_EQ(ended(desk, again[1].run).state, store::RunState::kFinished);
  EXPECT_THAT(standings(desk), ElementsAre(CellStanding::kStopped, CellStanding::kFinished, CellStanding::kFinished));
  EXPECT_THAT(suite().cells[0].runs, ElementsAre(first[0].run, again[0].run));
  EXPECT_EQ(store().suites().size(), 1U);
  missing.points = {missing.points[1]};
  EXPECT_EQ(refused([&] { desk.submit(missing); }), "sweep 1 is not missing: finished");
}

TEST_F(SuiteRuns, OfOneRunOrWithoutANameMakeNoSuite) {
  Client desk = client();
  Submission one = sweep(2);
  one.points.erase(one.points.begin());
  ended(desk, desk.submit(one)[0].run);
  Submission nameless = sweep(3);
  nameless.points.erase(nameless.points.begin());
  nameless.suite = "";
  for (const Entry& entry : desk.submit(nameless)) ended(desk, entry.run);
  EXPECT_TRUE(store().suites().empty());
}

TEST_F(SuiteRuns, ThatNeverBeganAreForgottenOnRequest) {
  Client desk = client();
  const std::vector<Entry> entries = desk.submit(sweep(3));
  desk.stop(entries[2].run);
  desk.forgetCells(suite().id);
  EXPECT_EQ(suite().cells.size(), 2U);  // one waits
  desk.stop(entries[1].run);
  desk.stop(entries[0].run);
  ended(desk, entries[0].run);
  desk.forgetCells(suite().id);
  EXPECT_EQ(suite().cells.size(), 1U);
}

TEST_F(SuiteRuns, AreHeldUntilTheyAreLetGoAlsoByTheNextRecorder) {
  Client desk = client();
  const std::vector<Entry> entries = desk.submit(sweep(3));
  desk.hold({entries[1].run});
  const auto entryOf = [&](const std::string& run) {
    const std::vector<Entry> queue = desk.queue();
    return *std::ranges::find(queue, run, &Entry::run);
  };
  EXPECT_TRUE(entryOf(entries[1].run).held);
  desk.stop(entries[0].run);
  EXPECT_EQ(ended(desk, entries[2].run).state, store::RunState::kFinished);  // past the held one
  EXPECT_EQ(entryOf(entries[1].run).text, "held; paceline queue go lets it run");
  ASSERT_EQ(::kill(recorderPid(), SIGKILL), 0);
  EXPECT_TRUE(entryOf(entries[1].run).held);
  desk.go({entries[1].run});
  EXPECT_EQ(ended(desk, entries[1].run).state, store::RunState::kFinished);
}

TEST_F(SuiteRuns, MoveTogetherInTheOrderInWhichTheyAreNamed) {
  Client desk = client();
  const std::vector<Entry> entries = desk.submit(sweep(5));
  desk.moveBefore({entries[4].id, entries[2].id}, entries[1].id);
  EXPECT_THAT(waiting(desk), ElementsAre("sweep 4", "sweep 2", "sweep 1", "sweep 3"));
  desk.moveBefore({entries[4].id}, 0);
  EXPECT_THAT(waiting(desk), ElementsAre("sweep 2", "sweep 1", "sweep 3", "sweep 4"));
  EXPECT_EQ(refused([&] { desk.moveBefore({entries[2].id, entries[1].id}, entries[1].id); }), strCat("entry ", entries[1].id, " of the queue cannot stand before itself"));
  EXPECT_EQ(refused([&] { desk.moveBefore({entries[0].id}, 0); }), strCat("entry ", entries[0].id, " of the queue does not wait"));
  EXPECT_THAT(waiting(desk), ElementsAre("sweep 2", "sweep 1", "sweep 3", "sweep 4"));
  for (std::size_t i = entries.size(); i-- > 0;) desk.stop(entries[i].run);
  ended(desk, entries[0].run);
}

}  // namespace
}  // namespace paceline::tests
