// The numbered migrations of resources/schema, and what may be opened. Private to storage and its tests.
#pragma once

#include <span>

#include "storage/store/sqlite.h"

namespace paceline::store {

struct Migration {
  const char* name;
  const char* sql;
};
std::span<const Migration> migrations();  // version n is made by the first n of them
int latestVersion();

// Version of the file; 0: an empty file. Throws Error{kFormat}: another program's database, or made by a newer Paceline. Changes
// nothing.
int checkedVersion(Database& database);

// Brings it to `version` in one transaction.
void migrate(Database& database, int version = latestVersion());

}  // namespace paceline::store
