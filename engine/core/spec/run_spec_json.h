// RunSpec as a JSON value, and the forms of its parts that are no plain objects, for the files of engine/core. Private to engine/core.
#pragma once

#include "engine/core/json/json_text.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

class Fields;

Json toJson(const RunSpec& spec);                 // every default written out
ParsedSpec readRunSpec(const Json& document);     // structure, types, bounds; "$schema" is allowed and means nothing
void fillDefaults(RunSpec& spec);                 // those that follow from other members: name, evaluate.on

bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, ParamValue& into);
Json toJson(const Params& params);  // an object of texts, numbers, true and false
bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, Params& into);
Json toJson(const Edge& edge);  // ["a", "b", {"every": n, "offset": n}]
bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, Edge& into);

// What the members of a section must be to each other.
void crossCheck(Fields& at, const Choice& choice);
void crossCheck(Fields& at, const NodeSpec& node);
void crossCheck(Fields& at, const Optimizer& optimizer);
void crossCheck(Fields& at, const RunSpec& spec);

}  // namespace paceline
