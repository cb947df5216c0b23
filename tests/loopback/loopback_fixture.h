// Real workers and servers through supervisor, run session and store, each test in folders of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cluster/run/run_session.h"
#include "storage/store/store.h"
#include "tests/agent/agent_fixture.h"

namespace paceline::tests {

class LoopbackTest : public AgentTest {
 protected:
  LoopbackTest();

  // Logistic regression on synthetic data; validated. `changes` are merged into the document.
  static RunSpec spec(const std::string& algorithm, const Json& changes = Json::object());
  static Json nodes(int workers, int servers);
  std::string storePath() const { return (folder_ / "store" / "paceline.db").string(); }
  store::RunRow row(const std::string& run) const;
  double bestAccuracy(const std::string& run) const;
  std::vector<std::int64_t> roundsOf(const std::string& run, const std::string& node) const;
  void expectNothingLeft() const;
  static pid_t pidOf(const std::string& run, const std::string& node);  // by the supervisor's list
};

// Calls `act` once, when w0 has closed this round.
run::RunCallbacks atRound(std::int64_t round, std::function<void(const std::string& run)> act);

}  // namespace paceline::tests
