// Rows of searches and their trials <-> values. Private to storage.
#pragma once

#include "storage/store/records.h"
#include "storage/store/sqlite.h"

namespace paceline::store {

std::vector<SearchRow> selectSearches(Database& database, const std::string& suite = "");  // newest first; of one suite, or all
void insertSearch(Database& database, const SearchRow& search);  // its suite is there
void updateSearch(Database& database, const SearchRow& search);  // held, boot, ended, result
void putTrial(Database& database, const std::string& suite, std::int64_t number, const std::string& trial);  // a new one or another state of it
void deleteSearch(Database& database, std::int64_t suiteKey);

}  // namespace paceline::store
