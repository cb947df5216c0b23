// What the deployed agent can do, as `paceline-worker describe` prints it. The desktop builds forms, checks and help from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/core/base/objective.h"
#include "engine/core/base/text.h"
#include "engine/core/json/finding.h"
#include "engine/core/spec/params.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

enum class Topology { kStandalone, kServer, kAggregated, kDecentralised };  // kServer: needs a server node; kAggregated: any aggregation

struct CatalogEntry {
  std::string id, title, summary, reference;
  std::vector<ParamSpec> params;
};
struct AlgorithmEntry : CatalogEntry {
  Topology topology = Topology::kAggregated;
  bool synchronous = true;   // all workers share round numbers
  bool needsServer = false;  // also beside an aggregation that has none (ESync's state server)
  bool momentum = true;      // the document's optimizer.momentum applies; false: the method has its own, or none is defined for it
  bool adaptive = true;      // and its optimizers beside sgd, where momentum applies
  ParamCase needsSgd{};      // they do not with these values of a parameter
  bool densePushes = true;   // the document's wire format applies
  bool overlaps = false;     // the document's wire.overlap applies: what the last gradient() of a round gives, or the parameters after its step, goes on unchanged and
                             // whole to one exchange, and nobody looks at the parameters between that exchange and the next gradient
  bool trafficByValue = false;  // what is sent, or how much, follows from values: it cannot run without learning
  bool survivesLoss = false;  // where servers hold or add up its vectors, a run goes on without a worker that is lost: whyNotWithoutAWorker()
  bool joinsAgain = true;     // and such a worker may take part again, with another one's state
  bool combines = false;     // servers see contributions one by one: only by aggregations that have a server
  std::string partialBy{};   // a parameter: the share of the workers that contribute in a round; below 1 the same holds
  bool groups = false;       // the document's groups matter
  ParamCase needsGroups{};   // the document must list them
  ParamCase needsTwoMore{};  // of a parameter that is a minority (Limit::kMinority): then 2 b + 3 workers, not 2 b + 1
  bool oneWay = false;         // of a listed edge the first worker sends to the second alone: such paths must lead from each worker to each
  ParamCase needsLongEdges{};  // the method divides by every - 1: every >= 2 on all edges
};
struct AggregationEntry : CatalogEntry {
  bool needsServer = false;
  std::vector<std::string> engines;  // beside "paceline": "gloo", "nccl"
};
struct Shape {
  int channels = 1, height = 28, width = 28;
  bool operator==(const Shape&) const = default;
};
// What a network is made of where its input, classes and parameters are these: enough to simulate it without learning.
struct ModelLayout {
  Shape input;
  int classes = 10;
  Params params;              // complete
  std::vector<Block> blocks;  // one after the other; work is known
};
struct ModelEntry : CatalogEntry {
  std::vector<Shape> inputs;             // empty: any shape
  int minimumSide = 1;                   // smallest height and width that it can take
  bool tokens = false;                   // takes whole numbers, as texts have
  int minimumBatch = 1;                  // batch normalisation needs two samples to have a variance
  std::int64_t parameterCount = 0;       // trainable, at the first input (or 1x28x28) and 10 classes
  std::vector<ModelLayout> layouts{};    // those that were asked for; of others nothing is known here
};
struct DatasetEntry : CatalogEntry {
  Shape shape;                                // at its default parameters; shapeOf() at given ones. 0 channels: its files say
  int classes = 10;                           // likewise classesOf(); 0: its files say
  std::int64_t trainCount = 0, testCount = 0;  // 0: its files say
  bool tokens = false;   // samples are whole numbers; where its files say what they are: false
  bool inFiles = false;  // pictures are decoded when they are needed; false: all are in memory
  std::string location;  // where this host has it; "" = not found (a validation warning, an error at start); "built in"
  bool downloads = false;  // its publisher's files can be fetched: paceline data download
};
struct PartitionEntry : CatalogEntry {
  bool disjoint = true;        // false: every worker trains on the whole set
  bool byClass = false;        // divides by classes: a data set without any is refused
  bool even = true;            // workers without shares get equally many samples, to within one
  bool shares = true;          // the nodes' shares are used
  ParamCase ignoresShares{};   // they are not in this case
  std::string sizesFrom{};     // a parameter that names a file of the parts' sizes, in place of shares; "": there is none
};

struct Catalog {
  std::string version;  // of the agent; "0.1.0"
  std::string torch;    // LibTorch's version
  std::vector<AlgorithmEntry> algorithms;
  std::vector<AggregationEntry> aggregations;
  std::vector<ModelEntry> models;
  std::vector<DatasetEntry> datasets;
  std::vector<PartitionEntry> partitions;
  std::vector<CatalogEntry> schedules;  // learning-rate schedules
  std::vector<CatalogEntry> topologies;  // of decentralised methods
  std::vector<std::string> devices;     // "cpu", "cuda:0" ... of this host
};

// What a model sees of a data set whose parameters are `params`: the integers channels, height, width, classes and resize (one side of a
// square; 0: as it is) mean the same for every data set that has them; absent ones are as the entry says.
Shape shapeOf(const Shape& shape, const Params& params);
int classesOf(int classes, const Params& params);
std::int64_t heldOutOf(const RunSpec& spec, std::int64_t samples);             // how many of so many training samples the document holds out
std::int64_t trainedCountOf(const RunSpec& spec, const DatasetEntry& entry);     // trainCountOf(), without what the document holds out
std::int64_t trainCountOf(const DatasetEntry& entry, const Params& params);  // "train_count" of sets that are made to measure; 0: its files say

// What the network of these complete parameters is made of. Throws Error{kSpec} where the catalogue has no layout of it for such data.
// Input of 0 channels: of the data that the catalogue was asked with.
const std::vector<Block>& blocksOf(const Choice& model, const Shape& input, int classes, const Catalog& catalog);

// Whether this host has none of it and `params` give no path of their own, which is looked for at the start.
bool isMissing(const DatasetEntry& entry, const Params& params);

// Loader threads only pay where making a batch is work: not where so few floats are copied from memory as they are.
constexpr std::size_t kFewFloats = std::size_t{1} << 19;

// nullptr: none of that id.
template <class Entry>
const Entry* findEntry(const std::vector<Entry>& entries, std::string_view id) {
  for (const Entry& entry : entries)
    if (entry.id == id) return &entry;
  return nullptr;
}

// `model "x" is not known; have lenet, mlp`, for an Error{kSpec}.
template <class Entry>
std::string unknownId(const char* kind, const std::string& id, const std::vector<Entry>& entries) {
  std::vector<std::string> have;
  for (const Entry& entry : entries) have.push_back(entry.id);
  return strCat(kind, " \"", id, "\" is not known; have ", listed(have));
}

std::string toJsonText(const Catalog& catalog, int indent = -1);
Catalog parseCatalog(std::string_view text);  // throws Error{kFormat}

// Everything that can be known before a start: ids, parameters (completed into the result), cluster x algorithm. `hosts`: known names.
ParsedSpec validate(const RunSpec& spec, const Catalog& catalog, const std::vector<std::string>& hosts = {"local"});
void checkPublished(const RunSpec& spec, const Catalog& catalog, std::vector<Finding>& findings);  // validate()'s part about published values

// Whether the model can take the samples, as far as the catalogue knows; adds a finding where it cannot.
bool tokensFit(const ModelEntry& model, const DatasetEntry& dataset, std::vector<Finding>& findings);
void checkCombining(const RunSpec& spec, const Catalog& catalog, std::vector<Finding>& findings);  // about who contributes what to an aggregation
// Whether a run of this document goes on when a worker other than evaluate.on is lost: "" or why not. In a decentralised method its neighbours take its last vector, elsewhere
// servers go on without it. `aggregation`: null where the method does not aggregate.
std::string whyNotWithoutAWorker(const RunSpec& spec, const AlgorithmEntry& algorithm, const AggregationEntry* aggregation);
std::string whyNotAgain(const RunSpec& spec, const AlgorithmEntry& algorithm, const AggregationEntry* aggregation);  // likewise, whether another process of that worker takes part again
void checkDeciding(const RunSpec& spec, const Catalog& catalog, std::vector<Finding>& findings);  // about what evaluations decide, and whether there are any
void checkOneWay(const RunSpec& spec, const Catalog& catalog, std::vector<Finding>& findings);  // after validate()'s other findings: about edges that are arrows

// Whether the method takes the document's optimizer, with its parameters as the document has them; adds a finding where it does not.
void checkOptimizerFits(const RunSpec& spec, const AlgorithmEntry& algorithm, std::vector<Finding>& findings);

}  // namespace paceline
