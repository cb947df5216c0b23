#include "engine/core/spec/run_spec.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/spec/pinned_file.h"
#include "engine/core/json/comments.h"
#include "engine/core/json/fields.h"
#include "engine/core/json/describe.h"
#include "engine/core/spec/run_spec_fields.h"

namespace paceline {
namespace {

std::vector<int> nodesOf(const RunSpec& spec, Role role) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < spec.nodes.size(); ++i)
    if (spec.nodes[i].role == role) indices.push_back(static_cast<int>(i));
  return indices;
}

// 1 and 1.0 configure the same thing: whole numbers are hashed as integers.
void unifyNumbers(Json& value) {
  if (value.is_structured()) {
    for (Json& member : value) unifyNumbers(member);
  } else if (value.is_number_float()) {
    value = plainNumber(value.get<double>());
  }
}

std::string hashOf(Json canonical) {
  unifyNumbers(canonical);
  return sha256Hex(dumped(canonical));
}

Json canonicalOf(RunSpec spec) {
  fillDefaults(spec);
  forgetPlaces(spec);
  return written(spec, JsonForm::kCanonical);
}

constexpr double kShareTolerance = 1e-6;

bool isNodeId(const std::string& id) {  // it becomes a file name and a column
  constexpr const char* kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
  return !id.empty() && id.size() <= 64 && id.front() != '.' && id.find_first_not_of(kAllowed) == std::string::npos;
}

void checkNodes(const RunSpec& spec, Fields& document) {
  std::set<std::string> seen;
  const Json* nodes = document.find("nodes");
  if (nodes == nullptr || (nodes->is_array() && nodes->empty())) return document.refuse("nodes", "must name at least one worker");
  if (!nodes->is_array()) return;
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    const std::string& id = spec.nodes[i].id;
    if (!id.empty() && !seen.insert(id).second)
      addFinding(document.findings(), {strCat("/nodes/", i, "/id"), strCat("\"", quotable(id), "\" is the id of another node already")});
  }
  if (spec.workers().empty()) document.refuse("nodes", "must name at least one worker; all are servers");
}

// All nodes of a role have a share or none has; they sum to 1.
void checkSharesOf(const RunSpec& spec, const std::vector<int>& nodes, const char* role, Fields& document) {
  std::size_t given = 0;
  double sum = 0;
  for (const int node : nodes)
    if (const std::optional<double>& share = nodeOf(spec, node).share) ++given, sum += *share;
  if (given == 0) return;
  if (given == nodes.size() && !(std::abs(sum - 1) <= kShareTolerance))
    document.refuse("nodes", strCat("The shares of the ", role, "s must sum to 1; they sum to ", sum, "."));
  for (const int node : nodes)
    if (!nodeOf(spec, node).share) addFinding(document.findings(), {strCat("/nodes/", node, "/share"), strCat("is missing: all ", role, "s have a share or none has")});
}

void checkShares(const RunSpec& spec, Fields& document) {
  checkSharesOf(spec, spec.workers(), "worker", document);
  checkSharesOf(spec, spec.servers(), "server", document);
  for (const int node : spec.evaluators())
    if (const std::optional<double>& share = nodeOf(spec, node).share)
      addFinding(document.findings(), {strCat("/nodes/", node, "/share"), strCat("An evaluator has no share; it is ", *share, ".")});
}

void checkPlan(const RunSpec& spec, Fields& document) {
  if (!spec.workers().empty() && spec.evaluatorNode() < 0)
    addFinding(document.findings(), {"/evaluate/on", strCat("Evaluate on must name a worker; it is \"", quotable(spec.evaluate.on), "\".")});
  const Json* stop = document.find("stop");
  const StopRules& rules = spec.stop;
  const auto isNull = [](const Json& rule) { return rule.is_null(); };
  const bool empty = stop == nullptr || (stop->is_object() && std::all_of(stop->begin(), stop->end(), isNull));
  if (empty && !rules.rounds && !rules.seconds && !rules.samples && !rules.accuracy)
    document.refuse("stop", "needs at least one of rounds, seconds, samples, accuracy");
}

}  // namespace

std::vector<int> RunSpec::workers() const { return nodesOf(*this, Role::kWorker); }
std::vector<int> RunSpec::servers() const { return nodesOf(*this, Role::kServer); }
std::vector<int> RunSpec::evaluators() const { return nodesOf(*this, Role::kEvaluator); }

bool RunSpec::serversReturn() const {
  return serverRestarts > 0 && !servers().empty();
}

std::vector<std::string> RunSpec::hosts() const {
  std::vector<std::string> hosts;
  std::set<std::string_view> seen;
  for (const NodeSpec& node : nodes)
    if (seen.insert(node.host).second) hosts.push_back(node.host);
  return hosts;
}

int RunSpec::evaluatorNode() const {
  const std::vector<int> ranks = workers();
  if (evaluate.on.empty()) return ranks.empty() ? -1 : ranks.front();
  const int named = nodeIndex(evaluate.on);
  return named >= 0 && nodeOf(*this, named).role == Role::kWorker ? named : -1;
}

int RunSpec::nodeIndex(std::string_view id) const {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].id == id) return static_cast<int>(i);
  return -1;
}

void fillDefaults(RunSpec& spec) {
  if (spec.name.empty() && !spec.algorithm.id.empty() && !spec.model.id.empty()) spec.name = spec.algorithm.id + " " + spec.model.id;
  const int evaluator = spec.evaluatorNode();
  if (spec.evaluate.on.empty() && evaluator >= 0) spec.evaluate.on = nodeOf(spec, evaluator).id;
}

Json toJson(const Params& params) {
  Json json = Json::object();
  for (const auto& [name, value] : params.values()) json[name] = written(value);
  return json;
}

Json toJson(const Edge& edge) { return Json::array({edge.a, edge.b, {{"every", edge.every}, {"offset", edge.offset}}}); }

Json toJson(const RunSpec& given) {
  RunSpec spec = given;
  fillDefaults(spec);
  return written(spec);
}

std::string toJsonText(const RunSpec& spec, int indent) { return dumped(toJson(spec), indent); }

std::string configHash(const RunSpec& spec) { return hashOf(canonicalOf(spec)); }

std::string groupHash(const RunSpec& spec) {
  Json document = canonicalOf(spec);
  document.erase("seed");
  return hashOf(std::move(document));
}

const char* roleName(Role role) { return wordsOf(role)[static_cast<std::size_t>(role)]; }

bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, ParamValue& into) {
  const bool tooLarge = json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (json.is_boolean()) into = json.get<bool>();
  else if (json.is_number_integer() && !tooLarge) into = json.get<std::int64_t>();
  else if (json.is_number()) into = json.get<double>();
  else if (json.is_string()) into = json.get<std::string>();
  else return addFinding(findings, {at, mustBe("", at, "true, false, a number or a text", described(json))}), false;
  return true;
}

bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, Params& into) {
  Fields fields(json, at, findings);
  if (!fields.isObject()) return false;
  for (const auto& [name, value] : json.items())
    if (ParamValue read; readJson(value, pointerTo(at, name), findings, read)) into.set(name, std::move(read));
  return true;
}

bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, Edge& into) {
  if (!json.is_array() || json.size() < 2 || json.size() > 3) {
    addFinding(findings, {at, "must be [\"node\", \"node\"] or [\"node\", \"node\", {\"every\": n, \"offset\": n}]"});
    return false;
  }
  auto a = fields::toText(json[0], pointerTo(at, 0), findings, "Edges");
  auto b = fields::toText(json[1], pointerTo(at, 1), findings, "Edges");
  if (!a || !b) return false;
  into.a = std::move(*a), into.b = std::move(*b);
  if (json.size() == 2) return true;
  Fields times(json[2], pointerTo(at, 2), findings);
  into.every = times.optional<int>("every", 1, atLeast(1));
  into.offset = times.optional<int>("offset", 0, atLeast(0));
  if (into.offset >= into.every) times.refuse("offset", mustBe("Offset", times.pointer("offset"), strCat("below every, which is ", into.every), strCat(into.offset)));
  times.refuseUnknown();
  return true;
}

void crossCheck(Fields& at, const Choice& choice) {
  const Json* id = at.find("id");
  if (choice.id.empty() && id != nullptr && id->is_string()) at.refuse("id", "must not be empty");
}

void crossCheck(Fields& at, const NodeSpec& node) {
  const Json* id = at.find("id");
  if (id != nullptr && id->is_string() && !isNodeId(node.id))
    at.refuse("id", mustBe("", at.pointer("id"), "1 to 64 letters, digits, '_', '-' or '.', not starting with '.'", described(*id)));
}

void crossCheck(Fields& at, const Optimizer& optimizer) {
  if (optimizer.adaptive() && optimizer.momentum != 0) at.refuse("momentum", strCat("is of sgd; the optimizer is ", optimizer.id));
  else if (optimizer.nesterov && optimizer.momentum == 0) at.refuse("nesterov", "needs a momentum above 0");
}

void crossCheck(Fields& at, const RunSpec& spec) {
  if (!at.isObject()) return;
  checkNodes(spec, at);
  checkShares(spec, at);
  checkPlan(spec, at);
}

ParsedSpec readRunSpec(const Json& json) {
  ParsedSpec parsed;
  Fields document(json, "", parsed.findings);
  document.optional<std::string>("$schema", "");
  if (const Json* nodes = document.find("nodes"); nodes != nullptr && nodes->is_array() && nodes->size() > kMaxNodes) {
    document.refuse("nodes", strCat("There are ", nodes->size(), " nodes; a run has at most ", kMaxNodes, "."));
    return parsed;
  }
  readObject(document, parsed.spec);
  fillDefaults(parsed.spec);
  return parsed;
}

ParsedSpec parseRunSpec(std::string_view text) {
  ParsedSpec parsed;
  const std::optional<Json> json = parseJson(withoutComments(text), parsed.findings);
  return json ? readRunSpec(*json) : parsed;
}

}  // namespace paceline
