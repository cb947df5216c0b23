// The parts of a worker's, server's and evaluator's loop: the spec's names looked up, its parameters completed, the wire's layers. Private to
// runtime. Throws Error{kSpec} naming the field that does not fit.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/codecs/compressor.h"
#include "engine/comm/transport/lasting_wire.h"
#include "engine/comm/transport/layers.h"
#include "engine/comm/transport/priority_wire.h"
#include "engine/runtime/journal/journal_wire.h"
#include "engine/runtime/node_loop.h"

namespace paceline {

struct RunParts {
  const AlgorithmDef& algorithm;
  Params params;                              // the algorithm's, complete
  const aggregators::AggregatorDef* aggregator = nullptr;  // null: the algorithm does not aggregate
  Choice schedule;                            // complete
  NodeList workers;                           // node index by rank
  NodeList clients;                           // all nodes that are no servers
  std::vector<int> hubs = {};                 // of them the coordinator and the evaluator, in ascending order: they and all others speak to each other
  bool workersMeet = false;                   // an aggregation runs between them, or markers before a snapshot
  NodeList servers;
  int coordinator = 0;                        // node index: the worker that evaluates and ends the run
  std::vector<double> serverShares;           // by server; empty: all own the same
  std::vector<std::vector<int>> groups;       // ranks
  bool synchronous = true;                    // all workers share round numbers
  bool goesOn = false;                        // without a worker that is lost
  bool renews = false;                        // another process of a lost worker may take part again
};

RunParts partsOf(const RunSpec& spec);
// Throws Error{kFormat} unless another process may take this node's place while the run goes on, as that of a worker that servers and the coordinator can do without.
void requireRenewable(const RunParts& parts, int node);
int rankOf(const RunParts& parts, int worker);  // throws Error{kSpec} for a node that is none
// Those that the simulator made for all its nodes, or the node's own.
std::shared_ptr<const RunParts> partsOf(const NodeRun& run);

// Clients to which this worker speaks, itself not among them: all of them, or the hubs and its neighbours, in ascending order.
std::vector<int> clientsMetBy(const RunParts& parts, const RunSpec& spec, int worker);

// Whom the run goes on without: every other worker than the coordinator, which finds the run's end; nobody where the run does not go on. A worker that speaks to no
// other names none.
std::vector<int> dispensableTo(const NodeRun& run, const RunParts& parts);

// The objective at its parameters, timed; `t` and `samples` are those of the parameters.
double evaluatedFor(const NodeRun& run, double began);  // sleeps until an evaluation that began then has taken what the document says; seconds since then
void tellToleratesLoss(const NodeRun& run, bool tolerates);  // who ends runs reads it
EvaluationRecord evaluated(const NodeRun& run, Objective& objective, std::int64_t round, double t, std::int64_t samples);
void keepCheckpoint(const NodeRun& run, Objective& objective, std::int64_t round);  // its weights, where run.weights keeps them

std::string divergedText(std::int64_t round, double loss);
// A notice of this node; in virtual time without the time of day.
void emitNotice(const NodeRun& run, const std::string& kind, const std::string& text, const std::string& level = "info",
                const std::string& reason = "", std::int64_t code = 0);

// How this node's time is related to its host's clock, now; in virtual time to the one clock that there is. When to tell it again, since the start.
double emitClock(const NodeRun& run, double began);

// Whose traffic this worker counts apart: its servers'; in real time that of all that it meets.
NodeList countedBy(const NodeRun& run, const RunParts& parts);

// What this node has exchanged with these nodes in its whole life, rounds that the stop discarded included: metrics of round 0,
// "bytes_to_servers", "messages_from_workers" ... `with`: "servers" or "workers".
void emitTraffic(const NodeRun& run, MeteredWire& meter, std::span<const int> nodes, const std::string& with, double t);

// A real node's threads beside its own, for what is divided among them outside LibTorch; null: it has none.
std::unique_ptr<Cores> helpersOf(const NodeRun& run);

// This worker's half; null where the method does not aggregate. Simulations have no other engine than ours.
std::unique_ptr<aggregators::Aggregator> aggregatorOf(const NodeRun& run, const RunParts& parts, int rank, MeteredWire& meter);

// A node's wire: metered, in real time also in the order of priorities, shaped as the spec emulates its link, and lasting where servers are started again; contributions
// travel in the spec's wire format.
class LayeredWire {
 public:
  LayeredWire(const NodeRun& run, const NodeList& peers);  // peers: whose traffic is counted apart
  Wire& top() { return *coded_; }
  MeteredWire& meter() { return metered_; }
  JournalWire* journal() { return journal_ ? &*journal_ : nullptr; }
  void state(Archive& archive) { coded_->state(archive); }

 private:
  Wire& inOrder(const NodeRun& run);

  std::optional<ShapedWire> shaped_;
  std::optional<LastingWire> lasting_;
  std::optional<PriorityWire> ordered_;
  std::optional<JournalWire> journal_;
  MeteredWire metered_;
  std::optional<codecs::CodedWire> coded_;
};

}  // namespace paceline
