#include "storage/store/run_rows.h"

#include <bit>

#include "engine/core/base/error.h"
#include "engine/core/json/json_number.h"

namespace paceline::store {
namespace {

constexpr const char* kInsertRun = R"(
INSERT INTO run(id, name, state, error, reason, spec, algorithm, model, dataset, partition, seed, config_hash, group_hash, tags,
                notes, created_utc, started_utc, ended_utc, source, trashed, owner_pid, owner_start, versions)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)
ON CONFLICT(id) DO NOTHING
)";
constexpr const char* kSelectRuns = R"(
SELECT id, name, state, error, reason, spec, algorithm, model, dataset, partition, seed, config_hash, group_hash, tags, notes,
       created_utc, started_utc, ended_utc, source, trashed, owner_pid, owner_start, versions
FROM run ORDER BY created_utc DESC, id DESC
)";
constexpr const char* kRunKey = "SELECT key FROM run WHERE id = ?1";
constexpr const char* kInsertNode =
    "INSERT INTO node(run, id, role, host, device, rank, declared) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(run, id) DO "
    "NOTHING";
constexpr const char* kNodeKey = "SELECT key FROM node WHERE run = ?1 AND id = ?2";
constexpr const char* kSelectNodes = R"(
SELECT n.id, n.role, n.host, n.device, n.rank FROM node n JOIN run r ON r.key = n.run
WHERE r.id = ?1 AND n.declared = 1 ORDER BY n.key
)";

std::optional<std::int64_t> keyFrom(Statement& query) {
  return query.step() ? std::optional(query.next<std::int64_t>()) : std::nullopt;
}

}  // namespace

std::int64_t insertRun(Database& database, const RunRow& run, std::span<const NodeRow> nodes) {
  Statement insert = database.statement(kInsertRun);
  const std::string tags = tagsToText(run.tags);
  insert.bind(run.id, run.name, stateName(run.state), run.error, run.reason, run.specText, run.algorithm, run.model, run.dataset,
              run.partition, std::bit_cast<std::int64_t>(run.seed), run.configHash, run.groupHash, tags, run.notes,
              run.createdUtc, run.startedUtc, run.endedUtc, run.source, run.trashed, run.ownerPid, run.ownerStart, run.versions);
  insert.run();
  if (database.changes() == 0) throw Error(Errc::kStore, strCat(database.path(), ": run ", run.id, " is already in this store"));
  const std::int64_t key = runKeyOf(database, run.id).value();
  for (const NodeRow& node : nodes) {
    database.statement(kInsertNode).bind(key, node.id, node.role, node.host, node.device, node.rank, true).run();
    if (database.changes() == 0)
      throw Error(Errc::kStore, strCat(database.path(), ": run ", run.id, ": two nodes are named ", node.id));
  }
  return key;
}

std::int64_t insertUndeclaredNode(Database& database, std::int64_t runKey, const std::string& id) {
  database.statement(kInsertNode).bind(runKey, id, "", "", "", -1, false).run();
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
  Statement query = database.statement(kSelectRuns);
  while (query.step()) {
    RunRow& run = runs.emplace_back();
    query.read(run.id), query.read(run.name);
    run.state = stateFromName(query.next<std::string>()).value_or(RunState::kStale);
    query.read(run.error), query.read(run.reason), query.read(run.specText);
    query.read(run.algorithm), query.read(run.model), query.read(run.dataset), query.read(run.partition);
    run.seed = std::bit_cast<std::uint64_t>(query.next<std::int64_t>());
    query.read(run.configHash), query.read(run.groupHash);
    run.tags = tagsFromText(query.next<std::string>());
    query.read(run.notes), query.read(run.createdUtc), query.read(run.startedUtc), query.read(run.endedUtc);
    query.read(run.source), query.read(run.trashed), query.read(run.ownerPid), query.read(run.ownerStart),
        query.read(run.versions);
  }
  return runs;
}

std::vector<NodeRow> selectNodes(Database& database, const std::string& run) {
  std::vector<NodeRow> nodes;
  Statement query = database.statement(kSelectNodes);
  query.bind(run);
  while (query.step()) {
    NodeRow& node = nodes.emplace_back();
    node.run = run;
    query.read(node.id), query.read(node.role), query.read(node.host), query.read(node.device), query.read(node.rank);
  }
  return nodes;
}

std::string tagsToText(const std::vector<std::string>& tags) {
  return Json(tags).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string> tagsFromText(const std::string& text) {
  std::vector<std::string> tags;
  const Json list = Json::parse(text, nullptr, false);
  for (const Json& tag : list.is_array() ? list : Json::array())
    if (tag.is_string()) tags.push_back(tag.get<std::string>());
  return tags;
}

}  // namespace paceline::store
