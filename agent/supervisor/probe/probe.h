// This host's hardware and software as one JSON object for the desktop. Never throws; what cannot be read is absent, null or 0, and
// "problems" says why. Never hangs: every part has its seconds. For programs with one thread: it forks.
#pragma once

#include <string>

namespace paceline::probe {

std::string probeJson();

}  // namespace paceline::probe
