#include "tests/recorder/recorder_fixture.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "engine/core/base/clock.h"

namespace paceline::tests {

using recorder::Client;
using recorder::Entry;

Serving::Serving(recorder::ServiceOptions options)
    : service_(std::move(options)), thread_([this](const std::stop_token& stop) { service_.run(stop); }) {}

std::string nextLine(recorder::Channel& channel) {
  for (const double until = steadySeconds() + kGuardSeconds; steadySeconds() < until;) {
    channel.receive();
    if (const auto line = channel.line()) return *line;
    if (!channel.open()) return "";
    pollfd polled{channel.fd(), POLLIN, 0};
    ::poll(&polled, 1, 1000);
  }
  ADD_FAILURE() << "the other side neither says anything nor closes";
  return "";
}

RecorderTest::RecorderTest() { ::setenv("PACELINE_RECORDER_IDLE_S", "0.1", 1); }

// The lock is free when its recorder has gone.
RecorderTest::~RecorderTest() {
  const int lock = ::open((storePath() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
  if (lock < 0) return;
  if (const pid_t recorder = recorderPid(); recorder > 0 && recorder != ::getpid() && HasFailure()) ::kill(recorder, SIGTERM);
  ::flock(lock, LOCK_EX);
  ::close(lock);
}

Client RecorderTest::client(recorder::ClientOptions options) const {
  options.program = std::string(PACELINE_BIN_DIR) + "/paceline";
  return Client(storePath(), std::move(options));
}

std::unique_ptr<Serving> RecorderTest::serve(decltype(recorder::ServiceOptions::openHosts) openHosts) {
  if (!openHosts) openHosts = [this](const std::string&, hosts::CredentialPrompts&) { return opener(); };
  return std::make_unique<Serving>(recorder::ServiceOptions{.storePath = storePath(), .idleSeconds = 1e9, .openHosts = std::move(openHosts), .times = quick()});
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

void RecorderTest::allEnded(Client& client) {
  while (!std::ranges::all_of(client.queue(), &Entry::ended)) client.next(0.05);
}

}  // namespace paceline::tests
