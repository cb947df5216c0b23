// `paceline run` on a node that Slurm gives: deployed through the job, trained there, the job given back.
#include "app/cluster/slurm/host.h"
#include "tests/cli/program.h"
#include "tests/slurm/slurm_fixture.h"

namespace paceline::tests {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::StartsWith;

class SlurmRun : public Desk {
 protected:
  void SetUp() override {
    if (const std::string why = tests::noSlurm(); !why.empty()) GTEST_SKIP() << why;
    slurm_ = std::make_unique<tests::TestSlurm>();
    environment_["PACELINE_HOSTS"] = path("hosts.json");
    std::vector<std::string> add = {"hosts", "add", "cluster", "--kind", "slurm"};
    std::map<std::string, std::string> env = slurm_->entry().env;
    env["PACELINE_AGENT_IDLE_S"] = "60";  // the job is still there for the next command
    for (const auto& [name, value] : env) add.insert(add.end(), {"--env", name + "=" + value});
    EXPECT_EQ(paceline(add).code, 0);
  }
  std::string placed(const nlohmann::json& changes = {}) {
    const Outcome outcome = paceline({"hosts", "place", writeSpec("spec.json", changes), "--hosts", "cluster", "-o", path("placed.json")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return path("placed.json");
  }
  std::unique_ptr<tests::TestSlurm> slurm_;
};

TEST_F(SlurmRun, TwoWorkersAndAServerTrainInAJob) {
  const auto runs = json({"run", placed(), "--json"})["runs"];
  EXPECT_EQ(runs[0]["state"], "finished") << runs.dump();
  const Outcome cleaned = paceline({"hosts", "clean", "cluster", "--versions", "--spools"});
  EXPECT_EQ(cleaned.code, 0) << cleaned.err;
  EXPECT_THAT(cleaned.out, AllOf(StartsWith("cluster: freed "), EndsWith(" are in use and stay: its job, which used them, has been ended; clean again\n")));
  EXPECT_EQ(slurm::jobWhenEnded(*hosts::localHost("cluster", slurm_->entry().env), "1").state, "CANCELLED");
  EXPECT_EQ(slurm_->jobs(), "");
}

}  // namespace
}  // namespace paceline::tests
