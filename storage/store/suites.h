// Rows of suites, their cells and attempts <-> values. Private to storage.
#pragma once

#include "storage/store/records.h"
#include "storage/store/sqlite.h"

namespace paceline::store {

std::vector<SuiteRow> selectSuites(Database& database);  // newest first
std::optional<std::string> selectCellDocument(Database& database, const std::string& suite, std::int64_t place);
void insertSuite(Database& database, const SuiteRow& suite, const std::vector<std::string>& documents);  // one for each cell
void insertCell(Database& database, const std::string& suite, const SuiteCell& cell, const std::string& document);
void insertAttempt(Database& database, const std::string& suite, std::int64_t place, const std::string& run);
void forgetAttempt(Database& database, const std::string& run);  // a cell without any goes, and a suite without cells

}  // namespace paceline::store
