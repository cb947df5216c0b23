// What the desktop makes of supervisors that are not its own: a script plays an agent of another version.
#include "app/cluster/run/agent_client.h"

#include <gmock/gmock.h>

#include <fstream>

#include "engine/core/base/error.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline::tests {
namespace {

class OtherAgent : public ClusterTest {
 protected:
  // Answers list with `runs`, shuts down when asked, and makes room for the real one then.
  hosts::Installation agent(const std::string& greeting, const std::string& runs = "[]") const {
    const std::filesystem::path bin = folder_ / "other", gone = folder_ / "gone";
    std::filesystem::create_directories(bin);
    std::ofstream(bin / "paceline-agent") << "#!/bin/sh\n[ -e " << gone.string() << " ] && exec " << PACELINE_BIN_DIR << "/paceline-agent attach\n"
                                          << "echo '" << greeting << "'\nwhile read -r line; do\n"
                                          << "  id=$(echo \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')\n"
                                          << "  case \"$line\" in\n"
                                          << "    *list*) echo \"{\\\"id\\\":$id,\\\"ok\\\":true,\\\"result\\\":{\\\"runs\\\":$(cat " << (folder_ / "runs").string() << ")}}\";;\n"
                                          << "    *shutdown*) touch " << gone.string() << "; echo \"{\\\"id\\\":$id,\\\"ok\\\":true}\"; exit 0;;\n"
                                          << "    *) echo \"{\\\"id\\\":$id,\\\"ok\\\":false,\\\"error\\\":\\\"what?\\\"}\";;\n  esac\ndone\n";
    std::ofstream(folder_ / "runs") << runs << "\n";
    std::filesystem::permissions(bin / "paceline-agent", std::filesystem::perms::owner_all);
    return {.folder = bin.string(), .env = {}};
  }
  static std::string said(const std::function<void()>& act) {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }
  bool wasShutDown() const { return std::filesystem::exists(folder_ / "gone"); }

  const std::string kOlder = R"({"hello":{"protocol":1,"version":"0.0.9","pid":7}})";
  std::unique_ptr<hosts::Host> host_ = hosts::localHost("gpu1");
};

TEST_F(OtherAgent, AnIdleOneMakesRoomForOurs) {
  const run::AgentClient agent_(*host_, agent(kOlder, R"([{"run":"old","host":"gpu1","active":false,"ending":false,"nodes":[]}])"), run::AgentClient::Other::kReplace);
  EXPECT_EQ(agent_.version(), PACELINE_VERSION);
  EXPECT_TRUE(wasShutDown());
}

TEST_F(OtherAgent, OneWithActiveRunsIsLeftAloneAndNamed) {
  const auto run = [](const std::string& name) { return strCat(R"({"run":")", name, R"(","host":"gpu1","active":true,"ending":false,"nodes":[]})"); };
  const hosts::Installation two = agent(kOlder, strCat("[", run("r1"), ",", run("r2"), "]"));
  EXPECT_EQ(said([&] { run::AgentClient(*host_, two, run::AgentClient::Other::kReplace); }),
            strCat("gpu1: the supervisor there is Paceline 0.0.9 and has 2 active runs, this is ", PACELINE_VERSION,
                   "; wait until they have ended or stop them, then start again"));
  const hosts::Installation one = agent(kOlder, strCat("[", run("r1"), "]"));
  EXPECT_EQ(said([&] { run::AgentClient(*host_, one, run::AgentClient::Other::kReplace); }),
            strCat("gpu1: the supervisor there is Paceline 0.0.9 and has 1 active run, this is ", PACELINE_VERSION,
                   "; wait until it has ended or stop it, then start again"));
  EXPECT_FALSE(wasShutDown());
}

TEST_F(OtherAgent, IsFollowedAsItIsWhenARunIsPickedUp) {
  const run::AgentClient agent_(*host_, agent(kOlder));
  EXPECT_EQ(agent_.version(), "0.0.9");
  EXPECT_FALSE(wasShutDown());
}

TEST_F(OtherAgent, AnotherProtocolIsRefusedUnlessItCanBeReplaced) {
  const hosts::Installation newer = agent(R"({"hello":{"protocol":2,"version":"3.0.0","pid":7}})");
  EXPECT_EQ(said([&] { run::AgentClient(*host_, newer); }),
            strCat("gpu1: the supervisor of Paceline 3.0.0 there speaks protocol 2, this is ", PACELINE_VERSION, " with protocol 1"));
  EXPECT_EQ(run::AgentClient(*host_, newer, run::AgentClient::Other::kReplace).version(), PACELINE_VERSION);
}

TEST_F(OtherAgent, WhatIsNoGreetingIsQuoted) {
  EXPECT_EQ(said([&] { run::AgentClient(*host_, agent("Welcome to gpu1!")); }), "gpu1: paceline-agent said \"Welcome to gpu1!\", which is no greeting");
}

TEST_F(OtherAgent, AGreetingOfManyLevelsIsNoGreeting) {
  const std::string deep(100000, '[');
  EXPECT_EQ(said([&] { run::AgentClient(*host_, agent(deep)); }), strCat("gpu1: paceline-agent said \"", deep.substr(0, 60), "...\", which is no greeting"));
}

}  // namespace
}  // namespace paceline::tests
