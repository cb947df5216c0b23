// Whether a bundle is what its run left: for whoever got it from somebody else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/summary/summary.h"

namespace paceline::interchange {

// The sum over the bytes of a bundle in front of it, which runToJson() writes at its end. nullopt: it has none (of versions before it).
std::optional<bool> checksumHolds(const std::string& file);  // Error{kFile}

struct Check {
  std::string id;      // "checksum"
  bool holds = true;
  std::string words = {};  // what was found
};

// Of one run's records: its document and hashes, nodes, rounds, evaluations, and whether what workers sent is what servers received. `here`: "paceline" and "torch" of this
// computer, beside which the run's are told.
std::vector<Check> checksOf(const summary::RunData& data, const Json& here);

}  // namespace paceline::interchange
