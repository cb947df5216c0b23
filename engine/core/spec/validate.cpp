#include <algorithm>
#include <set>

#include "engine/core/spec/catalog.h"
#include "engine/core/base/text.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/run_spec_fields.h"
#include "engine/core/spec/topologies.h"
#include "engine/core/spec/validate_split.h"

namespace paceline {
namespace {

template <class Entry>
std::vector<std::string> idsOf(const std::vector<Entry>& entries) {
  std::vector<std::string> ids;
  for (const Entry& entry : entries) ids.push_back(entry.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string sizesOf(const Shape& shape) { return strCat(shape.channels, "x", shape.height, "x", shape.width); }

class Validation {
 public:
  Validation(ParsedSpec& parsed, const Catalog& catalog, const std::vector<std::string>& hosts)
      : spec_(parsed.spec), findings_(parsed.findings), catalog_(catalog), hosts_(hosts) {}

  void run() {
    algorithm_ = find("algorithm", "algorithm", catalog_.algorithms, spec_.algorithm);
    model_ = find("model", "model", catalog_.models, spec_.model);
    dataset_ = find("dataset", "data set", catalog_.datasets, spec_.dataset);
    partition_ = find("partition", "partition", catalog_.partitions, spec_.partition);
    schedule_ = find("learning_rate_schedule", "learning-rate schedule", catalog_.schedules, spec_.learningRateSchedule);
    topology_ = find("topology", "topology", catalog_.topologies, spec_.topology);
    checkAggregation();
    checkParams();
    checkLimits();
    checkHosts();
    checkTopology();
    checkModelFits();
    checkDataset();
    checkGroups();
    checkEdges();
    checkOptimizer();
    checkEvaluators();
    checkStop();
  }

 private:
  void refuse(std::string pointer, std::string message) { findings_.push_back({std::move(pointer), std::move(message), true}); }
  void warn(std::string pointer, std::string message) { findings_.push_back({std::move(pointer), std::move(message), false}); }

  void refuseUnknown(const std::string& key, const char* what, const std::string& id, const std::vector<std::string>& have) {
    if (id.empty()) return;  // told already: it is required
    refuse(strCat("/", key, "/id"), strCat(what, " \"", quotable(id), "\" is not known; have ", listed(have)));
  }

  template <class Entry>
  const Entry* find(const std::string& key, const char* what, const std::vector<Entry>& entries, const Choice& choice) {
    const Entry* entry = findEntry(entries, choice.id);
    if (entry == nullptr) refuseUnknown(key, what, choice.id, idsOf(entries));
    return entry;
  }

  void checkAggregation() {
    const Aggregation& aggregation = spec_.aggregation;
    aggregation_ = findEntry(catalog_.aggregations, aggregation.id);
    if (aggregation_ == nullptr) refuseUnknown("aggregation", "aggregation", aggregation.id, idsOf(catalog_.aggregations));
    std::vector<std::string> engines = {"auto", "paceline"};
    if (aggregation_ != nullptr) engines.insert(engines.end(), aggregation_->engines.begin(), aggregation_->engines.end());
    if (std::find(engines.begin(), engines.end(), aggregation.engine) == engines.end())
      refuse("/aggregation/engine", strCat("engine \"", quotable(aggregation.engine), "\" is not known for aggregation \"",
                                           quotable(aggregation.id), "\"; have ", listed(engines)));
    else if (aggregation.engine != "auto" && aggregation.engine != "paceline")
      checkForeignEngine();
  }
  // Such engines open connections of their own, past everything that is layered over ours.
  void checkForeignEngine() {
    const std::string engine = strCat("engine \"", spec_.aggregation.engine, "\"");
    if (spec_.hosts().size() > 1)
      refuse("/aggregation/engine", strCat(engine, " neither encrypts nor asks who connects: only for runs on one host, got ", listed(spec_.hosts()), "; use auto"));
    if (spec_.wire.format != "fp32") refuse("/wire/format", strCat(engine, " sends fp32 only, got \"", quotable(spec_.wire.format), "\""));
    for (const int worker : spec_.workers()) {
      const Emulate& link = spec_.nodes[static_cast<std::size_t>(worker)].emulate;
      if (link.bandwidthMbps || link.latencyMs > 0)
        refuse(strCat("/nodes/", worker, "/emulate"), strCat(engine, " does not go over the emulated link of \"", spec_.nodes[static_cast<std::size_t>(worker)].id, "\""));
    }
  }

  // Calls check(key, entry or nullptr, choice) for every choice of the catalogue.
  template <class Check>
  void forChoices(const Check& check) {
    check("algorithm", algorithm_, spec_.algorithm);
    check("model", model_, spec_.model);
    check("dataset", dataset_, spec_.dataset);
    check("partition", partition_, spec_.partition);
    check("learning_rate_schedule", schedule_, spec_.learningRateSchedule);
    check("topology", topology_, spec_.topology);
  }

  void checkParams() {
    forChoices([this](const char* key, const CatalogEntry* entry, Choice& choice) {
      if (entry != nullptr) choice.params = completeParams(entry->params, choice.params, strCat("/", key, "/params"), findings_);
    });
  }

  // What parameters must be to the rest of the document.
  void checkLimits() {
    forChoices([this](const char* key, const CatalogEntry* entry, const Choice& choice) {
      if (entry == nullptr) return;
      for (const ParamSpec& param : entry->params) checkLimit(param, choice.params, pointerTo(strCat("/", key, "/params"), param.name));
    });
  }
  void checkLimit(const ParamSpec& param, const Params& params, const std::string& pointer) {
    const auto workers = static_cast<std::int64_t>(spec_.workers().size());
    const auto* value = valueOf<std::int64_t>(params, param.name);
    const auto atMost = [&](std::int64_t limit, const std::string& meaning) {
      if (value != nullptr && *value > limit) refuse(pointer, strCat("must be <= ", limit, ", ", meaning, ", got ", *value));
    };
    if (param.atMost == Limit::kWorkers) atMost(workers, "the number of workers");
    if (param.atMost == Limit::kClasses && dataset_ != nullptr)
      if (const int classes = classesOf(dataset_->classes, spec_.dataset.params); classes > 0) atMost(classes, strCat("the classes of data set \"", dataset_->id, "\""));
    if (param.atMost == Limit::kSamplesPerWorker && dataset_ != nullptr && workers > 0)
      if (const std::int64_t count = trainCountOf(*dataset_, spec_.dataset.params); count > 0)
        atMost(count / workers, strCat("the ", count, " samples of data set \"", dataset_->id, "\" divided by ", workers, " workers"));
    if (const auto* text = valueOf<std::string>(params, param.name); text != nullptr && param.counts) {
      try {
        countsFromText(*text);
      } catch (const Error& error) {
        refuse(pointer, error.what());
      }
    }
  }

  void checkHosts() {
    for (std::size_t i = 0; i < spec_.nodes.size(); ++i) {
      const NodeSpec& node = spec_.nodes[i];
      if (std::find(hosts_.begin(), hosts_.end(), node.host) == hosts_.end()) {
        refuse(strCat("/nodes/", i, "/host"), strCat("host \"", quotable(node.host), "\" is not known; have ", listed(hosts_)));
        continue;
      }
      const auto& devices = catalog_.devices;  // of this computer; other hosts are asked before the start
      if (node.host == "local" && !devices.empty() && std::find(devices.begin(), devices.end(), node.device) == devices.end())
        refuse(strCat("/nodes/", i, "/device"), strCat("device \"", quotable(node.device), "\" is not on this host; have ", listed(devices)));
    }
    if (spec_.protection == "plain" && spec_.hosts().size() > 1)
      refuse("/protection", strCat("\"plain\" is only for runs on one host, got ", listed(spec_.hosts()), "; use auto"));
  }

  void checkTopology() {
    if (algorithm_ == nullptr) return;
    const std::size_t workers = spec_.workers().size();
    const std::vector<int> servers = spec_.servers();
    const bool aggregates = algorithm_->topology == Topology::kAggregated;
    const bool ownNeed = algorithm_->topology == Topology::kServer || algorithm_->needsServer;
    const bool sharedNeed = aggregates && aggregation_ != nullptr && aggregation_->needsServer;
    if (algorithm_->topology == Topology::kStandalone && workers > 1)
      refuse("/nodes", strCat("algorithm \"", algorithm_->id, "\" runs on one worker, got ", workers));
    if (ownNeed && servers.empty())
      refuse("/nodes", strCat("algorithm \"", algorithm_->id, "\" needs a node with the role server; there is none"));
    else if (sharedNeed && servers.empty())
      refuse("/nodes", strCat("aggregation \"", aggregation_->id, "\" needs a node with the role server; there is none"));
    if (!aggregates && spec_.aggregation != Aggregation{})
      warn("/aggregation/id", strCat("algorithm \"", algorithm_->id, "\" does not aggregate: \"", quotable(spec_.aggregation.id), "\" has no effect"));
    if (ownNeed || sharedNeed || (aggregates && aggregation_ == nullptr)) return;
    for (const int server : servers)
      warn(strCat("/nodes/", server), strCat("server \"", spec_.nodes[static_cast<std::size_t>(server)].id, "\" has nothing to do in this run"));
  }

  void checkModelFits() {
    if (model_ != nullptr && spec_.batchSize < model_->minimumBatch)
      refuse("/batch_size", strCat("model \"", model_->id, "\" normalises over the batch and needs ", model_->minimumBatch, " samples, got ", spec_.batchSize));
    if (model_ == nullptr || dataset_ == nullptr) return;
    const Shape shape = shapeOf(dataset_->shape, spec_.dataset.params);
    if (std::min(shape.height, shape.width) < model_->minimumSide)
      refuse("/model/id", strCat("model \"", model_->id, "\" takes images of at least ", model_->minimumSide, " pixels a side; data set \"",
                                 dataset_->id, "\" has ", sizesOf(shape), resizeHint(shape, {.channels = shape.channels, .height = model_->minimumSide, .width = model_->minimumSide})));
    if (model_->inputs.empty()) return;
    std::vector<std::string> inputs;
    std::string hint;
    for (const Shape& input : model_->inputs) {
      if (input == shape) return;
      inputs.push_back(sizesOf(input));
      if (hint.empty()) hint = resizeHint(shape, input);
    }
    refuse("/model/id", strCat("model \"", model_->id, "\" takes ", listed(inputs), "; data set \"", dataset_->id, "\" has ", sizesOf(shape), hint));
  }

  // "; set /dataset/params/resize to 224" where that helps.
  std::string resizeHint(const Shape& have, const Shape& wanted) const {
    const bool resizes = std::any_of(dataset_->params.begin(), dataset_->params.end(), [](const ParamSpec& param) { return param.name == "resize"; });
    if (!resizes || wanted.channels != have.channels || wanted.height != wanted.width) return "";
    return strCat("; set /dataset/params/resize to ", wanted.height);
  }

  void checkDataset() {
    if (dataset_ == nullptr) return;
    const ParamSpec* path = nullptr;
    for (const ParamSpec& param : dataset_->params)
      if (param.name == "path") path = &param;
    const auto& values = spec_.dataset.params.values();
    const auto given = values.find("path");
    const bool ownPath = path != nullptr && given != values.end() && given->second != path->fallback;  // looked for at the start
    if (dataset_->location.empty() && !ownPath)
      warn("/dataset/id", strCat("data set \"", dataset_->id, "\" was not found on this host", path == nullptr ? "" : "; parameter path: ",
                                 path == nullptr ? "" : path->help));
    if (partition_ != nullptr) checkSplit(spec_, *dataset_, *partition_, findings_);
    checkLoader();
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
      warn("/dataset/params/loader_threads", strCat("has no effect: pictures in memory that are only scaled are prepared by the worker itself, got ", *threads));
  }

  // The worker that a name in groups or edges means; false: a finding was added.
  bool isWorker(const std::string& id, const std::string& pointer) {
    const int node = spec_.nodeIndex(id);
    if (node >= 0 && spec_.nodes[static_cast<std::size_t>(node)].role == Role::kWorker) return true;
    if (node >= 0) {
      refuse(pointer, strCat("\"", quotable(id), "\" is a ", roleName(spec_.nodes[static_cast<std::size_t>(node)].role),
                             "; only workers belong here"));
    } else {
      std::vector<std::string> have;
      for (const int worker : spec_.workers()) have.push_back(spec_.nodes[static_cast<std::size_t>(worker)].id);
      refuse(pointer, strCat("worker \"", quotable(id), "\" is not known; have ", listed(have)));
    }
    return false;
  }

  void checkGroups() {
    checkGrouping();
    if (spec_.groups.empty()) return;
    std::set<std::string> grouped;
    for (std::size_t i = 0; i < spec_.groups.size(); ++i)
      for (std::size_t j = 0; j < spec_.groups[i].size(); ++j) {
        const std::string& id = spec_.groups[i][j];
        const std::string pointer = strCat("/groups/", i, "/", j);
        if (isWorker(id, pointer) && !grouped.insert(id).second) refuse(pointer, strCat("worker \"", id, "\" is in a group already"));
      }
    for (const int worker : spec_.workers()) {
      const std::string& id = spec_.nodes[static_cast<std::size_t>(worker)].id;
      if (!grouped.contains(id)) refuse("/groups", strCat("worker \"", id, "\" is in no group"));
    }
  }

  void checkGrouping() {
    if (algorithm_ == nullptr || !spec_.groups.empty() || !algorithm_->needsGroups.holds(spec_.algorithm.params)) return;
    const std::string& param = algorithm_->needsGroups.param;
    refuse("/groups", strCat("algorithm \"", algorithm_->id, "\" with ", param, " \"", spec_.algorithm.params.text(param), "\" needs groups; name all workers here"));
  }

  void checkEdges() {
    const bool decentralised = algorithm_ != nullptr && algorithm_->topology == Topology::kDecentralised;
    if (decentralised && spec_.listsEdges() && spec_.edges.empty() && spec_.workers().size() > 1)
      refuse("/edges", strCat("algorithm \"", algorithm_->id, "\" needs edges between its workers, or a topology that makes them"));
    bool sound = true;
    std::set<std::pair<std::string, std::string>> listings;
    for (std::size_t i = 0; i < spec_.edges.size(); ++i) {
      const Edge& edge = spec_.edges[i];
      const bool a = isWorker(edge.a, strCat("/edges/", i, "/0")), b = isWorker(edge.b, strCat("/edges/", i, "/1"));
      if (a && b && edge.a == edge.b) refuse(strCat("/edges/", i), strCat("joins worker \"", edge.a, "\" with itself"));
      if (!listings.emplace(edge.a, edge.b).second)
        refuse(strCat("/edges/", i), strCat("\"", quotable(edge.a), "\" and \"", quotable(edge.b), "\" are joined already; once from either end is allowed"));
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
    const std::string place = spec_.listsEdges() ? strCat("/edges/", tight - edges.begin()) : "/topology/params/every";
    refuse(place, strCat("must be at least 2 with ", divides.param, " \"", spec_.algorithm.params.text(divides.param), "\", which divides by every - 1; got ", tight->every));
  }

  // Whether it fits the number of workers; parameters out of their bounds were told already.
  void checkPreset() {
    std::vector<Finding> told;
    completeParams(topology_->params, spec_.topology.params, "", told);
    if (!told.empty()) return;
    try {
      checkStepSize(edgesOf(spec_));
    } catch (const Error& error) {
      refuse("/topology/params", error.what());
    }
  }

  void checkConnected() {
    const std::vector<int> workers = spec_.workers();
    if (workers.empty()) return;
    const std::string& first = spec_.nodes[static_cast<std::size_t>(workers.front())].id;
    std::set<std::string> reached = {first};
    for (std::size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const Edge& edge : spec_.edges)
        if (reached.contains(edge.a) || reached.contains(edge.b)) reached.insert({edge.a, edge.b});
    }
    for (const int worker : workers) {
      const std::string& id = spec_.nodes[static_cast<std::size_t>(worker)].id;
      if (!reached.contains(id)) refuse("/edges", strCat("no path of edges joins worker \"", id, "\" with \"", first, "\""));
    }
  }

  // What the document sets and this algorithm has no place for.
  void checkOptimizer() {
    if (algorithm_ == nullptr) return;
    if (spec_.optimizer.momentum > 0 && !algorithm_->momentum)
      refuse("/optimizer/momentum", strCat("algorithm \"", algorithm_->id, "\" does not use it (its own is a parameter, if it has one), got ",
                                           spec_.optimizer.momentum));
    if (spec_.wire.format != "fp32" && !algorithm_->densePushes)
      refuse("/wire/format", strCat("algorithm \"", algorithm_->id, "\" pushes no dense vectors, got \"", spec_.wire.format, "\""));
    if (!spec_.groups.empty() && !algorithm_->groups) warn("/groups", strCat("algorithm \"", algorithm_->id, "\" has no groups"));
    const bool decentralised = algorithm_->topology == Topology::kDecentralised;
    if (!decentralised && !spec_.listsEdges())
      warn("/topology/id", strCat("algorithm \"", algorithm_->id, "\" is not decentralised; it has no topology"));
    if (decentralised && !spec_.listsEdges() && !spec_.edges.empty())
      refuse("/edges", strCat("topology \"", spec_.topology.id, "\" makes the edges; remove them or set topology edges"));
  }

  void checkEvaluators() {
    const std::vector<int> evaluators = spec_.evaluators();
    if (evaluators.size() > 1)
      refuse(strCat("/nodes/", evaluators[1]), strCat("is a second evaluator; one at most, got ", evaluators.size()));
    if (spec_.evaluate.source == "auto") return;
    if (evaluators.empty())
      refuse("/evaluate/source", strCat("\"", spec_.evaluate.source, "\" needs a node with the role evaluator; there is none"));
    if (spec_.evaluate.source == "checkpoints" && spec_.checkpointEveryRounds == 0)
      refuse("/evaluate/source", "\"checkpoints\" needs checkpoint.every_rounds above 0");
  }

  void checkStop() {
    const StopRules& stop = spec_.stop;
    if (!stop.accuracy || spec_.evaluate.everyRounds > 0) return;
    const char* message = "needs evaluations, but evaluate.every_rounds is 0";
    if (stop.rounds || stop.seconds || stop.samples) warn("/stop/accuracy", message);
    else refuse("/stop/accuracy", strCat(message, ": the run would never end"));
  }

  RunSpec& spec_;
  std::vector<Finding>& findings_;
  const Catalog& catalog_;
  const std::vector<std::string>& hosts_;
  const AlgorithmEntry* algorithm_ = nullptr;
  const AggregationEntry* aggregation_ = nullptr;
  const ModelEntry* model_ = nullptr;
  const DatasetEntry* dataset_ = nullptr;
  const PartitionEntry* partition_ = nullptr;
  const CatalogEntry* schedule_ = nullptr;
  const CatalogEntry* topology_ = nullptr;
};

}  // namespace

// A spec may come from a form instead of a document: structure and bounds are checked here too, by reading its own text back.
ParsedSpec validate(const RunSpec& spec, const Catalog& catalog, const std::vector<std::string>& hosts) {
  ParsedSpec parsed = readRunSpec(toJson(spec));
  Validation(parsed, catalog, hosts).run();
  return parsed;
}

}  // namespace paceline
