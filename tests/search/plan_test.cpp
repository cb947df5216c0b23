#include "app/search/plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/spaces.h"

namespace paceline::tests {
namespace {

using namespace search;
using Kind = Step::Kind;

const std::string kOver = R"("over": {"/optimizer/momentum": {"from": 0, "to": 0.9}})";

std::shared_ptr<const SearchSpace> halved(const std::string& rest = "", const std::string& goal = "accuracy_last") {
  return spaceOf("{" + kOver + R"(, "budget": {"runs": 99}, "goal": ")" + goal + R"(", "halving": {"first": 10, "eta": 2})" + rest + "}", "{}", R"({"rounds": 100, "accuracy": 0.8})");
}
Trial stands(double at, std::vector<Measure> rungs, TrialState state = TrialState::kGoing) {
  const bool ended = state != TrialState::kGoing;
  return {.at = {at}, .why = "", .state = state, .runs = {{.run = strCat("r", at), .seconds = 0, .ended = ended, .rungs = std::move(rungs), .end = {}}}};
}

TEST(Scores, OfSeveralSeedsAreTheirMean) {
  const std::vector<Measure> two = {accuracy(0.6), accuracy(0.8)};
  EXPECT_EQ(scoreOf(SearchGoal::kAccuracyLast, two), (Score{.reached = true, .value = 0.7}));
}

TEST(Scores, ARunThatDidNotReachTheTargetIsBehindAllThatDid) {
  const std::vector<Measure> late = {{.accuracyLast = 0.8, .accuracyBest = 0.8, .secondsToTarget = 1e6}}, near = {accuracy(0.799)}, far = {accuracy(0.2)}, none = {Measure{}};
  const SearchGoal goal = SearchGoal::kTimeToTarget;
  EXPECT_GT(scoreOf(goal, late), scoreOf(goal, near));
  EXPECT_GT(scoreOf(goal, near), scoreOf(goal, far));
  EXPECT_GT(scoreOf(goal, far), scoreOf(goal, none));
}

TEST(Scores, OneSeedThatDidNotReachTheTargetMakesThePointOneThatDidNot) {
  const std::vector<Measure> mixed = {{.accuracyLast = 0.9, .accuracyBest = 0.9, .secondsToTarget = 3}, accuracy(0.5)};
  EXPECT_EQ(scoreOf(SearchGoal::kTimeToTarget, mixed), (Score{.reached = false, .value = 0.7}));
}

TEST(Scores, AreToldInTheWordsOfTheGoal) {
  const auto space = halved("", "time_to_target");
  const std::vector<Measure> reached = {{.accuracyLast = 0.9, .accuracyBest = 0.9, .secondsToTarget = 12.34}}, not_ = {accuracy(0.6213)};
  EXPECT_EQ(scoreText(*space, reached), "80 % after 12.3 s");
  EXPECT_EQ(scoreText(*space, not_), "62.1 %, 80 % not reached");
  EXPECT_EQ(scoreText(*halved(), not_), "62.1 %");
  EXPECT_EQ(scoreText(*halved(), std::vector<Measure>(1)), "no accuracy");
}

TEST(Halving, RungsGrowByEta) {
  EXPECT_EQ(rungAt({.by = RungUnit::kRounds, .first = 10, .eta = 3}, 0), 10);
  EXPECT_EQ(rungAt({.by = RungUnit::kRounds, .first = 10, .eta = 3}, 2), 90);
}

// eta 2: of n trials floor(n / 2) go on; the first one always does.
TEST(Halving, TheBestHalfGoesOn) {
  const auto space = halved();
  std::vector<Trial> trials = {stands(0.1, {accuracy(0.5)})};
  EXPECT_EQ(judged(*space, trials, 0, 0), "");
  trials[0].state = TrialState::kDone, trials[0].runs[0].ended = true;
  trials.push_back(stands(0.2, {accuracy(0.4)}));
  EXPECT_EQ(judged(*space, trials, 1, 0), "below the best half after 10 rounds (40 %; 50 % was needed)");
  trials[1].runs[0].rungs[0] = accuracy(0.5);
  EXPECT_EQ(judged(*space, trials, 1, 0), "");  // as good
  trials[1].state = TrialState::kGivenUp, trials[1].runs[0].ended = true;
  trials.push_back(stands(0.3, {accuracy(0.49)}));
  EXPECT_NE(judged(*space, trials, 2, 0), "");  // of three one goes on
  trials[2].state = TrialState::kGivenUp, trials[2].runs[0].ended = true;
  trials.push_back(stands(0.4, {accuracy(0.495)}));
  trials[0].runs[0].rungs[0] = accuracy(0.1);
  EXPECT_EQ(judged(*space, trials, 3, 0), "");  // second of four
}

TEST(Halving, TheOddsFollowEta) {
  const auto space = halved(R"(, "at_once": 1)");
  for (const int eta : {2, 3, 4}) {
    const auto by = spaceOf(strCat("{", kOver, R"(, "budget": {"runs": 99}, "halving": {"first": 10, "eta": )", eta, "}}"));
    int on = 0;
    std::vector<Trial> trials;
    Rng rng(static_cast<std::uint64_t>(eta));
    for (int i = 0; i < 600; ++i) {
      trials.push_back(stands(i, {accuracy(rng.uniform())}));
      const bool stays = judged(*by, trials, trials.size() - 1, 0).empty();
      trials.back().state = stays ? TrialState::kDone : TrialState::kGivenUp, trials.back().runs[0].ended = true;
      on += stays ? 1 : 0;
    }
    EXPECT_NEAR(on / 600.0, 1.0 / eta, 0.06) << eta;  // three deviations of 600 throws
  }
}

TEST(Halving, SeesOnlyTrialsThatHadEndedBeforeItBegan) {
  const auto space = halved(R"(, "at_once": 2)");
  std::vector<Trial> trials = {stands(0.1, {accuracy(0.9)}), stands(0.2, {accuracy(0.1)})};
  EXPECT_EQ(judged(*space, trials, 1, 0), "");
  trials.push_back(stands(0.3, {accuracy(0.1)}));
  EXPECT_NE(judged(*space, trials, 2, 0), "");  // sees the first one
}

TEST(History, RanksAtTheDeepestLevelThatEnoughCameTo) {
  const auto space = halved();
  std::vector<Trial> trials;
  for (int i = 0; i < 5; ++i) trials.push_back(stands(0.1 * i, {accuracy(0.1 * i)}, TrialState::kGivenUp));
  trials.push_back(stands(0.7, {accuracy(0.05), accuracy(0.9)}, TrialState::kDone));  // the only one that came to its end, and the worst at the first rung
  trials.back().runs[0].end = accuracy(0.9);
  trials.push_back(stands(0.8, {}, TrialState::kFailed));
  trials.push_back(stands(0.9, {accuracy(0.99)}, TrialState::kDropped));
  const History history = historyOf(*space, trials, trials.size());
  EXPECT_THAT(history.ranked, testing::ElementsAre(SearchPoint{0.1 * 4}, SearchPoint{0.1 * 3}, SearchPoint{0.2}, SearchPoint{0.1}, SearchPoint{0.7}, SearchPoint{0}, SearchPoint{0.8}));
  EXPECT_THAT(history.others, testing::ElementsAre(SearchPoint{0.9}));
  EXPECT_EQ(history.compared, "after 10 rounds");
}

TEST(History, AStoppedRunIsBehindThoseThatPassedItsRung) {
  const auto space = halved();
  std::vector<Trial> trials;
  for (int i = 0; i < 5; ++i) {
    trials.push_back(stands(0.1 * i, {accuracy(0.2), accuracy(0.1 * i)}, TrialState::kDone));
    trials.back().runs[0].end = accuracy(0.1 * i);
  }
  trials.push_back(stands(0.9, {accuracy(0.8)}, TrialState::kGivenUp));
  EXPECT_EQ(historyOf(*space, trials, trials.size()).ranked.back(), SearchPoint{0.9});
}

// A search that runs to its end: what a point gives is known; runs end in the order in which they began, or in any other.
struct World {
  std::shared_ptr<const SearchSpace> space;
  std::vector<Trial> trials{};
  double minutes = 0;
  std::string end{};
  int stopped = 0;
  std::set<std::pair<SearchPoint, std::size_t>> begun{};  // point, seed: each once

  static double valueOf(const SearchPoint& at) { return 1 - (at[0] - 0.5) * (at[0] - 0.5); }

  void begin(Trial& trial) {
    EXPECT_TRUE(begun.emplace(trial.at, trial.runs.size()).second) << "a point twice";
    trial.runs.push_back({.run = strCat("run", begun.size())});
  }
  bool decide() {
    const Step step = nextStep(*space, trials, minutes);
    if (step.kind == Kind::kPoint) trials.push_back({.at = step.point.at, .why = step.point.why}), begin(trials.back());
    if (step.kind == Kind::kSeed) begin(trials[step.trial]);
    if (step.kind == Kind::kCut) trials[step.trial].state = TrialState::kGivenUp, trials[step.trial].note = step.sentence;
    if (step.kind == Kind::kEnd) end = step.sentence;
    return step.kind != Kind::kWait && step.kind != Kind::kEnd;
  }
  // The run of an open trial goes to its next rung, or to its end.
  void goOn(std::size_t number) {
    Trial& trial = trials[number];
    TrialRun& run = trial.runs.back();
    const Measure now = accuracy(valueOf(trial.at));
    minutes += 0.1;
    if (space->spec().halving && run.rungs.size() < 3 && trial.state == TrialState::kGoing) {
      run.rungs.push_back(now);
      const std::string why = judged(*space, trials, number, run.rungs.size() - 1);
      if (why.empty()) return;
      trial.state = TrialState::kGivenUp, trial.note = why, ++stopped;
    }
    const bool given = trial.state == TrialState::kGivenUp;
    takeEnd(*space, trial, run.run, given ? RunEnd::kStopped : RunEnd::kFinished, now, "", 6);
  }
  void run(Rng order) {
    for (int steps = 0; end.empty() && steps < 10000; ++steps) {
      while (decide()) {}
      std::vector<std::size_t> open;
      for (std::size_t i = 0; i < trials.size(); ++i)
        if (isOpen(trials[i])) open.push_back(i);
      EXPECT_LE(open.size(), static_cast<std::size_t>(space->spec().atOnce));
      if (!open.empty()) goOn(open[order.below(open.size())]);
    }
    EXPECT_FALSE(end.empty());
  }
};

TEST(Plan, UsesItsBudgetOfRunsAndNeverMore) {
  for (const int runs : {1, 4, 7, 20})
    for (const int seeds : {1, 3})
      for (const int atOnce : {1, 2, 5})
        for (const bool halving : {false, true}) {
          World world{spaceOf(strCat("{", kOver, R"(, "budget": {"runs": )", runs, R"(}, "at_once": )", atOnce, halving ? R"(, "halving": {"first": 1, "eta": 2})" : "", "}"), seeds == 1 ? "{}" : R"({"/seed": [1, 2, 3]})")};
          world.run(Rng(7));
          const auto begun = static_cast<int>(world.begun.size());
          EXPECT_LE(begun, runs);
          EXPECT_GE(begun, halving ? runs - seeds + 1 : runs / seeds * seeds);  // a point that is given up leaves its other seeds to the next one
          for (const Trial& trial : world.trials) EXPECT_TRUE(trial.state != TrialState::kDone || trial.runs.size() == static_cast<std::size_t>(seeds));
        }
}

TEST(Plan, EndsWithItsMinutesAndCutsWhatIsUnderWay) {
  World world{spaceOf("{" + kOver + R"(, "budget": {"minutes": 1.05}, "halving": {"first": 1, "eta": 2}, "at_once": 2})")};
  world.run(Rng(3));
  EXPECT_LE(world.minutes, 1.05 + 0.1 * 3);  // a step more for each that was under way
  EXPECT_THAT(world.end, testing::HasSubstr("The budget of 1.05 min is used up."));
  EXPECT_TRUE(std::ranges::any_of(world.trials, [](const Trial& trial) { return trial.note == "the search's budget of 1.05 min was used up"; }));
}

// Whoever is faster: with two at once, the same points are tried and the same ones given up.
TEST(Plan, DoesNotDependOnWhoIsFaster) {
  const auto course = [](std::uint64_t order) {
    World world{spaceOf("{" + kOver + R"(, "budget": {"runs": 24}, "halving": {"first": 1, "eta": 2}, "at_once": 3})")};
    world.run(Rng(order));
    std::vector<std::pair<SearchPoint, TrialState>> tried;
    for (const Trial& trial : world.trials) tried.emplace_back(trial.at, trial.state);
    return tried;
  };
  for (std::uint64_t order = 2; order < 12; ++order) EXPECT_EQ(course(order), course(1));
}

TEST(Plan, GoesOnFromWhatIsKeptAsIfNothingHadHappened) {
  const auto course = [](bool kept) {
    World world{spaceOf("{" + kOver + R"(, "budget": {"runs": 16}, "halving": {"first": 1, "eta": 2}})")};
    for (int steps = 0; world.end.empty() && steps < 1000; ++steps) {
      while (world.decide()) {}
      if (kept) {
        std::vector<Trial> again;
        for (const Trial& trial : world.trials) again.push_back(readFrom<Trial>(written(trial)));
        world.trials = again;
      }
      for (std::size_t i = 0; i < world.trials.size(); ++i)
        if (isOpen(world.trials[i])) world.goOn(i);
    }
    std::vector<SearchPoint> tried;
    for (const Trial& trial : world.trials) tried.push_back(trial.at);
    return std::pair(tried, world.end);
  };
  EXPECT_EQ(course(true), course(false));
}

TEST(Plan, EndsWhenEveryPointWasTried) {
  World world{spaceOf(R"({"budget": {"runs": 99}})", R"({"/optimizer/momentum": [0.1, 0.5, 0.7]})")};
  for (int steps = 0; world.end.empty() && steps < 100; ++steps) {
    while (world.decide()) {}
    for (std::size_t i = 0; i < world.trials.size(); ++i)
      if (isOpen(world.trials[i])) takeEnd(*world.space, world.trials[i], world.trials[i].runs.back().run, RunEnd::kFinished, accuracy(world.trials[i].at[0] == 1 ? 0.9 : 0.3), "", 2);
  }
  EXPECT_EQ(world.trials.size(), 3u);
  EXPECT_EQ(world.end, "The best of 3 points is momentum 0.5: 90 %. 3 runs took 6 s. Every point was tried.");
}

TEST(Plan, EndsWhenTheFirstFivePointsFail) {
  World world{spaceOf("{" + kOver + R"(, "budget": {"runs": 50}})")};
  for (int steps = 0; world.end.empty() && steps < 100; ++steps) {
    while (world.decide()) {}
    for (Trial& trial : world.trials)
      if (isOpen(trial)) takeEnd(*world.space, trial, trial.runs.back().run, RunEnd::kFailed, std::nullopt, "w0 ran out of memory and was killed", 1);
  }
  EXPECT_EQ(world.end, "None of 5 points came to its end. 5 runs took 5 s; 5 failed. The first 5 points failed, the last one: w0 ran out of memory and was killed");
}

TEST(Plan, EndsWhenNothingMoreCanBeRun) {
  const auto space = spaceOf("{" + kOver + R"(, "budget": {"minutes": 50}})");
  std::vector<Trial> trials = {done({0.1}, 0.5)};
  for (int i = 0; i < 19; ++i) trials.push_back({.at = {0.2 + 0.01 * i}, .why = "", .state = TrialState::kFailed, .note = "/batch_size: too large"});
  EXPECT_EQ(nextStep(*space, trials, 1).kind, Kind::kPoint);
  trials.push_back(trials.back());
  EXPECT_THAT(nextStep(*space, trials, 1).sentence, testing::EndsWith("The last 20 points cannot be run: /batch_size: too large"));
}

TEST(Plan, ARunThatIsFasterThanItsStopIsDone) {
  const auto space = halved();
  Trial trial = stands(0.1, {accuracy(0.5)}, TrialState::kGivenUp);
  trial.runs[0].ended = false, trial.note = "below the best half";
  takeEnd(*space, trial, trial.runs[0].run, RunEnd::kFinished, accuracy(0.6), "", 3);
  EXPECT_EQ(trial.state, TrialState::kDone);
  EXPECT_EQ(trial.note, "");
  const auto two = spaceOf("{" + kOver + R"(, "budget": {"runs": 50}})", R"({"/seed": [1, 2]})");
  Trial half = stands(0.1, {accuracy(0.5)}, TrialState::kGivenUp);
  takeEnd(*two, half, half.runs[0].run, RunEnd::kFinished, accuracy(0.6), "", 3);
  EXPECT_EQ(half.state, TrialState::kGivenUp);  // its other seed is not run
}

TEST(Plan, APersonsStopIsNoJudgementOfThePoint) {
  const auto space = spaceOf("{" + kOver + R"(, "budget": {"runs": 50}})");
  std::vector<Trial> trials = {{.at = {0.3}, .why = "", .runs = {{.run = "a"}}}};
  takeEnd(*space, trials[0], "a", RunEnd::kStopped, std::nullopt, "stopped on request", 1);
  EXPECT_EQ(trials[0].state, TrialState::kDropped);
  const History history = historyOf(*space, trials, 1);
  EXPECT_TRUE(history.ranked.empty());
  EXPECT_THAT(history.others, testing::ElementsAre(SearchPoint{0.3}));
  EXPECT_EQ(nextStep(*space, trials, 0).kind, Kind::kPoint);
}

TEST(Plan, SaysThatABudgetIsLessThanOnePoint) {
  const auto space = spaceOf("{" + kOver + R"(, "budget": {"runs": 2}})", R"({"/seed": [1, 2, 3]})");
  const Step step = nextStep(*space, {}, 0);
  EXPECT_EQ(step.kind, Kind::kEnd);
  EXPECT_EQ(step.sentence, "Nothing was tried. 0 runs took 0 s. The budget of 2 runs is less than the 3 runs of one point.");
}

}  // namespace
}  // namespace paceline::tests
