// RunSpec as a JSON value, for the files of engine/core that embed it in something larger. Private to engine/core.
#pragma once

#include "engine/core/json/json_text.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

Json toJson(const RunSpec& spec);                 // every default written out
ParsedSpec readRunSpec(const Json& document);     // structure, types, bounds
void fillDefaults(RunSpec& spec);                 // those that follow from other members: name, evaluate.on

}  // namespace paceline
