#include "storage/store/rows.h"

#include <algorithm>
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

namespace {

// The statements of one table. They live as long as the program: a Database finds them by their address.
struct Table {
  std::string insert, select, largestKey, lastSeq, erase;

  Table(std::string_view name, const std::vector<Column>& columns) {
    const std::string names = namesOf(columns), ofRun = " WHERE key > ?1 AND key < ?2";
    insert = strCat("INSERT INTO ", name, "(key, node, seq, ", names, ") VALUES(", placesFor(columns.size() + 3), ") ON CONFLICT(node, seq) DO NOTHING");
    select = strCat("SELECT e.key, n.id, e.seq, ", namesOf(columns, "e."), " FROM ", name,
                    " e CROSS JOIN node n ON n.key = e.node WHERE e.key > ?1 AND e.key < ?2 ORDER BY e.key");
    largestKey = strCat("SELECT max(key) FROM ", name, ofRun);
    lastSeq = strCat("SELECT max(seq) FROM ", name, " WHERE node = ?1");
    erase = strCat("DELETE FROM ", name, ofRun);
  }
};

template <class Record>
const Table& tableOf() {
  static const Table table(Record::kName.table, columnsOf<Record>());
  return table;
}

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

template <class Record>
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<RecordRow<Record>>& rows) {
  Statement query = database.statement(tableOf<Record>().select.c_str());
  query.bind(std::max(after, firstKey(runKey)), firstKey(runKey + 1));
  std::int64_t last = after;
  while (query.step()) {
    RecordRow<Record>& row = rows.emplace_back();
    query.read(last), query.read(row.node), query.read(row.seq);
    readColumns(query, row.record);
  }
  return last;
}

template std::int64_t selectRecords(Database&, std::int64_t, std::int64_t, std::vector<RoundRow>&);
template std::int64_t selectRecords(Database&, std::int64_t, std::int64_t, std::vector<EvaluationRow>&);
template std::int64_t selectRecords(Database&, std::int64_t, std::int64_t, std::vector<NoticeRow>&);
template std::int64_t selectRecords(Database&, std::int64_t, std::int64_t, std::vector<HostLoadRow>&);
template std::int64_t selectRecords(Database&, std::int64_t, std::int64_t, std::vector<EdgeRow>&);
template std::int64_t selectRecords(Database&, std::int64_t, std::int64_t, std::vector<LabelsRow>&);
template std::int64_t selectRecords(Database&, std::int64_t, std::int64_t, std::vector<MetricRow>&);

namespace {

const std::string& insertRunSql() {
  static const std::vector<Column> columns = columnsOf<RunRow>();
  static const std::string sql = strCat("INSERT INTO run(", namesOf(columns), ") VALUES(", placesFor(columns.size()), ") ON CONFLICT(id) DO NOTHING");
  return sql;
}
const std::string& selectRunsSql() {
  static const std::string sql = strCat("SELECT ", namesOf(columnsOf<RunRow>()), " FROM run ORDER BY created_utc DESC, id DESC");
  return sql;
}
const std::string& insertNodeSql() {
  static const std::vector<Column> columns = columnsOf<NodeRow>();
  static const std::string sql = strCat("INSERT INTO node(run, declared, ", namesOf(columns), ") VALUES(", placesFor(columns.size() + 2), ") ON CONFLICT(run, id) DO NOTHING");
  return sql;
}
const std::string& selectNodesSql() {
  static const std::string sql =
      strCat("SELECT ", namesOf(columnsOf<NodeRow>(), "n."), " FROM node n JOIN run r ON r.key = n.run WHERE r.id = ?1 AND n.declared = 1 ORDER BY n.key");
  return sql;
}
constexpr const char* kRunKey = "SELECT key FROM run WHERE id = ?1";
constexpr const char* kNodeKey = "SELECT key FROM node WHERE run = ?1 AND id = ?2";

std::optional<std::int64_t> keyFrom(Statement& query) {
  return query.step() ? std::optional(query.next<std::int64_t>()) : std::nullopt;
}

void insertNode(Database& database, std::int64_t runKey, const NodeRow& node, bool declared) {
  Statement insert = database.statement(insertNodeSql().c_str());
  insert.bind(runKey, declared);
  bindColumns(insert, node);
  insert.run();
}

}  // namespace

std::int64_t insertRun(Database& database, const RunRow& run, std::span<const NodeRow> nodes) {
  Statement insert = database.statement(insertRunSql().c_str());
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
  std::vector<RunRow> runs;
  Statement query = database.statement(selectRunsSql().c_str());
  while (query.step()) readColumns(query, runs.emplace_back());
  return runs;
}

std::vector<NodeRow> selectNodes(Database& database, const std::string& run) {
  std::vector<NodeRow> nodes;
  Statement query = database.statement(selectNodesSql().c_str());
  query.bind(run);
  while (query.step()) readColumns(query, nodes.emplace_back()), nodes.back().run = run;
  return nodes;
}

}  // namespace paceline::store
