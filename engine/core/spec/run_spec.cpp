#include "engine/core/spec/run_spec.h"

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/json/write_described.h"
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
    const double number = value.get<double>();
    if (std::floor(number) == number && std::abs(number) < 9e15) value = static_cast<std::int64_t>(number);
  }
}

std::string hashOf(Json canonical) {
  unifyNumbers(canonical);
  return sha256Hex(dumped(canonical));
}

Json canonicalOf(RunSpec spec) {
  fillDefaults(spec);
  return written(spec, JsonForm::kCanonical);
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

}  // namespace paceline
