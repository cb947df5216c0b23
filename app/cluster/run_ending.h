// How a run ended, from what its nodes said: pure. Feed every notice once, in any order between nodes; ask at any time.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/core/event.h"
#include "engine/core/run_spec.h"

namespace paceline {

class RunEnding {
 public:
  explicit RunEnding(const RunSpec& spec);

  void observe(const std::string& node, const NoticeRecord& notice);

  bool somethingFailed() const;   // the rest of the run has no future
  bool workersExited() const;
  bool allExited() const;
  bool anyStarted() const;        // some node was told to start
  bool asked() const { return asked_; }                    // the supervisor was asked to end it, by whatever desktop
  const std::string& endedWhy() const { return endedWhy_; }  // what the supervisor was told when it ended the run; "": it was not
  std::string reason() const;     // of the evaluating worker, else of the first node that gave one
  std::string rootCause() const;  // one sentence; "": nothing failed. What happened first wins over those who lost a peer by it

 private:
  struct Node {
    bool worker = false, started = false, finished = false;
    std::string finishedReason;
    std::optional<NoticeRecord> failed, exit;
    std::string lastError;  // its last line on stderr
  };
  struct Cause {
    int rank = 0;     // smaller: nearer to the root
    double time = 0;  // of the host's clock
    std::string sentence;
  };
  static std::optional<Cause> causeOf(const std::string& id, const Node& node);
  std::string diedWithSupervisor() const;

  std::map<std::string, Node> nodes_;
  std::string evaluator_, endedWhy_;
  bool asked_ = false;
};

}  // namespace paceline
