// Something about a document that its author should know: where (JSON pointer) and what. Errors stop a run, warnings do not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paceline {

struct Finding {
  std::string pointer;  // "/nodes/2/emulate/slowdown"; "" is the whole document
  std::string message;  // names the value: `must be >= 1, got 0.2`
  bool error = true;
  bool operator==(const Finding&) const = default;
};

// Whether a JSON pointer is `place` or leads below it.
inline bool isAtOrBelow(std::string_view pointer, std::string_view place) {
  return pointer.starts_with(place) && (pointer.size() == place.size() || pointer[place.size()] == '/');
}

inline bool hasErrors(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings)
    if (finding.error) return true;
  return false;
}

}  // namespace paceline
