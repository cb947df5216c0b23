// One run on this host: its nodes while they live, its spools until the desktop has forgotten it. Used by the supervisor's only thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/supervisor/probe/facts.h"
#include "agent/supervisor/supervise/node.h"
#include "agent/supervisor/spool/run_folder.h"

namespace paceline::supervise {

struct LostDesktopPolicy {
  std::optional<double> endAfterSeconds;  // nullopt: keep running
  double graceSeconds = 10;   // with a failed node and nobody attached, the rest ends after this
  double startSeconds = 60;   // nobody attached and no node was told to start: end after this
};

struct LaunchRequest {
  std::string run;
  std::string host = "local";
  std::string folder;  // working folder of the nodes; "": the supervisor's
  std::vector<NodeCommand> nodes;
  LostDesktopPolicy policy;
  std::string title{};  // for who has to wait for it; "": its id
  bool beside = true;   // other runs may be active here
};

class Run {
 public:
  Run(const LaunchRequest& request, const std::string& runsFolder, contain::ContainmentKind kind);  // starts every node or, throwing Error, none
  explicit Run(const spool::RunFolder& folder);  // left by a dead supervisor: nodes without an exit event get one

  void watch(Watches& watches);
  void end(double graceSeconds, const std::string& why);  // stop line and EOF; SIGTERM after the grace, SIGKILL after another
  void tick(bool followed);       // time passes: host load, grace times, policies, exits that can be told now, what waits for the disk
  bool reaped(pid_t pid, int waitStatus);  // false: not one of ours
  Node* node(const std::string& id);
  Node* nodeOf(pid_t pid);
  void forget() { folder_.remove(); }

  void shares(const std::string& title);  // this host with another run: it is recorded

  const std::string& name() const { return folder_.run; }
  const std::string& title() const { return title_; }
  const std::string& host() const { return folder_.host; }
  bool active() const;   // a node runs, its exit is not yet told, or something that it started is not yet gone
  bool alive() const;    // a node's process is there
  bool unwritten() const;  // it has ended, but some of its records wait for the disk in memory
  bool ending() const { return stage_ != Stage::kNone; }
  double nextWake() const;  // steady seconds
  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  std::vector<std::pair<std::string, std::shared_ptr<const spool::Spool>>> spools() const;  // of nodes by id and the host by name

 private:
  enum class Stage { kNone, kAsked, kTerminated, kKilled };
  bool any(bool (Node::*is)() const) const;
  void sweep(double now);  // ends what dead nodes have left; and the containment when all are dead
  void finish();
  void advanceEnd(double now);
  void applyPolicy(double now, bool followed);
  void recordLoad(double now);
  void recoverNode(int index);

  spool::RunFolder folder_;
  std::string title_;
  LostDesktopPolicy policy_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::shared_ptr<spool::Spool> hostSpool_;
  std::unique_ptr<contain::Containment> containment_;  // until it is empty
  std::set<std::string> unswept_;             // tags of nodes that have ended but may have left something
  double sweepUntil_ = 0;
  probe::HostLoadMeter load_;
  double nextLoad_ = 0, lonelySince_ = 0, failedSince_ = 0, stageUntil_ = 0, grace_ = 0;
  Stage stage_ = Stage::kNone;
};

}  // namespace paceline::supervise
