// The course of a check, on this computer under another name: what is asked, in which order, and what a failure ends.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/cluster/check/judge.h"
#include "app/cluster/hosts/exec_host.h"
#include "app/cluster/hosts/facts.h"
#include "app/cluster/ssh/config.h"
#include "engine/core/base/error.h"
#include "tests/probe/agent_program.h"

namespace paceline::tests {
namespace {

using State = check::CheckState;

class HostCheck : public AgentTest {
 protected:
  HostCheck() {
    ::setenv("PACELINE_HOSTS", (folder_ / "hosts.json").c_str(), 1);
    entry_.name = "gpu1";
    entry_.kind = "ssh";
    entry_.address = "127.0.0.1";
    tools_.open = [this] { return hosts::localHost("gpu1", {{"XDG_CACHE_HOME", folder_ / "cache"}}); };
    tools_.putAgent = [](hosts::Host&) { return agentProgram(); };
    tools_.needs = [] {
      const Json probe = jsonLine(*startAgent({"probe"}));
      return check::CheckNeeds{
          .system = "Linux " + probe["arch"].get<std::string>(), .paceline = PACELINE_VERSION, .torch = {}, .programs = {}, .bundleProblem = {}};
    };
    tools_.localSpeed = [] { return check::Speed{.gflops = 10, .load = {}}; };
    tools_.computeSeconds = 0.2;
  }
  ~HostCheck() override { ::unsetenv("PACELINE_HOSTS"); }

  std::vector<check::CheckLine> check(const std::string& only = "", std::stop_token stop = {}) {
    return check::checkHostWith(
        tools_, entry_, [this](const check::CheckLine& line) { told_.push_back(line); }, stop, only);
  }
  static check::CheckLine at(const std::vector<check::CheckLine>& lines, const std::string& id) { return *std::ranges::find(lines, id, &check::CheckLine::id); }
  std::vector<std::string> toldOf(const std::string& id) const {
    std::vector<std::string> states;
    for (const check::CheckLine& line : told_)
      if (line.id == id) states.emplace_back(check::checkStateName(line.state));
    return states;
  }
  void skippedAfter(const std::vector<check::CheckLine>& lines, const std::string& id, const std::string& why) {
    bool after = false;
    for (const check::CheckLine& line : lines) {
      if (after) {
        EXPECT_EQ(line.state, State::kSkipped) << line.id;
        EXPECT_EQ(line.found, "not checked: " + why) << line.id;
      }
      after = after || line.id == id;
    }
  }

  hosts::HostEntry entry_;
  check::CheckTools tools_;
  std::vector<check::CheckLine> told_;
};

TEST_F(HostCheck, EveryLineIsRunAndJudged) {
  const auto lines = check();
  ASSERT_EQ(lines.size(), check::plannedChecks().size());
  for (const check::CheckLine& line : lines) {
    EXPECT_TRUE(line.state == State::kGood || line.state == State::kWarning) << line.id << ": " << check::checkStateName(line.state) << " " << line.found;
    EXPECT_THAT(toldOf(line.id), testing::ElementsAre("running", check::checkStateName(line.state)));
  }
  EXPECT_EQ(at(lines, "quoting").found, "all 255 bytes came back");
  EXPECT_EQ(at(lines, "interface").found, "lo 127.0.0.1");
  EXPECT_THAT(at(lines, "speed").found, testing::AnyOf(testing::HasSubstr("times this computer"), testing::HasSubstr("other work took")));
}

TEST_F(HostCheck, WhatWasMeasuredIsKept) {
  check();
  const hosts::HostFacts facts = hosts::loadFacts("gpu1").value();
  EXPECT_GT(facts.speed, 0);
  EXPECT_LT(std::abs(facts.clockOffsetSeconds), 1);
  EXPECT_GT(facts.clockErrorSeconds, 0);
  EXPECT_EQ(Json::parse(facts.probe)["paceline"], PACELINE_VERSION);
  EXPECT_EQ(facts.lines.size(), check::plannedChecks().size());
  EXPECT_THAT(facts.checkedUtc, testing::MatchesRegex("....-..-..T..:..:..Z"));
}

TEST_F(HostCheck, ARefusalOfTheConnectionIsOnTheLineItBelongsTo) {
  struct Case {
    ssh::SshStage stage;
    const char *id, *why;
  };
  for (const Case& each : {Case{ssh::SshStage::kReach, "reachable", "it cannot be reached"}, Case{ssh::SshStage::kKey, "key", "its key is not accepted"},
                           Case{ssh::SshStage::kAuthenticate, "authentication", "there is no login"}}) {
    tools_.open = [each]() -> std::unique_ptr<hosts::Host> { throw ssh::SshError(each.stage, "gpu1: no and here is why"); };
    const auto lines = check();
    EXPECT_EQ(at(lines, each.id).state, State::kBad);
    EXPECT_EQ(at(lines, each.id).found, "gpu1: no and here is why");
    EXPECT_FALSE(at(lines, each.id).advice.empty());
    skippedAfter(lines, each.id, each.why);
  }
  EXPECT_EQ(at(check(), "key").state, State::kGood);
}

TEST_F(HostCheck, ACommandThatGivesNoShellIsNotReachable) {
  entry_.name = "pod", entry_.kind = "exec";
  entry_.command = "sh -c 'echo \"no such container: box\" >&2; exit 1' sh";
  tools_.open = [this] { return hosts::execHost(entry_); };
  const auto lines = check();
  EXPECT_EQ(at(lines, "reachable").state, State::kBad);
  EXPECT_EQ(at(lines, "reachable").found, "pod: gives no shell: no such container: box");
  EXPECT_EQ(at(lines, "reachable").advice, "try its command in a terminal: " + entry_.command + " /bin/sh");
  skippedAfter(lines, "reachable", "its command gives no shell");
}

TEST_F(HostCheck, AnotherArchitectureEndsItBeforeAnythingIsSent) {
  tools_.needs = [] { return check::CheckNeeds{.system = "Linux riscv64", .paceline = "", .torch = {}, .programs = {}, .bundleProblem = {}}; };
  tools_.putAgent = [](hosts::Host&) -> std::string { throw Error(Errc::kHost, "sent"); };
  const auto lines = check();
  EXPECT_EQ(at(lines, "architecture").state, State::kBad);
  skippedAfter(lines, "architecture", "our programs do not run on such a machine");
}

TEST_F(HostCheck, ADiskTooFullForTheAgentIsTheDisksLine) {
  tools_.putAgent = [](hosts::Host&) -> std::string { throw Error(Errc::kNoSpace, "gpu1: the disk of /home/a is full; 3.3 MB are needed"); };
  const auto lines = check();
  EXPECT_EQ(at(lines, "disk").state, State::kBad);
  EXPECT_EQ(at(lines, "disk").found, "gpu1: the disk of /home/a is full; 3.3 MB are needed");
  EXPECT_EQ(at(lines, "libc").found, "not checked: the agent could not be sent");
  skippedAfter(lines, "disk", "the agent could not be sent");
}

TEST_F(HostCheck, AnAgentThatDoesNotAnswerEndsIt) {
  tools_.putAgent = [](hosts::Host&) { return std::string("/bin/false"); };
  const auto lines = check();
  EXPECT_EQ(at(lines, "libc").state, State::kBad);
  EXPECT_EQ(at(lines, "libc").found, "gpu1: /bin/false: exit code 1");
  skippedAfter(lines, "libc", "gpu1 did not answer");
}

// An agent whose n-th measurement is the n-th of these, with 2 threads on 2 CPUs and so many of them taken by others.
struct Measured {
  double gflops = 0, others = 0;
  int runs = 0;
};
std::string agentThatMeasures(const std::filesystem::path& folder, const std::vector<Measured>& all) {
  std::string script = strCat("#!/bin/sh\n[ \"$1\" = compute ] || exec '", agentProgram(), "' \"$@\"\necho >> '", (folder / "measured").string(), "'\ncase $(wc -l < '",
                              (folder / "measured").string(), "') in\n");
  int n = 0;
  for (const Measured& each : all)
    script += strCat(++n, ") echo '", Json{{"gflops_all", each.gflops}, {"threads", 2}, {"cpus", 2}, {"others_cpus", each.others}, {"active_runs", each.runs}}.dump(), "' ;;\n");
  const std::filesystem::path agent = folder / "agent.sh";
  std::ofstream(agent) << script << "esac\n";
  std::filesystem::permissions(agent, std::filesystem::perms::owner_all);
  return agent.string();
}

TEST_F(HostCheck, ADisturbedSpeedIsMeasuredAgain) {
  const std::string agent = agentThatMeasures(folder_, {{47, 1.0}, {115, 0}, {1, 0}});
  tools_.putAgent = [agent](hosts::Host&) { return agent; };
  const check::CheckLine line = at(check("speed"), "speed");
  EXPECT_EQ(line.state, State::kGood);
  EXPECT_EQ(line.found, "115 GFLOP/s with 2 threads, 11.50 times this computer");
  EXPECT_EQ(hosts::loadFacts("gpu1")->speed, 115);
  EXPECT_EQ(hosts::loadFacts("gpu1")->speedLoad, "");
}

TEST_F(HostCheck, ASpeedThatStaysDisturbedSaysSoAndLeavesTheQuietOne) {
  const std::string agent = agentThatMeasures(folder_, {{47, 1.0}, {60, 0.8}, {50, 0.9}, {100, 0}, {70, 0.5}, {70, 0.5}, {70, 0.5}});
  tools_.putAgent = [agent](hosts::Host&) { return agent; };
  check::CheckLine line = at(check("speed"), "speed");
  EXPECT_EQ(line.state, State::kWarning);
  EXPECT_EQ(line.found, "60 GFLOP/s with 2 threads while other work took 0.8 of its 2 CPUs");
  EXPECT_EQ(hosts::loadFacts("gpu1")->speedLoad, "other work took 0.8 of its 2 CPUs");
  EXPECT_EQ(at(check("speed"), "speed").state, State::kGood);
  line = at(check("speed"), "speed");
  EXPECT_THAT(line.found, testing::StartsWith("70 GFLOP/s with 2 threads while other work took 0.5 of its 2 CPUs; 100 GFLOP/s of "));
  EXPECT_EQ(hosts::loadFacts("gpu1")->speed, 100);
  EXPECT_EQ(hosts::loadFacts("gpu1")->speedLoad, "");
}

TEST_F(HostCheck, ARunIsNotDisturbedTwice) {
  const std::string agent = agentThatMeasures(folder_, {{47, 0, 1}, {115, 0}});
  tools_.putAgent = [agent](hosts::Host&) { return agent; };
  const check::CheckLine line = at(check("speed"), "speed");
  EXPECT_EQ(line.state, State::kWarning);
  EXPECT_EQ(line.found, "47 GFLOP/s with 2 threads while a run was active there");
}

TEST_F(HostCheck, ARunOfTheHostIsWhyItsSpeedIsNoQuietOne) {
  up();
  Desktop desk = desktop();
  launch(desk, "r1", {{"wait"}});
  const Json said = jsonLine(*startAgent({"compute", "0.1"}));
  EXPECT_EQ(said["active_runs"], 1);
  EXPECT_THAT(check::speedOf(said.dump()).load, testing::StartsWith("a run was active there"));
}

TEST_F(HostCheck, OneLineIsCheckedAgainAndTheOthersStay) {
  const auto before = check();
  told_.clear();
  const auto lines = check("clock");
  EXPECT_THAT(toldOf("clock"), testing::ElementsAre("running", "good"));
  EXPECT_TRUE(toldOf("speed").empty());
  EXPECT_TRUE(toldOf("disk").empty());
  EXPECT_TRUE(toldOf("agent").empty());
  EXPECT_EQ(at(lines, "speed").state, at(before, "speed").state);
  EXPECT_EQ(at(lines, "disk").state, at(hosts::loadFacts("gpu1")->lines, "disk").state);
}

TEST_F(HostCheck, ALineThatCannotBeCheckedAgainIsNoLongerGood) {
  check();
  tools_.open = []() -> std::unique_ptr<hosts::Host> { throw ssh::SshError(ssh::SshStage::kReach, "gpu1: no"); };
  const auto lines = check("clock");
  EXPECT_EQ(at(lines, "clock").state, State::kSkipped);
  EXPECT_EQ(at(lines, "clock").found, "not checked: it cannot be reached");
}

TEST_F(HostCheck, AnUnknownLineIsAnError) { EXPECT_THROW(check("colour"), Error); }

TEST_F(HostCheck, StoppingLeavesTheRestUnchecked) {
  std::stop_source source;
  tools_.putAgent = [&](hosts::Host&) {
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
  tools_.addBundle = [&](check::CheckNeeds& needs) {
    ++asked;
    needs.bundleProblem = "there are none";
  };
  tools_.needs = [needs = tools_.needs] {
    check::CheckNeeds wants = needs();
    wants.torch = "99.0";
    return wants;
  };
  EXPECT_THAT(at(check("libraries"), "libraries").advice, testing::EndsWith("ours cannot be sent: there are none"));
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace paceline::tests
