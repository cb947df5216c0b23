// Something about a document that its author should know: where (JSON pointer) and what. Errors stop a run, warnings do not.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace paceline {

struct Finding {
  std::string pointer;  // "/nodes/2/emulate/slowdown"; "" is the whole document
  std::string message;  // a sentence that names the value: `Slowdown must be at least 1; it is 0.2.`
  bool error = true;
  bool operator==(const Finding&) const = default;
};

// So many of one document are told, in the order in which they are found: who has more mends these and asks again. Bounds memory and output.
inline constexpr std::size_t kMaxFindings = 100;

// Adds one; behind the last that is told only one that says so. Readers of documents add theirs with it.
inline void addFinding(std::vector<Finding>& findings, Finding finding) {
  if (findings.size() < kMaxFindings) findings.push_back(std::move(finding));
  else if (findings.size() == kMaxFindings) findings.push_back({"", "There are more findings; these are the first.", finding.error});
  else findings[kMaxFindings].error |= finding.error;
}

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
