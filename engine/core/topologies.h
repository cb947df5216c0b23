// Who exchanges with whom in a decentralised run: presets over the workers in rank order, or the document's own edges. Pure functions.
#pragma once

#include <vector>

#include "engine/core/catalog.h"
#include "engine/core/run_spec.h"

namespace paceline {

// "edges" first: what the document lists.
const std::vector<CatalogEntry>& topologies();

// The run's edges, each once, a before b in rank order for presets. Throws Error{kSpec} for an unknown preset or a world it does not fit.
std::vector<Edge> edgesOf(const RunSpec& spec);

}  // namespace paceline
