// Several "hosts" on this computer: each has a supervisor of its own, and a cable to it that a test can pull, plug in and let hang.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/cluster/run/agent_client.h"
#include "engine/core/base/error.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline::tests {

struct Cable {
  std::atomic<bool> cut = false;    // connections break, new ones are refused
  std::atomic<bool> frozen = false; // nothing comes any more, nothing is said
  std::atomic<int> connections = 0;
  std::function<void(std::string_view)> onSaid{};  // hears each request to the host before it goes there; set before a host is opened
};

// A host behind a cable. Connections of before a cut stay broken when it is mended.
std::unique_ptr<hosts::Host> behind(std::unique_ptr<hosts::Host> host, std::shared_ptr<Cable> cable);

class FleetTest : public ClusterTest {
 protected:
  FleetTest();
  ~FleetTest() override;

  // s0 and w0 on "a", w1 on "b"; w2 on "c" when there are three.
  RunSpec spec(std::int64_t rounds, const std::string& habits = "", int hosts = 2) const;
  hosts::HostOpener opener();  // knows a, b, c
  Cable& cable(const std::string& host) { return *cables_.at(host); }
  run::RunSession session(run::RecordWriter& records, run::RunCallbacks callbacks = {});

  std::filesystem::path agentFolder(const std::string& host) const { return folder_ / strCat("host-", host); }
  std::unique_ptr<hosts::Host> there(const std::string& host) const;  // without its cable
  std::vector<run::AgentRun> runsOn(const std::string& host) const;
  pid_t supervisorOf(const std::string& host) const { return supervisorIn(agentFolder(host)); }
  pid_t pidOf(const std::string& host, const std::string& node) const;
  void expectNothingLeftOn(const std::vector<std::string>& hosts) const;
  static run::LinkTimes quick();

  std::map<std::string, std::map<std::string, std::string>> env_;  // of hosts, set before they are opened

 private:
  std::map<std::string, std::shared_ptr<Cable>> cables_;
};

// Calls `act` once, at the given round of the node.
run::RunCallbacks atRoundOf(const std::string& node, std::int64_t round, std::function<void(const std::string& run)> act);

// Runs in a process of its own that `callbacks` have to kill; the id of the run that it left.
std::string leftBehind(const std::string& storePath, const std::function<void(run::RecordWriter&)>& work);

}  // namespace paceline::tests
