#include <algorithm>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/core/base/error.h"

#include "registry/aggregators.h"

namespace paceline::aggregators {

const std::vector<AggregatorDef>& aggregators() {
  static const std::vector<AggregatorDef> all = [] {
    std::vector<AggregatorDef> defs;
    for (const auto make : k_aggregators) defs.push_back(make());
    return defs;
  }();
  return all;
}

const AggregatorDef* findAggregator(const std::string& id) {
  const auto& all = aggregators();
  const auto found = std::find_if(all.begin(), all.end(), [&](const AggregatorDef& def) { return def.id == id; });
  return found == all.end() ? nullptr : &*found;
}

std::unique_ptr<Aggregator> makeAggregator(const AggregatorDef& def, const std::string& engine, const AggregatorSetup& setup) {
  if (engine == "auto" || engine == "paceline") return def.makeWorker(setup);
  for (const AggregationEngine& other : def.engines)
    if (other.id == engine) return other.makeWorker(setup);
  throw Error(Errc::kSpec, strCat("aggregation \"", def.id, "\" has no engine \"", engine, "\" in this program"));
}

}  // namespace paceline::aggregators
