// A worker's part in the consistent cuts that checkpoints are made of: everybody rests between two rounds with nothing under way, all save,
// all go on. The evaluating worker coordinates. Methods with shared rounds rest after the same round; the others are asked where they stand
// and rest as soon as nobody who still works can be left waiting for them (LockStep). Nothing here waits for time, and a stop ends every
// wait. Used by the worker's thread.
#pragma once

#include <map>
#include <set>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/transport/transport.h"
#include "engine/runtime/node_checkpoints.h"
#include "engine/runtime/setup.h"

namespace paceline {

struct CutSetup {
  const NodeRun& run;
  const RunParts& parts;
  Transport& transport;
  int evaluator = 0;                                    // node index of the evaluating worker
  std::function<LockStep(std::int64_t done)> lockStep;  // of this worker's algorithm
  std::function<bool()> inRound, stopped;
  NodeCheckpoints::State state;  // of the whole worker
};

class Cut {
 public:
  explicit Cut(CutSetup setup);

  void take(const Message& message);  // kCheckpoint
  // After a closed round, and its evaluation; `last`: the evaluating worker will stop the run now. True: there was a cut, so time has passed
  // and messages have been exchanged that belong to no round.
  bool afterRound(std::int64_t round, bool last);
  // At the end of this round of the evaluating worker there may be a cut, so that a stop is better told after it.
  bool due(std::int64_t round) const { return every_ > 0 && round % every_ == 0; }
  std::int64_t savedRound() const { return savedRound_; }  // round of the newest cut that all nodes have saved; the evaluating worker knows
  // Loads the newest checkpoint that all nodes hold and returns when all have it. Virtual time goes on where it was.
  void resume(const std::function<double()>& savedClock);

 private:
  bool coordinates() const { return setup_.run.node == setup_.evaluator; }
  bool lastIsNoPlaceToRest(std::int64_t round, bool last) const { return last && setup_.lockStep(round).set >= 0; }
  void askAll();
  void rest();
  void restAsCoordinator();
  void exchangeMarkers();
  void await(const std::function<bool()>& done) const;
  void tell(int to, CutStep step, std::vector<double> numbers = {});
  void tellAll(CutStep step, std::vector<double> numbers);
  std::int64_t newestHeldByAll() const;
  std::size_t otherWorkers() const { return setup_.parts.workers.size() - 1; }
  std::size_t otherNodes() const { return otherWorkers() + setup_.parts.servers.size(); }

  CutSetup setup_;
  NodeCheckpoints node_;
  int every_;
  std::int64_t done_ = 0;  // rounds
  bool pausing_ = false;   // between kPause and kGo
  std::optional<std::int64_t> target_;
  std::size_t markers_ = 0;
  // Of the coordinator:
  std::map<int, LockStep> standing_;
  std::int64_t savedRound_ = 0;
  std::set<int> ready_;
  std::map<int, bool> saved_;
  std::map<int, std::vector<std::int64_t>> holds_;
  std::set<int> loaded_;
  double savedBytes_ = 0;
};

}  // namespace paceline
