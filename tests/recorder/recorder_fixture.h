// A store with a recorder of its own, which ends soon after the test: a process, or threads of the test, whose hosts are then those of the fleet.
// Nodes are the fake ones of tests/agent.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/cluster/recorder/client.h"
#include "app/cluster/recorder/service.h"
#include "tests/cluster/fleet_fixture.h"

namespace paceline::tests {

// Clients reach it by the store's socket. Destroying it is leaving: runs go on at their hosts.
class Serving {
 public:
  explicit Serving(recorder::ServiceOptions options);

 private:
  recorder::Service service_;
  std::jthread thread_;
};

// The next line from the other side; "": it has closed the connection. Fails the test when neither comes within a minute.
std::string nextLine(recorder::Channel& channel);

class RecorderTest : public FleetTest {
 protected:
  RecorderTest();
  ~RecorderTest() override;

  using ClusterTest::spec;  // on this computer; FleetTest::spec is on a and b

  recorder::Client client(recorder::ClientOptions options = {}) const;
  std::unique_ptr<Serving> serve(decltype(recorder::ServiceOptions::openHosts) openHosts = {});
  static recorder::Submission submission(const std::vector<RunSpec>& specs, recorder::EntryKind kind = recorder::EntryKind::kRun);
  pid_t recorderPid() const;  // by the store's lock file; 0: none

  // Notices until one of this run fits; fails the test when none comes within a minute.
  static recorder::Entry awaited(recorder::Client& client, const std::string& run, const std::function<bool(const recorder::Entry&)>& fits);
  static recorder::Entry ended(recorder::Client& client, const std::string& run);
  static void allEnded(recorder::Client& client);  // asks for the queue until nothing in it is open, whichever recorder answers
};

}  // namespace paceline::tests
