// The per-user supervisor: owns the node processes of this host and their spools, and serves the desktops that attach.
// One thread, one poll loop. The constructor throws Error{kHost, kFile}; run() returns when it is idle, told or signalled to stop.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agent/supervisor/agent_paths.h"
#include "agent/supervisor/supervise/client.h"
#include "agent/supervisor/supervise/run.h"
#include "engine/core/base/error.h"

namespace paceline::supervise {

// A run is active here that another one shall not go beside.
struct BusyHost : Error {
  explicit BusyHost(const std::string& run) : Error(Errc::kHost, strCat("run ", run, " is active here")), by(run) {}
  std::string by;
};

class Supervisor {
 public:
  // Waits for the lock of the folder, loads what a dead supervisor has left, listens.
  Supervisor(AgentPaths paths, double idleSeconds);
  ~Supervisor();
  void run();

  // What requests do (requests.cpp). All throw Error with a sentence for the client.
  Run& launch(const LaunchRequest& request);
  Run& find(const std::string& run);
  void forget(const std::string& run);
  void shutDown(double graceSeconds);
  const std::map<std::string, std::unique_ptr<Run>>& runs() const { return runs_; }
  const std::string& runsFolder() const { return paths_.runs; }
  contain::ContainmentKind containment() const { return containment_; }

 private:
  void takeLock();
  void loadRuns();
  void killLeftovers();
  void listen();
  void watchSignals();
  void accept();
  void takeSignals();
  void reap();
  void pollOnce();
  void serve();
  int pollTimeoutMs() const;
  bool ownsFolder() const;
  void watchFolder();
  void killStrays();
  bool followed(const std::string& run) const;
  bool mayEnd();

  AgentPaths paths_;
  double idleSeconds_;
  Fd lock_, listener_, signals_;
  std::map<std::string, std::unique_ptr<Run>> runs_;  // by name; those of dead supervisors too
  std::vector<std::unique_ptr<Client>> clients_;
  double idleSince_ = 0;
  double nextFolderCheck_ = 0;
  bool shuttingDown_ = false, mayHaveStrays_ = false;
  contain::ContainmentKind containment_ = contain::ContainmentKind::kSubreaper;
};

// The protocol, one JSON object a line (agent/README.md): the first line that a client sees, and the reply to one request line; whatever that
// holds, it is one line that says ok or why not. Never throw.
std::string greeting(const Supervisor& supervisor);
std::string answer(Supervisor& supervisor, Client& client, const LineSplitter::Line& line);

}  // namespace paceline::supervise
