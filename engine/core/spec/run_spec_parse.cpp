#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"
#include "engine/core/spec/run_spec_json.h"

namespace paceline {
namespace {

constexpr double kShareTolerance = 1e-6;

Params readParams(Fields choice) {
  Params params;
  Fields fields = choice.object("params");
  const Json* object = choice.find("params");
  if (object == nullptr || !object->is_object()) return params;
  for (const auto& [name, value] : object->items()) {
    const bool tooLarge = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
    if (value.is_boolean()) params.set(name, value.get<bool>());
    else if (value.is_number_integer() && !tooLarge) params.set(name, value.get<std::int64_t>());
    else if (value.is_number()) params.set(name, value.get<double>());
    else if (value.is_string()) params.set(name, value.get<std::string>());
    else fields.refuse(name, strCat("must be true, false, a number or a text, got ", described(value)));
  }
  return params;
}

Choice readChoice(Fields fields, const std::string& fallback) {
  Choice choice;
  choice.id = fallback.empty() ? fields.required<std::string>("id") : fields.optional<std::string>("id", fallback);
  const Json* id = fields.find("id");
  if (choice.id.empty() && id != nullptr && id->is_string()) fields.refuse("id", "must not be empty");
  choice.params = readParams(fields);
  fields.find("params");
  fields.refuseUnknown();
  return choice;
}

bool isNodeId(const std::string& id) {  // it becomes a file name and a column
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !id.empty() && id.size() <= 64 && id.front() != '.' && std::all_of(id.begin(), id.end(), allowed);
}

Emulate readEmulate(Fields fields) {
  Emulate emulate;
  emulate.slowdown = fields.optional<double>("slowdown", emulate.slowdown, {.min = 1, .max = 1e6});
  emulate.stepSeconds = fields.nullable<double>("step_s", {.min = 0, .max = 1e6, .aboveMin = true});
  emulate.jitter = fields.optional<double>("jitter", emulate.jitter, {.min = 0, .max = 1, .belowMax = true});
  emulate.bandwidthMbps = fields.nullable<double>("bandwidth_mbps", {.min = 0, .max = 1e9, .aboveMin = true});
  emulate.latencyMs = fields.optional<double>("latency_ms", emulate.latencyMs, {.min = 0, .max = 1e6});
  fields.refuseUnknown();
  return emulate;
}

NodeSpec readNode(Fields fields) {
  NodeSpec node;
  node.id = fields.required<std::string>("id");
  const Json* id = fields.find("id");
  if (id != nullptr && id->is_string() && !isNodeId(node.id))
    fields.refuse("id", strCat("must be 1 to 64 letters, digits, '_', '-' or '.', not starting with '.', got ", described(*id)));
  const auto role = fields.optional<std::string>("role", roleName(node.role));
  if (role == roleName(Role::kServer)) node.role = Role::kServer;
  else if (role == roleName(Role::kEvaluator)) node.role = Role::kEvaluator;
  else if (role != roleName(Role::kWorker))
    fields.refuse("role", strCat("must be worker, server or evaluator, got \"", quotable(role), "\""));
  node.host = fields.optional<std::string>("host", node.host);
  node.device = fields.optional<std::string>("device", node.device);
  node.threads = fields.optional<int>("threads", node.threads, atLeast(1));
  node.share = fields.nullable<double>("share", above(0));
  node.emulate = readEmulate(fields.object("emulate"));
  fields.refuseUnknown();
  return node;
}

std::optional<Edge> readEdge(const Json& value, const std::string& pointer, std::vector<Finding>& findings) {
  if (!value.is_array() || value.size() < 2 || value.size() > 3) {
    findings.push_back({pointer, "must be [\"node\", \"node\"] or [\"node\", \"node\", {\"every\": n, \"offset\": n}]"});
    return std::nullopt;
  }
  auto a = fields::toText(value[0], pointerTo(pointer, 0), findings);
  auto b = fields::toText(value[1], pointerTo(pointer, 1), findings);
  if (!a || !b) return std::nullopt;
  Edge edge{.a = std::move(*a), .b = std::move(*b)};
  if (value.size() == 3) {
    Fields times(value[2], pointerTo(pointer, 2), findings);
    edge.every = times.optional<int>("every", 1, atLeast(1));
    edge.offset = times.optional<int>("offset", 0, atLeast(0));
    if (edge.offset >= edge.every) times.refuse("offset", strCat("must be < every, which is ", edge.every, ", got ", edge.offset));
    times.refuseUnknown();
  }
  return edge;
}

std::vector<std::vector<std::string>> readGroups(Fields& document) {
  std::vector<std::vector<std::string>> groups;
  const Json& values = document.array("groups");
  const std::string at = document.pointer("groups");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string pointer = pointerTo(at, i);
    if (!values[i].is_array()) {
      document.findings().push_back({pointer, strCat("must be an array of node ids, got ", described(values[i]))});
      continue;
    }
    std::vector<std::string>& group = groups.emplace_back();
    for (std::size_t j = 0; j < values[i].size(); ++j)
      if (auto id = fields::toText(values[i][j], pointerTo(pointer, j), document.findings())) group.push_back(std::move(*id));
    if (values[i].empty()) document.findings().push_back({pointer, "must not be empty"});
  }
  return groups;
}

Optimizer readOptimizer(Fields fields) {
  Optimizer optimizer;
  optimizer.momentum = fields.optional<double>("momentum", optimizer.momentum, {.min = 0, .max = 1, .belowMax = true});
  optimizer.nesterov = fields.optional<bool>("nesterov", optimizer.nesterov);
  optimizer.weightDecay = fields.optional<double>("weight_decay", optimizer.weightDecay, {.min = 0, .max = 1e6});
  optimizer.decayAll = fields.optional<bool>("decay_all", optimizer.decayAll);
  optimizer.clipNorm = fields.nullable<double>("clip_norm", above(0));
  if (optimizer.nesterov && optimizer.momentum == 0) fields.refuse("nesterov", "needs a momentum above 0");
  fields.refuseUnknown();
  return optimizer;
}

// One of a few names; another is a finding and the default stays.
template <std::size_t N>
std::string readName(Fields& fields, std::string_view key, const std::string& fallback, const char* const (&names)[N]) {
  const auto name = fields.optional<std::string>(key, fallback);
  if (std::find(std::begin(names), std::end(names), name) != std::end(names)) return name;
  fields.refuse(key, strCat("must be one of ", listed({std::begin(names), std::end(names)}), ", got \"", quotable(name), "\""));
  return fallback;
}

WireFormat readWire(Fields fields) {
  WireFormat wire;
  wire.format = readName(fields, "format", wire.format, kWireFormats);
  wire.errorFeedback = fields.optional<bool>("error_feedback", wire.errorFeedback);
  fields.refuseUnknown();
  return wire;
}

StopRules readStop(Fields fields) {
  StopRules stop;
  stop.rounds = fields.nullable<std::int64_t>("rounds", atLeast(1));
  stop.seconds = fields.nullable<double>("seconds", above(0));
  stop.samples = fields.nullable<std::int64_t>("samples", atLeast(1));
  stop.accuracy = fields.nullable<double>("accuracy", {.min = 0, .max = 1, .aboveMin = true});
  fields.refuseUnknown();
  return stop;
}

void readVersion(Fields& document) {
  const Json* version = document.find("paceline");
  if (!document.isObject()) return;
  if (version == nullptr) document.refuse("paceline", "is required and must be 1");
  else if (!version->is_number() || *version != 1)
    document.refuse("paceline", strCat("must be 1, the version of the document's form, got ", described(*version)));
}

void readWhatIsTrained(Fields& document, RunSpec& spec) {
  spec.algorithm = readChoice(document.requiredObject("algorithm"), "");
  Fields aggregation = document.object("aggregation");
  spec.aggregation.id = aggregation.optional<std::string>("id", spec.aggregation.id);
  spec.aggregation.engine = aggregation.optional<std::string>("engine", spec.aggregation.engine);
  aggregation.refuseUnknown();
  spec.model = readChoice(document.requiredObject("model"), "");
  spec.dataset = readChoice(document.requiredObject("dataset"), "");
  spec.batchSize = document.optional<int>("batch_size", spec.batchSize, atLeast(1));
  spec.partition = readChoice(document.object("partition"), spec.partition.id);
  spec.learningRateSchedule = readChoice(document.object("learning_rate_schedule"), spec.learningRateSchedule.id);
  spec.optimizer = readOptimizer(document.object("optimizer"));
  spec.wire = readWire(document.object("wire"));
}

void readCluster(Fields& document, RunSpec& spec) {
  spec.groups = readGroups(document);
  spec.topology = readChoice(document.object("topology"), spec.topology.id);
  const Json& edges = document.array("edges");
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (auto edge = readEdge(edges[i], pointerTo(document.pointer("edges"), i), document.findings())) spec.edges.push_back(std::move(*edge));
  const Json& nodes = document.array("nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i)
    spec.nodes.push_back(readNode(Fields(nodes[i], pointerTo(document.pointer("nodes"), i), document.findings())));
}

void readPlan(Fields& document, RunSpec& spec) {
  Fields evaluate = document.object("evaluate");
  spec.evaluate.everyRounds = evaluate.optional<int>("every_rounds", spec.evaluate.everyRounds, atLeast(0));
  spec.evaluate.on = evaluate.optional<std::string>("on", "");
  spec.evaluate.source = readName(evaluate, "source", spec.evaluate.source, kEvaluateSources);
  evaluate.refuseUnknown();
  Fields checkpoint = document.object("checkpoint");
  spec.checkpointEveryRounds = checkpoint.optional<int>("every_rounds", 0, atLeast(0));
  checkpoint.refuseUnknown();
  spec.stop = readStop(document.object("stop"));
  spec.protection = document.optional<std::string>("protection", spec.protection);
  if (std::find(std::begin(kProtections), std::end(kProtections), spec.protection) == std::end(kProtections))
    document.refuse("protection", strCat("must be auto, plain, curve or aes_gcm, got \"", quotable(spec.protection), "\""));
  Fields lost = document.object("lost_desktop");
  spec.stopWithoutDesktopSeconds = lost.nullable<double>("stop_after_s", above(0));
  lost.refuseUnknown();
}

void checkNodes(const RunSpec& spec, Fields& document) {
  std::set<std::string> seen;
  const std::string at = document.pointer("nodes");
  const Json* nodes = document.find("nodes");
  if (nodes == nullptr || (nodes->is_array() && nodes->empty())) return document.refuse("nodes", "must name at least one worker");
  if (!nodes->is_array()) return;
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    const std::string& id = spec.nodes[i].id;
    if (!id.empty() && !seen.insert(id).second)
      document.findings().push_back({pointerTo(at, i) + "/id", strCat("\"", quotable(id), "\" is the id of another node already")});
  }
  if (spec.workers().empty()) document.refuse("nodes", "must name at least one worker; all are servers");
}

// All nodes of a role have a share or none has; they sum to 1.
void checkSharesOf(const RunSpec& spec, const std::vector<int>& nodes, const char* role, Fields& document) {
  const std::string at = document.pointer("nodes");
  std::size_t given = 0;
  double sum = 0;
  for (const int node : nodes)
    if (const std::optional<double>& share = spec.nodes[static_cast<std::size_t>(node)].share) ++given, sum += *share;
  if (given == 0) return;
  if (given == nodes.size()) {
    if (!(std::abs(sum - 1) <= kShareTolerance))
      document.refuse("nodes", strCat("the shares of the ", role, "s must sum to 1, got ", sum));
    return;
  }
  for (const int node : nodes)
    if (!spec.nodes[static_cast<std::size_t>(node)].share)
      document.findings().push_back(
          {pointerTo(at, static_cast<std::size_t>(node)) + "/share", strCat("is missing: all ", role, "s have a share or none has")});
}

void checkShares(const RunSpec& spec, Fields& document) {
  checkSharesOf(spec, spec.workers(), "worker", document);
  checkSharesOf(spec, spec.servers(), "server", document);
  for (const int node : spec.evaluators())
    if (const std::optional<double>& share = spec.nodes[static_cast<std::size_t>(node)].share)
      document.findings().push_back({pointerTo(document.pointer("nodes"), static_cast<std::size_t>(node)) + "/share",
                                     strCat("an evaluator has no share, got ", *share)});
}

void checkPlan(const RunSpec& spec, Fields& document) {
  if (!spec.workers().empty() && spec.evaluatorNode() < 0)
    document.findings().push_back({"/evaluate/on", strCat("must name a worker, got \"", quotable(spec.evaluate.on), "\"")});
  const Json* stop = document.find("stop");
  const StopRules& rules = spec.stop;
  const auto isNull = [](const Json& rule) { return rule.is_null(); };
  const bool empty = stop == nullptr || (stop->is_object() && std::all_of(stop->begin(), stop->end(), isNull));
  if (empty && !rules.rounds && !rules.seconds && !rules.samples && !rules.accuracy)
    document.refuse("stop", "needs at least one of rounds, seconds, samples, accuracy");
}

}  // namespace

ParsedSpec readRunSpec(const Json& json) {
  ParsedSpec parsed;
  Fields document(json, "", parsed.findings);
  readVersion(document);
  parsed.spec.name = document.optional<std::string>("name", "");
  parsed.spec.seed = document.optional<std::uint64_t>("seed", parsed.spec.seed);
  parsed.spec.notes = document.optional<std::string>("notes", "");
  parsed.spec.tags = document.texts("tags");
  readWhatIsTrained(document, parsed.spec);
  readCluster(document, parsed.spec);
  readPlan(document, parsed.spec);
  document.refuseUnknown();
  if (document.isObject()) {
    checkNodes(parsed.spec, document);
    checkShares(parsed.spec, document);
    checkPlan(parsed.spec, document);
  }
  fillDefaults(parsed.spec);
  return parsed;
}

ParsedSpec parseRunSpec(std::string_view text) {
  ParsedSpec parsed;
  const std::optional<Json> json = parseJson(text, parsed.findings);
  return json ? readRunSpec(*json) : parsed;
}

}  // namespace paceline
