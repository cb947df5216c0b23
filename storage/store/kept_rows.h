// Kept summaries <-> rows of summary and summary_column. Private to storage.
#pragma once

#include "storage/store/sqlite.h"
#include "storage/store/store.h"

namespace paceline::store {

bool hasSummary(Database& database, std::int64_t runKey);
void insertSummary(Database& database, std::int64_t runKey, const SummaryToKeep& summary);  // in the place of one that is there
void deleteSummary(Database& database, std::int64_t runKey);
std::string recordedOf(Database& database, const std::string& run);
std::vector<std::string> selectUnsummarised(Database& database, std::int64_t formulas);
std::optional<KeptSummary> selectSummary(Database& database, const std::string& run, std::int64_t formulas);
std::optional<std::vector<std::int64_t>> selectColumn(Database& database, std::int64_t summary, const std::string& name, std::size_t size);

}  // namespace paceline::store
