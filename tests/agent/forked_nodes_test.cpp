// Nodes that are forked from a server of their run: they say, end and die like programs of their own, and nothing hangs on the server but their lives.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "agent/supervisor/contain/containment.h"
#include "agent/supervisor/supervise/fork_server.h"
#include "engine/core/base/error.h"
#include "engine/core/record/forks.h"
#include "tests/agent/agent_fixture.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

pid_t parentOf(pid_t pid) {
  std::ifstream file(strCat("/proc/", pid, "/status"));
  for (std::string word; file >> word;)
    if (word == "PPid:") return file >> word, std::stoi(word);
  return 0;
}

// Every program with ThreadSanitizer has a thread of the sanitizer's own, so none is forked there.
#if defined(__has_feature)
constexpr bool kForks = !__has_feature(thread_sanitizer);
#else
constexpr bool kForks = true;
#endif

class ForkedNodes : public AgentTest, public ::testing::WithParamInterface<contain::ContainmentKind> {
 protected:
  void SetUp() override {
    if (!kForks) GTEST_SKIP() << "ThreadSanitizer's own thread keeps programs from being forked";
    if (!contain::works(GetParam())) GTEST_SKIP() << "this host offers no " << contain::nameOf(GetParam());
    const char* names[] = {"pidns", "cgroup", "subreaper"};
    ::setenv("PACELINE_CONTAINMENT", names[static_cast<int>(GetParam())], 1);
  }
  void TearDown() override { ::unsetenv("PACELINE_CONTAINMENT"); }

  // Nodes n0, n1 ... of one fork server, each with what it does; as programs of their own they would say "alone".
  Json launchForked(Desktop& desk, const std::vector<std::vector<std::string>>& actions, Json first = Json::object()) {
    Json nodes = Json::array();
    for (const auto& its : actions) {
      const std::string id = strCat("n", nodes.size());
      first[id] = its;
      nodes.push_back({{"id", id}, {"command", {fakeNode(), "do", "note:alone"}}, {"fork_server", 0}});
    }
    const Json server = {{"command", {fakeNode(), "fork"}}, {"env", {{"SHARED", "by all"}}}, {"first", first.dump()}};
    return desk.ask({{"request", "launch"}, {"run", "r"}, {"nodes", nodes}, {"fork_servers", {server}}});
  }

  // When a node has said a note with this text.
  void waitForNote(Desktop& desk, const std::string& text) {
    desk.ask({{"request", "follow"}, {"run", "r"}});
    for (Json line = desk.nextEvent(); !line.contains("event") || line["event"].value("text", "") != text;) line = desk.nextEvent();
  }
  static std::vector<pid_t> pidsOf(Desktop& desk) {
    std::vector<pid_t> pids;
    const Json list = desk.ask({{"request", "list"}});
    for (const Json& node : list["result"]["runs"][0]["nodes"]) pids.push_back(node["pid"]);
    return pids;
  }
  // When all are there: the last of several that are forked one behind the other may say so first.
  static std::vector<pid_t> pidsOfAll(Desktop& desk) {
    std::vector<pid_t> pids = pidsOf(desk);
    while (std::ranges::count(pids, 0) > 0) pids = pidsOf(desk);
    return pids;
  }
};

std::multiset<std::string> textsOf(const std::vector<Json>& events, const std::string& kind) {
  std::multiset<std::string> texts;
  for (const Json& event : ofKind(events, kind)) texts.insert(event["event"].value("text", ""));
  return texts;
}

TEST_P(ForkedNodes, EndAsTheySay) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchForked(desk, {{"rounds:5"}, {"exit:3"}, {"kill:9"}, {"err:oh", "kill:6"}, {"env:SHARED"}, {}})["ok"]);
  const auto events = desk.followToEnd("r");
  EXPECT_EQ(ofKind(events, "round").size(), 5U);
  EXPECT_EQ(exitOf(events, "n0")["reason"], "ended");
  EXPECT_EQ(exitOf(events, "n1")["text"], "ended with exit code 3");
  EXPECT_EQ(exitOf(events, "n2")["text"], "killed by signal 9 (SIGKILL)");
  EXPECT_EQ(exitOf(events, "n3")["text"], "killed by signal 6 (SIGABRT)");
  EXPECT_EQ(exitOf(events, "n5")["reason"], "ended");
  EXPECT_EQ(textsOf(events, "log").count("oh"), 1U);
  EXPECT_EQ(textsOf(events, "note").count("by all"), 1U);
  EXPECT_EQ(textsOf(events, "note").count("alone"), 0U);
}

TEST_P(ForkedNodes, AreWhoTheListSaysAndCarryTheirMarks) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchForked(desk, {{"hang"}, {"hang"}, {"note:ready", "hang"}})["ok"]);
  waitForNote(desk, "ready");
  const std::vector<pid_t> pids = pidsOfAll(desk);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_THAT(contain::environmentValue(pids[i], kNodeVariable), testing::StartsWith(strCat("r/n", i, "@"))) << pids[i];
    EXPECT_EQ(::getpgid(pids[i]), pids[i]);
    EXPECT_EQ(parentOf(pids[i]), parentOf(pids[0]));
  }
  EXPECT_THAT(contain::environmentValue(parentOf(pids[0]), kNodeVariable), testing::StartsWith("r/**@"));
  ASSERT_TRUE(desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 0}})["ok"]);
  for (const pid_t pid : pids) EXPECT_TRUE(waitForEnd(pid));
}

TEST_P(ForkedNodes, HearTheirOrders) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchForked(desk, {{"wait"}, {"wait"}})["ok"]);
  ASSERT_TRUE(desk.ask({{"request", "input"}, {"run", "r"}, {"node", "n1"}, {"line", "to the second"}})["ok"]);
  ASSERT_TRUE(desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 60}})["ok"]);
  const auto events = desk.followToEnd("r");
  for (const Json& event : ofKind(events, "note"))
    if (event["event"].value("text", "") == "to the second") {
      EXPECT_EQ(event["node"], "n1");
    }
  EXPECT_EQ(textsOf(events, "note").count("to the second"), 1U);
  for (const char* node : {"n0", "n1"}) EXPECT_EQ(exitOf(events, node)["reason"], "ended");
}

TEST_P(ForkedNodes, EndWithTheirServer) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchForked(desk, {{"hang"}, {"note:ready", "hang"}})["ok"]);
  waitForNote(desk, "ready");
  const std::vector<pid_t> pids = pidsOfAll(desk);
  ::kill(parentOf(pids[0]), SIGKILL);
  const auto events = desk.followToEnd("r");
  for (const char* node : {"n0", "n1"}) EXPECT_EQ(exitOf(events, node)["text"], "killed by signal 9 (SIGKILL)");
  for (const pid_t pid : pids) EXPECT_TRUE(waitForEnd(pid));
}

TEST_P(ForkedNodes, ThatIgnoreTheirEndAreKilled) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchForked(desk, {{"ignore-term", "daemon", "hang"}, {"note:ready", "hang"}})["ok"]);
  waitForNote(desk, "ready");
  const std::vector<pid_t> pids = pidsOfAll(desk);
  ASSERT_TRUE(desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 0.05}})["ok"]);
  const auto events = desk.followToEnd("r");
  EXPECT_EQ(exitOf(events, "n0")["reason"], "asked");
  EXPECT_EQ(exitOf(events, "n1")["reason"], "asked");
  for (const pid_t pid : pids) EXPECT_TRUE(waitForEnd(pid));
}

TEST_P(ForkedNodes, ThatEndedThemselvesWereNotAskedTo) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchForked(desk, {{"note:ready", "hang"}})["ok"]);
  waitForNote(desk, "ready");
  const pid_t node = pidsOf(desk)[0];
  ::kill(parentOf(node), SIGSTOP);  // it does not tell
  ::kill(node, SIGKILL);
  ASSERT_TRUE(waitForEnd(node));
  ASSERT_TRUE(desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 0.02}})["ok"]);
  EXPECT_EQ(exitOf(desk.followToEnd("r"), "n0")["reason"], "killed");
}

TEST_P(ForkedNodes, EndAsTheySayBesideAStoppedServer) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchForked(desk, {{"wait"}, {"wait", "exit:3"}, {"wait", "kill:6"}})["ok"]);
  const std::vector<pid_t> pids = pidsOfAll(desk);
  const pid_t server = parentOf(pids[0]);
  ::kill(server, SIGSTOP);
  ASSERT_TRUE(desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 600}})["ok"]);  // closes their input, kills nobody for ten minutes
  const auto events = desk.followToEnd("r");
  EXPECT_EQ(exitOf(events, "n0")["reason"], "ended");
  EXPECT_EQ(exitOf(events, "n1")["text"], "ended with exit code 3");
  EXPECT_EQ(exitOf(events, "n2")["text"], "killed by signal 6 (SIGABRT)");
  EXPECT_TRUE(waitForEnd(server));
}

TEST_P(ForkedNodes, AreAsManyAsTheHostLetsTheSupervisorOpenFilesFor) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few{.rlim_cur = 64, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  Desktop desk = desktop();
  EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  const std::vector<std::vector<std::string>> nodes(30, {"exit:0"});
  ASSERT_TRUE(launchForked(desk, nodes)["ok"]);
  const auto events = desk.followToEnd("r");
  for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(exitOf(events, strCat("n", i))["reason"], "ended");
}

TEST_P(ForkedNodes, AreProgramsOfTheirOwnWhereTheServerCannotLoad) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchForked(desk, {{"note:forked"}, {"note:forked"}}, {{"refuse", true}})["ok"]);
  const auto events = desk.followToEnd("r");
  EXPECT_EQ(textsOf(events, "note").count("alone"), 2U);
  EXPECT_EQ(textsOf(events, "note").count("forked"), 0U);
  EXPECT_EQ(textsOf(events, "log").count("fork server: paceline fork server: data is not here"), 1U);
  for (const char* node : {"n0", "n1"}) EXPECT_EQ(exitOf(events, node)["reason"], "ended");
}

TEST_P(ForkedNodes, AreProgramsOfTheirOwnWhereTheServerHasThreads) {
  Desktop desk = desktop();
  ASSERT_TRUE(launchForked(desk, {{"note:forked"}, {"note:forked"}}, {{"thread", true}})["ok"]);
  const auto events = desk.followToEnd("r");
  EXPECT_EQ(textsOf(events, "note").count("alone"), 2U);
  EXPECT_EQ(textsOf(events, "log").count("fork server: paceline fork server: a process of 2 threads cannot be forked"), 1U);
}

// A program that the loader refuses: it is there, and has ended before it can be told anything.
class EndsAtOnce final : public contain::Containment {
 public:
  pid_t start(const std::function<void()>&) override {
    child_ = forked();
    if (child_ == 0) ::_exit(127);
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOWAIT);
    return child_;
  }
  ~EndsAtOnce() override { waitedFor(child_); }
  void killAll() override {}
  bool empty() override { return true; }

 private:
  pid_t child_ = 0;
};

TEST(ForkServer, ThatEndsAtOnceRefusesItsNodes) {
  EndsAtOnce containment;
  std::vector<int> refused;
  supervise::ForkServer server({.command = {fakeNode(), "fork"}, .env = {}, .mark = "r/**@", .folder = ""}, "{}", containment,
                               {.forked = {}, .ended = {}, .refused = [&](int node, const supervise::ProgramEnds&) { refused.push_back(node); }, .said = {}});
  const auto open = [] { return supervise::ProgramEnds{.in = Fd(::open("/dev/null", O_RDONLY)), .out = Fd(::open("/dev/null", O_WRONLY)), .err = Fd(::open("/dev/null", O_WRONLY))}; };
  for (const int node : {0, 1}) server.fork(node, "r/n@", open());
  EXPECT_EQ(refused, (std::vector<int>{0, 1}));
  EXPECT_FALSE(server.waiting());
  supervise::Watches watches;
  server.watch(watches);
  EXPECT_EQ(watches.size(), 1U);  // what it said is still read
}

TEST_P(ForkedNodes, WhoseProgramIsNotThereSaySo) {
  Desktop desk = desktop();
  const Json node = {{"id", "n0"}, {"command", {"/nowhere/program"}}, {"fork_server", 0}};
  const Json server = {{"command", {fakeNode(), "fork"}}, {"first", R"({"refuse": true})"}};
  ASSERT_TRUE(desk.ask({{"request", "launch"}, {"run", "r"}, {"nodes", {node}}, {"fork_servers", {server}}})["ok"]);
  const auto events = desk.followToEnd("r");
  EXPECT_EQ(textsOf(events, "failed").count("node n0: cannot start /nowhere/program: No such file or directory"), 1U);
  EXPECT_EQ(exitOf(events, "n0")["code"], 127);
  for (const Json& event : ofKind(events, "log")) EXPECT_NE(event["event"].value("reason", ""), "leftovers");
}

TEST_P(ForkedNodes, AreEndedBeforeTheyAreThere) {
  Desktop desk = desktop();
  const Json node = {{"id", "n0"}, {"command", {fakeNode(), "do", "note:alone"}}, {"fork_server", 0}};
  const Json server = {{"command", {fakeNode(), "do", "hang"}}, {"first", "{}"}};  // it never forks
  ASSERT_TRUE(desk.ask({{"request", "launch"}, {"run", "r"}, {"nodes", {node}}, {"fork_servers", {server}}})["ok"]);
  EXPECT_EQ(pidsOf(desk), std::vector<pid_t>{0});
  ASSERT_TRUE(desk.ask({{"request", "end"}, {"run", "r"}, {"grace_s", 0.02}})["ok"]);
  const auto events = desk.followToEnd("r");
  EXPECT_EQ(exitOf(events, "n0")["reason"], "asked");
  EXPECT_EQ(textsOf(events, "note").count("alone"), 0U);
}

TEST_P(ForkedNodes, OfAServerThatIsNotThereAreRefused) {
  Desktop desk = desktop();
  const Json node = {{"id", "n0"}, {"command", {fakeNode(), "run"}}, {"fork_server", 1}};
  const Json server = {{"command", {fakeNode(), "fork"}}, {"first", "{}"}};
  const Json reply = desk.ask({{"request", "launch"}, {"run", "r"}, {"nodes", {node}}, {"fork_servers", {server}}});
  EXPECT_EQ(reply["ok"], false);
  EXPECT_THAT(reply["error"].get<std::string>(), HasSubstr("/nodes/0/fork_server"));
  EXPECT_THAT(desk.ask({{"request", "list"}})["result"]["runs"], testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(EveryKind, ForkedNodes,
                         ::testing::Values(contain::ContainmentKind::kPidNamespace, contain::ContainmentKind::kCgroup, contain::ContainmentKind::kSubreaper),
                         [](const auto& info) { return std::string(std::array{"pid_namespace", "cgroup", "child_sub_reaper"}[static_cast<std::size_t>(info.param)]); });

}  // namespace
}  // namespace paceline::tests
