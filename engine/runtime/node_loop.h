// The loops of a worker and of a server: real (agent/worker, agent/server) and simulated runs execute the same code.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/comm/transport/transport.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/cores.h"
#include "engine/core/record/event.h"
#include "engine/core/base/objective.h"
#include "engine/core/spec/run_spec.h"
#include "engine/core/spec/speed_groups.h"

namespace paceline {

class CheckpointFolder;
class KeptWeights;
class Journal;    // journal/journal.h
struct Replay;    // replay.h
struct RunParts;  // setup.h

using Emit = std::function<void(const Event&)>;

// In a replay: what another process of a lost worker goes on from. Thrown out of the life of the one before.
struct Rebirth {
  std::size_t process = 0;  // how many there were before
  std::int64_t round = 0;   // of the coordinator
  std::string state;        // its, as of a checkpoint
};

struct NodeRun {
  const RunSpec& spec;
  int node = 0;
  Wire& wire;   // bare; the loop adds metering and (real time) shaping
  Clock& clock;
  Emit emit;
  const std::atomic<bool>* askedToStop = nullptr;  // set by the control thread
  std::string address = "127.0.0.1";  // where this node listens, on its data network
  std::string kernels{};  // with which it computes, kept in checkpoints; "": not told
  double nominalStepSeconds = 0;  // > 0: virtual time (the simulator's link model shapes; the pacer sets the cost of a step)
  CheckpointFolder* checkpoints = nullptr;   // null: snapshots are made when the spec wants checkpoints, but nothing is kept
  const CheckpointFolder* follow = nullptr;  // an evaluator that follows checkpoints: those of the coordinator
  const CheckpointFolder* resume = nullptr;  // not null: goes on from the newest checkpoint that all nodes hold
  KeptWeights* weights = nullptr;  // null: none are kept
  Cores* cores = nullptr;  // of a simulation that learns: where its nodes compute
  bool serversReturn = false;      // real time: who loses a server waits for it to be started again
  Journal* journal = nullptr;      // of a node that may be started again, for its next process; of a worker it has the orders and its newest round
  const Replay* replay = nullptr;  // not null: virtual time repeats what it says
  const Rebirth* again = nullptr;  // of a replay, not null: this is another process of a worker
  std::shared_ptr<const RunParts> parts = nullptr;  // of the spec, shared by the nodes of a simulation; null: the loop makes its own
};

// Of all nodes' endpoints those to which this one connects, the others empty: those of nodes that it speaks to, and its own. The coordinator and the evaluator meet everybody, another
// worker its servers, its neighbours, and all workers where an aggregation runs between them; servers meet no servers. Throws Error{kSpec}.
std::vector<std::string> endpointsMetBy(const RunSpec& spec, int node, const std::vector<std::string>& endpoints);

// What runWorker returns where the document lets the worker vanish (emulate.lost_after_rounds): it has said nothing to anybody.
inline constexpr const char* kVanished = "vanished";
// And where it is another process of a worker that was lost, and the run has ended before it took part again.
inline constexpr const char* kTooLate = "too_late";

// Trains until a stop rule is met, the coordinator says stop, or the run is asked to stop. Returns the reason: "rounds",
// "seconds", "samples", "accuracy", "patience", "asked". Emits a RoundRecord per round, EvaluationRecords, notices. Throws Error{kPeerLost} ...
std::string runWorker(const NodeRun& run, Objective& objective);

// Serves until every worker, and the evaluator, has said bye. Same errors.
std::string runServer(const NodeRun& run);

// Evaluates copies of the parameters until every worker has left and the last ones are evaluated. Emits EvaluationRecords. Same errors.
std::string runEvaluator(const NodeRun& run, Objective& objective);

// At the end of a run, however it ends: run.weights' best and last. What cannot be written is a notice.
void leaveWeights(const NodeRun& run, Objective& objective);

// rank, spec -> the worker's learning problem. An evaluator node in the simulator uses that of rank 0.
using ObjectiveFactory = std::function<std::unique_ptr<Objective>(const RunSpec&, int rank)>;

struct Computing {
  int threads = 1;                     // that compute steps and evaluations; one of them is the caller's
  std::function<void()> onThread = {};  // called on each of the others at its start
};

// The whole spec in this process in virtual time. emit gets (node index, event), on the caller's thread. The same bytes with any number of threads.
// `replay`: what a run of this document recorded; it is repeated, to the coordinator's last round.
void simulate(const RunSpec& spec, const ObjectiveFactory& objectives, const std::function<void(int, const Event&)>& emit, const Computing& computing = {}, const Replay* replay = nullptr);

}  // namespace paceline
