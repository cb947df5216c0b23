// What methods that need contributions one by one ask of a document: an aggregation with a server, and more workers that are right than others. And whether a run can do
// without one of its workers.
#include <algorithm>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/topologies.h"

namespace paceline {
namespace {

std::string withServers(const Catalog& catalog) {
  std::vector<std::string> ids;
  for (const AggregationEntry& entry : catalog.aggregations)
    if (entry.needsServer) ids.push_back(entry.id);
  return listed(ids);
}

void checkLosses(const RunSpec& spec, const Catalog& catalog, const AlgorithmEntry& algorithm, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    const NodeSpec& node = spec.nodes[i];
    if (!node.emulate.lostAfterRounds) continue;
    const std::string pointer = strCat("/nodes/", i, "/emulate/lost_after_rounds");
    const auto refuse = [&](const std::string& why) { addFinding(findings, {pointer, strCat("\"", quotable(node.id), "\" cannot be lost after ", *node.emulate.lostAfterRounds, " rounds: ", why, "."), true}); };
    if (node.role != Role::kWorker) refuse("only workers can");
    else if (static_cast<int>(i) == spec.evaluatorNode()) refuse("it decides when the run ends; name another worker in evaluate.on");
    else if (const std::string why = whyNotWithoutAWorker(spec, algorithm, findEntry(catalog.aggregations, spec.aggregation.id)); !why.empty()) refuse(why);
  }
}

void checkRestarts(const RunSpec& spec, const Catalog& catalog, const AlgorithmEntry& algorithm, std::vector<Finding>& findings) {
  if (spec.workerRestarts == 0 || spec.workerRestarts == RunSpec().workerRestarts) return;  // by itself it is done where it can be
  const std::string why = whyNotAgain(spec, algorithm, findEntry(catalog.aggregations, spec.aggregation.id));
  if (!why.empty()) addFinding(findings, {"/worker_restarts", strCat("A worker cannot take part again (", spec.workerRestarts, " times): ", why, "."), true});
}

void checkLostData(const RunSpec& spec, const Catalog& catalog, const AlgorithmEntry& algorithm, std::vector<Finding>& findings) {
  if (!spec.dividesLostData() || spec.workers().size() < 2) return;
  std::string why = whyNotWithoutAWorker(spec, algorithm, findEntry(catalog.aggregations, spec.aggregation.id));
  if (algorithm.topology == Topology::kDecentralised) why = "in a decentralised method each worker goes on by itself, and none says who is lost";
  if (!why.empty()) addFinding(findings, {"/lost_data", strCat("The data of a lost worker cannot be divided: ", why, "."), true});
}

}  // namespace

std::string whyNotWithoutAWorker(const RunSpec& spec, const AlgorithmEntry& algorithm, const AggregationEntry* aggregation) {
  if (spec.workers().size() < 2) return "the run has no other worker";
  if (algorithm.topology == Topology::kDecentralised) return spec.checkpointEveryRounds > 0 ? "a snapshot needs all neighbours: with checkpoints a decentralised run ends when a worker is lost, and is resumed from the last one" : "";
  if (!algorithm.survivesLoss) return strCat("algorithm \"", algorithm.id, "\" needs all of its workers");
  if (algorithm.topology == Topology::kAggregated && aggregation != nullptr && !aggregation->needsServer)
    return strCat("in aggregation \"", aggregation->id, "\" the workers add up on the way and need each other; where servers do, a run goes on");
  return "";
}

std::string whyNotAgain(const RunSpec& spec, const AlgorithmEntry& algorithm, const AggregationEntry* aggregation) {
  if (std::string why = whyNotWithoutAWorker(spec, algorithm, aggregation); !why.empty()) return why;
  if (algorithm.topology == Topology::kDecentralised) return "in a decentralised method its neighbours go on with its last vector, and no other process takes its place";
  return algorithm.joinsAgain ? "" : strCat("algorithm \"", algorithm.id, "\" goes on without it, and no other worker's state is of use to it");
}

void checkCombining(const RunSpec& spec, const Catalog& catalog, std::vector<Finding>& findings) {
  const AlgorithmEntry* algorithm = findEntry(catalog.algorithms, spec.algorithm.id);
  const AggregationEntry* aggregation = findEntry(catalog.aggregations, spec.aggregation.id);
  if (algorithm == nullptr) return;
  checkLosses(spec, catalog, *algorithm, findings);
  checkRestarts(spec, catalog, *algorithm, findings);
  checkLostData(spec, catalog, *algorithm, findings);
  const Params& params = spec.algorithm.params;
  const auto workers = static_cast<std::int64_t>(spec.workers().size());
  for (const ParamSpec& param : algorithm->params) {
    const auto* value = valueOf<std::int64_t>(params, param.name);
    if (param.atMost != Limit::kMinority || value == nullptr) continue;
    const std::string pointer = strCat("/algorithm/params/", param.name);
    const ParamCase& more = algorithm->needsTwoMore;
    if (2 * *value >= workers) addFinding(findings, {pointer, strCat(labelOf(param), " must be below half the number of workers, ", workers, "; it is ", *value, "."), true});
    else if (*value > 0 && more.holds(params) && 2 * *value + 3 > workers)
      addFinding(findings, {pointer, strCat(labelOf(param), " must be at most ", std::max<std::int64_t>(0, (workers - 3) / 2), " with ", more.param, " ", params.text(more.param), " and ", workers, " workers; it is ", *value, "."), true});
  }
  if (aggregation == nullptr || aggregation->needsServer) return;
  const std::string& share = algorithm->partialBy;
  const bool partial = !share.empty() && params.has(share) && params.real(share) < 1;
  if (!partial && !algorithm->combines) return;
  const std::string what = partial ? strCat(share, " ", params.real(share)) : strCat("algorithm \"", algorithm->id, "\"");
  addFinding(findings, {"/aggregation/id", strCat(what, " needs an aggregation whose server has each contribution: ", withServers(catalog), "; in \"", aggregation->id, "\" the workers add them up on the way."), true});
}

// What methods that send one way ask of the document's edges: whatever a worker sends must come to every other.
void checkOneWay(const RunSpec& spec, const Catalog& catalog, std::vector<Finding>& findings) {
  const AlgorithmEntry* algorithm = findEntry(catalog.algorithms, spec.algorithm.id);
  const auto aboutEdges = [](const Finding& finding) { return finding.error && finding.pointer.starts_with("/edges"); };
  if (algorithm == nullptr || !algorithm->oneWay || !spec.listsEdges() || std::any_of(findings.begin(), findings.end(), aboutEdges)) return;
  const std::vector<int> workers = spec.workers();
  const auto idOf = [&](int rank) { return spec.nodes[static_cast<std::size_t>(workers[static_cast<std::size_t>(rank)])].id; };
  for (const bool backwards : {false, true})
    for (const int rank : apartFromFirst(spec, backwards))
      addFinding(findings, {"/edges", strCat("Algorithm \"", algorithm->id, "\" sends from an edge's first worker to its second, and no path of such edges leads from \"", idOf(backwards ? rank : 0),
                                             "\" to \"", idOf(backwards ? 0 : rank), "\"."), true});
}

}  // namespace paceline
