// The JSON Schema (draft-07) of a run's or a suite's document, made from the descriptions of RunSpec and from a catalogue: ids, and for each id
// its parameters with their types, bounds and choices. What members must be to each other (shares that sum to 1, workers that exist) is for
// validate(): everything that validates satisfies the schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/spec/catalog.h"

namespace paceline {

std::string schemaText(const Catalog& catalog, int indent = 2);

// What the descriptions say about the fixed members of the experiment document, for forms and help: by JSON pointer. Any thread.
struct FieldInfo {
  std::string pointer;  // "/nodes/0/emulate/jitter"
  std::string label;    // "Jitter"; "": it has none
  std::string help;     // "Rounds between two checkpoints, from which the run can be resumed; 0: never"
  std::string unit;
  std::string limits;   // "at least 0, default 0"; "": anything, no default
};

const std::vector<FieldInfo>& runSpecFields();
// Any number in the place of an item: "/nodes/3/id" is "/nodes/0/id". nullptr: no such member.
const FieldInfo* fieldAt(std::string_view pointer);
std::string fieldLabel(std::string_view pointer);  // "": no such member, or it has none
std::string fieldHelp(std::string_view pointer);  // help and limits as sentences; "": no such member

}  // namespace paceline
