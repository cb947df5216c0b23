// Where JSON documents differ. Pure.
#pragma once

#include <string>
#include <vector>

namespace paceline {

struct Difference {
  std::string pointer;
  std::vector<std::string> values;  // of each document, as JSON text; "": it has none there
};
// Every pointer at which not all documents have the same value, sorted. A text that is no JSON is an empty document.
std::vector<Difference> differences(const std::vector<std::string>& documents);

}  // namespace paceline
