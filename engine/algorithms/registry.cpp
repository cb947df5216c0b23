#include "engine/algorithms/algorithm.h"
#include "registry/algorithms.h"

namespace paceline {

const std::vector<AlgorithmDef>& algorithms() {
  static const std::vector<AlgorithmDef> all = [] {
    std::vector<AlgorithmDef> defs;
    for (AlgorithmDef (*make)() : k_algorithms) defs.push_back(make());
    return defs;
  }();
  return all;
}

const AlgorithmDef* findAlgorithm(const std::string& id) {
  for (const AlgorithmDef& def : algorithms())
    if (def.id == id) return &def;
  return nullptr;
}

bool sharesRounds(const AlgorithmDef& def, const Params& params) {
  return def.synchronous && !(params.has("exchange") && params.text("exchange") == "asynchronous");
}

AlgorithmEntry catalogEntry(const AlgorithmDef& def) {
  AlgorithmEntry entry;
  entry.id = def.id;
  entry.title = def.title;
  entry.summary = def.summary;
  entry.reference = def.reference;
  entry.params = def.params;
  entry.topology = def.topology;
  entry.synchronous = def.synchronous;
  entry.needsServer = static_cast<bool>(def.makeServer);
  entry.momentum = def.momentum;
  entry.densePushes = def.densePushes;
  entry.groups = def.groups;
  return entry;
}

}  // namespace paceline
