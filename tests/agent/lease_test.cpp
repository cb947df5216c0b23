// A desktop that vanishes without closing its connection; folders that are taken away.
#include <gmock/gmock.h>
#include <signal.h>

#include "tests/agent/agent_fixture.h"

namespace paceline::tests {
namespace {

class Lease : public AgentTest {
 protected:
  static Json runsOf(Desktop& desk) { return desk.ask({{"request", "list"}})["result"]["runs"]; }
  static void waitUntilInactive(Desktop& desk) {
    while (runsOf(desk)[0]["active"].get<bool>()) {
    }
  }
  static Json requests(const std::string& action) {  // what a frozen desktop had asked before
    const Json node = {{"id", "n0"}, {"command", {fakeNode(), "do", "started:", action, "hang"}}};
    return {{{"request", "launch"}, {"id", 1}, {"run", "r"}, {"nodes", {node}}, {"policy", {{"on_lost_desktop", 0.1}, {"grace_s", 0.1}}}},
            {{"request", "follow"}, {"id", 2}, {"run", "r"}},
            {{"request", "hello"}, {"id", 3}, {"lease_s", 0.2}}};  // the last: it may end at once
  }
};

TEST_F(Lease, ASilentDesktopIsGone) {
  Desktop silent = desktop();
  EXPECT_EQ(silent.ask({{"request", "hello"}, {"lease_s", 0.2}})["result"]["lease_s"], 0.2);
  EXPECT_TRUE(silent.closedByPeer());
}

TEST_F(Lease, ADesktopThatSpeaksStaysAndHearsBeats) {
  Desktop desk = desktop();
  desk.ask({{"request", "hello"}, {"lease_s", 2}});
  for (std::int64_t beat = 1; beat <= 4;) {  // some 2 s
    const Json line = desk.nextEvent();
    if (!line.contains("beat")) continue;
    EXPECT_EQ(line["beat"], beat++);
    EXPECT_TRUE(desk.ask({{"request", "ping"}})["ok"]);
  }
  EXPECT_TRUE(desk.ask({{"request", "list"}})["ok"]);
}

// A client asks for this host's clock, compares, and tells: with the run's records it is kept.
TEST_F(Lease, TheOffsetOfTheClocksIsRecordedWithTheActiveRun) {
  Desktop desk = desktop();
  EXPECT_GT(desk.ask({{"request", "ping"}})["result"]["unix_s"], 1.7e9);
  launch(desk, "r", {{"started:", "hang"}});
  EXPECT_TRUE(desk.ask({{"request", "clock"}, {"run", "r"}, {"offset_s", -2.5}, {"error_s", 0.25}})["ok"]);
  EXPECT_EQ(desk.ask({{"request", "clock"}, {"run", "r"}, {"offset_s", 1}, {"error_s", -1}})["ok"], false);
  desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 0}});
  const std::vector<Json> clocks = ofKind(desk.followToEnd("r"), "clock");
  ASSERT_EQ(clocks.size(), 1U);
  EXPECT_EQ(clocks[0]["node"], "local");
  EXPECT_EQ(clocks[0]["event"]["offset_s"], -2.5);
  EXPECT_EQ(clocks[0]["event"]["error_s"], 0.25);
  EXPECT_TRUE(desk.ask({{"request", "clock"}, {"run", "r"}, {"offset_s", 1}, {"error_s", 0}})["ok"]);  // it has ended: nothing is added
}

TEST_F(Lease, WithoutALeaseNothingIsExpected) {
  Desktop quiet = desktop();
  Desktop silent = desktop();
  silent.ask({{"request", "hello"}, {"lease_s", 0.2}});
  EXPECT_TRUE(silent.closedByPeer());
  EXPECT_EQ(quiet.ask({{"request", "list"}})["result"]["runs"], Json::array());
}

TEST_F(Lease, LeasesAreSecondsFromATenth) {
  Desktop desk = desktop();
  EXPECT_EQ(desk.ask({{"request", "hello"}, {"lease_s", 0.01}})["error"], "\"lease_s\" must be at least 0.1");
  EXPECT_EQ(desk.ask({{"request", "hello"}})["result"]["lease_s"], 15);
}

TEST_F(Lease, ARunWhoseDesktopFrozeIsEndedByItsPolicy) {
  up();
  Bridge frozen;  // nobody closes it
  for (const Json& request : requests("rounds:1")) frozen.send(request);
  for (int reply = 0; reply < 3;) reply += frozen.nextLine().find("\"ok\":true") != std::string::npos ? 1 : 0;
  Desktop other = desktop();
  waitUntilInactive(other);
  EXPECT_TRUE(waitForEnd(frozen.pid()));  // a zombie: it has ended by itself
  std::vector<std::string> reasons;
  for (const Json& note : ofKind(other.followToEnd("r"), "note")) reasons.push_back(note["event"]["reason"]);
  EXPECT_THAT(reasons, testing::ElementsAre("containment", "desktop_lost"));
}

TEST_F(Lease, ABridgeThatCannotGetRidOfItsLastWordsEndsAllTheSame) {
  up();
  Bridge frozen;
  for (const Json& request : requests("rounds:20000")) frozen.send(request);  // more than pipes hold, and nobody reads
  EXPECT_TRUE(waitForEnd(frozen.pid()));
  Desktop other = desktop();
  waitUntilInactive(other);
}

TEST_F(Lease, AFrozenSupervisorIsKilledAndItsRunsEnd) {
  Desktop desk = desktop();
  const Json reply = launch(desk, "r", {{"rounds:5", "daemon", "hang"}});
  ::kill(desk.supervisor(), SIGSTOP);
  ::kill(desk.supervisor(), SIGKILL);
  EXPECT_TRUE(waitForEnd(reply["result"]["nodes"][0]["pid"].get<pid_t>()));
  EXPECT_NE(desktop().supervisor(), desk.supervisor());
}

TEST_F(Lease, ASupervisorWhoseFolderWasTakenAwayEndsWithItsRuns) {
  Desktop desk = desktop();
  const Json reply = launch(desk, "r", {{"wait", "finished:asked"}});
  std::filesystem::rename(folder_ / "agent", folder_ / "taken");
  Desktop next = desktop();  // another one serves the place
  EXPECT_NE(next.supervisor(), desk.supervisor());
  EXPECT_TRUE(waitForEnd(desk.supervisor()));
  EXPECT_TRUE(waitForEnd(reply["result"]["nodes"][0]["pid"].get<pid_t>(), 0));
  EXPECT_EQ(desktop().supervisor(), next.supervisor());  // it has not taken the other's socket along
}

}  // namespace
}  // namespace paceline::tests
