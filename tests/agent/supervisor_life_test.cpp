// How supervisors start, end, die and follow one another.
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <fstream>

#include "agent/supervisor/contain/containment.h"
#include "engine/core/base/clock.h"
#include "tests/agent/agent_fixture.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

class SupervisorLife : public AgentTest {
 protected:
  static void killSupervisor(const Desktop& desk) {
    ::kill(desk.supervisor(), SIGKILL);
    ASSERT_TRUE(waitForEnd(desk.supervisor()));
  }
  std::string daemonOf(Desktop& desk) {
    desk.ask({{"request", "follow"}, {"run", "r"}});
    for (;;) {
      const Json event = desk.nextEvent();
      if (event.contains("event") && event["event"].value("reason", "") == "daemon") return event["event"]["text"];
    }
  }
};

TEST_F(SupervisorLife, ManyAtOnceStartOne) {
  std::vector<pid_t> starters;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::execl((std::string(PACELINE_BIN_DIR) + "/paceline-agent").c_str(), "paceline-agent", "up", nullptr);
      ::_exit(127);
    }
    starters.push_back(child);
  }
  for (const pid_t starter : starters) {
    int status = 0;
    ::waitpid(starter, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Desktop desk((folder_ / "agent" / "agent.sock").string());
  std::ifstream file(folder_ / "agent" / "agent.pid");
  pid_t written = 0;
  file >> written;
  EXPECT_EQ(desk.supervisor(), written);
  Desktop again = desktop();
  EXPECT_EQ(again.supervisor(), written);
}

// A piece of a number would be another process.
TEST_F(SupervisorLife, OnAFullDiskItsPidIsNotHalfWritten) {
  const std::filesystem::path file = folder_ / "agent" / "agent.pid";
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << "2147483647 2\n";
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit full{.rlim_cur = 1, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &full);
  const pid_t supervisor = desktop().supervisor();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::string text;
  {
    std::ifstream in(file);
    std::getline(in, text);
  }
  std::ofstream(file) << supervisor;  // who ends it reads it here
  EXPECT_EQ(text, "2147483647 2");
}

TEST_F(SupervisorLife, AKilledSupervisorLeavesNoNode) {
  Desktop desk = desktop();
  const Json reply = launch(desk, "r", {{"hang"}, {"ignore-term", "hang"}, {"rounds:5", "daemon", "hang"}});
  const std::string daemon = daemonOf(desk);
  killSupervisor(desk);
  for (const Json& node : reply["result"]["nodes"]) EXPECT_TRUE(waitForEnd(node["pid"].get<pid_t>()));
  Desktop next = desktop();
  EXPECT_TRUE(waitForEnd(std::stoi(daemon)));
}

TEST_F(SupervisorLife, WhatKilledNodesLeaveIsRemoved) {
  Desktop desk = desktop();
  const Json reply = launch(desk, "r", {{"hang"}});
  const std::filesystem::path given = contain::environmentValue(reply["result"]["nodes"][0]["pid"].get<pid_t>(), "PACELINE_NODES_FOLDER");
  ASSERT_TRUE(std::filesystem::is_directory(given)) << given;
  EXPECT_EQ(std::filesystem::status(given).permissions(), std::filesystem::perms::owner_all);
  std::filesystem::create_directory(given / "aB3xYz");
  std::ofstream(given / "aB3xYz" / "0") << "a socket of a node";
  killSupervisor(desk);
  Desktop next = desktop();
  EXPECT_TRUE(std::filesystem::is_empty(given));
  const pid_t last = next.supervisor();
  ::kill(last, SIGTERM);
  ASSERT_TRUE(waitForEnd(last));
  EXPECT_FALSE(std::filesystem::exists(given));
}

// Its $XDG_RUNTIME_DIR goes, and the queue of a desktop goes on.
TEST_F(SupervisorLife, NodesHaveAFolderAlsoWhenTheUsersLastSessionHasEnded) {
  const std::filesystem::path session = folder_ / "session";
  std::filesystem::create_directory(session);
  ::setenv("XDG_RUNTIME_DIR", session.c_str(), 1);
  Desktop desk = desktop();
  const auto folderIn = [&](const std::string& run) {
    launch(desk, run, {{"env:PACELINE_NODES_FOLDER"}});
    std::string told;
    for (const Json& note : ofKind(desk.followToEnd(run), "note"))
      if (note["node"] == "n0") told = note["event"]["text"];
    return std::filesystem::path(told);
  };
  EXPECT_EQ(folderIn("before").parent_path(), session);
  std::filesystem::remove_all(session);
  const std::filesystem::path after = folderIn("after");
  EXPECT_NE(after.parent_path(), session);
  EXPECT_TRUE(std::filesystem::is_directory(after)) << after;
  EXPECT_EQ(folderIn("again"), after);
}

TEST_F(SupervisorLife, TheNextOneServesTheSpoolsOfADeadOne) {
  Desktop desk = desktop();
  launch(desk, "r", {{"rounds:300", "daemon", "hang"}});
  daemonOf(desk);
  killSupervisor(desk);
  Desktop next = desktop();
  const auto events = next.followToEnd("r");
  EXPECT_EQ(ofKind(events, "round").size(), 300U);
  EXPECT_EQ(exitOf(events, "n0")["reason"], "supervisor_died");
  EXPECT_GT(ofKind(events, "exit")[0]["seq"], 1'000'000);  // numbers that may be known are not used again
  const auto later = next.followToEnd("r", {{"n0", 301}});
  EXPECT_EQ(ofKind(later, "round").size(), 0U);
  EXPECT_EQ(ofKind(later, "exit").size(), 1U);
}

TEST_F(SupervisorLife, ADamagedTailIsCutAndTold) {
  Desktop desk = desktop();
  launch(desk, "r", {{"rounds:20", "daemon", "hang"}});
  daemonOf(desk);
  killSupervisor(desk);
  std::ofstream(folder_ / "agent" / "runs" / "r" / "0.spool", std::ios::app) << "22 0badcafe {\"kind\":\"rou";
  Desktop next = desktop();
  const auto events = next.followToEnd("r");
  EXPECT_EQ(ofKind(events, "round").size(), 20U);
  ASSERT_EQ(ofKind(events, "log").size(), 1U);
  EXPECT_THAT(ofKind(events, "log")[0]["event"]["text"], HasSubstr("24 bytes were cut off"));
  EXPECT_EQ(exitOf(events, "n0")["reason"], "supervisor_died");
}

TEST_F(SupervisorLife, ASupervisorThatEndedInOrderIsFollowedByOneThatKnowsItsRuns) {
  Desktop desk = desktop();
  launch(desk, "r", {{"rounds:20"}});
  const auto before = desk.followToEnd("r");
  desk.ask({{"request", "shutdown"}});
  ASSERT_TRUE(waitForEnd(desk.supervisor()));
  Desktop next = desktop();
  const auto after = next.followToEnd("r");
  EXPECT_EQ(ofKind(after, "round").size(), 20U);
  EXPECT_EQ(exitOf(after, "n0"), exitOf(before, "n0"));
}

TEST_F(SupervisorLife, ShutDownEndsTheRunsFirst) {
  Desktop desk = desktop();
  const Json reply = launch(desk, "r", {{"wait", "finished:asked"}, {"ignore-term", "hang"}});
  desk.ask({{"request", "shutdown"}, {"force", true}, {"grace_s", 0.2}});
  EXPECT_TRUE(waitForEnd(desk.supervisor()));
  for (const Json& node : reply["result"]["nodes"]) EXPECT_TRUE(waitForEnd(node["pid"].get<pid_t>(), 0));
  Desktop next = desktop();
  const auto events = next.followToEnd("r");
  EXPECT_EQ(exitOf(events, "n0")["reason"], "ended");
  EXPECT_EQ(exitOf(events, "n1")["reason"], "asked");
}

// A second desktop comes while the supervisor may open no more files.
TEST_F(SupervisorLife, WhoCannotBeTakenYetWaitsAndNothingSpins) {
#ifdef PACELINE_SANITIZED
  GTEST_SKIP() << "UndefinedBehaviorSanitizer looks at objects through a pipe, for which the supervisor has no descriptor here";
#endif
  Desktop desk = desktop();
  desk.ask({{"request", "list"}});  // whoever started it has left
  const std::string process = strCat("/proc/", desk.supervisor());
  rlimit before{}, full{};
  ASSERT_EQ(::prlimit(desk.supervisor(), RLIMIT_NOFILE, nullptr, &before), 0);
  full.rlim_max = before.rlim_max;
  while (std::filesystem::exists(std::filesystem::symlink_status(strCat(process, "/fd/", full.rlim_cur)))) ++full.rlim_cur;
  ASSERT_EQ(::prlimit(desk.supervisor(), RLIMIT_NOFILE, &full, nullptr), 0);

  const Fd second(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_un address = agentPaths().socketAddress();
  ASSERT_EQ(::connect(second.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  desk.ask({{"request", "list"}});  // meanwhile it has tried
  const auto state = [&] {
    std::ifstream file(process + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.at(text.rfind(')') + 2);
  };
  const double guard = steadySeconds() + kGuardSeconds;
  for (int asleep = 0; asleep < 50; asleep = state() == 'S' ? asleep + 1 : 0) ASSERT_LT(steadySeconds(), guard) << "it never rests";

  ASSERT_EQ(::prlimit(desk.supervisor(), RLIMIT_NOFILE, &before, nullptr), 0);
  pollfd greeted{second.get(), POLLIN, 0};
  ASSERT_EQ(::poll(&greeted, 1, static_cast<int>(kGuardSeconds * 1000)), 1);
  char first = 0;
  EXPECT_EQ(::recv(second.get(), &first, 1, 0), 1);
  EXPECT_EQ(first, '{');
}

TEST_F(SupervisorLife, EndsWhenIdle) {
  ::setenv("PACELINE_AGENT_IDLE_S", "0.1", 1);
  pid_t pid = 0;
  {
    Desktop desk = desktop();
    pid = desk.supervisor();
    EXPECT_FALSE(waitForEnd(pid, 0.5));  // somebody is attached
  }
  EXPECT_TRUE(waitForEnd(pid));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "agent" / "agent.sock"));
  EXPECT_NE(desktop().supervisor(), pid);
}

TEST_F(SupervisorLife, WaitsForItsFirstClientHoweverShortItsIdleTime) {
  ::setenv("PACELINE_AGENT_IDLE_S", "0", 1);
  Bridge supervisor("supervise");
  EXPECT_FALSE(waitForEnd(supervisor.pid(), 0.5));
  { Desktop first((folder_ / "agent" / "agent.sock").string()); }
  EXPECT_TRUE(waitForEnd(supervisor.pid()));
}

TEST_F(SupervisorLife, AFailedRunThatNobodyWatchesIsEnded) {
  {
    Desktop desk = desktop();
    ASSERT_TRUE(launch(desk, "r", {{"started:", "hang"}, {"started:", "exit:1"}}, {{"grace_s", 0.1}})["ok"]);
  }
  Desktop later = desktop();
  Json runs;
  do runs = later.ask({{"request", "list"}})["result"]["runs"];
  while (runs[0]["active"].get<bool>());
  const auto events = later.followToEnd("r");
  EXPECT_EQ(exitOf(events, "n0")["reason"], "asked");
  EXPECT_EQ(exitOf(events, "n1")["reason"], "exit_code");
}

TEST_F(SupervisorLife, ARunGoesOnWithoutItsDesktopUnlessTold) {
  {
    Desktop desk = desktop();
    launch(desk, "kept", {{"started:", "hang"}});
    launch(desk, "timed", {{"started:", "hang"}}, {{"on_lost_desktop", 0.1}, {"grace_s", 0.1}});
    launch(desk, "unstarted", {{"listening:", "hang"}}, {{"start_s", 0.1}, {"grace_s", 0.1}});
  }
  Desktop later = desktop();
  Json runs;
  do runs = later.ask({{"request", "list"}})["result"]["runs"];
  while (runs[1]["active"].get<bool>() || runs[2]["active"].get<bool>());
  EXPECT_EQ(runs[0]["run"], "kept");
  EXPECT_TRUE(runs[0]["active"]);
}

TEST_F(SupervisorLife, RunsOfOtherFoldersAreNotTouched) {
  Desktop desk = desktop();
  const Json reply = launch(desk, "r", {{"hang"}});
  ::setenv("PACELINE_AGENT_DIR", (folder_ / "other").c_str(), 1);
  ASSERT_EQ(runProgram({std::string(PACELINE_BIN_DIR) + "/paceline-agent", "up"}), 0);
  Desktop other((folder_ / "other" / "agent.sock").string());
  EXPECT_NE(other.supervisor(), desk.supervisor());
  EXPECT_FALSE(waitForEnd(reply["result"]["nodes"][0]["pid"].get<pid_t>(), 0));
  other.ask({{"request", "shutdown"}});
  EXPECT_TRUE(waitForEnd(other.supervisor()));
}

}  // namespace
}  // namespace paceline::tests
