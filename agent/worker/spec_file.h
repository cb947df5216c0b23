// The document named on a command line.
#pragma once

#include <string>
#include <vector>

#include "engine/core/json/finding.h"

namespace paceline {

std::string textOf(const std::string& path);  // "-": stdin; throws Error{kFile}

// Throws Error{kSpec} with every error among them.
void refuseErrors(const std::string& path, const std::vector<Finding>& findings);

}  // namespace paceline
