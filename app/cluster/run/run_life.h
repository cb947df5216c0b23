// The life of a run, pure: which state follows, and how it ended.
#pragma once

#include "storage/store/records.h"

namespace paceline::run {

enum class RunEvent {
  kChecked,       // checking -> deploying
  kDeployed,      // deploying -> starting
  kAllListening,  // starting -> running
  kStopAsked,
  kAllEnded,      // every node ended in order, by a rule of the document
  kAllStopped,    // every node ended in order, because it was asked to
  kFailure,       // a node failed, a check failed, a host refused
  kHostLost,      // cannot be reached: stale
  kHostBack,
};

// One test per cell. nullopt: cannot happen there; the caller reports a bug.
std::optional<store::RunState> next(store::RunState state, RunEvent event);

// Who a run waits for, and how it ended, from what its nodes and hosts said. Feed every notice once, in any order between nodes; ask at any time.
// Clocks are compared within one host only; between hosts what was heard first came first.
class RunEnding {
 public:
  explicit RunEnding(const RunSpec& spec);

  void observe(const std::string& node, const NoticeRecord& notice);
  void hostGone(const std::string& host, const std::string& why);  // nothing more will be heard of it: "it cannot be reached: ..."

  bool somethingFailed() const;   // the rest of the run has no future
  bool spares(const std::string& host) const;  // the run does without all of its nodes
  bool workersExited() const;     // but for those of hosts that are gone
  bool allExited() const;         // the same
  bool anyStarted() const;        // some node was told to start
  bool asked() const { return asked_; }                    // the supervisor was asked to end it, by whatever desktop
  const std::string& endedWhy() const { return endedWhy_; }  // what the first supervisor was told when it ended the run; "": none was
  const std::string& endedOn() const { return endedOn_; }    // the host of that supervisor
  std::string silence() const;    // "waits for w1 on gpu1: no sign of life for more than 10 s; ..."; "": every node shows that it lives
  // Of the nodes on the coordinator's host, by its clock: those of other hosts may be set otherwise.
  double startedUtc() const { return startedUtc_; }  // when the first trained; 0: none yet
  double endedUtc() const { return endedUtc_; }      // when the last ended that has
  std::string reason() const;     // of the coordinator, else of the first node that gave one
  std::string losses() const;     // of workers that the run went on without; "": none
  std::string rootCause() const;  // one sentence; "": nothing failed. What happened first wins over those who lost a peer by it
  bool byLoss() const;            // it is that a node died or was not reached any more, or that its host went down: none refused anything itself
  bool checkpointed() const { return checkpointed_; }  // all nodes hold a checkpoint of this run

 private:
  struct Node {
    bool worker = false, started = false, finished = false;
    std::string host, finishedReason;
    std::optional<NoticeRecord> failed, exit;
    std::int64_t heard = 0;  // order in which failed, else exit was heard
    std::string lastError;   // its last line on stderr
    std::string silent;      // what its supervisor says of its silence; "": none
  };
  struct Cause {
    int rank = 0;            // smaller: nearer to the root
    double time = 0;         // of the host's clock
    std::int64_t heard = 0;  // order over all hosts
    std::string sentence;
    bool loss = true;        // the node did not fail by itself
  };
  static std::string named(const std::string& id, const Node& node);  // "w1 on gpu1"
  static std::optional<Cause> causeOf(const std::string& id, const Node& node);
  // A worker that the run can do without: a decentralised run says that it goes on (reason "tolerates_loss"), unless the coordinator is lost.
  bool spared(const std::string& id, const Node& node) const { return toleratesLoss_ && node.worker && id != evaluator_; }
  bool timesTheRun(const Node& node) const { return evaluator_.empty() || node.host == nodes_.at(evaluator_).host; }
  std::optional<Cause> causeOn(const std::string& host) const;  // the first of one host
  std::optional<Cause> root() const;
  std::string diedWithSupervisor(const std::string& host) const;
  template <class Matches>
  std::string nodesOf(const std::string& host, Matches matches) const;  // "w0, w1"

  std::map<std::string, Node> nodes_;
  std::map<std::string, Cause> gone_;  // by host
  std::vector<std::string> hosts_;
  std::string evaluator_, endedWhy_, endedOn_;
  std::int64_t heard_ = 0;
  double startedUtc_ = 0, endedUtc_ = 0;
  bool asked_ = false, toleratesLoss_ = false, checkpointed_ = false;
};

}  // namespace paceline::run
