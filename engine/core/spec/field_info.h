// What the descriptions say about the fixed members of the experiment document, for forms and help: by JSON pointer. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paceline {

struct FieldInfo {
  std::string pointer;  // "/nodes/0/emulate/jitter"
  std::string help;     // "Rounds between two checkpoints, from which the run can be resumed; 0: never"
  std::string unit;
  std::string limits;   // "at least 0, default 0"; "": anything, no default
};

const std::vector<FieldInfo>& runSpecFields();
// Any number in the place of an item: "/nodes/3/id" is "/nodes/0/id". nullptr: no such member.
const FieldInfo* fieldAt(std::string_view pointer);
std::string fieldHelp(std::string_view pointer);  // help and limits as sentences; "": no such member

}  // namespace paceline
