// Records are kept: on full disks, up to a limit, for several desktops, from older versions; and given up when asked.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>

#include <fstream>
#include <sstream>

#include "agent/supervisor/spool/spool.h"
#include "engine/core/base/error.h"
#include "tests/agent/agent_fixture.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

class Keeping : public AgentTest {
 protected:
  ~Keeping() override { ::unsetenv("PACELINE_SPOOL_LIMIT"); }
  std::string agent() const { return std::string(PACELINE_BIN_DIR) + "/paceline-agent"; }
  std::filesystem::path runFolder(const std::string& run) const { return folder_ / "agent" / "runs" / run; }
  std::string spoolText(const std::string& run, int node) const {
    std::ostringstream text;
    text << std::ifstream(runFolder(run) / strCat(node, ".spool")).rdbuf();
    return text.str();
  }
  // From now on the supervisor's files may not grow: what a full disk is to it.
  static void fillDisk(pid_t supervisor, bool full) {
    const rlimit limit{full ? 1 : RLIM_INFINITY, RLIM_INFINITY};
    ASSERT_EQ(::prlimit(supervisor, RLIMIT_FSIZE, &limit, nullptr), 0);
  }
  static void skipTo(Desktop& desk, const std::string& kind, std::int64_t round = 0) {
    for (Json line = desk.nextEvent();; line = desk.nextEvent())
      if (line.contains("event") && line["event"]["kind"] == kind && (round == 0 || line["event"]["round"] == round)) return;
  }
};

TEST_F(Keeping, ARunThatEndsOnAFullDiskIsToldAtOnceAndWrittenLater) {
  Desktop desk = desktop();
  launch(desk, "r", {{"rounds:10", "wait", "rounds:20"}});
  desk.ask({{"request", "follow"}, {"run", "r"}});
  skipTo(desk, "round", 10);
  fillDisk(desk.supervisor(), true);
  desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 30}});
  skipTo(desk, "round", 20);
  skipTo(desk, "exit");
  for (Json line = desk.nextEvent(); !line.contains("ended");) line = desk.nextEvent();
  EXPECT_THAT(spoolText("r", 0), Not(HasSubstr("\"exit\"")));
  EXPECT_EQ(exitOf(desktop().followToEnd("r"), "n0")["reason"], "ended");  // another desktop, too, gets it from memory
  fillDisk(desk.supervisor(), false);
  while (spoolText("r", 0).find("\"exit\"") == std::string::npos) desk.ask({{"request", "list"}});
  ::kill(desk.supervisor(), SIGKILL);
  ASSERT_TRUE(waitForEnd(desk.supervisor()));
  const auto events = desktop().followToEnd("r");
  EXPECT_EQ(ofKind(events, "round").size(), 30U);
  EXPECT_EQ(ofKind(events, "exit").size(), 1U);
  EXPECT_EQ(exitOf(events, "n0")["reason"], "ended");
}

TEST_F(Keeping, ASupervisorWithUnwrittenRecordsDoesNotGoIdle) {
  ::setenv("PACELINE_AGENT_IDLE_S", "0.1", 1);
  pid_t supervisor = 0;
  {
    Desktop desk = desktop();
    supervisor = desk.supervisor();
    launch(desk, "r", {{"wait"}});
    fillDisk(supervisor, true);
    desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 30}});
    desk.followToEnd("r");
  }
  EXPECT_FALSE(waitForEnd(supervisor, 0.5));
  fillDisk(supervisor, false);
  EXPECT_TRUE(waitForEnd(supervisor));
  EXPECT_THAT(spoolText("r", 0), HasSubstr("\"exit\""));
}

TEST_F(Keeping, BeyondTheLimitRoundsAreCountedAndTheEndIsKept) {
  ::setenv("PACELINE_SPOOL_LIMIT", "50000", 1);
  Desktop desk = desktop();
  launch(desk, "r", {{"rounds:1000", "finished:rounds"}});
  const auto events = desk.followToEnd("r");
  const auto kept = static_cast<std::int64_t>(ofKind(events, "round").size());
  EXPECT_GT(kept, 50);
  EXPECT_LT(kept, 1000);
  std::vector<std::string> texts;
  for (const Json& log : ofKind(events, "log"))
    if (log["event"]["reason"] == "spool_limit" && log["node"] == "n0") texts.push_back(log["event"]["text"]);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_THAT(texts[0], HasSubstr("node records are not kept from here on"));
  EXPECT_EQ(texts[1], strCat(1000 - kept, " node records were not kept: the run's limit is 50000 bytes"));
  EXPECT_EQ(ofKind(events, "finished").size(), 1U);
  EXPECT_EQ(exitOf(events, "n0")["reason"], "ended");
}

TEST_F(Keeping, ForgettingDoesNotTakeARunFromWhoReadsIt) {
  Desktop slow = desktop();
  launch(slow, "r", {{"rounds:60000", "finished:rounds"}});
  slow.send({{"id", 7}, {"request", "follow"}, {"run", "r"}});  // and reads nothing yet
  Desktop quick = desktop();
  Desktop third = desktop();
  EXPECT_EQ(ofKind(quick.followToEnd("r"), "round").size(), 60000U);
  EXPECT_EQ(ofKind(third.followToEnd("r"), "round").size(), 60000U);
  EXPECT_EQ(quick.ask({{"request", "forget"}, {"run", "r"}})["result"]["runs"], Json({"r"}));
  EXPECT_FALSE(std::filesystem::exists(runFolder("r")));
  std::int64_t rounds = 0;
  for (Json line = slow.next(); !line.contains("ended"); line = slow.next())
    if (line.contains("event") && line["event"]["kind"] == "round") ++rounds;
  EXPECT_EQ(rounds, 60000);
}

TEST_F(Keeping, RunsOfAnOlderVersionAreServed) {
  std::filesystem::create_directories(runFolder("old"));
  std::ofstream(runFolder("old") / "run.json") << "{\"host\":\"local\",\"nodes\":[\"w0\"],\"run\":\"old\"}\n";  // before the cgroup was written
  std::ofstream(runFolder("old") / "0.spool") << spool::Spool::encode(1, "{\"kind\":\"started\",\"level\":\"info\",\"t\":1}")
                                              << spool::Spool::encode(2, "{\"kind\":\"log\",\"level\":\"info\",\"text\":\"hello\",\"t\":1}");
  std::filesystem::create_directories(runFolder("new"));
  std::ofstream(runFolder("new") / "run.json") << "{\"host\":\"local\",\"nodes\":[],\"run\":\"new\",\"from_a_later_version\":[1]}\n";
  const auto events = desktop().followToEnd("old");
  EXPECT_EQ(ofKind(events, "started").size(), 1U);
  EXPECT_EQ(ofKind(events, "log").size(), 1U);
  EXPECT_EQ(exitOf(events, "w0")["reason"], "supervisor_died");
  EXPECT_TRUE(desktop().followToEnd("new").empty());
}

TEST_F(Keeping, DiskUseIsPrintedAndGivenBack) {
  Desktop desk = desktop();
  launch(desk, "done", {{"rounds:200"}});
  desk.followToEnd("done");
  launch(desk, "busy", {{"hang"}});
  std::filesystem::create_directories(runFolder("unreadable"));
  std::ofstream(runFolder("unreadable") / "0.spool") << std::string(1000, 'x');
  const Json use = Json::parse(outputOf({agent(), "spools"}));
  ASSERT_EQ(use["runs"].size(), 3U) << use;
  EXPECT_EQ(use["runs"][0]["run"], "busy");
  EXPECT_EQ(use["runs"][0]["active"], true);
  EXPECT_EQ(use["runs"][0]["ended_utc"], nullptr);
  EXPECT_GT(use["runs"][1]["bytes"], 200 * 50);
  EXPECT_THAT(use["runs"][1]["ended_utc"].get<std::string>(), testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_EQ(use["runs"][2]["bytes"], 1000);
  EXPECT_EQ(use["bytes"], use["runs"][0]["bytes"].get<int>() + use["runs"][1]["bytes"].get<int>() + 1000);
  EXPECT_NE(runProgram({agent(), "forget", "busy"}), 0);
  EXPECT_NE(runProgram({agent(), "forget", "nobody"}), 0);
  const Json freed = Json::parse(outputOf({agent(), "forget", "--ended"}));
  EXPECT_EQ(freed["runs"], Json({"done", "unreadable"}));
  EXPECT_GT(freed["freed_bytes"], 1000 + 200 * 50);
  EXPECT_FALSE(std::filesystem::exists(runFolder("done")));
  EXPECT_FALSE(std::filesystem::exists(runFolder("unreadable")));
  EXPECT_TRUE(std::filesystem::exists(runFolder("busy")));
}

TEST_F(Keeping, AShutDownIsRefusedWhileRunsAreActiveUnlessForced) {
  Desktop desk = desktop();
  launch(desk, "r", {{"hang"}});
  EXPECT_EQ(desktop().hello()["active_runs"], 1);
  EXPECT_EQ(desk.ask({{"request", "shutdown"}})["error"], "the supervisor has 1 active run: end them first, or force it");
  EXPECT_TRUE(desk.ask({{"request", "list"}})["result"]["runs"][0]["active"]);
  EXPECT_TRUE(desk.ask({{"request", "shutdown"}, {"force", true}, {"grace_s", 0.1}})["ok"]);
  EXPECT_TRUE(waitForEnd(desk.supervisor()));
  EXPECT_EQ(desktop().hello()["active_runs"], 0);
}

}  // namespace
}  // namespace paceline::tests
