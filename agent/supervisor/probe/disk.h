// Room on a file system, as far as this user may use it. May hang on a dead network file system: call it in a part of the probe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace paceline::probe {

struct DiskFacts {
  std::string folder;               // the nearest one above the wanted that exists
  std::int64_t totalBytes = 0, freeBytes = 0;
  std::optional<std::int64_t> quotaFreeBytes;  // nullopt: the file system knows no quota of this user
  std::int64_t usable() const { return quotaFreeBytes && *quotaFreeBytes < freeBytes ? *quotaFreeBytes : freeBytes; }
};

DiskFacts diskFacts(const std::string& folder);  // of a file that would be made in it; 0 where nothing can be read
std::string defaultCacheFolder();                // ${XDG_CACHE_HOME:-$HOME/.cache}/paceline; "": neither is set

}  // namespace paceline::probe
