#include "storage/store/rows.h"

#include <array>

#include "engine/core/base/error.h"

namespace paceline::store {

std::string namesOf(const std::vector<Column>& columns, const char* before) {
  std::string names;
  for (const Column& column : columns) names += (names.empty() ? "" : ", ") + std::string(before) + column.name;
  return names;
}

std::string placesFor(std::size_t values) {
  std::string places = "?";
  while (--values > 0) places += ", ?";
  return places;
}

Table::Table(std::string_view name, const std::vector<Column>& columns) {
  const std::string names = namesOf(columns), ofRun = " WHERE key > ?1 AND key < ?2";
  insert = strCat("INSERT INTO ", name, "(key, node, seq, ", names, ") VALUES(", placesFor(columns.size() + 3), ") ON CONFLICT(node, seq) DO NOTHING");
  select = strCat("SELECT key, node, seq, ", names, " FROM ", name, ofRun, " ORDER BY key");
  largestKey = strCat("SELECT max(key) FROM ", name, ofRun);
  lastSeq = strCat("SELECT max(seq) FROM ", name, " WHERE node = ?1");
  erase = strCat("DELETE FROM ", name, ofRun);
}

namespace {

const std::array<const Table*, kRecordTables>& tables() {
  static const auto all = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{&tableOf<std::variant_alternative_t<I, Event>>()...};
  }(std::make_index_sequence<kRecordTables>{});
  return all;
}

}  // namespace

bool insertRecord(Database& database, std::int64_t key, std::int64_t node, std::int64_t seq, const Event& event) {
  std::visit(
      [&]<class Record>(const Record& record) {
        Statement insert = database.statement(tableOf<Record>().insert.c_str());
        insert.bind(key, node, seq);
        bindColumns(insert, record);
        insert.run();
      },
      event);
  return database.changes() > 0;
}

std::int64_t largestKey(Database& database, std::size_t table, std::int64_t runKey) {
  Statement query = database.statement(tables()[table]->largestKey.c_str());
  query.bind(firstKey(runKey), firstKey(runKey + 1));
  const std::int64_t key = query.step() ? query.next<std::int64_t>() : 0;  // no rows: max is NULL, read as 0
  return std::max(key, firstKey(runKey));
}

std::int64_t lastSeqOf(Database& database, std::int64_t node) {
  std::int64_t last = 0;
  for (const Table* table : tables()) {
    Statement query = database.statement(table->lastSeq.c_str());
    if (query.bind(node).step()) last = std::max(last, query.next<std::int64_t>());
  }
  return last;
}

void deleteRecords(Database& database, std::int64_t runKey) {
  for (const Table* table : tables()) database.statement(table->erase.c_str()).bind(firstKey(runKey), firstKey(runKey + 1)).run();
}

namespace {

// Of a row of described columns behind those named `before`, unless there is one with this `key`.
template <class Row>
std::string insertSql(std::string_view table, std::string_view before, std::size_t countBefore, std::string_view key) {
  const std::vector<Column> columns = columnsOf<Row>();
  return strCat("INSERT INTO ", table, "(", before, namesOf(columns), ") VALUES(", placesFor(columns.size() + countBefore), ") ON CONFLICT(", key, ") DO NOTHING");
}

constexpr const char* kRunKey = "SELECT key FROM run WHERE id = ?1";
constexpr const char* kSelectRunNames = "SELECT id, name, trashed FROM run ORDER BY created_utc DESC, id DESC";
constexpr const char* kSelectNodeIds = "SELECT key, id FROM node WHERE run = ?1";
constexpr const char* kNodeKey = "SELECT key FROM node WHERE run = ?1 AND id = ?2";
constexpr const char* kSelectQueue = R"(
SELECT entry, position, kind, run, spec, name, suite, resumed_from, now, begun, held, boot, context, submitted_utc
FROM queue ORDER BY position, entry
)";
constexpr const char* kInsertQueue = R"(
INSERT INTO queue(position, kind, run, spec, name, suite, resumed_from, now, begun, held, boot, context, submitted_utc)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
)";
constexpr const char* kUpdateQueue = "UPDATE queue SET position = ?2, now = ?3, begun = ?4, held = ?5, boot = ?6 WHERE entry = ?1";

std::optional<std::int64_t> keyFrom(Statement& query) {
  return query.step() ? std::optional(query.next<std::int64_t>()) : std::nullopt;
}

void insertNode(Database& database, std::int64_t runKey, const NodeRow& node, bool declared) {
  static const std::string sql = insertSql<NodeRow>("node", "run, declared, ", 2, "run, id");
  Statement insert = database.statement(sql.c_str());
  insert.bind(runKey, declared);
  bindColumns(insert, node);
  insert.run();
}

}  // namespace

std::int64_t insertRun(Database& database, const RunRow& run, std::span<const NodeRow> nodes) {
  static const std::string sql = insertSql<RunRow>("run", "", 0, "id");
  Statement insert = database.statement(sql.c_str());
  bindColumns(insert, run);
  insert.run();
  if (database.changes() == 0) throw Error(Errc::kStore, strCat(database.path(), ": run ", run.id, " is already in this store"));
  const std::int64_t key = runKeyOf(database, run.id).value();
  for (const NodeRow& node : nodes) {
    insertNode(database, key, node, true);
    if (database.changes() == 0)
      throw Error(Errc::kStore, strCat(database.path(), ": run ", run.id, ": two nodes are named ", node.id));
  }
  return key;
}

std::int64_t insertUndeclaredNode(Database& database, std::int64_t runKey, const std::string& id) {
  insertNode(database, runKey, {.run = "", .id = id, .role = "", .host = "", .device = ""}, false);
  return nodeKeyOf(database, runKey, id).value();
}

std::optional<std::int64_t> runKeyOf(Database& database, const std::string& id) {
  Statement query = database.statement(kRunKey);
  return keyFrom(query.bind(id));
}

std::optional<std::int64_t> nodeKeyOf(Database& database, std::int64_t runKey, const std::string& id) {
  Statement query = database.statement(kNodeKey);
  return keyFrom(query.bind(runKey, id));
}

std::vector<RunRow> selectRuns(Database& database) {
  static const std::string sql = strCat("SELECT ", namesOf(columnsOf<RunRow>()), " FROM run ORDER BY created_utc DESC, id DESC");
  std::vector<RunRow> runs;
  Statement query = database.statement(sql.c_str());
  while (query.step()) readColumns(query, runs.emplace_back());
  return runs;
}

std::optional<RunRow> selectRun(Database& database, const std::string& id) {
  static const std::string sql = strCat("SELECT ", namesOf(columnsOf<RunRow>()), " FROM run WHERE id = ?1");
  Statement query = database.statement(sql.c_str());
  if (!query.bind(id).step()) return std::nullopt;
  RunRow run;
  readColumns(query, run);
  return run;
}

std::vector<RunName> selectRunNames(Database& database) {
  std::vector<RunName> runs;
  Statement query = database.statement(kSelectRunNames);
  while (query.step()) {
    RunName& run = runs.emplace_back();
    query.readNext(run.id, run.name, run.trashed);
  }
  return runs;
}

std::map<std::int64_t, std::string> selectNodeIds(Database& database, std::int64_t runKey) {
  std::map<std::int64_t, std::string> ids;
  Statement query = database.statement(kSelectNodeIds);
  query.bind(runKey);
  while (query.step()) {
    const auto key = query.next<std::int64_t>();
    query.read(ids[key]);
  }
  return ids;
}

std::vector<NodeRow> selectNodes(Database& database, const std::string& run) {
  static const std::string sql =
      strCat("SELECT ", namesOf(columnsOf<NodeRow>(), "n."), " FROM node n JOIN run r ON r.key = n.run WHERE r.id = ?1 AND n.declared = 1 ORDER BY n.key");
  std::vector<NodeRow> nodes;
  Statement query = database.statement(sql.c_str());
  query.bind(run);
  while (query.step()) readColumns(query, nodes.emplace_back()), nodes.back().run = run;
  return nodes;
}

std::vector<QueueRow> selectQueue(Database& database) {
  std::vector<QueueRow> rows;
  Statement query = database.statement(kSelectQueue);
  while (query.step()) {
    QueueRow& row = rows.emplace_back();
    query.readNext(row.entry, row.position, row.kind, row.run, row.specText, row.name, row.suite, row.resumedFrom, row.now, row.begun, row.held, row.boot,
                   row.context, row.submittedUtc);
  }
  return rows;
}

std::int64_t insertQueue(Database& database, const QueueRow& row) {
  database.statement(kInsertQueue)
      .bind(row.position, row.kind, row.run, row.specText, row.name, row.suite, row.resumedFrom, row.now, row.begun, row.held, row.boot, row.context,
            row.submittedUtc)
      .run();
  return database.number("SELECT last_insert_rowid()");
}

void updateQueue(Database& database, const QueueRow& row) {
  database.statement(kUpdateQueue).bind(row.entry, row.position, row.now, row.begun, row.held, row.boot).run();
}

void deleteQueue(Database& database, std::int64_t entry) { database.statement("DELETE FROM queue WHERE entry = ?1").bind(entry).run(); }

}  // namespace paceline::store
