// A node that shows no sign of life: the judgement, and what the supervisor makes of it with nodes that stop themselves.
#include "agent/supervisor/supervise/silence.h"

#include <gmock/gmock.h>
#include <signal.h>

#include "tests/agent/agent_fixture.h"

namespace paceline::tests {
namespace {

using supervise::Silence;
using Turn = Silence::Turn;

// Passes from `from` to `to` once a second; the turns that were something.
std::vector<std::pair<double, Turn>> turnsOf(Silence& silence, double from, double to) {
  std::vector<std::pair<double, Turn>> turns;
  for (double now = from; now <= to; ++now)
    if (const Turn turn = silence.pass(now); turn != Turn::kNone) turns.emplace_back(now, turn);
  return turns;
}

// Beats once a second for so long.
Silence beating(double endSeconds, double until) {
  Silence silence(endSeconds);
  for (double now = 0; now <= until; ++now) {
    silence.beat();
    EXPECT_EQ(silence.pass(now), Turn::kNone) << now;
  }
  return silence;
}

TEST(Silence, IsNamedAfterTenSecondsAndOverAtTheEnd) {
  Silence silence = beating(300, 100);
  EXPECT_EQ(turnsOf(silence, 101, 1000), (std::vector{std::pair(110.0, Turn::kSilent), std::pair(400.0, Turn::kOver)}));
}

TEST(Silence, EndsWithTheNextSignAndSaysHowLongItWas) {
  Silence silence = beating(300, 100);
  EXPECT_EQ(turnsOf(silence, 101, 130), (std::vector{std::pair(110.0, Turn::kSilent)}));
  silence.event();  // any sign will do
  EXPECT_EQ(silence.pass(131), Turn::kHeard);
  EXPECT_EQ(silence.lastGap(), 31);
  EXPECT_EQ(turnsOf(silence, 132, 140), (std::vector<std::pair<double, Turn>>{}));
}

TEST(Silence, OfAZeroEndIsNamedAndNeverOver) {
  Silence silence = beating(0, 10);
  EXPECT_EQ(turnsOf(silence, 11, 10'000), (std::vector{std::pair(20.0, Turn::kSilent)}));
}

TEST(Silence, IsNotSaidOfANodeWithLongStepsThatBeats) {
  Silence silence = beating(300, 10'000);  // not one event in hours
  EXPECT_EQ(silence.silentAfter(), 10);
}

TEST(Silence, IsNotSaidOfAProgramThatNeverBeat) {
  Silence silence(300);
  silence.event();
  EXPECT_TRUE(turnsOf(silence, 0, 10'000).empty());
}

// A host so busy that even beats come late is given four of its own gaps, at most half the time to the end.
TEST(Silence, IsMeasuredByTheNodesOwnGaps) {
  for (const auto& [gap, named] : {std::pair(2, 10.0), std::pair(20, 80.0), std::pair(100, 150.0)}) {
    Silence silence(300);
    for (int now = 0; now <= 1000; ++now) {
      if (now % gap == 0) silence.beat();
      (void)silence.pass(now);
    }
    EXPECT_EQ(silence.silentAfter(), named) << gap;
  }
}

// A supervisor that was stopped itself, perhaps with its whole host, has not listened.
TEST(Silence, DoesNotCountTheTimeInWhichNobodyListened) {
  Silence silence = beating(300, 100);
  EXPECT_EQ(silence.pass(10'000), Turn::kNone);
  silence.beat();
  EXPECT_EQ(silence.pass(10'001), Turn::kNone);
  EXPECT_EQ(silence.pass(9'000), Turn::kNone);  // nor a clock that goes back
}

TEST(Silence, AShorterEndIsNamedEarlierAndBeatsComeFaster) {
  EXPECT_EQ(Silence(8).silentAfter(), 1);
  EXPECT_EQ(Silence::beatSeconds(8), 0.2);
  EXPECT_EQ(Silence::beatSeconds(300), 1);
  EXPECT_EQ(Silence::beatSeconds(0), 1);
  EXPECT_EQ(Silence::beatSeconds(0.1), 0.05);
}

class SilentNode : public AgentTest {
 protected:
  // Of nodes that do this.
  static Json launchSilent(Desktop& desk, double silentSeconds, const std::vector<std::vector<std::string>>& nodes) {
    Json list = Json::array();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      std::vector<std::string> command{fakeNode(), "do"};
      command.insert(command.end(), nodes[i].begin(), nodes[i].end());
      list.push_back({{"id", strCat("n", i)}, {"command", command}});
    }
    return desk.ask({{"request", "launch"}, {"run", "r"}, {"nodes", list}, {"node_silent_s", silentSeconds}});
  }
  static std::vector<std::string> notesOf(const std::vector<Json>& events, const std::string& node) {
    std::vector<std::string> texts;
    for (const Json& note : ofKind(events, "note"))
      if (note["node"] == node) texts.push_back(strCat(note["event"]["reason"].get<std::string>(), ": ", note["event"]["text"].get<std::string>()));
    return texts;
  }
  static constexpr const char* kStop = "kill:19";
};

TEST_F(SilentNode, IsNamedAndThenEnded) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchSilent(desk, 2, {{"beat:", kStop}})["ok"]);
  const auto events = desk.followToEnd("r");
  EXPECT_EQ(notesOf(events, "n0"), std::vector<std::string>{"silent: no sign of life for more than 0.25 s; its host ends it after 2 s (node_silent_s)"});
  EXPECT_EQ(exitOf(events, "n0")["reason"], "silent");
  EXPECT_EQ(exitOf(events, "n0")["text"], "killed after 2 s without a sign of life (node_silent_s)");
  EXPECT_EQ(exitOf(events, "n0")["code"], 9);
}

TEST_F(SilentNode, ThatGoesOnIsUnharmed) {
  Desktop desk = desktop();
  const Json reply = launchSilent(desk, 0.5 * kGuardSeconds, {{"beat:", kStop, "finished:rounds"}});
  ASSERT_TRUE(reply["ok"]);
  desk.send({{"id", 1000}, {"request", "follow"}, {"run", "r"}});
  std::vector<Json> events;
  while (events.empty() || !events.back().contains("ended")) {
    events.push_back(desk.nextEvent());
    if (events.back().contains("event") && events.back()["event"].value("reason", "") == "silent") ::kill(reply["result"]["nodes"][0]["pid"].get<pid_t>(), SIGCONT);
  }
  const auto notes = notesOf(events, "n0");
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_THAT(notes[1], testing::MatchesRegex("heard: shows life again after [0-9]+ s"));
  EXPECT_EQ(ofKind(events, "finished").size(), 1U);
  EXPECT_EQ(exitOf(events, "n0")["reason"], "ended");
}

TEST_F(SilentNode, IsAskedForBeatsWhichAreNotRecorded) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchSilent(desk, 8, {{"env:PACELINE_BEAT_S", "beat:", "beat:", "finished:rounds"}})["ok"]);
  const auto events = desk.followToEnd("r");
  EXPECT_EQ(notesOf(events, "n0"), std::vector<std::string>{"env: 0.2"});
  EXPECT_TRUE(ofKind(events, "beat").empty());
  EXPECT_EQ(exitOf(events, "n0")["reason"], "ended");
}

// Nobody follows the run: its host ends what has no future.
TEST_F(SilentNode, EndsItsRunWithoutADesktop) {
  Json nodes = Json::array();
  nodes.push_back({{"id", "n0"}, {"command", {fakeNode(), "do", "started:", "beat:", kStop}}});
  nodes.push_back({{"id", "n1"}, {"command", {fakeNode(), "do", "started:", "hang"}}});
  {
    Desktop desk = desktop();
    ASSERT_TRUE(desk.ask({{"request", "launch"}, {"run", "r"}, {"nodes", nodes}, {"node_silent_s", 1}, {"policy", {{"grace_s", 0.1}}}})["ok"]);
  }
  Desktop later = desktop();
  Json runs;
  do runs = later.ask({{"request", "list"}})["result"]["runs"];
  while (runs[0]["active"].get<bool>());
  const auto events = later.followToEnd("r");
  EXPECT_EQ(exitOf(events, "n0")["reason"], "silent");
  EXPECT_EQ(exitOf(events, "n1")["reason"], "asked");
}

}  // namespace
}  // namespace paceline::tests
