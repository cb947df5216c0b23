// The JSON Schema (draft-07) of a run's or a suite's document, made from the descriptions of RunSpec and from a catalogue: ids, and for each id
// its parameters with their types, bounds and choices. What members must be to each other (shares that sum to 1, workers that exist) is for
// validate(): everything that validates satisfies the schema.
#pragma once

#include <string>

#include "engine/core/spec/catalog.h"

namespace paceline {

std::string schemaText(const Catalog& catalog, int indent = 2);

}  // namespace paceline
