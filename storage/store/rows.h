// Columns of a described type, and its values to and from them. Private to storage and its tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/json/describe.h"
#include "storage/store/records.h"
#include "storage/store/sqlite.h"

namespace paceline::store {

struct Column {
  std::string name;
  std::string_view type;  // as in CREATE TABLE
  bool notNull = true;
  bool operator==(const Column&) const = default;
};

template <class Value>
constexpr std::string_view columnType() {
  if (std::same_as<Value, double> || std::same_as<Value, std::optional<double>>) return "REAL";
  return std::integral<Value> ? "INTEGER" : "TEXT";  // texts; a state by its name, a list as a JSON array
}

template <class T>
std::vector<Column> columnsOf() {
  std::vector<Column> found;
  const T fresh{};
  describe([&]<class Value>(const Field& field, const Value&) {
    found.push_back({std::string(field.key), columnType<Value>(), !std::same_as<Value, std::optional<double>>});
  }, fresh);
  return found;
}

std::string namesOf(const std::vector<Column>& columns, const char* before = "");  // "a, b, c"
std::string placesFor(std::size_t values);  // "?, ?, ?"

template <class T>
void bindColumns(Statement& statement, const T& value) {
  describe([&](const Field&, const auto& member) { statement.bindNext(member); }, value);
}

template <class T>
void readColumns(Statement& statement, T& value) {
  describe([&](const Field&, auto& member) { statement.read(member); }, value);
}

// Records <-> rows of their tables, which share one plan: key, node, seq and what the record's type describes. Private to storage.
inline constexpr std::size_t kRecordTables = std::variant_size_v<Event>;  // in the order of its alternatives

// Keys of a run's records: (firstKey, firstKey + 2^32).
inline constexpr std::int64_t firstKey(std::int64_t runKey) { return runKey << 32; }

// The statements of one table of records. They live as long as the program: a Database finds them by their address.
struct Table {
  Table(std::string_view name, const std::vector<Column>& columns);
  std::string insert, select, largestKey, lastSeq, erase;
};

template <class Record>
const Table& tableOf() {
  static const Table table(Record::kName.table, columnsOf<Record>());
  return table;
}

// False: (node, seq) was there already.
bool insertRecord(Database& database, std::int64_t key, std::int64_t node, std::int64_t seq, const Event& event);

std::int64_t largestKey(Database& database, std::size_t table, std::int64_t runKey);  // firstKey(runKey): no rows yet
std::int64_t lastSeqOf(Database& database, std::int64_t node);                        // over all tables; 0: none
void deleteRecords(Database& database, std::int64_t runKey);

std::map<std::int64_t, std::string> selectNodeIds(Database& database, std::int64_t runKey);  // by key

// Rows of the run with a key > after, in order of arrival; their last key, or `after`.
template <class Record>
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<RecordRow<Record>>& rows) {
  Statement query = database.statement(tableOf<Record>().select.c_str());
  query.bind(std::max(after, firstKey(runKey)), firstKey(runKey + 1));
  std::map<std::int64_t, std::string> ids;  // asked for once: rows of a node are many
  std::int64_t last = after, node = 0;
  while (query.step()) {
    RecordRow<Record>& row = rows.emplace_back();
    query.readNext(last, node, row.seq);
    if (!ids.contains(node)) ids = selectNodeIds(database, runKey);
    row.node = ids[node];
    readColumns(query, row.record);
  }
  return last;
}

// Rows of run and node <-> values. Private to storage.
// Writes run and nodes; the run's key. Error{kStore} when the id is taken.
std::int64_t insertRun(Database& database, const RunRow& run, std::span<const NodeRow> nodes);
// A node that only a record names.
std::int64_t insertUndeclaredNode(Database& database, std::int64_t runKey, const std::string& id);

std::optional<std::int64_t> runKeyOf(Database& database, const std::string& id);
std::optional<std::int64_t> nodeKeyOf(Database& database, std::int64_t runKey, const std::string& id);

// As written: nobody has looked whether the recorder lives. Newest first.
std::vector<RunRow> selectRuns(Database& database);
std::optional<RunRow> selectRun(Database& database, const std::string& id);
struct RunName {
  std::string id, name;
  bool trashed = false;
};
std::vector<RunName> selectRunNames(Database& database);  // newest first
std::vector<NodeRow> selectNodes(Database& database, const std::string& run);

std::vector<QueueRow> selectQueue(Database& database);            // by position
std::int64_t insertQueue(Database& database, const QueueRow& row);  // its entry
void updateQueue(Database& database, const QueueRow& row);        // position, now, begun, held, boot
void deleteQueue(Database& database, std::int64_t entry);

}  // namespace paceline::store
