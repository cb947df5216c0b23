// Copies of a store that can be trusted: SQLite's own, while runs are recorded, checked before they take their name. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace paceline::store {

struct Backup {
  std::string path;
  std::int64_t runs = 0, bytes = 0;
};

// All that is committed as of now, to a new file. Checked: the pages (PRAGMA integrity_check) and as many rows in each table as the store has at that moment. Throws Error{kStore}: there is no
// such store, `to` exists, the copy is not whole; Unavailable where the disk is the reason. Then nothing is left at `to`.
Backup backUp(const std::string& store, const std::string& to);

}  // namespace paceline::store
