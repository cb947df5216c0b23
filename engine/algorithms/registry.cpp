#include "engine/algorithms/algorithm.h"
#include "engine/core/spec/distinct_ids.h"
#include "registry/algorithms.h"

namespace paceline {

const std::vector<AlgorithmDef>& algorithms() {
  static const std::vector<AlgorithmDef> all = [] {
    std::vector<AlgorithmDef> defs;
    for (AlgorithmDef (*make)() : k_algorithms) {
      defs.push_back(make());
      defs.back().needsServer = static_cast<bool>(defs.back().makeServer);
    }
    requireDistinctIds("algorithms", defs);
    return defs;
  }();
  return all;
}

const AlgorithmDef* findAlgorithm(const std::string& id) { return findEntry(algorithms(), id); }

bool sharesRounds(const AlgorithmDef& def, const Params& params) {
  return def.synchronous && !(params.has("exchange") && params.text("exchange") == "asynchronous");
}

}  // namespace paceline
