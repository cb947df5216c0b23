// What this host has, as one JSON object: how the desktop learns about a machine. Never throws; what cannot be read is absent or 0.
#pragma once

#include <string>

namespace paceline {

std::string probeJson(const std::string& folder);  // folder: whose disk is measured

}  // namespace paceline
