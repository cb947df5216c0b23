// Disk space of the runs' spools on this host, and its release. Throws Error{kFile, kHost}.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace paceline::spool {

struct SpoolUse {
  std::string run;
  std::int64_t bytes = 0;
  bool active = false;
  std::string endedUtc;  // when the last record was written, "2026-01-31T12:00:00Z"; "": active
};

// One for each folder below `runsFolder`, readable or not.
std::vector<SpoolUse> spoolUse(const std::string& runsFolder, const std::function<bool(const std::string& run)>& active);
std::string toJson(const std::vector<SpoolUse>& uses);  // {"runs": [{"run", "bytes", "active", "ended_utc"}], "bytes"}

}  // namespace paceline::spool
