#include "engine/core/spec/run_spec.h"

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/spec/run_spec_json.h"

namespace paceline {
namespace {

std::vector<int> nodesOf(const RunSpec& spec, Role role) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < spec.nodes.size(); ++i)
    if (spec.nodes[i].role == role) indices.push_back(static_cast<int>(i));
  return indices;
}

Json orNull(const std::optional<double>& value) { return value ? jsonNumber(*value) : Json(nullptr); }
Json orNull(const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(nullptr); }

struct ParamToJson {
  Json operator()(double value) const { return jsonNumber(value); }
  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
};

Json toJson(const Choice& choice) {
  Json params = Json::object();
  for (const auto& [name, value] : choice.params.values()) params[name] = std::visit(ParamToJson{}, value);
  return {{"id", choice.id}, {"params", params}};
}

Json toJson(const NodeSpec& node) {
  const Emulate& emulate = node.emulate;
  return {{"id", node.id},
          {"role", roleName(node.role)},
          {"host", node.host},
          {"device", node.device},
          {"threads", node.threads},
          {"share", orNull(node.share)},
          {"emulate",
           {{"slowdown", jsonNumber(emulate.slowdown)},
            {"step_s", orNull(emulate.stepSeconds)},
            {"jitter", jsonNumber(emulate.jitter)},
            {"bandwidth_mbps", orNull(emulate.bandwidthMbps)},
            {"latency_ms", jsonNumber(emulate.latencyMs)}}}};
}

Json toJson(const Optimizer& optimizer) {
  return {{"momentum", jsonNumber(optimizer.momentum)},
          {"nesterov", optimizer.nesterov},
          {"weight_decay", jsonNumber(optimizer.weightDecay)},
          {"decay_all", optimizer.decayAll},
          {"clip_norm", orNull(optimizer.clipNorm)}};
}

Json toJson(const WireFormat& wire) { return {{"format", wire.format}, {"error_feedback", wire.errorFeedback}}; }

Json toJson(const Edge& edge) {
  Json json = Json::array();
  json.push_back(edge.a);
  json.push_back(edge.b);
  json.push_back({{"every", edge.every}, {"offset", edge.offset}});
  return json;
}

template <class Item>
Json listOf(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(toJson(item));
  return list;
}

// 1 and 1.0 configure the same thing: whole numbers are hashed as integers.
void unifyNumbers(Json& value) {
  if (value.is_structured()) {
    for (Json& member : value) unifyNumbers(member);
  } else if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::floor(number) == number && std::abs(number) < 9e15) value = static_cast<std::int64_t>(number);
  }
}

std::string hashOf(Json document) {
  for (const char* label : {"name", "notes", "tags", "protection", "lost_desktop"}) document.erase(label);
  const RunSpec fresh;
  if (document["optimizer"] == toJson(fresh.optimizer)) document.erase("optimizer");
  if (document["wire"] == toJson(fresh.wire)) document.erase("wire");
  if (document["topology"] == toJson(fresh.topology)) document.erase("topology");
  if (document["evaluate"]["source"] == fresh.evaluate.source) document["evaluate"].erase("source");
  unifyNumbers(document);
  return sha256Hex(dumped(document));
}

}  // namespace

std::vector<int> RunSpec::workers() const { return nodesOf(*this, Role::kWorker); }
std::vector<int> RunSpec::servers() const { return nodesOf(*this, Role::kServer); }
std::vector<int> RunSpec::evaluators() const { return nodesOf(*this, Role::kEvaluator); }

std::vector<std::string> RunSpec::hosts() const {
  std::vector<std::string> hosts;
  for (const NodeSpec& node : nodes)
    if (std::find(hosts.begin(), hosts.end(), node.host) == hosts.end()) hosts.push_back(node.host);
  return hosts;
}

int RunSpec::evaluatorNode() const {
  const std::vector<int> ranks = workers();
  if (evaluate.on.empty()) return ranks.empty() ? -1 : ranks.front();
  const int node = nodeIndex(evaluate.on);
  return node >= 0 && nodes[static_cast<std::size_t>(node)].role == Role::kWorker ? node : -1;
}

int RunSpec::nodeIndex(std::string_view id) const {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].id == id) return static_cast<int>(i);
  return -1;
}

void fillDefaults(RunSpec& spec) {
  if (spec.name.empty() && !spec.algorithm.id.empty() && !spec.model.id.empty()) spec.name = spec.algorithm.id + " " + spec.model.id;
  const int evaluator = spec.evaluatorNode();
  if (spec.evaluate.on.empty() && evaluator >= 0) spec.evaluate.on = spec.nodes[static_cast<std::size_t>(evaluator)].id;
}

Json toJson(const RunSpec& given) {
  RunSpec spec = given;
  fillDefaults(spec);
  return {{"paceline", 1},
          {"name", spec.name},
          {"seed", spec.seed},
          {"notes", spec.notes},
          {"tags", spec.tags},
          {"algorithm", toJson(spec.algorithm)},
          {"aggregation", {{"id", spec.aggregation.id}, {"engine", spec.aggregation.engine}}},
          {"model", toJson(spec.model)},
          {"dataset", toJson(spec.dataset)},
          {"batch_size", spec.batchSize},
          {"partition", toJson(spec.partition)},
          {"groups", Json(spec.groups)},
          {"topology", toJson(spec.topology)},
          {"edges", listOf(spec.edges)},
          {"nodes", listOf(spec.nodes)},
          {"learning_rate_schedule", toJson(spec.learningRateSchedule)},
          {"optimizer", toJson(spec.optimizer)},
          {"wire", toJson(spec.wire)},
          {"evaluate", {{"every_rounds", spec.evaluate.everyRounds}, {"on", spec.evaluate.on}, {"source", spec.evaluate.source}}},
          {"checkpoint", {{"every_rounds", spec.checkpointEveryRounds}}},
          {"stop",
           {{"rounds", orNull(spec.stop.rounds)},
            {"seconds", orNull(spec.stop.seconds)},
            {"samples", orNull(spec.stop.samples)},
            {"accuracy", orNull(spec.stop.accuracy)}}},
          {"protection", spec.protection},
          {"lost_desktop", {{"stop_after_s", orNull(spec.stopWithoutDesktopSeconds)}}}};
}

std::string toJsonText(const RunSpec& spec, int indent) { return dumped(toJson(spec), indent); }

std::string configHash(const RunSpec& spec) { return hashOf(toJson(spec)); }

std::string groupHash(const RunSpec& spec) {
  Json document = toJson(spec);
  document.erase("seed");
  return hashOf(std::move(document));
}

const char* roleName(Role role) {
  switch (role) {
    case Role::kWorker: return "worker";
    case Role::kServer: return "server";
    case Role::kEvaluator: return "evaluator";
  }
  return "worker";
}

}  // namespace paceline
