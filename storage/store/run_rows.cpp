#include "storage/store/run_rows.h"

#include "engine/core/base/error.h"
#include "storage/store/columns.h"

namespace paceline::store {
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
