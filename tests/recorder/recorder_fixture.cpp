#include "tests/recorder/recorder_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

#include "engine/core/base/clock.h"

namespace paceline::tests {

using recorder::Client;
using recorder::Entry;

RecorderTest::RecorderTest() { ::setenv("PACELINE_RECORDER_IDLE_S", "0.1", 1); }

// The lock is free when its recorder has gone.
RecorderTest::~RecorderTest() {
  const int lock = ::open((storePath() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
  if (lock < 0) return;
  if (const pid_t recorder = recorderPid(); recorder > 0 && recorder != ::getpid() && HasFailure()) ::kill(recorder, SIGTERM);
  ::flock(lock, LOCK_EX);
  ::close(lock);
}

Client RecorderTest::client(bool inProcess) const {
  return Client(storePath(), {.inProcess = inProcess, .answers = false, .program = std::string(PACELINE_BIN_DIR) + "/paceline"});
}

recorder::Submission RecorderTest::submission(const std::vector<RunSpec>& specs, recorder::EntryKind kind) {
  recorder::Submission wanted{.kind = kind, .points = {}};
  for (const RunSpec& spec : specs) wanted.points.push_back({.name = spec.name, .spec = toJsonText(spec)});
  return wanted;
}

pid_t RecorderTest::recorderPid() const {
  pid_t pid = 0;
  std::ifstream(storePath() + ".lock") >> pid;
  return pid;
}

Entry RecorderTest::awaited(Client& client, const std::string& run, const std::function<bool(const Entry&)>& fits) {
  for (const double until = steadySeconds() + 60; steadySeconds() < until;) {
    const auto notice = client.next(1);
    if (!notice) continue;
    if (const auto* entry = std::get_if<Entry>(&*notice); entry != nullptr && entry->run == run && fits(*entry)) return *entry;
  }
  ADD_FAILURE() << "nothing fitting was told of run " << run;
  return {};
}

Entry RecorderTest::ended(Client& client, const std::string& run) {
  return awaited(client, run, [](const Entry& entry) { return entry.ended; });
}

}  // namespace paceline::tests
