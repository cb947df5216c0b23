// Rows of round, evaluation, event, host_load, edge and labels <-> values. Private to storage.
#pragma once

#include <cstdint>
#include <vector>

#include "storage/store/records.h"
#include "storage/store/sqlite.h"

namespace paceline::store {

enum class RecordTable { kRound, kEvaluation, kHostLoad, kEvent, kEdge, kLabels };  // in the order of the alternatives of Event
inline constexpr std::size_t kRecordTables = 6;

// Keys of a run's records: (firstKey, firstKey + 2^32).
inline constexpr std::int64_t firstKey(std::int64_t runKey) { return runKey << 32; }

// False: (node, seq) was there already.
bool insertRecord(Database& database, std::int64_t key, std::int64_t node, std::int64_t seq, const Event& event);

std::int64_t largestKey(Database& database, RecordTable table, std::int64_t runKey);  // firstKey(runKey): no rows yet
std::int64_t lastSeqOf(Database& database, std::int64_t node);                        // over all tables; 0: none
void deleteRecords(Database& database, std::int64_t runKey);

// Rows of the run with a key > after, in order of arrival; their last key, or `after`.
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<RoundRow>& rows);
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<EvaluationRow>& rows);
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<NoticeRow>& rows);
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<HostLoadRow>& rows);
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<EdgeRow>& rows);
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<LabelsRow>& rows);

}  // namespace paceline::store
