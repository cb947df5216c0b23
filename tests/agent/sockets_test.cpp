// The supervisor, its bridges and the commands that ask it, with every call of their sockets failing.
#include <gmock/gmock.h>
#include <signal.h>

#include <fstream>
#include <numeric>
#include <optional>

#include "engine/core/base/text.h"
#include "tests/agent/agent_fixture.h"
#include "tests/support/socket_walk.h"

namespace paceline::tests {
namespace {

const std::string kFaulty = PACELINE_TEST_DIR "/paceline-agent-faulty";

class FailingSockets : public AgentTest {
 protected:
  void SetUp() override {
    if (!SocketFaults::possible()) GTEST_SKIP() << "a sanitizer stands where the faults would";
    ::signal(SIGPIPE, SIG_IGN);  // of bridges that end
  }
  SocketFaults failing(int visits) const { return SocketFaults({.program = "paceline-agent-faulty", .path = (folder_ / "faults").string(), .visits = visits}); }

  // What a program said of itself, and its exit code.
  struct Said {
    int code = 0;
    std::string output, errors;
  };
  Said said(const std::string& command) const {
    const std::string errors = (folder_ / "errors").string();
    Said all;
    all.output = outputOf({"/bin/sh", "-c", strCat(kFaulty, " ", command, " 2>", errors, "; echo $? >", errors, ".code")});
    std::ifstream(errors + ".code") >> all.code;
    std::ifstream text(errors);
    all.errors = trimmedEnd(std::string(std::istreambuf_iterator<char>(text), {}));
    return all;
  }
};

// A desktop that makes its connection again whenever it breaks.
class Reconnecting {
 public:
  explicit Reconnecting(std::string run) : run_(std::move(run)) {}

  // Launches the run unless it is there, and follows it to its end.
  std::vector<Json> records() {
    constexpr int kMost = 20;
    for (; connections_ < kMost && !attempt(); ++connections_) continue;
    EXPECT_LT(connections_, kMost);
    return std::move(events_);
  }
  int connections() const { return connections_; }

 private:
  // nullopt: the connection broke.
  std::optional<Json> next(Bridge& bridge) {
    const std::string line = bridge.nextLine();
    if (line.empty()) return std::nullopt;
    Json said = Json::parse(line);
    if (said.contains("event")) {
      known_[said["node"].get<std::string>()] = said["seq"];
      events_.push_back(said);
    }
    return said;
  }
  std::optional<Json> ask(Bridge& bridge, Json request) {
    request["id"] = ++id_;
    bridge.send(request);
    for (;;) {
      auto said = next(bridge);
      if (!said || said->value("id", 0) == id_) return said;
    }
  }
  bool attempt() {
    try {
      Bridge bridge("attach", kFaulty);
      const auto list = ask(bridge, {{"request", "list"}});
      if (!list) return false;
      const Json nodes = {{{"id", "n0"}, {"command", {fakeNode(), "do", "rounds:100", "finished:rounds"}}, {"env", Json::object()}}};
      const bool there = std::ranges::any_of((*list)["result"]["runs"], [&](const Json& run) { return run["run"] == run_; });
      if (!there && !ask(bridge, {{"request", "launch"}, {"run", run_}, {"nodes", nodes}, {"policy", Json::object()}})) return false;
      const auto followed = ask(bridge, {{"request", "follow"}, {"run", run_}, {"from", known_}});
      if (!followed) return false;
      EXPECT_TRUE((*followed)["ok"]) << *followed;
      for (;;) {
        const auto said = next(bridge);
        if (!said) return false;
        if (said->contains("ended")) return true;
      }
    } catch (const std::runtime_error&) {  // the bridge takes nothing
      return false;
    }
  }

  std::string run_;
  int id_ = 0, connections_ = 1;
  Json known_ = Json::object();
  std::vector<Json> events_;
};

TEST_F(FailingSockets, EveryRecordArrivesOnceWhicheverCallFails) {
  SocketFaults faults = failing(4);
  ASSERT_EQ(said("up").code, 0);
  const pid_t supervisor = supervisorIn(folder_ / "agent");
  const std::ptrdiff_t descriptors = openDescriptors(std::to_string(supervisor));
  std::vector<std::int64_t> expected(102);  // 100 rounds, that it has finished, its exit
  std::iota(expected.begin(), expected.end(), 1);
  int number = 0, made = 0, broken = 0;
  std::optional<Reconnecting> desk;
  std::vector<Json> events;
  const auto action = [&] {
    desk.emplace(strCat("r", ++number));
    events = desk->records();
  };
  const auto look = [&](const std::vector<SocketFaultHit>& hits, const std::string& where, const std::string&) {
    made += static_cast<int>(hits.size());
    broken += desk->connections() > 1 ? 1 : 0;
    std::vector<std::int64_t> numbers;
    for (const Json& event : events)
      if (event["node"] == "n0") numbers.push_back(event["seq"]);
    EXPECT_EQ(numbers, expected) << where;
    EXPECT_EQ(ofKind(events, "round").size(), 100U) << where;
    EXPECT_EQ(supervisorIn(folder_ / "agent"), supervisor) << "it has ended by " << where;
    EXPECT_EQ(said("forget --ended").code, 0) << where;
    expectNoMoreDescriptors(descriptors, where, std::to_string(supervisor));
  };
  EXPECT_EQ(failEverySocketCall(faults, action, look), made);
  EXPECT_GE(made, 10);
  EXPECT_GE(broken, 5);
}

TEST_F(FailingSockets, ACommandSaysWhatFailedAndTheNextOneStartsTheSupervisor) {
  SocketFaults faults = failing(4);
  const std::string nothing = "{\"bytes\":0,\"runs\":[]}\n";
  Said first;
  const auto endOfSupervisor = [this] {
    if (const pid_t pid = supervisorIn(folder_ / "agent"); pid > 0) {
      ::kill(pid, SIGTERM);
      waitForEnd(pid);
    }
  };
  const auto action = [&] {
    endOfSupervisor();
    first = said("spools");
    if (first.code != 0) throw Error(Errc::kHost, first.errors);
  };
  int made = 0, refused = 0;
  const auto look = [&](const std::vector<SocketFaultHit>& hits, const std::string& where, const std::string& sentence) {
    made += static_cast<int>(hits.size());
    refused += sentence.empty() ? 0 : 1;
    if (!sentence.empty()) {
      EXPECT_THAT(sentence, testing::StartsWith("paceline-agent: ")) << where;
      const bool known = hits.at(0).process != supervisorIn(folder_ / "agent");  // of a supervisor that serves only the end is seen
      EXPECT_THAT(sentence, testing::HasSubstr(known ? std::strerror(hits.at(0).reason) : "the supervisor")) << where;
    } else {
      EXPECT_EQ(first.output, nothing) << where;
    }
    const Said again = said("spools");
    EXPECT_EQ(again.output, nothing) << again.errors << " after " << where;
  };
  EXPECT_EQ(failEverySocketCall(faults, action, look), made);
  EXPECT_GE(made, 10);
  EXPECT_GE(refused, 3);
}

}  // namespace
}  // namespace paceline::tests
