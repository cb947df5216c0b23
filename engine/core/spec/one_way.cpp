// What methods that send one way ask of the document's edges: whatever a worker sends must come to every other.
#include <algorithm>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/topologies.h"

namespace paceline {

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
