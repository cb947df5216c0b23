// The experiment document: one JSON object says everything about a run. Values only; safe to copy between threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json/finding.h"
#include "engine/core/spec/params.h"
#include "engine/core/spec/published.h"

namespace paceline {

struct Choice {  // one catalogue entry and its parameters
  std::string id;
  Params params;
  bool operator==(const Choice&) const = default;
};

struct Aggregation {
  std::string id = "server";
  std::string engine = "auto";  // "paceline" (ours; "auto" is its older name), or one that the catalogue names for this aggregation ("gloo", "nccl")
  bool trustedNetwork = false;  // such an engine's connections, which are neither encrypted nor authenticated, may run between hosts
  bool operator==(const Aggregation&) const = default;
};

// How a node pretends to be a slower device on a slower link. A calibrated document has here what was measured of a run.
struct Emulate {
  double slowdown = 1.0;                // a step takes this many times what it took; >= 1
  std::optional<double> stepSeconds;    // a step takes this long (real: at least what it took); overrides slowdown
  double jitter = 0.0;                  // each step's time is multiplied by uniform [1 - jitter, 1 + jitter); [0, 1)
  std::optional<double> bandwidthMbps;  // of the node's link, each direction, 1e6 bit/s
  double latencyMs = 0.0;               // added to every message the node sends
  std::vector<double> steps = {};       // s; each step takes one of them, drawn at random: a distribution. Override slowdown, stepSeconds and jitter
  std::optional<double> fetchSeconds = {};     // a worker waits for every batch this much longer
  std::optional<double> evaluateSeconds = {};  // an evaluation takes this long (real: at least what it took)
  std::optional<double> serveMbps = {};        // a server handles the values that come at this rate, 1e6 bit/s of fp32 (real: in addition)
  std::optional<std::int64_t> lostAfterRounds = {};     // a worker is gone without a word after so many rounds of its own, as if it had been killed
  bool operator==(const Emulate&) const = default;
};

// kEvaluator: a worker program that only evaluates snapshots of the parameters, so that nobody who trains waits for it.
enum class Role { kWorker, kServer, kEvaluator };

struct NodeSpec {
  std::string id;
  Role role = Role::kWorker;
  std::string host = "local";
  std::string device = "cpu";
  int threads = 1;
  std::optional<double> share;  // workers: of the training data; servers: of the parameters. All of a role or none; they sum to 1
  Emulate emulate;
  bool operator==(const NodeSpec&) const = default;
};

inline constexpr std::size_t kMaxNodes = 131072;  // of a run; a stray document ends here, before its nodes are read

struct Edge {  // decentralised methods
  std::string a, b;
  int every = 1, offset = 0;
  bool operator==(const Edge&) const = default;
};

// What is done to every gradient before the algorithm sees it, and how a step uses it: PyTorch's SGD conventions.
inline constexpr const char* kOptimizers[] = {"sgd", "adam", "adamw", "adagrad"};
struct Optimizer {
  double momentum = 0;             // [0, 1), of sgd: v = momentum * v + g, w -= rate * v
  bool nesterov = false;           // w -= rate * (g + momentum * v)
  double weightDecay = 0;          // g += weightDecay * w; adamw: w -= rate * weightDecay * w
  bool decayAll = true;            // false: biases and norms (blocks with decays = false) are not decayed
  std::optional<double> clipNorm;  // g is scaled down to this Euclidean norm, after weight decay
  std::string id = "sgd";
  double beta1 = 0.9, beta2 = 0.999;  // of adam and adamw, [0, 1)
  std::optional<double> epsilon = {};  // none: PyTorch's
  bool adaptive() const { return id != "sgd"; }
  bool hasMoments() const { return id == "adam" || id == "adamw"; }
  bool decaysApart() const { return id == "adamw"; }
  bool operator==(const Optimizer&) const = default;
};

// How dense pushes (gradients to servers, contributions to aggregations) travel. What rounding lost is added to the next push.
inline constexpr const char* kWireFormats[] = {"fp32", "fp16", "int8"};
struct WireFormat {
  std::string format = "fp32";
  bool errorFeedback = true;
  bool overlap = true;
  bool operator==(const WireFormat&) const = default;
};

// Where an evaluator node gets parameters from: "auto", "server" (asks the servers), "worker" (the coordinator sends them at its
// round's end), "checkpoints" (follows the files as they come). Without an evaluator node the coordinator evaluates itself.
inline constexpr const char* kEvaluateSources[] = {"auto", "server", "worker", "checkpoints"};
struct EvaluatePlan {
  int everyRounds = 1;  // 0: never
  std::string on;       // a worker's id; default the first worker: it finds the end of the run, and evaluates where nobody else does
  std::string source = "auto";
  double validation = 0;    // [0, 0.9]: this share of the training samples is held out; it then decides the stop rules and the best evaluation
  bool operator==(const EvaluatePlan&) const = default;
};

// The run ends when the coordinator (the worker of evaluate.on) finds one of them true; at least one is set.
struct StopRules {
  std::optional<std::int64_t> rounds;   // of the coordinator
  std::optional<double> seconds;        // since the coordinator's first round began
  std::optional<std::int64_t> samples;  // trained by all workers together
  std::optional<double> accuracy;       // of an evaluation
  std::optional<std::int64_t> patience = {};  // so many evaluations in a row were no better than the best before
  bool operator==(const StopRules&) const = default;
};

// How data between nodes is protected: "auto" (plain over private sockets on one host; across hosts AES-GCM where all their processors
// have instructions for it, else CURVE), "plain" (one host only), "curve", "aes_gcm" (frames sealed with keys agreed from the run's CURVE keys). Changes no result, so it is in no configuration hash.
inline constexpr const char* kLostData[] = {"left", "divided"};
inline constexpr const char* kProtections[] = {"auto", "plain", "curve", "aes_gcm"};

// What is recorded beside rounds and evaluations. Changes no result, so it is in no configuration hash.
struct RecordPlan {
  int normsEveryRounds = 0;  // 0: never
  bool perLayer = false;
  int linksEveryRounds = 0;  // 0: what crossed each link is recorded once, at the run's end
  bool operator==(const RecordPlan&) const = default;
};

inline constexpr const char* kListedEdges = "edges";  // the topology that is the document's own list

struct RunSpec {
  std::string name;
  std::uint64_t seed = 1;
  std::string notes;
  std::vector<std::string> tags;
  Choice algorithm;
  Aggregation aggregation;
  Choice model;
  Choice dataset;
  int batchSize = 64;
  Choice partition{.id = "iid", .params = {}};
  std::vector<std::vector<std::string>> groups;
  Choice topology{.id = kListedEdges, .params = {}};  // of decentralised methods: a preset over the workers in rank order, or its edges
  std::vector<Edge> edges;
  std::vector<NodeSpec> nodes;
  Optimizer optimizer;
  WireFormat wire;
  Choice learningRateSchedule{.id = "constant", .params = {}};
  EvaluatePlan evaluate;
  bool learn = true;  // false: a simulation in which only virtual time passes and values have no place
  int checkpointEveryRounds = 0;
  int checkpointResumes = 3;  // so often a run that lost a node it cannot do without goes on from its newest checkpoint by itself
  bool keepWeights = true;  // real runs leave those of their best and last evaluation, and of checkpoints, at their hosts
  RecordPlan records;
  StopRules stop;
  std::string protection = "auto";
  std::optional<double> stopWithoutDesktopSeconds;  // the supervisors end a run that no desktop follows for this long; nullopt: never
  double nodeSilentSeconds = 300;  // a node without a sign of life for this long is ended by its supervisor; 0: never
  std::string lostData = "left";   // kLostData: what becomes of the data of a worker that the run goes on without
  int workerRestarts = 3;          // so often a worker whose process is killed is started again, where the run goes on without it, and takes part again
  int serverRestarts = 3;          // so often a server whose process is killed is started again where it was
  Published published;             // what a paper reports for it
  bool operator==(const RunSpec&) const = default;

  std::vector<int> workers() const;  // indices into nodes, in document order: position here = rank
  std::vector<int> servers() const;
  std::vector<int> evaluators() const;
  std::vector<std::string> hosts() const;  // of its nodes, each once, in document order
  int evaluatorNode() const;         // index into nodes; -1 when evaluate.on names none
  int nodeIndex(std::string_view id) const;  // -1: none
  bool dividesLostData() const { return lostData == "divided"; }
  bool serversReturn() const;        // real runs start them again
  bool listsEdges() const { return topology.id == kListedEdges; }
};

struct ParsedSpec {
  RunSpec spec;  // as far as it could be read, defaults elsewhere
  std::vector<Finding> findings;
};

// Reads a document (text of one JSON object). Structure, types and bounds only: what names mean needs a catalogue (catalog.h).
// Never throws for bad input: a text that is no JSON is one finding at "" with line and column.
ParsedSpec parseRunSpec(std::string_view text);

// The whole document with every default written out, keys sorted. parseRunSpec(toJsonText(s)).spec == s.
std::string toJsonText(const RunSpec& spec, int indent = -1);

// SHA-256 (hex) over the canonical document without name, notes, tags, protection, lost_desktop, records and published: equal exactly when two runs are configured equally.
// Sections at their defaults that are younger than the document's first form are left out, so that old hashes stay.
std::string configHash(const RunSpec& spec);
// The same without the seed: runs that differ only in the seed form a group.
std::string groupHash(const RunSpec& spec);

const char* roleName(Role role);

}  // namespace paceline
