// The clusters that the contract tests try every algorithm on. Header-only.
#pragma once

#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/aggregator.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {

// Small steps: five workers' stale gradients must still be stable. And small vectors, of which sparse methods must leave out half.
inline void slowRates(RunSpec& spec, const AlgorithmDef& def) {
  for (const ParamSpec& param : def.params) {
    if (param.name == "learning_rate" || param.name == "local_lr") spec.algorithm.params.set(param.name, 0.05);
    if (param.name == "kept_fraction" || param.name == "down_fraction") spec.algorithm.params.set(param.name, 0.5);
    if (param.name == "local_steps") spec.algorithm.params.set(param.name, std::int64_t{4});
    if (param.name == "top_k") spec.algorithm.params.set(param.name, std::int64_t{3});
    if (param.name == "sign") spec.algorithm.params.set(param.name, false);  // else it comes no nearer than a step is long
    if (param.name == "dense_below") spec.algorithm.params.set(param.name, std::int64_t{0});
  }
}

// Calls `check(spec, name)` for each cluster that the algorithm can run on.
inline void forEachCluster(const AlgorithmDef& def, const std::function<void(const RunSpec&, const std::string&)>& check) {
  const std::vector<int> worlds = def.topology == Topology::kStandalone ? std::vector<int>{1} : std::vector<int>{1, 2, 5};
  for (const int world : worlds)
    for (const aggregators::AggregatorDef& aggregation : aggregators::aggregators())
      for (const bool unequal : {false, true}) {
        if (def.combines && !aggregation.needsServer) continue;
        if (def.topology != Topology::kAggregated && &aggregation != &aggregators::aggregators().front()) continue;
        const bool needsServer = def.makeServer || (def.topology == Topology::kAggregated && aggregation.needsServer);
        RunSpec spec = clusterOf(def.id, world, needsServer ? 2 : 0);
        spec.aggregation.id = aggregation.id;
        slowRates(spec, def);
        if (unequal) spec.nodes[static_cast<std::size_t>(world) - 1].emulate.slowdown = 3;
        check(spec, strCat(def.id, " on ", world, unequal ? " unequal" : " equal", " workers by ", aggregation.id));
      }
}

}  // namespace paceline::tests
