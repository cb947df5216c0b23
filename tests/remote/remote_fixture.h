// Real runs on machines behind real SSH servers: programs are deployed, nodes train, records come back.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cluster/hosts/access.h"
#include "app/cluster/run/run_session.h"
#include "storage/store/store.h"
#include "tests/ssh/sshd_fixture.h"

namespace paceline::tests {

class RemoteTest : public ::testing::Test {
 protected:
  void SetUp() override;
  RemoteTest();
  ~RemoteTest() override;

  TestSshd& machine(SshdOptions options);  // and its entry in the book
  TestSshd& machine(const std::string& name) { return machine(SshdOptions{.name = name}); }
  // Logistic regression on synthetic data: a server on the first host, a worker on each. `step` seconds per local step.
  RunSpec spec(const std::vector<std::string>& hosts, std::int64_t rounds, double step = 0.01) const;
  run::RunOutcome run(const RunSpec& spec, const run::RunCallbacks& callbacks = {});
  std::string storePath() const { return (folder_ / "store" / "paceline.db").string(); }
  void expectEveryRoundOnce(const RunSpec& spec, const std::string& run, std::int64_t rounds) const;
  void expectNothingLeft();  // no process of ours on any machine

  std::filesystem::path folder_;
  hosts::HostRegistry book_;
  std::vector<std::unique_ptr<TestSshd>> machines_;
  std::unique_ptr<hosts::CredentialPrompts> prompts_ = hosts::nobody();
};

// Calls `act` once, when `node` has closed this round.
run::RunCallbacks whenRound(std::int64_t round, const std::string& node, std::function<void(const std::string& run)> act);

}  // namespace paceline::tests
