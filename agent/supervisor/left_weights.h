// The weights that ended runs left in this user's folder of checkpoints (engine/runtime/kept_weights.h). Throws Error{kHost} for names that cannot be, Error{kFile}.
#pragma once

#include <iosfwd>
#include <string>

namespace paceline {

// {"weights": [{"node", "name", "bytes"}]}
std::string leftWeightsJson(const std::string& checkpoints, const std::string& run);

// The file in lines of base64, then `end SHA256`.
void printWeights(const std::string& checkpoints, const std::string& run, const std::string& node, const std::string& name, std::ostream& out);

}  // namespace paceline
