// A supervisor with one desktop: what nodes do arrives, in order and once.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <map>

#include "engine/core/base/error.h"
#include "engine/core/record/control.h"
#include "engine/core/record/event.h"
#include "engine/core/record/kernels.h"
#include "tests/agent/agent_fixture.h"
#include "tests/support/stepped_clock.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

class Supervisor_ : public AgentTest {};

std::vector<std::int64_t> numbersOf(const std::vector<Json>& events, const std::string& node) {
  std::vector<std::int64_t> numbers;
  for (const Json& event : events)
    if (event["node"] == node) numbers.push_back(event["seq"]);
  return numbers;
}

void expectOneToN(const std::vector<std::int64_t>& numbers, std::int64_t n) {
  ASSERT_EQ(numbers.size(), static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(numbers[static_cast<std::size_t>(i)], i + 1);
}

TEST_F(Supervisor_, EventsOfARunArriveInOrderAndOnce) {
  Desktop desk = desktop();
  ASSERT_TRUE(launch(desk, "r", {{"listening:tcp://x", "rounds:1000", "finished:rounds"}, {"rounds:10"}})["ok"]);
  const auto events = desk.followToEnd("r");
  expectOneToN(numbersOf(events, "n0"), 1003);
  expectOneToN(numbersOf(events, "n1"), 11);
  EXPECT_EQ(exitOf(events, "n0")["reason"], "ended");
  EXPECT_EQ(ofKind(events, "listening")[0]["event"]["text"], "tcp://x");
}

TEST_F(Supervisor_, ASecondDesktopGetsWhatTheFirstMissed) {
  Desktop first = desktop();
  ASSERT_TRUE(launch(first, "r", {{"rounds:2000", "wait", "rounds:2000"}})["ok"]);
  first.send({{"id", 1000}, {"request", "follow"}, {"run", "r"}});
  std::vector<Json> seen;
  while (seen.size() < 500) {
    Json line = first.next();
    if (line.contains("event") && line["node"] == "n0") seen.push_back(line);
  }
  { Desktop gone = std::move(first); }
  Desktop second = desktop();
  ASSERT_TRUE(second.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 30}})["ok"]);
  for (const Json& event : second.followToEnd("r", {{"n0", 500}}))
    if (event["node"] == "n0") seen.push_back(event);
  const auto numbers = numbersOf(seen, "n0");
  expectOneToN(numbers, static_cast<std::int64_t>(numbers.size()));
  EXPECT_EQ(ofKind(seen, "round").size(), 4000U);
  EXPECT_EQ(exitOf(seen, "n0")["reason"], "ended");
}

TEST_F(Supervisor_, NodesGetTheKernelsOfThisCpuUnlessTheyAreTold) {
  Desktop desk = desktop();
  const auto node = [](const char* id, const Json& env) { return Json{{"id", id}, {"command", {fakeNode(), "do", "env:OPENBLAS_CORETYPE"}}, {"env", env}}; };
  const Json nodes = {node("n0", Json::object()), node("n1", {{"OPENBLAS_CORETYPE", "Nehalem"}})};
  ASSERT_TRUE(desk.ask({{"request", "launch"}, {"run", "r"}, {"nodes", nodes}})["ok"]);
  const Variables chosen = kernelsFor(cpuFlags(), {});
  std::map<std::string, std::string> told;
  for (const Json& event : ofKind(desk.followToEnd("r"), "note"))
    if (event["event"].value("reason", "") == "env") told[event["node"]] = event["event"]["text"];
  EXPECT_EQ(told, (std::map<std::string, std::string>{{"n0", chosen.empty() ? "(none)" : chosen.at(kOpenBlasVariable)}, {"n1", "Nehalem"}}));
}

TEST_F(Supervisor_, ANodeThatMayReturnIsStartedAgainWithWhatItLeft) {
  Desktop desk = desktop();
  const auto node = [](const char* id, int restarts, const std::vector<std::string>& actions) {
    std::vector<std::string> command{fakeNode(), "do"};
    command.insert(command.end(), actions.begin(), actions.end());
    return Json{{"id", id}, {"command", command}, {"restarts", restarts}};
  };
  const Json nodes = {node("n0", 2, {"started:", "journal:x", "kill:9"}), node("n1", 0, {"started:", "journal:x", "kill:9"}), node("n2", 2, {"started:", "exit:3"}), node("n3", 2, {"journal:x", "kill:9"}), node("n4", 1, {"started:", "journal:x", strCat("exit:", kCutOffCode)})};
  ASSERT_TRUE(desk.ask({{"request", "launch"}, {"run", "r"}, {"nodes", nodes}})["ok"]);
  const auto events = desk.followToEnd("r");
  std::map<std::string, std::vector<std::string>> found, again;
  for (const Json& event : events) {
    const std::string reason = event["event"].value("reason", "");
    if (reason == "journal") found[event["node"]].push_back(event["event"]["text"]);
    if (reason == "restarted") again[event["node"]].push_back(event["event"]["text"]);
  }
  EXPECT_EQ(found["n0"], (std::vector<std::string>{"", "x", "xx"}));
  EXPECT_EQ(again["n0"], (std::vector<std::string>{"killed by signal 9 (SIGKILL); its host starts it again, 1 more time at most", "killed by signal 9 (SIGKILL); its host starts it again, 0 more times at most"}));
  EXPECT_EQ(found["n1"], std::vector<std::string>{"(none)"});
  EXPECT_EQ(found["n3"].size(), 1U);  // it had not started
  EXPECT_EQ(again["n4"], std::vector<std::string>{"was cut off from the others; its host starts it again, 0 more times at most"});
  EXPECT_EQ(exitOf(events, "n4")["reason"], "cut_off");
  EXPECT_EQ(again.size(), 2U);
  expectOneToN(numbersOf(events, "n0"), 9);
  for (const char* id : {"n0", "n1", "n3"}) EXPECT_EQ(exitOf(events, id)["text"], "killed by signal 9 (SIGKILL)") << id;
  EXPECT_EQ(exitOf(events, "n2")["reason"], "exit_code");
}

TEST_F(Supervisor_, AKilledNodeSaysBySignal) {
  Desktop desk = desktop();
  launch(desk, "r", {{"kill:9"}, {"kill:6"}, {"exit:3"}, {"kill:4"}});
  const auto events = desk.followToEnd("r");
  EXPECT_EQ(exitOf(events, "n0")["text"], "killed by signal 9 (SIGKILL)");
  EXPECT_EQ(exitOf(events, "n0")["reason"], "killed");
  EXPECT_EQ(exitOf(events, "n0")["code"], 9);
  EXPECT_EQ(exitOf(events, "n1")["text"], "killed by signal 6 (SIGABRT)");
  EXPECT_EQ(exitOf(events, "n2")["text"], "ended with exit code 3");
  EXPECT_EQ(exitOf(events, "n3")["text"], "killed by signal 4 (SIGILL)");
}

// The kernel's own kills: a memory group of which the supervisor and its nodes may have 64 MiB.
class OutOfMemory : public AgentTest {
 protected:
  ~OutOfMemory() override {
    if (!group_.empty()) ::rmdir(group_.c_str());
  }
  bool limit(pid_t supervisor) {
    for (const auto& [base, file] : {std::pair("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), std::pair("/sys/fs/cgroup", "memory.max")}) {
      group_ = strCat(base, "/paceline-test-", ::getpid());
      if (::mkdir(group_.c_str(), 0755) != 0) continue;
      std::ofstream(strCat(group_, "/memory.swap.max")) << 0;
      if ((std::ofstream(strCat(group_, "/", file)) << (64 << 20) << std::flush) &&
          (std::ofstream(strCat(group_, "/cgroup.procs")) << supervisor << std::flush))
        return true;
      ::rmdir(group_.c_str());
    }
    group_.clear();
    return false;
  }
  std::string group_;
};

TEST_F(OutOfMemory, IsTheReasonOfANodeThatTheKernelKilledForIt) {
  Desktop desk = desktop();
  if (!limit(desk.supervisor())) GTEST_SKIP() << "this user cannot limit the memory of a group";
  launch(desk, "r", {{"eat"}});
  const Json exit = exitOf(desk.followToEnd("r"), "n0");
  EXPECT_EQ(exit["reason"], "out of memory");
  EXPECT_EQ(exit["code"], 9);
  desk.ask({{"request", "shutdown"}});
  EXPECT_TRUE(waitForEnd(desk.supervisor()));
}

TEST_F(Supervisor_, SaysWhatHoldsARunTogether) {
  Desktop desk = desktop();
  launch(desk, "r", {{"exit:0"}});
  const std::string containment = desk.ask({{"request", "list"}})["result"]["containment"];
  EXPECT_EQ(desk.hello()["containment"], containment);
  const auto notes = ofKind(desk.followToEnd("r"), "note");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0]["node"], "local");
  EXPECT_EQ(notes[0]["event"]["text"], "clean-up by " + containment);
}

TEST_F(Supervisor_, OrdersReachTheNode) {
  Desktop desk = desktop();
  launch(desk, "r", {{"env:FAKE_VALUE", "wait"}});
  ASSERT_TRUE(desk.ask({{"request", "input"}, {"run", "r"}, {"node", "n0"}, {"line", "first order"}})["ok"]);
  ASSERT_TRUE(desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 30}})["ok"]);
  const auto notes = ofKind(desk.followToEnd("r"), "note");
  std::vector<std::string> texts;
  for (const Json& note : notes)
    if (note["node"] == "n0") texts.push_back(note["event"]["text"]);
  EXPECT_EQ(texts, (std::vector<std::string>{"set by the desktop", "first order", "{\"kind\":\"stop\"}"}));
}

TEST_F(Supervisor_, StderrAndGarbageBecomeLogLines) {
  Desktop desk = desktop();
  launch(desk, "r", {{"err:careful", "raw:no json", "raw:{\"kind\":\"exit\"}", "long:2000000", "raw:[1]", "finished:rounds"}});
  const auto events = desk.followToEnd("r");
  const auto logs = ofKind(events, "log");
  ASSERT_EQ(logs.size(), 5U);
  std::string all;
  for (const Json& log : logs) {
    EXPECT_EQ(log["event"]["level"], "warn");
    all += log["event"]["text"].get<std::string>() + "\n";
  }
  EXPECT_THAT(all, HasSubstr("careful\n"));
  EXPECT_THAT(all, HasSubstr("no json"));
  EXPECT_THAT(all, HasSubstr("cannot say \"exit\" itself"));
  EXPECT_THAT(all, HasSubstr("more than 1048576 bytes"));
  EXPECT_EQ(ofKind(events, "exit").size(), 1U);
  EXPECT_EQ(ofKind(events, "finished").size(), 1U);
}

TEST_F(Supervisor_, AProgramThatIsNotThereStartsNothing) {
  Desktop desk = desktop();
  const Json reply = desk.ask({{"request", "launch"},
                               {"run", "r"},
                               {"nodes", {{{"id", "a"}, {"command", {fakeNode(), "do", "hang"}}}, {{"id", "b"}, {"command", {"/no/such/program"}}}}}});
  EXPECT_FALSE(reply["ok"]);
  EXPECT_EQ(reply["error"], "node b: cannot start /no/such/program: No such file or directory");
  EXPECT_EQ(desk.ask({{"request", "list"}})["result"]["runs"], Json::array());
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "agent" / "runs"));
}

TEST_F(Supervisor_, AStubbornNodeIsKilledWithAllItStarted) {
  Desktop desk = desktop();
  const Json reply = launch(desk, "r", {{"ignore-term", "daemon", "hang"}});
  const pid_t node = reply["result"]["nodes"][0]["pid"];
  desk.ask({{"request", "follow"}, {"run", "r"}});
  Json note;
  do note = desk.nextEvent();
  while (!note.contains("event") || note["event"].value("reason", "") != "daemon");
  const pid_t daemon = std::stoi(note["event"]["text"].get<std::string>());
  ASSERT_TRUE(desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 0.1}})["ok"]);
  const auto events = desk.followToEnd("r");
  EXPECT_THAT(exitOf(events, "n0")["text"], HasSubstr("SIGKILL"));
  EXPECT_EQ(exitOf(events, "n0")["reason"], "asked");
  EXPECT_TRUE(waitForEnd(node));
  EXPECT_TRUE(waitForEnd(daemon));
}

TEST_F(Supervisor_, WhatADeadNodeLeftIsKilled) {
  Desktop desk = desktop();
  launch(desk, "r", {{"daemon", "wait", "exit:1"}});
  desk.ask({{"request", "follow"}, {"run", "r"}});
  Json note;
  do note = desk.nextEvent();
  while (!note.contains("event") || note["event"].value("reason", "") != "daemon");
  desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 30}});
  desk.followToEnd("r");
  EXPECT_TRUE(waitForEnd(std::stoi(note["event"]["text"].get<std::string>())));
}

TEST_F(Supervisor_, ASlowDesktopDoesNotHoldUpTheNodes) {
  Desktop slow = desktop();
  launch(slow, "r", {{"rounds:60000", "finished:rounds"}});
  slow.send({{"id", 7}, {"request", "follow"}, {"run", "r"}});  // and reads nothing yet: some 20 MB wait for it
  Desktop quick = desktop();
  const auto seen = quick.followToEnd("r", {{"n0", 59990}});
  EXPECT_EQ(exitOf(seen, "n0")["reason"], "ended");
  std::int64_t rounds = 0;
  for (Json line = slow.next(); !line.contains("ended"); line = slow.next())
    if (line.contains("event") && line["event"]["kind"] == "round") {
      EXPECT_EQ(line["event"]["round"], ++rounds);
    }
  EXPECT_EQ(rounds, 60000);
}

TEST_F(Supervisor_, HostLoadComesWithEveryActiveRun) {
  Desktop desk = desktop();
  launch(desk, "r", {{"wait"}});
  desk.ask({{"request", "follow"}, {"run", "r"}});
  Json event;
  do event = desk.nextEvent();
  while (event["event"]["kind"] != "host");
  EXPECT_EQ(event["node"], "local");
  EXPECT_GT(event["event"]["memory_total_bytes"], 0);
}

TEST_F(Supervisor_, ForgetDropsTheSpoolOfAnEndedRunOnly) {
  Desktop desk = desktop();
  launch(desk, "r", {{"wait"}});
  EXPECT_THAT(desk.ask({{"request", "forget"}, {"run", "r"}})["error"], HasSubstr("still runs"));
  EXPECT_THAT(launch(desk, "r", {{"wait"}})["error"], HasSubstr("already known"));
  desk.ask({{"request", "end"}, {"run", "r"}});
  desk.followToEnd("r");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "agent" / "runs" / "r"));
  EXPECT_TRUE(desk.ask({{"request", "forget"}, {"run", "r"}})["ok"]);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "agent" / "runs" / "r"));
  EXPECT_THAT(desk.ask({{"request", "follow"}, {"run", "r"}})["error"], HasSubstr("not known"));
}

// A desktop that has lost the answer asks again, and the wall clock was set meanwhile.
TEST_F(Supervisor_, ALaunchThatIsRefusedMovesNoDateOfTheRunUnderWay) {
  constexpr double kHour = 3600, kHalfAnHour = 1800;
  const double before = unixNow();
  ClockStep clock((folder_ / "clock").string());
  ::setenv(kClockStepVariable, clock.path().c_str(), 1);
  ASSERT_EQ(runProgram({PACELINE_TEST_DIR "/paceline-agent-stepped", "up"}), 0);
  ::unsetenv(kClockStepVariable);
  Desktop desk((folder_ / "agent" / "agent.sock").string());
  const auto expectDates = [&](const std::string& run, double at) {
    desk.ask({{"request", "end"}, {"run", run}});
    for (const Json& event : desk.followToEnd(run))
      if (event["event"].contains("unix_s")) {
        EXPECT_NEAR(event["event"]["unix_s"].get<double>(), at, kHalfAnHour) << event;
      }
  };
  ASSERT_TRUE(launch(desk, "r", {{"wait"}})["ok"]);
  clock.set(-3600);
  EXPECT_THAT(launch(desk, "r", {{"wait"}})["error"], HasSubstr("already known"));
  expectDates("r", before);
  ASSERT_TRUE(launch(desk, "next", {{"wait"}})["ok"]);
  expectDates("next", before - kHour);
}

TEST_F(Supervisor_, BadRequestsAreAnsweredAndHarmless) {
  Desktop desk = desktop();
  const std::vector<std::string> bad{
      "no json", "[]", "3", "\"text\"", "{}", "{\"request\":3}", "{\"request\":\"fly\"}", "{\"request\":\"launch\"}",
      "{\"request\":\"launch\",\"run\":\"../x\",\"nodes\":[{\"id\":\"a\",\"command\":[\"true\"]}]}",
      "{\"request\":\"launch\",\"run\":\"\",\"nodes\":[{\"id\":\"a\",\"command\":[\"true\"]}]}",
      "{\"request\":\"launch\",\"run\":\"r\",\"nodes\":[]}", "{\"request\":\"launch\",\"run\":\"r\",\"nodes\":{}}",
      "{\"request\":\"launch\",\"run\":\"r\",\"nodes\":[3]}", "{\"request\":\"launch\",\"run\":\"r\",\"nodes\":[{\"id\":\"a\",\"command\":[]}]}",
      "{\"request\":\"launch\",\"run\":\"r\",\"nodes\":[{\"id\":\"a\",\"command\":[1]}]}",
      "{\"request\":\"launch\",\"run\":\"r\",\"nodes\":[{\"id\":\"local\",\"command\":[\"true\"]}]}",
      "{\"request\":\"launch\",\"run\":\"r\",\"nodes\":[{\"id\":\"a\",\"command\":[\"true\"]},{\"id\":\"a\",\"command\":[\"true\"]}]}",
      "{\"request\":\"launch\",\"run\":\"r\",\"nodes\":[{\"id\":\"a\",\"command\":[\"a\\u0000b\"]}]}",
      "{\"request\":\"launch\",\"run\":\"r\",\"nodes\":[{\"id\":\"a\",\"command\":[\"true\"],\"env\":{\"a=b\":\"c\"}}]}",
      "{\"request\":\"launch\",\"run\":\"r\",\"nodes\":[{\"id\":\"a\",\"command\":[\"true\"]}],\"policy\":{\"on_lost_desktop\":\"x\"}}",
      "{\"request\":\"follow\",\"run\":\"none\"}", "{\"request\":\"input\",\"run\":\"none\",\"node\":\"a\",\"line\":\"\"}",
      "{\"request\":\"end\",\"run\":[]}", "{\"request\":\"forget\"}", "{\"request\":\"shutdown\",\"grace_s\":-1}",
      "{\"request\":\"shutdown\",\"grace_s\":1e999}", std::string(100'000, '['), std::string("{\"a\":\"\xff\xfe\"}")};
  for (const std::string& line : bad) {
    desk.sendText(line);
    const Json reply = desk.next();
    EXPECT_EQ(reply["ok"], false) << line.substr(0, 100);
    EXPECT_FALSE(reply["error"].get<std::string>().empty());
  }
  EXPECT_EQ(desk.ask({{"request", "list"}})["result"]["runs"], Json::array());
}

// Copying or writing a value of many levels recurses, and one supervisor holds all runs of its host.
TEST_F(Supervisor_, ARequestOfManyLevelsIsRefusedAndTheRunsGoOn) {
  Desktop desk = desktop();
  ASSERT_TRUE(launch(desk, "r", {{"wait", "rounds:10", "finished:rounds"}})["ok"]);
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& line : {deep, "{\"id\":7,\"request\":\"list\",\"more\":" + deep + "}", "{\"id\":7,\"request\":" + deep + "}"}) {
    desk.sendText(line);
    EXPECT_EQ(desk.next(), (Json{{"id", nullptr}, {"ok", false}, {"error", "a request: is nested deeper than 64 levels"}}));
  }
  const Json runs = desk.ask({{"request", "list"}})["result"]["runs"];
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0]["active"], true);
  EXPECT_TRUE(desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 30}})["ok"]);
  EXPECT_EQ(ofKind(desk.followToEnd("r"), "round").size(), 10U);
}

TEST_F(Supervisor_, ARequestThatIsTooLongIsRefusedAndTheRestIsRead) {
  Desktop desk = desktop();
  desk.sendText(std::string((16 << 20) + 10, 'x'));
  EXPECT_THAT(desk.next()["error"], HasSubstr("more than 16777216 bytes"));
  EXPECT_TRUE(desk.ask({{"request", "list"}})["ok"]);
}

}  // namespace
}  // namespace paceline::tests
