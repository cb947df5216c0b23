// The per-user supervisor: owns the node processes of this host and their spools, and serves the desktops that attach.
// One thread, one poll loop. The constructor throws Error{kHost, kFile}; run() returns when it is idle, told or signalled to stop.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agent/supervisor/supervise/run.h"
#include "agent/supervisor/supervise/up.h"
#include "engine/core/base/error.h"

namespace paceline::supervise {

constexpr std::size_t kMaxRequestLine = 16 << 20;

// One connection to the supervisor: requests in, replies and followed events out. Memory is bounded: events are taken from the spools
// only as fast as the client reads, and no request is read while too many replies wait. Used by the supervisor's only thread.
class Client {
 public:
  using Answer = std::function<std::string(Client&, const LineSplitter::Line&)>;  // one request -> one reply line
  Client(Fd connection, Answer answer);

  void watch(Watches& watches);
  void say(const std::string& line);
  void follow(const Run& run, const std::map<std::string, std::int64_t>& from);  // again: from there
  bool follows(const std::string& run) const { return follows_.contains(run); }
  void pump(const std::function<bool(const std::string&)>& active);  // events into the output, "ended" behind the last of a run
  void flush();
  void lease(double seconds);  // from now on: beats for it, and silent for so long means gone
  void keepLease();            // what is due of both
  std::optional<double> nextWake() const;  // steady seconds at which something will be due
  bool gone() const { return !connection_; }

 private:
  struct Source {
    std::string node;
    spool::SpoolCursor cursor;
  };
  void readRequests(short ready);
  bool pumpRun(const std::string& run, std::vector<Source>& sources, bool over);  // true: all of it is out
  bool pumpOnce(const std::string& run, std::vector<Source>& sources);

  Fd connection_;
  Answer answer_;
  LineSplitter requests_{kMaxRequestLine};
  std::string output_;
  std::size_t sent_ = 0;  // of output_
  double leaseSeconds_ = 0, heard_ = 0, nextBeat_ = 0;  // leaseSeconds_ 0: none
  std::int64_t beats_ = 0;
  bool ended_ = false;         // it has closed its side
  bool moreInSpools_ = false;  // the output was full before the spools were empty
  std::map<std::string, std::vector<Source>> follows_;
};

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
  void makeNodesFolder();
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
  bool mayEnd();

  AgentPaths paths_;
  std::string nodesFolder_;  // for the nodes' private sockets; "": it cannot be made, each finds its own place
  double idleSeconds_;
  Fd lock_, listener_, signals_;
  std::map<std::string, std::unique_ptr<Run>> runs_;  // by name; those of dead supervisors too
  std::vector<std::unique_ptr<Client>> clients_;
  double idleSince_ = 0;
  double nextFolderCheck_ = 0;
  double acceptAt_ = 0;  // until then (steady seconds) who connects waits, because this process can take no more; 0: nobody waits
  bool shuttingDown_ = false, mayHaveStrays_ = false, toldFull_ = false;
  contain::ContainmentKind containment_ = contain::ContainmentKind::kSubreaper;
};

// The protocol, one JSON object a line (agent/README.md): the first line that a client sees, and the reply to one request line; whatever that
// holds, it is one line that says ok or why not. Never throw.
std::string greeting(const Supervisor& supervisor);
std::string answer(Supervisor& supervisor, Client& client, const LineSplitter::Line& line);

LaunchRequest launchOf(const Json& request);  // what a launch asks for. Throws Error{kFormat} naming the member; nothing is started.

}  // namespace paceline::supervise
