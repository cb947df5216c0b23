// Rows of run and node <-> values. Private to storage.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/store/records.h"
#include "storage/store/sqlite.h"

namespace paceline::store {

// Writes run and nodes; the run's key. Error{kStore} when the id is taken.
std::int64_t insertRun(Database& database, const RunRow& run, std::span<const NodeRow> nodes);
// A node that only a record names.
std::int64_t insertUndeclaredNode(Database& database, std::int64_t runKey, const std::string& id);

std::optional<std::int64_t> runKeyOf(Database& database, const std::string& id);
std::optional<std::int64_t> nodeKeyOf(Database& database, std::int64_t runKey, const std::string& id);

// As written: nobody has looked whether the recorder lives. Newest first.
std::vector<RunRow> selectRuns(Database& database);
std::vector<NodeRow> selectNodes(Database& database, const std::string& run);

}  // namespace paceline::store
