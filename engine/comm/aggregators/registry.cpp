#include "engine/comm/aggregators/aggregator.h"
#include "engine/core/base/error.h"

#include "registry/aggregators.h"

namespace paceline::aggregators {

const std::vector<AggregatorDef>& aggregators() {
  static const std::vector<AggregatorDef> all = [] {
    std::vector<AggregatorDef> defs;
    for (const auto make : k_aggregators) {
      AggregatorDef& def = defs.emplace_back(make());
      def.needsServer = static_cast<bool>(def.makeServer);
      for (const AggregationEngine& engine : def.foreign) def.engines.push_back(engine.id);
    }
    return defs;
  }();
  return all;
}

const AggregatorDef* findAggregator(const std::string& id) { return findEntry(aggregators(), id); }

std::unique_ptr<Aggregator> makeAggregator(const AggregatorDef& def, const std::string& engine, const AggregatorSetup& setup) {
  if (engine == "auto" || engine == "paceline") return def.makeWorker(setup);
  for (const AggregationEngine& other : def.foreign)
    if (other.id == engine) return other.makeWorker(setup);
  throw Error(Errc::kSpec, strCat("aggregation \"", def.id, "\" has no engine \"", engine, "\" in this program"));
}

}  // namespace paceline::aggregators
