// One job of four nodes: they start together or wait together, each is a host with a supervisor of its own, and the job ends when none has anything to do.
#include <gmock/gmock.h>

#include <future>

#include "app/cluster/run/agent_client.h"
#include "app/cluster/slurm/host.h"
#include "engine/core/base/error.h"
#include "tests/cli/program.h"
#include "app/cluster/ssh/session.h"
#include "tests/slurm/slurm_fixture.h"
#include "tests/ssh/sshd_fixture.h"

namespace paceline::tests {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr int kNodes = 4;

class GangPatience final : public hosts::CredentialPrompts {
 public:
  std::optional<std::string> secret(const std::string&, const std::string&, bool) override { return std::nullopt; }
  bool acceptKey(const hosts::HostKeyPrompt&) override { return false; }
  bool mayWait(const std::string&, const std::string& why) override {
    told.push_back(why);
    if (onWait) onWait();
    return patient;
  }
  std::vector<std::string> told;
  std::function<void()> onWait;
  bool patient = true;
};

class SlurmGang : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = noSlurm(); !why.empty()) GTEST_SKIP() << why;
    ::setenv("PACELINE_BIN", PACELINE_BIN_DIR, 1);  // this program lies elsewhere
    slurm_ = std::make_unique<TestSlurm>(kNodes);
  }
  hosts::HostEntry entry(int node, const std::vector<std::string>& options = {}) const {
    hosts::HostEntry entry = slurm_->entry(node, kNodes);
    entry.slurm = options, entry.env["PACELINE_AGENT_IDLE_S"] = "4";  // until a client comes, on a busy machine
    return entry;
  }
  std::unique_ptr<hosts::Host> login() const { return hosts::localHost("cluster", slurm_->entry().env); }
  std::unique_ptr<hosts::Host> open(const hosts::HostEntry& entry, hosts::CredentialPrompts& prompts) const { return slurm::slurmHost(entry, hosts::localHost(entry.name, entry.env), prompts); }
  std::string squeue(const std::string& format) const { return slurm::said(*login(), {"squeue", "--noheader", "--format=" + format}); }

  std::unique_ptr<TestSlurm> slurm_;
};

std::string refusalOf(const auto& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(SlurmGang, FourHostsThatOpenAtOnceAreTheNodesOfOneJob) {
  std::vector<std::future<std::string>> opened;
  for (int i = 0; i < kNodes; ++i)
    opened.push_back(std::async(std::launch::async, [this, i] {
      GangPatience patience;
      return slurm::said(*open(entry(i), patience), {"printenv", "SLURMD_NODENAME"});
    }));
  for (int i = 0; i < kNodes; ++i) EXPECT_EQ(opened[static_cast<std::size_t>(i)].get(), strCat("n", i));
  EXPECT_THAT(squeue("%j %D %T"), AllOf(HasSubstr("paceline-cluster 4 RUNNING"), ::testing::Not(HasSubstr("\n"))));
}

TEST_F(SlurmGang, TheyWaitTogetherForANodeThatIsBusyAndTheirPlaceIsTold) {
  const std::string other = slurm::said(*login(), {"sbatch", "--parsable", "--exclusive", "--nodes=1", "--nodelist=n2", "--output=/dev/null"}, "#!/bin/sh\nsleep 600\n");
  while (slurm::jobNow(*login(), other).state != "RUNNING") {
  }
  GangPatience patience;
  patience.onWait = [&] {
    if (patience.told.size() == 2) slurm::said(*login(), {"scancel", other});
  };
  const auto host = open(entry(2, {"--exclusive"}), patience);
  EXPECT_EQ(slurm::said(*host, {"printenv", "SLURMD_NODENAME"}), "n2");
  EXPECT_THAT(patience.told, Contains(MatchesRegex("job [0-9]+ is pending: (Resources|Priority|None).*, number 1 of those that wait for main.*")));
}

TEST_F(SlurmGang, AJobThatIsCancelledByHandIsToldAsThat) {
  GangPatience patience;
  const auto one = open(entry(0), patience), three = open(entry(3), patience);
  const std::string job = squeue("%i");
  slurm::said(*login(), {"scancel", job});
  EXPECT_EQ(refusalOf([&] { slurm::said(*three, {"sleep", "600"}); }), strCat("cluster3: job ", job, " was cancelled"));
  EXPECT_EQ(refusalOf([&] { slurm::said(*one, {"true"}); }), strCat("cluster0: job ", job, " was cancelled"));
}

TEST_F(SlurmGang, AJobEndsWhenNoneOfItsSupervisorsHasAnythingToDo) {
  GangPatience patience;
  const auto zero = open(entry(0), patience), one = open(entry(1), patience);
  const std::string job = squeue("%i");
  { const run::AgentClient first(*zero, hosts::localInstallation()), second(*one, hosts::localInstallation()); }
  EXPECT_EQ(slurm::jobWhenEnded(*login(), job).id, job);
  while (slurm::jobRuns(slurm::jobNow(*login(), job))) {
  }
  EXPECT_THAT(slurm::jobText(slurm::jobWhenEnded(*login(), job)), HasSubstr("has ended: its supervisor had nothing to do any more"));
}

TEST_F(SlurmGang, AnAllocationThatIsThereIsUsedAndNotEnded) {
  const std::string job = slurm::said(*login(), {"sbatch", "--parsable", "--nodes=4", "--ntasks-per-node=1", "--job-name=mine", "--output=/dev/null"}, "#!/bin/sh\nsleep 600\n");
  while (slurm::jobNow(*login(), job).state != "RUNNING") {
  }
  GangPatience patience;
  hosts::HostEntry there = entry(2);
  there.env["SLURM_JOB_ID"] = job;
  const auto host = open(there, patience);
  EXPECT_EQ(slurm::said(*host, {"printenv", "SLURMD_NODENAME"}), "n2");
  { const run::AgentClient agent(*host, hosts::localInstallation()); }
  EXPECT_EQ(squeue("%i %j"), job + " mine");  // no job of our own
  EXPECT_FALSE(slurm::endSlurmJob(*host));
  there.jobNode = 0, there.env["SLURM_JOB_ID"] = "987654";
  EXPECT_THAT(refusalOf([&] { open(there, patience); }), HasSubstr("job 987654 is gone: Slurm does not know it any more"));
}

// Slurm's shortest time is a minute. It asks all processes of the step to end: whoever hears it first, the loop does not end by itself.
TEST_F(SlurmGang, AJobWhoseTimeIsOverIsToldAsThat) {
  GangPatience patience;
  const auto host = open(entry(1, {"--time=1"}), patience);
  const std::string job = squeue("%i");
  EXPECT_EQ(refusalOf([&] { slurm::said(*host, {"sh", "-c", "while true; do sleep 5; echo alive; done"}); }), strCat("cluster1: job ", job, " reached its time limit"));
}

TEST_F(SlurmGang, TheLoginNodeMayBeBehindSsh) {
  if (!noTestSshd().empty()) GTEST_SKIP() << noTestSshd();
  const TestSshd machine;
  hosts::HostEntry login = machine.entry();
  login.env = slurm_->entry().env;
  GangPatience patience;
  hosts::HostEntry there = entry(3);
  there.address = "login";  // whatever happens to stand in our own environment
  const auto host = slurm::slurmHost(there, ssh::sshHost({login}, patience), patience);
  EXPECT_EQ(slurm::said(*host, {"printenv", "SLURMD_NODENAME"}), "n3");
  { const run::AgentClient agent(*host, hosts::localInstallation()); }
  EXPECT_THAT(squeue("%j %D"), HasSubstr("paceline-cluster 4"));
}

TEST_F(SlurmGang, AHostBeyondTheJobsNodesIsRefused) {
  GangPatience patience;
  const auto host = open(entry(0), patience);
  hosts::HostEntry far = entry(3);
  far.jobNodes = 9, far.jobNode = 8;
  EXPECT_THAT(refusalOf([&] { open(far, patience); }), MatchesRegex("cluster3: is node 8 of job [0-9]+, which has 4: n\\[0-3\\]"));
}

// `paceline run` over the four nodes, whose time is nearly over: it trains, and the record says when they are taken back.
class SlurmGangRun : public Desk {
 protected:
  void SetUp() override {
    if (const std::string why = noSlurm(); !why.empty()) GTEST_SKIP() << why;
    slurm_ = std::make_unique<TestSlurm>(kNodes);
    environment_["PACELINE_HOSTS"] = path("hosts.json");
    std::vector<std::string> add = {"hosts", "add", "lab", "--kind", "slurm", "--nodes", "4", "--partition", "main", "--time", "5"};
    std::map<std::string, std::string> env = slurm_->entry().env;
    env["PACELINE_AGENT_IDLE_S"] = "60";
    for (const auto& [name, value] : env) add.insert(add.end(), {"--env", name + "=" + value});
    const Outcome added = paceline(add);
    EXPECT_EQ(added.code, 0) << added.err;
    EXPECT_EQ(added.out, "added lab0, lab1, lab2, lab3; check it: paceline hosts check lab0\n");
  }
  std::unique_ptr<TestSlurm> slurm_;
};

TEST_F(SlurmGangRun, ARunOverFourNodesOfOneJobIsToldWhenTheyAreTakenBack) {
  nlohmann::json nodes = nlohmann::json::array({{{"id", "s0"}, {"role", "server"}, {"host", "lab0"}}});
  for (int i = 0; i < 4; ++i) nodes.push_back({{"id", strCat("w", i)}, {"role", "worker"}, {"host", strCat("lab", i)}});
  for (nlohmann::json& node : nodes) node["threads"] = 1;
  const auto runs = json({"run", writeSpec("spec.json", {{"nodes", nodes}}), "--json"})["runs"];
  ASSERT_EQ(runs[0]["state"], "finished") << runs.dump();
  EXPECT_THAT(slurm::said(*hosts::localHost("lab", slurm_->entry().env), {"squeue", "--noheader", "--format=%j %D"}), "paceline-lab 4");
  const std::string told = paceline({"export", runs[0]["id"].get<std::string>(), "--format", "notices", "-o", "-"}).out;
  for (int i = 0; i < 4; ++i) EXPECT_THAT(told, ::testing::ContainsRegex(strCat("lab", i, ",[^\n]*the scheduler takes this host back in [345] min")));
  EXPECT_EQ(paceline({"hosts", "clean", "lab0", "--versions", "--spools"}).code, 0);
}

}  // namespace
}  // namespace paceline::tests
