// Something about a document that its author should know: where (JSON pointer) and what. Errors stop a run, warnings do not.
#pragma once

#include <string>
#include <vector>

namespace paceline {

struct Finding {
  std::string pointer;  // "/nodes/2/emulate/slowdown"; "" is the whole document
  std::string message;  // names the value: `must be >= 1, got 0.2`
  bool error = true;
  bool operator==(const Finding&) const = default;
};

inline bool hasErrors(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings)
    if (finding.error) return true;
  return false;
}

}  // namespace paceline
