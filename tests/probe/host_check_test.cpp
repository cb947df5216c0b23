// The course of a check, on this computer under another name: what is asked, in which order, and what a failure ends.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/cluster/check/tools.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/ssh/error.h"
#include "engine/core/base/error.h"
#include "tests/probe/agent_program.h"

namespace paceline {
namespace {

using State = CheckState;

class HostCheck : public AgentTest {
 protected:
  HostCheck() {
    ::setenv("PACELINE_HOSTS", (folder_ / "hosts.json").c_str(), 1);
    entry_.name = "gpu1";
    entry_.kind = "ssh";
    entry_.address = "127.0.0.1";
    tools_.open = [this] { return localHost("gpu1", {{"XDG_CACHE_HOME", folder_ / "cache"}}); };
    tools_.putAgent = [](Host&) { return agentProgram(); };
    tools_.needs = [] {
      const Json probe = jsonLine(*startAgent({"probe"}));
      return CheckNeeds{
          .system = "Linux " + probe["arch"].get<std::string>(), .paceline = PACELINE_VERSION, .torch = {}, .programs = {}, .bundleProblem = {}};
    };
    tools_.localSpeed = [] { return 10.0; };
    tools_.computeSeconds = 0.2;
  }
  ~HostCheck() override { ::unsetenv("PACELINE_HOSTS"); }

  std::vector<CheckLine> check(const std::string& only = "", std::stop_token stop = {}) {
    return checkHostWith(
        tools_, entry_, [this](const CheckLine& line) { told_.push_back(line); }, stop, only);
  }
  static CheckLine at(const std::vector<CheckLine>& lines, const std::string& id) { return *std::ranges::find(lines, id, &CheckLine::id); }
  std::vector<std::string> toldOf(const std::string& id) const {
    std::vector<std::string> states;
    for (const CheckLine& line : told_)
      if (line.id == id) states.emplace_back(checkStateName(line.state));
    return states;
  }
  void skippedAfter(const std::vector<CheckLine>& lines, const std::string& id, const std::string& why) {
    bool after = false;
    for (const CheckLine& line : lines) {
      if (after) {
        EXPECT_EQ(line.state, State::kSkipped) << line.id;
        EXPECT_EQ(line.found, "not checked: " + why) << line.id;
      }
      after = after || line.id == id;
    }
  }

  HostEntry entry_;
  CheckTools tools_;
  std::vector<CheckLine> told_;
};

TEST_F(HostCheck, EveryLineIsRunAndJudged) {
  const auto lines = check();
  ASSERT_EQ(lines.size(), plannedChecks().size());
  for (const CheckLine& line : lines) {
    EXPECT_TRUE(line.state == State::kGood || line.state == State::kWarning) << line.id << ": " << checkStateName(line.state) << " " << line.found;
    EXPECT_THAT(toldOf(line.id), testing::ElementsAre("running", checkStateName(line.state)));
  }
  EXPECT_EQ(at(lines, "quoting").found, "all 255 bytes came back");
  EXPECT_EQ(at(lines, "interface").found, "lo 127.0.0.1");
  EXPECT_THAT(at(lines, "speed").found, testing::HasSubstr("times this computer"));
}

TEST_F(HostCheck, WhatWasMeasuredIsKept) {
  check();
  const HostFacts facts = loadFacts("gpu1").value();
  EXPECT_GT(facts.speed, 0);
  EXPECT_LT(std::abs(facts.clockOffsetSeconds), 1);
  EXPECT_GT(facts.clockErrorSeconds, 0);
  EXPECT_EQ(Json::parse(facts.probe)["paceline"], PACELINE_VERSION);
  EXPECT_EQ(facts.lines.size(), plannedChecks().size());
  EXPECT_THAT(facts.checkedUtc, testing::MatchesRegex("....-..-..T..:..:..Z"));
}

TEST_F(HostCheck, ARefusalOfTheConnectionIsOnTheLineItBelongsTo) {
  struct Case {
    SshStage stage;
    const char *id, *why;
  };
  for (const Case& each : {Case{SshStage::kReach, "reachable", "it cannot be reached"}, Case{SshStage::kKey, "key", "its key is not accepted"},
                           Case{SshStage::kAuthenticate, "authentication", "there is no login"}}) {
    tools_.open = [&]() -> std::unique_ptr<Host> { throw SshError(each.stage, "gpu1: no and here is why"); };
    const auto lines = check();
    EXPECT_EQ(at(lines, each.id).state, State::kBad);
    EXPECT_EQ(at(lines, each.id).found, "gpu1: no and here is why");
    EXPECT_FALSE(at(lines, each.id).advice.empty());
    skippedAfter(lines, each.id, each.why);
  }
  EXPECT_EQ(at(check(), "key").state, State::kGood);
}

TEST_F(HostCheck, AnotherArchitectureEndsItBeforeAnythingIsSent) {
  tools_.needs = [] { return CheckNeeds{.system = "Linux riscv64", .paceline = "", .torch = {}, .programs = {}, .bundleProblem = {}}; };
  tools_.putAgent = [](Host&) -> std::string { throw Error(Errc::kHost, "sent"); };
  const auto lines = check();
  EXPECT_EQ(at(lines, "architecture").state, State::kBad);
  skippedAfter(lines, "architecture", "our programs do not run on such a machine");
}

TEST_F(HostCheck, ADiskTooFullForTheAgentIsTheDisksLine) {
  tools_.putAgent = [](Host&) -> std::string { throw Error(Errc::kNoSpace, "gpu1: the disk of /home/a is full; 3.3 MB are needed"); };
  const auto lines = check();
  EXPECT_EQ(at(lines, "disk").state, State::kBad);
  EXPECT_EQ(at(lines, "disk").found, "gpu1: the disk of /home/a is full; 3.3 MB are needed");
  EXPECT_EQ(at(lines, "libc").found, "not checked: the agent could not be sent");
  skippedAfter(lines, "disk", "the agent could not be sent");
}

TEST_F(HostCheck, AnAgentThatDoesNotAnswerEndsIt) {
  tools_.putAgent = [](Host&) { return std::string("/bin/false"); };
  const auto lines = check();
  EXPECT_EQ(at(lines, "libc").state, State::kBad);
  EXPECT_EQ(at(lines, "libc").found, "gpu1: /bin/false: exit code 1");
  skippedAfter(lines, "libc", "gpu1 did not answer");
}

TEST_F(HostCheck, OneLineIsCheckedAgainAndTheOthersStay) {
  check();
  told_.clear();
  const auto lines = check("clock");
  EXPECT_THAT(toldOf("clock"), testing::ElementsAre("running", "good"));
  EXPECT_TRUE(toldOf("speed").empty());
  EXPECT_TRUE(toldOf("disk").empty());
  EXPECT_TRUE(toldOf("agent").empty());
  EXPECT_EQ(at(lines, "speed").state, State::kGood);
  EXPECT_EQ(at(lines, "disk").state, at(loadFacts("gpu1")->lines, "disk").state);
}

TEST_F(HostCheck, ALineThatCannotBeCheckedAgainIsNoLongerGood) {
  check();
  tools_.open = []() -> std::unique_ptr<Host> { throw SshError(SshStage::kReach, "gpu1: no"); };
  const auto lines = check("clock");
  EXPECT_EQ(at(lines, "clock").state, State::kSkipped);
  EXPECT_EQ(at(lines, "clock").found, "not checked: it cannot be reached");
}

TEST_F(HostCheck, AnUnknownLineIsAnError) { EXPECT_THROW(check("colour"), Error); }

TEST_F(HostCheck, StoppingLeavesTheRestUnchecked) {
  std::stop_source source;
  tools_.putAgent = [&](Host&) {
    source.request_stop();
    return agentProgram();
  };
  const auto lines = check("", source.get_token());
  EXPECT_EQ(at(lines, "architecture").state, State::kGood);
  EXPECT_EQ(at(lines, "agent").state, State::kSkipped);
  skippedAfter(lines, "architecture", "stopped");
}

TEST_F(HostCheck, TheFolderOfLibrariesThatWasGivenIsLookedIn) {
  entry_.libraries = "/no/such/lib";
  EXPECT_EQ(at(check("libraries"), "libraries").found, "no libtorch_cpu.so in /no/such/lib");
}

TEST_F(HostCheck, WhyNoLibrariesCanBeSentIsAskedForOnlyWhenTheyAreNeeded) {
  int asked = 0;
  tools_.addBundle = [&](CheckNeeds& needs) {
    ++asked;
    needs.bundleProblem = "there are none";
  };
  tools_.needs = [needs = tools_.needs] {
    CheckNeeds wants = needs();
    wants.torch = "99.0";
    return wants;
  };
  EXPECT_THAT(at(check("libraries"), "libraries").advice, testing::EndsWith("ours cannot be sent: there are none"));
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace paceline
