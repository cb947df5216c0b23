#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/json/read_described.h"
#include "engine/core/spec/run_spec_fields.h"

namespace paceline {
namespace {

constexpr double kShareTolerance = 1e-6;

bool isNodeId(const std::string& id) {  // it becomes a file name and a column
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !id.empty() && id.size() <= 64 && id.front() != '.' && std::all_of(id.begin(), id.end(), allowed);
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

bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, ParamValue& into) {
  const bool tooLarge = json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (json.is_boolean()) into = json.get<bool>();
  else if (json.is_number_integer() && !tooLarge) into = json.get<std::int64_t>();
  else if (json.is_number()) into = json.get<double>();
  else if (json.is_string()) into = json.get<std::string>();
  else return findings.push_back({at, strCat("must be true, false, a number or a text, got ", described(json))}), false;
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
    findings.push_back({at, "must be [\"node\", \"node\"] or [\"node\", \"node\", {\"every\": n, \"offset\": n}]"});
    return false;
  }
  auto a = fields::toText(json[0], pointerTo(at, 0), findings);
  auto b = fields::toText(json[1], pointerTo(at, 1), findings);
  if (!a || !b) return false;
  into.a = std::move(*a), into.b = std::move(*b);
  if (json.size() == 2) return true;
  Fields times(json[2], pointerTo(at, 2), findings);
  into.every = times.optional<int>("every", 1, atLeast(1));
  into.offset = times.optional<int>("offset", 0, atLeast(0));
  if (into.offset >= into.every) times.refuse("offset", strCat("must be < every, which is ", into.every, ", got ", into.offset));
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
    at.refuse("id", strCat("must be 1 to 64 letters, digits, '_', '-' or '.', not starting with '.', got ", described(*id)));
}

void crossCheck(Fields& at, const Optimizer& optimizer) {
  if (optimizer.nesterov && optimizer.momentum == 0) at.refuse("nesterov", "needs a momentum above 0");
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
  readObject(document, parsed.spec);
  fillDefaults(parsed.spec);
  return parsed;
}

ParsedSpec parseRunSpec(std::string_view text) {
  ParsedSpec parsed;
  const std::optional<Json> json = parseJson(text, parsed.findings);
  return json ? readRunSpec(*json) : parsed;
}

}  // namespace paceline
