// Runs on a node that a real Slurm gives: the supervisor is a batch job, commands are its steps.

#include <gmock/gmock.h>

#include "app/cluster/run/agent_client.h"
#include "app/cluster/slurm/host.h"
#include "engine/core/base/error.h"
#include "tests/slurm/slurm_fixture.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// Waits as long as it takes, or gives up at once.
class Patience final : public hosts::CredentialPrompts {
 public:
  explicit Patience(bool patient) : patient_(patient) {}
  std::optional<std::string> secret(const std::string&, const std::string&, bool) override { return std::nullopt; }
  bool acceptKey(const hosts::HostKeyPrompt&) override { return false; }
  bool mayWait(const std::string& host, const std::string& why) override {
    told.push_back(strCat(host, ": ", why));
    return patient_;
  }
  std::vector<std::string> told;

 private:
  bool patient_;
};

class SlurmHostTest : public ClusterTest {
 protected:
  void SetUp() override {
    if (const std::string why = noSlurm(); !why.empty()) GTEST_SKIP() << why;
    slurm_ = std::make_unique<TestSlurm>();
  }
  std::unique_ptr<hosts::Host> login() { return hosts::localHost("cluster", slurm_->entry().env); }
  std::unique_ptr<hosts::Host> open() { return slurm::slurmHost(slurm_->entry(), login(), patience_); }
  std::string jobId() { return slurm::said(*login(), {"squeue", "--noheader", "--format=%i"}); }
  // Until no job is left, with Slurm's own means.
  void waitUntilNoJob(const std::string& id) {
    while (slurm::jobRuns(slurm::jobNow(*login(), id))) {
    }
    slurm::jobWhenEnded(*login(), id);
    EXPECT_EQ(slurm_->jobs(), "");
  }
  RunSpec specThere(std::int64_t rounds) {
    RunSpec there = spec(rounds);
    for (NodeSpec& node : there.nodes) node.host = "cluster";
    return there;
  }
  hosts::HostOpener opener() {
    return [this](const std::string& name, const hosts::HostNeeds&) -> hosts::ReadyHost {
      if (name == "local") return {.host = hosts::localHost(), .installation = hosts::localInstallation(), .dataAddress = "127.0.0.1"};
      return {.host = open(), .installation = hosts::localInstallation(), .dataAddress = "127.0.0.1"};
    };
  }

  std::unique_ptr<TestSlurm> slurm_;
  Patience patience_{true};
};

std::string refusal(const auto& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(SlurmHostTest, ARunGoesThroughAJobThatEndsWhenNothingIsToDo) {
  run::RecordWriter records(storePath());
  std::string job;
  run::RunCallbacks callbacks;
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string&) {
    if (state == store::RunState::kRunning) job = jobId();
  };
  const run::RunOutcome outcome = run::RunSession({records, callbacks, opener()}).run(specThere(40));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(outcome.run, 40);
  EXPECT_THAT(job, MatchesRegex("[0-9]+"));
  waitUntilNoJob(job);
}

TEST_F(SlurmHostTest, ACancelledJobIsWhyTheCommandsEnd) {
  const auto host = open();
  const std::string job = jobId();
  run::AgentClient agent(*host, hosts::localInstallation());
  slurm::said(*login(), {"scancel", job});
  const auto listen = [&agent] {
    for (;;) agent.next(1);
  };
  EXPECT_EQ(refusal(listen), strCat("cluster: job ", job, " was cancelled"));
  EXPECT_EQ(refusal([&] { slurm::said(*host, {"true"}); }), strCat("cluster: job ", job, " was cancelled"));
  EXPECT_EQ(slurm_->jobs(), "");
}

TEST_F(SlurmHostTest, CommandsPassEveryByteAndTheirExitCode) {
  const auto host = open();
  std::string all;
  for (int round = 0; round < 4000; ++round)
    for (int c = 1; c < 256; ++c)
      if (c != '\n') all += static_cast<char>(c);
  EXPECT_EQ(slurm::said(*host, {"cat"}, all), all);
  EXPECT_EQ(slurm::said(*host, {"printf", "%s|", "two words", "'\"$(x)`\\", "", "ä\n"}), "two words|'\"$(x)`\\||ä\n|");
  const auto failing = host->start({"sh", "-c", "echo why >&2; exit 7"});
  const hosts::ProcessEnd end = failing->wait();
  EXPECT_EQ(end.code, 7);
  EXPECT_THAT(end.errors, HasSubstr("why"));
  EXPECT_EQ(slurm::said(*host, {"printenv", "PACELINE_AGENT_DIR"}), slurm_->entry().env.at("PACELINE_AGENT_DIR"));
  EXPECT_EQ(slurm::slurmDataAddress(*host), "127.0.0.1");
}

TEST_F(SlurmHostTest, TheSameJobServesTheNextConnection) {
  const auto first = open();
  const std::string job = jobId();
  const auto second = open();
  EXPECT_EQ(jobId(), job);
  const std::string folder = slurm_->entry().env.at("PACELINE_AGENT_DIR");
  const run::AgentClient one(*first, hosts::localInstallation());
  const pid_t supervisor = supervisorIn(folder);
  const run::AgentClient two(*second, hosts::localInstallation());
  EXPECT_GT(supervisor, 0);
  EXPECT_EQ(supervisorIn(folder), supervisor);
}

TEST_F(SlurmHostTest, WaitingIsToldWithSlurmsReasonAndGivingUpCancels) {
  hosts::HostEntry held = slurm_->entry();
  held.slurm = {"--hold"};
  Patience impatient(false);
  const std::string why = refusal([&] { slurm::slurmHost(held, login(), impatient); });
  ASSERT_EQ(impatient.told.size(), 1U);
  EXPECT_THAT(impatient.told[0], MatchesRegex("cluster: job [0-9]+ is pending: JobHeldUser \\(held by the user; scontrol release lets it go\\)"));
  EXPECT_THAT(why, MatchesRegex("cluster: nobody waits for job [0-9]+ any more, so it was cancelled \\(job [0-9]+ is pending: JobHeldUser .*\\)"));
  EXPECT_EQ(slurm_->jobs(), "");
}

TEST_F(SlurmHostTest, AJobThatIsCancelledWhileItWaitsIsSaid) {
  hosts::HostEntry held = slurm_->entry();
  held.slurm = {"--hold"};
  class Canceller final : public hosts::CredentialPrompts {
   public:
    explicit Canceller(hosts::Host& login) : login_(login) {}
    std::optional<std::string> secret(const std::string&, const std::string&, bool) override { return std::nullopt; }
    bool acceptKey(const hosts::HostKeyPrompt&) override { return false; }
    bool mayWait(const std::string&, const std::string&) override {
      slurm::said(login_, {"scancel", "--user=root"});
      return true;
    }

   private:
    hosts::Host& login_;
  };
  const auto other = login();
  Canceller canceller(*other);
  EXPECT_THAT(refusal([&] { slurm::slurmHost(held, login(), canceller); }), MatchesRegex("cluster: job [0-9]+ was cancelled"));
}

TEST_F(SlurmHostTest, WhatSbatchRefusesIsSaidInItsWords) {
  hosts::HostEntry entry = slurm_->entry();
  entry.slurm = {"--partition=none"};
  EXPECT_EQ(refusal([&] { slurm::slurmHost(entry, login(), patience_); }),
            "cluster: sbatch failed: sbatch: error: Batch job submission failed: Invalid partition name specified");
  entry.slurm = {"gpu"};
  EXPECT_EQ(refusal([&] { slurm::slurmHost(entry, login(), patience_); }),
            "host \"cluster\": slurm option \"gpu\" must begin with '-' and hold its value, as --partition=gpu");
}

TEST(SlurmJobText, EveryEndHasItsSentence) {
  const auto text = [](const char* state, const char* reason = "None") { return slurm::jobText({.id = "12", .state = state, .reason = reason, .node = "n1"}); };
  EXPECT_EQ(text("PENDING", "Resources"), "job 12 is pending: Resources (waits for nodes to become free)");
  EXPECT_EQ(text("PENDING", "QOSMaxJobsPerUserLimit"), "job 12 is pending: QOSMaxJobsPerUserLimit");
  EXPECT_EQ(text("TIMEOUT", "TimeLimit"), "job 12 reached its time limit");
  EXPECT_EQ(text("NODE_FAIL"), "job 12 was lost: node n1 failed");
  EXPECT_EQ(text("OUT_OF_MEMORY"), "job 12 was ended: it used more memory than it had asked for");
  EXPECT_EQ(text("FAILED", "NonZeroExitCode"), "job 12 failed: NonZeroExitCode; see job.log in the supervisor's folder on n1");
  EXPECT_EQ(text(""), "job 12 is gone: Slurm does not know it any more");
}

}  // namespace
}  // namespace paceline::tests
