#include "engine/core/topologies.h"

#include "engine/core/error.h"

namespace paceline {

const std::vector<CatalogEntry>& topologies() {
  static const std::vector<CatalogEntry> all = {
      {.id = "edges", .title = "Edges", .summary = "The edges that the document lists.", .reference = "", .params = {}},
  };
  return all;
}

std::vector<Edge> edgesOf(const RunSpec& spec) {
  if (spec.topology.id != "edges") throw Error(Errc::kSpec, strCat("topology \"", spec.topology.id, "\" is not known"));
  return spec.edges;
}

}  // namespace paceline
