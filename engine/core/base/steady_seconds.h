// Seconds on this host's monotonic clock: for deadlines and differences, never for dates. Any thread.
#pragma once

#include <chrono>

namespace paceline {

inline double steadySeconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace paceline
