// A store with a recorder process of its own, which ends soon after the test; nodes are the fake ones of tests/agent.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "app/cluster/recorder/client.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline::tests {

class RecorderTest : public ClusterTest {
 protected:
  RecorderTest();
  ~RecorderTest() override;

  recorder::Client client(bool inProcess = false) const;
  static recorder::Submission submission(const std::vector<RunSpec>& specs, recorder::EntryKind kind = recorder::EntryKind::kRun);
  pid_t recorderPid() const;  // by the store's lock file; 0: none

  // Notices until one of this run fits; fails the test when none comes within a minute.
  static recorder::Entry awaited(recorder::Client& client, const std::string& run, const std::function<bool(const recorder::Entry&)>& fits);
  static recorder::Entry ended(recorder::Client& client, const std::string& run);
};

}  // namespace paceline::tests
