// The supervisor's protocol: one JSON object a line. See agent/README.md.
#pragma once

#include <string>

#include "agent/supervisor/supervise/supervisor.h"

namespace paceline::supervise {

std::string greeting(const Supervisor& supervisor);  // the first line that a client sees
// The reply to one request line; whatever the line holds, it is one line that says ok or why not. Never throws.
std::string answer(Supervisor& supervisor, Client& client, const LineSplitter::Line& line);

}  // namespace paceline::supervise
