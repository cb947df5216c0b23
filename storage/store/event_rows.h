// Records <-> rows of their tables, which share one plan: key, node, seq and what the record's type describes. Private to storage.
#pragma once

#include <cstdint>
#include <vector>

#include "storage/store/records.h"
#include "storage/store/sqlite.h"

namespace paceline::store {

inline constexpr std::size_t kRecordTables = std::variant_size_v<Event>;  // in the order of its alternatives

// Keys of a run's records: (firstKey, firstKey + 2^32).
inline constexpr std::int64_t firstKey(std::int64_t runKey) { return runKey << 32; }

// False: (node, seq) was there already.
bool insertRecord(Database& database, std::int64_t key, std::int64_t node, std::int64_t seq, const Event& event);

std::int64_t largestKey(Database& database, std::size_t table, std::int64_t runKey);  // firstKey(runKey): no rows yet
std::int64_t lastSeqOf(Database& database, std::int64_t node);                        // over all tables; 0: none
void deleteRecords(Database& database, std::int64_t runKey);

// Rows of the run with a key > after, in order of arrival; their last key, or `after`.
template <class Record>
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<RecordRow<Record>>& rows);

}  // namespace paceline::store
