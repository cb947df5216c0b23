#include <algorithm>
#include <map>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/json/fields.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/model_fits.h"
#include "engine/core/spec/run_spec_fields.h"
#include "engine/core/spec/topologies.h"

namespace paceline {
namespace {

std::string sizesOf(const Shape& shape) { return strCat(shape.channels, "x", shape.height, "x", shape.width); }

const ParamSpec* paramOf(const CatalogEntry& entry, std::string_view name) {
  const auto found = std::find_if(entry.params.begin(), entry.params.end(), [&](const ParamSpec& param) { return param.name == name; });
  return found == entry.params.end() ? nullptr : &*found;
}

bool isAmong(const std::vector<std::string>& items, const std::string& item) { return std::find(items.begin(), items.end(), item) != items.end(); }

class Validation {
 public:
  Validation(ParsedSpec& parsed, const Catalog& catalog, const std::vector<std::string>& hosts)
      : spec_(parsed.spec), findings_(parsed.findings), catalog_(catalog), hosts_(hosts), workers_(spec_.workers()) {
    for (int node = static_cast<int>(spec_.nodes.size()) - 1; node >= 0; --node) nodes_[idOf(node)] = node;  // of an id that is there twice the first
    std::vector<std::string> names;
    for (const int worker : workers_) names.push_back(idOf(worker));
    workerNames_ = listed(names);
  }

  void run() {
    algorithm_ = find("algorithm", "algorithm", catalog_.algorithms, spec_.algorithm);
    model_ = find("model", "model", catalog_.models, spec_.model);
    dataset_ = find("dataset", "data set", catalog_.datasets, spec_.dataset);
    partition_ = find("partition", "partition", catalog_.partitions, spec_.partition);
    find("learning_rate_schedule", "learning-rate schedule", catalog_.schedules, spec_.learningRateSchedule);
    topology_ = find("topology", "topology", catalog_.topologies, spec_.topology);
    checkAggregation();
    for (const Chosen& chosen : chosen_) chosen.choice.params = completeParams(chosen.entry.params, chosen.choice.params, chosen.at, findings_);
    for (const Chosen& chosen : chosen_)
      for (const ParamSpec& param : chosen.entry.params) checkLimit(param, chosen.choice.params, pointerTo(chosen.at, param.name));
    checkHosts();
    checkTopology();
    checkModelFits();
    checkDataset();
    checkGroups();
    checkEdges();
    checkOptimizer();
    checkEvaluators();
    checkLearning();
    for (const Chosen& chosen : chosen_) dropYounger(chosen.entry.params, chosen.choice.params);
  }

 private:
  struct Chosen {
    const CatalogEntry& entry;
    Choice& choice;
    std::string at;  // "/algorithm/params"
  };

  template <class... Parts>
  void refuse(const std::string& pointer, const Parts&... message) { addFinding(findings_, {pointer, strCat(message...), true}); }
  template <class... Parts>
  void warn(const std::string& pointer, const Parts&... message) { addFinding(findings_, {pointer, strCat(message...), false}); }

  const std::string& idOf(int node) const { return nodeOf(spec_, node).id; }
  std::string named(const char* what, const CatalogEntry& entry) const { return strCat(what, " \"", entry.id, "\""); }
  std::string algorithm() const { return named("algorithm", *algorithm_); }
  std::string dataSet() const { return named("data set", *dataset_); }

  template <class Entry>
  const Entry* lookUp(const char* key, const char* what, const std::vector<Entry>& entries, const std::string& id) {
    const Entry* entry = findEntry(entries, id);
    if (entry != nullptr || id.empty()) return entry;  // no id: told already, it is required
    std::set<std::string> have;
    for (const Entry& each : entries) have.insert(each.id);
    refuse(strCat("/", key, "/id"), what, " \"", quotable(id), "\" is not known; have ", listed({have.begin(), have.end()}));
    return nullptr;
  }
  template <class Entry>
  const Entry* find(const char* key, const char* what, const std::vector<Entry>& entries, Choice& choice) {
    const Entry* entry = lookUp(key, what, entries, choice.id);
    if (entry != nullptr) chosen_.push_back({*entry, choice, strCat("/", key, "/params")});
    return entry;
  }

  void checkAggregation() {
    const Aggregation& aggregation = spec_.aggregation;
    aggregation_ = lookUp("aggregation", "aggregation", catalog_.aggregations, aggregation.id);
    std::vector<std::string> engines = {"paceline"};
    if (aggregation_ != nullptr) engines.insert(engines.end(), aggregation_->engines.begin(), aggregation_->engines.end());
    if (aggregation.engine != "auto" && !isAmong(engines, aggregation.engine))
      refuse("/aggregation/engine", "engine \"", quotable(aggregation.engine), "\" is not known for aggregation \"", quotable(aggregation.id), "\"; have ", listed(engines));
    else if (aggregation.engine != "auto" && aggregation.engine != "paceline")
      checkForeignEngine();
  }
  // Such engines open connections of their own, past everything that is layered over ours.
  void checkForeignEngine() {
    const std::string engine = strCat("engine \"", spec_.aggregation.engine, "\"");
    if (spec_.hosts().size() > 1 && !spec_.aggregation.trustedNetwork)
      refuse("/aggregation/engine", engine, " neither encrypts nor asks who connects, and this run has ", listed(spec_.hosts()),
             ". Use paceline, or say \"trusted_network\": true where whoever is on the network between them may be trusted.");
    if (spec_.wire.format != "fp32") refuse("/wire/format", engine, " sends fp32 only; the wire format is ", quotable(spec_.wire.format), ".");
    for (const int worker : workers_) {
      const Emulate& link = nodeOf(spec_, worker).emulate;
      if (link.bandwidthMbps || link.latencyMs > 0)
        refuse(strCat("/nodes/", worker, "/emulate"), engine, " does not go over the emulated link of \"", idOf(worker), "\"");
    }
  }

  void checkLearning() {
    if (spec_.learn) return;
    if (algorithm_ != nullptr && algorithm_->trafficByValue) refuse("/learn", algorithm(), " sends what its values say: without learning nobody knows how much.");
    if (spec_.checkpointEveryRounds > 0) refuse("/checkpoint/every_rounds", "Without learning there is nothing to keep.");
    for (const int evaluator : spec_.evaluators()) refuse(strCat("/nodes/", evaluator), "Without learning evaluator \"", idOf(evaluator), "\" has nothing to evaluate.");
  }

  // What a parameter must be to the rest of the document.
  void checkLimit(const ParamSpec& param, const Params& params, const std::string& pointer) {
    const auto workers = static_cast<std::int64_t>(workers_.size());
    const auto* value = valueOf<std::int64_t>(params, param.name);
    const auto atMost = [&](std::int64_t limit, const std::string& meaning) {
      if (value != nullptr && *value > limit) refuse(pointer, mustBe(labelOf(param), pointer, strCat("at most ", limit, ", ", meaning), strCat(*value)));
    };
    if (param.atMost == Limit::kWorkers) atMost(workers, "the number of workers");
    if (param.atMost == Limit::kClasses && dataset_ != nullptr)
      if (const int classes = classesOf(dataset_->classes, spec_.dataset.params); classes > 0) atMost(classes, "the classes of " + dataSet());
    if (param.atMost == Limit::kSamplesPerWorker && dataset_ != nullptr && workers > 0)
      if (const std::int64_t count = trainedCountOf(spec_, *dataset_); count > 0)
        atMost(count / workers, strCat("the ", count, " samples of ", dataSet(), " divided by ", workers, " workers"));
    if (const auto* text = valueOf<std::string>(params, param.name); text != nullptr && param.counts) {
      try {
        countsFromText(*text);
      } catch (const Error& error) {
        refuse(pointer, error.what());
      }
    }
  }

  void checkHosts() {
    const std::vector<std::string> used = spec_.hosts();
    const std::set<std::string> hosts(used.begin(), used.end());
    for (std::size_t i = 0; i < spec_.nodes.size(); ++i) {
      const NodeSpec& node = spec_.nodes[i];
      if (hosts.contains(node.id))  // what a host itself records of a run goes under its name
        refuse(strCat("/nodes/", i, "/id"), "\"", quotable(node.id), "\" is the name of a host of this run; give the node another.");
      const auto& devices = catalog_.devices;  // of this computer; other hosts are asked before the start
      if (!isAmong(hosts_, node.host))
        refuse(strCat("/nodes/", i, "/host"), "host \"", quotable(node.host), "\" is not known; have ", listed(hosts_));
      else if (node.host == "local" && !devices.empty() && !isAmong(devices, node.device))
        refuse(strCat("/nodes/", i, "/device"), "device \"", quotable(node.device), "\" is not on this host; have ", listed(devices));
    }
    if (spec_.protection == "plain" && spec_.hosts().size() > 1)
      refuse("/protection", "\"plain\" is only for runs on one host; this one has ", listed(spec_.hosts()), ". Use auto.");
  }

  void checkTopology() {
    if (algorithm_ == nullptr) return;
    const std::vector<int> servers = spec_.servers();
    const bool aggregates = algorithm_->topology == Topology::kAggregated;
    const bool ownNeed = algorithm_->topology == Topology::kServer || algorithm_->needsServer;
    const bool sharedNeed = aggregates && aggregation_ != nullptr && aggregation_->needsServer;
    if (algorithm_->topology == Topology::kStandalone && workers_.size() > 1)
      refuse("/nodes", algorithm(), " runs on one worker; there are ", workers_.size(), ".");
    if ((ownNeed || sharedNeed) && servers.empty())
      refuse("/nodes", ownNeed ? algorithm() : named("aggregation", *aggregation_), " needs a node with the role server; there is none");
    if (!aggregates && spec_.aggregation != Aggregation{})
      warn("/aggregation/id", algorithm(), " does not aggregate: \"", quotable(spec_.aggregation.id), "\" has no effect");
    if (ownNeed || sharedNeed || (aggregates && aggregation_ == nullptr)) return;
    for (const int server : servers) warn(strCat("/nodes/", server), "server \"", idOf(server), "\" has nothing to do in this run");
  }

  void checkModelFits() {
    if (model_ == nullptr) return;
    const std::string model = named("model", *model_);
    if (spec_.batchSize < model_->minimumBatch)
      refuse("/batch_size", model, " normalises over the batch and needs ", model_->minimumBatch, " samples; the batch size is ", spec_.batchSize, ".");
    if (dataset_ == nullptr || !tokensFit(*model_, *dataset_, findings_)) return;
    const Shape shape = shapeOf(dataset_->shape, spec_.dataset.params);
    const int side = model_->minimumSide;
    if (shape.channels > 0 && std::min(shape.height, shape.width) < side)
      refuse("/model/id", model, " takes images of at least ", side, " pixels a side; ", dataSet(), " has ", sizesOf(shape),
             resizeHint(shape, {.channels = shape.channels, .height = side, .width = side}));
    if (model_->inputs.empty() || shape.channels == 0) return;  // 0: its files say
    std::vector<std::string> inputs;
    std::string hint;
    for (const Shape& input : model_->inputs) {
      if (input == shape) return;
      inputs.push_back(sizesOf(input));
      if (hint.empty()) hint = resizeHint(shape, input);
    }
    refuse("/model/id", model, " takes ", listed(inputs), "; ", dataSet(), " has ", sizesOf(shape), hint);
  }

  // "; set /dataset/params/resize to 224" where that helps.
  std::string resizeHint(const Shape& have, const Shape& wanted) const {
    if (paramOf(*dataset_, "resize") == nullptr || wanted.channels != have.channels || wanted.height != wanted.width) return "";
    return strCat("; set /dataset/params/resize to ", wanted.height);
  }

  void checkDataset() {
    if (dataset_ == nullptr) return;
    const ParamSpec* path = paramOf(*dataset_, "path");
    if (isMissing(*dataset_, spec_.dataset.params))
      warn("/dataset/id", dataSet(), " is not on this computer", dataset_->downloads ? strCat("; get it with paceline data download ", dataset_->id, " or") : path == nullptr ? "" : ";",
           path == nullptr ? "" : " set /dataset/params/path");
    if (partition_ != nullptr) checkSplit();
    checkLoader();
  }

  // What can be known of the division of the training set before the data is there.
  void checkSplit() {
    const auto sharing = std::find_if(workers_.begin(), workers_.end(), [&](int worker) { return nodeOf(spec_, worker).share.has_value(); });
    const bool shared = sharing != workers_.end();
    const auto* file = valueOf<std::string>(spec_.partition.params, partition_->sizesFrom);
    const bool sizesInFile = file != nullptr && !file->empty();
    const ParamCase& unless = partition_->ignoresShares;
    const bool ignored = unless.holds(spec_.partition.params);
    const std::string partition = named("partition", *partition_);
    if (shared && (!partition_->shares || ignored))
      warn(strCat("/nodes/", *sharing, "/share"), partition,
           ignored ? strCat(" with ", unless.param, " \"", spec_.partition.params.text(unless.param), "\"") : "", " does not use shares");
    if (!partition_->sizesFrom.empty() && sizesInFile && shared)
      refuse("/partition/params/" + partition_->sizesFrom, "the sizes come from a file or from the nodes' shares, not from both; worker \"", idOf(*sharing), "\" has a share");
    if (!partition_->sizesFrom.empty() && !sizesInFile && !shared)
      warn("/partition/id", partition, " divides evenly: no worker has a share and no file is given");
    const std::int64_t count = trainedCountOf(spec_, *dataset_);  // 0: its files say
    if (count <= 0) return;
    if (!partition_->disjoint) return checkBatch(count, dataSet());
    const double least = smallestShare(count);
    if (partition_->even && !sizesInFile && least >= 1) checkBatch(static_cast<std::int64_t>(least + 1e-6), "the smallest share");
  }

  // In samples; refuses workers that would get none.
  double smallestShare(std::int64_t count) {
    double least = static_cast<double>(count);
    for (const int worker : workers_) {
      const double samples = static_cast<double>(count) * nodeOf(spec_, worker).share.value_or(1.0 / static_cast<double>(workers_.size()));
      least = std::min(least, samples);
      if (samples < 1) refuse(strCat("/nodes/", worker), "worker \"", idOf(worker), "\" would get none of the ", count, " samples of \"", dataset_->id, "\"");
    }
    return least;
  }

  void checkBatch(std::int64_t samples, const std::string& of) {
    if (spec_.batchSize > samples && !workers_.empty())
      warn("/batch_size", "Batch size is ", spec_.batchSize, ", more than the ", samples, " samples of ", of, ": batches will have ", samples, " there.");
  }

  void checkLoader() {
    const auto* threads = valueOf<std::int64_t>(spec_.dataset.params, "loader_threads");
    const auto* augment = valueOf<std::string>(spec_.dataset.params, "augment");
    if (threads == nullptr || *threads <= 1 || dataset_->inFiles || (augment != nullptr && *augment != "none")) return;
    Params unresized = spec_.dataset.params;
    unresized.set("resize", std::int64_t{0});
    const Shape shape = shapeOf(dataset_->shape, spec_.dataset.params);
    const auto floats = static_cast<std::size_t>(shape.channels) * static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
    if (shape == shapeOf(dataset_->shape, unresized) && floats * static_cast<std::size_t>(spec_.batchSize) < kFewFloats)
      warn("/dataset/params/loader_threads", "Loader threads have no effect: the worker itself prepares pictures in memory that are only scaled.");
  }

  // Whether a name in groups or edges means a worker; false: a finding was added.
  bool isWorker(const std::string& id, const std::string& pointer) {
    const auto found = nodes_.find(id);
    const int node = found == nodes_.end() ? -1 : found->second;
    if (node >= 0 && nodeOf(spec_, node).role == Role::kWorker) return true;
    if (node >= 0) refuse(pointer, "\"", quotable(id), "\" is a ", roleName(nodeOf(spec_, node).role), "; only workers belong here");
    else refuse(pointer, "worker \"", quotable(id), "\" is not known; have ", workerNames_);
    return false;
  }

  void checkGroups() {
    if (spec_.groups.empty()) {
      if (algorithm_ != nullptr && algorithm_->needsGroups.holds(spec_.algorithm.params))
        refuse("/groups", algorithm(), with(algorithm_->needsGroups), " needs groups; name all workers here");
      return;
    }
    std::set<std::string> grouped;
    for (std::size_t i = 0; i < spec_.groups.size(); ++i)
      for (std::size_t j = 0; j < spec_.groups[i].size(); ++j) {
        const std::string& id = spec_.groups[i][j];
        const std::string pointer = strCat("/groups/", i, "/", j);
        if (isWorker(id, pointer) && !grouped.insert(id).second) refuse(pointer, "worker \"", id, "\" is in a group already");
      }
    for (const int worker : workers_)
      if (!grouped.contains(idOf(worker))) refuse("/groups", "worker \"", idOf(worker), "\" is in no group");
  }

  // ` with grouping "listed"`, of the algorithm.
  std::string with(const ParamCase& when) const { return strCat(" with ", when.param, " \"", spec_.algorithm.params.text(when.param), "\""); }

  void checkEdges() {
    const bool decentralised = algorithm_ != nullptr && algorithm_->topology == Topology::kDecentralised;
    if (decentralised && spec_.listsEdges() && spec_.edges.empty() && workers_.size() > 1)
      refuse("/edges", algorithm(), " needs edges between its workers, or a topology that makes them");
    bool sound = true;
    std::set<std::pair<std::string, std::string>> listings;
    for (std::size_t i = 0; i < spec_.edges.size(); ++i) {
      const Edge& edge = spec_.edges[i];
      const std::string pointer = strCat("/edges/", i);
      const bool a = isWorker(edge.a, pointer + "/0"), b = isWorker(edge.b, pointer + "/1");
      if (a && b && edge.a == edge.b) refuse(pointer, "joins worker \"", edge.a, "\" with itself");
      if (!listings.emplace(edge.a, edge.b).second)
        refuse(pointer, "\"", quotable(edge.a), "\" and \"", quotable(edge.b), "\" are joined already; once from either end is allowed");
      sound = sound && a && b && edge.a != edge.b;
    }
    if (decentralised && sound && !spec_.edges.empty()) checkConnected();
    if (!decentralised || topology_ == nullptr) return;
    if (!spec_.listsEdges()) checkPreset();
    else if (sound) checkStepSize(spec_.edges);
  }

  void checkStepSize(const std::vector<Edge>& edges) {
    const ParamCase& divides = algorithm_->needsLongEdges;
    if (!divides.holds(spec_.algorithm.params)) return;
    const auto tight = std::find_if(edges.begin(), edges.end(), [](const Edge& edge) { return edge.every <= 1; });
    if (tight == edges.end()) return;
    refuse(spec_.listsEdges() ? strCat("/edges/", tight - edges.begin()) : "/topology/params/every", "Every must be at least 2", with(divides),
           ", which divides by every - 1; it is ", tight->every, ".");
  }

  // Whether it fits the number of workers; parameters out of their bounds were told already.
  void checkPreset() {
    std::vector<Finding> told;
    const Params params = completeParams(topology_->params, spec_.topology.params, "", told);
    if (!told.empty()) return;
    try {
      paceline::checkPreset(spec_);
      if (workers_.size() > 1) checkStepSize({{.a = {}, .b = {}, .every = static_cast<int>(params.integer("every"))}});
    } catch (const Error& error) {
      refuse("/topology/params", error.what());
    }
  }

  void checkConnected() {
    for (const int rank : apartFromFirst(spec_))
      refuse("/edges", "no path of edges joins worker \"", idOf(workers_[static_cast<std::size_t>(rank)]), "\" with \"", idOf(workers_.front()), "\"");
  }

  // What the document sets and this algorithm has no place for.
  void checkOptimizer() {
    if (algorithm_ == nullptr) return;
    checkOptimizerFits(spec_, *algorithm_, findings_);
    if (spec_.wire.format != "fp32" && !algorithm_->densePushes)
      refuse("/wire/format", algorithm(), " pushes no dense vectors; the wire format is ", spec_.wire.format, ".");
    if (!spec_.groups.empty() && !algorithm_->groups) warn("/groups", algorithm(), " has no groups");
    const bool decentralised = algorithm_->topology == Topology::kDecentralised;
    if (!decentralised && !spec_.listsEdges()) warn("/topology/id", algorithm(), " is not decentralised; it has no topology");
    if (decentralised && !spec_.listsEdges() && !spec_.edges.empty())
      refuse("/edges", "topology \"", spec_.topology.id, "\" makes the edges; remove them or set topology edges");
  }

  void checkEvaluators() {
    const std::vector<int> evaluators = spec_.evaluators();
    const std::string& source = spec_.evaluate.source;
    if (evaluators.size() > 1) refuse(strCat("/nodes/", evaluators[1]), "This is a second evaluator; there may be one, and there are ", evaluators.size(), ".");
    if (source != "auto" && evaluators.empty()) refuse("/evaluate/source", "\"", source, "\" needs a node with the role evaluator; there is none");
    if (source == "checkpoints" && spec_.checkpointEveryRounds == 0)
      refuse("/evaluate/source", "\"checkpoints\" needs checkpoint.every_rounds above 0");
  }

  RunSpec& spec_;
  std::vector<Finding>& findings_;
  const Catalog& catalog_;
  const std::vector<std::string>& hosts_;
  const std::vector<int> workers_;
  std::map<std::string_view, int> nodes_;  // by id
  std::string workerNames_;                // for messages
  std::vector<Chosen> chosen_;  // what the catalogue has of the document's choices
  const AlgorithmEntry* algorithm_ = nullptr;
  const AggregationEntry* aggregation_ = nullptr;
  const ModelEntry* model_ = nullptr;
  const DatasetEntry* dataset_ = nullptr;
  const PartitionEntry* partition_ = nullptr;
  const CatalogEntry* topology_ = nullptr;
};

}  // namespace

// A spec may come from a form instead of a document: structure and bounds are checked here too, by reading its own text back.
ParsedSpec validate(const RunSpec& spec, const Catalog& catalog, const std::vector<std::string>& hosts) {
  ParsedSpec parsed = readRunSpec(toJson(spec));
  Validation(parsed, catalog, hosts).run(), checkPublished(parsed.spec, catalog, parsed.findings), checkCombining(parsed.spec, catalog, parsed.findings), checkDeciding(parsed.spec, catalog, parsed.findings), checkOneWay(parsed.spec, catalog, parsed.findings), checkScore(parsed.spec, catalog, parsed.findings), checkPrecision(parsed.spec, parsed.findings);
  return parsed;
}

}  // namespace paceline
