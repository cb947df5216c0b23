// A worker's part in the snapshots of a run (Chandy & Lamport 1985), of which checkpoints are made: all nodes rest between two rounds with
// nothing under way, all save, all go on. The coordinator leads. Methods with shared rounds rest after the same round; the others are asked
// where they stand and rest as soon as no working node can be left waiting for them (LockStep). Nothing here waits for time, and a stop ends
// every wait. Used by the worker's thread.
#pragma once

#include <map>
#include <set>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/transport/transport.h"
#include "engine/runtime/checkpoints.h"
#include "engine/runtime/losses/returning.h"
#include "engine/runtime/setup.h"

namespace paceline {

struct SnapshotSetup {
  const NodeRun& run;
  const RunParts& parts;
  Transport& transport;
  std::function<LockStep(std::int64_t done)> lockStep;  // of this worker's algorithm
  std::function<bool()> inRound, stopped;
  std::function<void()> land;  // waits for what its last exchange has left under way
  std::function<void(int node)> drop;  // the coordinator's: the run goes on without this worker
  std::function<void(int node, std::int64_t process)> again;  // the coordinator's: it takes part again, as this process
  NodeCheckpoints::State state;  // of the whole worker
};

class Snapshot {
 public:
  explicit Snapshot(SnapshotSetup setup);

  void take(const Message& message);  // kCheckpoint
  void lost(int node);                // a worker, to the coordinator: nobody waits for it, and a snapshot that it is within is not kept
  void anew(int node, const Anew& told) { returning_.anew(node, told); }  // to the coordinator, once the way to it is renewed
  void way(const Message& message);  // kLost or kBack
  void closed(std::int64_t round) { done_ = round; }
  // After a closed round and its evaluation; `last`: the coordinator will stop the run now. True: all have rested, for a snapshot or because a worker takes part again, and
  // its time and messages belong to no round.
  bool afterRound(bool last);
  // A snapshot may follow this round of the coordinator, so a stop is told after it.
  bool due(std::int64_t round) const { return pausing_ || (every_ > 0 && round % every_ == 0); }
  std::int64_t savedRound() const { return savedRound_; }  // of the newest snapshot saved by all nodes; known to the coordinator
  // Loads the newest checkpoint that all nodes hold which the run had then, and returns when all have it. Workers that it had lost by then, or that have none of
  // that round while the coordinator and the servers do, take part again (rejoin.h). Virtual time goes on where it was.
  void resume(const std::function<double()>& savedClock);
  // A process that takes the place of one that the run goes on without: true once it stands where the coordinator stands; false, and a notice: the run is over before.
  bool rejoin(const Anew& told);
  bool isTakenIn() const { return takenIn_; }  // what is said of this node from here on is said of this process

 private:
  bool coordinates() const { return setup_.run.node == setup_.parts.coordinator; }
  LockStep standing() const;
  std::vector<int> returned() const;
  void askAll();
  void rest();
  void restAsCoordinator();
  bool save();
  void takeInReturned();
  bool takeInAsThen();
  bool beginAgain(const Rebirth& again);
  void exchangeMarkers();
  void await(const std::function<bool()>& done) const;
  void tell(int to, const SnapshotStep& step) { setup_.transport.send(to, snapshotMessage(step)); }
  void tellAll(const SnapshotStep& step);
  struct Start {
    std::int64_t round = 0;
    std::set<int> joining = {};  // workers that have no state of it
  };
  Start newestHeld() const;
  void takeIn(const Start& start);
  void tellState(int node, std::int64_t round, const std::vector<Packed>& pieces);
  void takePiece(const Message& message, const StateOf& piece);
  bool heardFromAll(const auto& told, bool servers = false) const;  // who are not lost

  SnapshotSetup setup_;
  NodeCheckpoints node_;
  int every_;
  std::int64_t done_ = 0;  // rounds
  bool pausing_ = false;   // between Pause and Go
  bool rejoins_ = false, takenIn_ = true;
  bool refused_ = false;  // the coordinator's host says that it listens no more
  std::int64_t before_ = 0;  // rounds of the process before
  std::optional<std::int64_t> target_;
  std::size_t markers_ = 0;
  std::string joined_;  // so much of the coordinator's state has come
  // Of the coordinator:
  std::map<int, LockStep> standing_;
  std::int64_t savedRound_ = 0;
  std::set<int> ready_;
  std::map<int, bool> saved_;
  std::map<int, std::vector<std::int64_t>> holds_;
  std::set<int> loaded_;
  std::int64_t savedBytes_ = 0;
  std::set<int> lost_;
  bool spoilt_ = false;  // a worker was lost within this snapshot
  bool saves_ = false;   // this rest is for a snapshot
  Returning returning_;
  std::map<int, std::set<int>> joinedAt_;  // by worker: servers
};

}  // namespace paceline
