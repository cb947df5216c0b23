// A training algorithm: a worker half of straight-line code and a server half that handles messages. One short file each.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/algorithms/context/worker_context.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/params.h"

namespace paceline {

// A worker's place of rest while all nodes stand still for a snapshot. Workers that wait for each other name the same set; all of a set rest at
// the same clock, so that none is left waiting for one that rests. For methods without shared rounds.
struct LockStep {
  int set = -1;            // -1: this worker waits for no other and may rest after any round
  std::int64_t clock = 0;  // grows by at least 1 with each round of its own
};

// What a worker's vectors are as long as, and how many neighbours it has: a checkpoint says nothing else.
struct StateSizes {
  std::size_t parameters = 0, neighbours = 0;
};

class WorkerAlgorithm {
 public:
  virtual ~WorkerAlgorithm() = default;
  virtual void start(WorkerContext&) {}        // once, before round 1; not when a checkpoint is resumed, so state() brings all that it makes
  virtual void round(WorkerContext& ctx) = 0;  // ends with parameters() up to date
  virtual void state(Archive&, const StateSizes&) {}  // everything that outlives a round; for checkpoints
  virtual LockStep lockStep(std::int64_t roundsDone) const { return {.set = -1, .clock = roundsDone}; }
};

struct ServerSetup {
  const Params& params;
  NodeList workers;          // node index by rank
  Optimizer optimizer = {};  // of the document; a method that declares momentum applies it where its paper does
};

struct AlgorithmDef : AlgorithmEntry {  // needsServer: set by algorithms(), where there is a server half
  bool serverHoldsParameters = false;  // the server half waits for kInit from rank 0
  Statistics statistics = Statistics::kLocal;
  // A worker that was lost takes part again, standing where the coordinator stands (runtime/losses/rejoin.h), unless !joinsAgain. Of what its half's state() names:
  std::vector<std::string> owed = {};  // what this worker still owed the others; one that joins owes nothing: zeros
  std::vector<std::string> own = {};   // what is about this worker alone: from a checkpoint of its own, where it has one
  std::function<std::unique_ptr<WorkerAlgorithm>(const Params&)> makeWorker;
  std::function<std::unique_ptr<ServerAlgorithm>(const ServerSetup&)> makeServer;  // one per shard (kAsk goes to shard 0); empty: none
};

const std::vector<AlgorithmDef>& algorithms();
const AlgorithmDef* findAlgorithm(const std::string& id);
// Whether all workers share round numbers in a run with these (complete) parameters: a method whose exchange is asynchronous does not.
bool sharesRounds(const AlgorithmDef& def, const Params& params);

}  // namespace paceline
