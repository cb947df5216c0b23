// Registries that parts from elsewhere were built into (PACELINE_EXTRA): each id is one entry's.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline {

// Throws Error{kSpec} that names the id. `kinds`: "models".
template <class Entry>
void requireDistinctIds(const char* kinds, const std::vector<Entry>& entries) {
  std::set<std::string> ids;
  for (const Entry& entry : entries)
    if (!ids.insert(entry.id).second) throw Error(Errc::kSpec, strCat("two ", kinds, " of this program are called \"", entry.id, "\"; build it again with another id in the file that was added to it"));
}

}  // namespace paceline
