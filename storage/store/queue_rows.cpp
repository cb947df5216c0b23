#include "storage/store/queue_rows.h"

#include "storage/store/sqlite.h"

namespace paceline::store {
namespace {

constexpr const char* kSelect = R"(
SELECT entry, position, kind, run, spec, name, suite, resumed_from, now, begun, held, boot, context, submitted_utc
FROM queue ORDER BY position, entry
)";
constexpr const char* kInsert = R"(
INSERT INTO queue(position, kind, run, spec, name, suite, resumed_from, now, begun, held, boot, context, submitted_utc)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
)";
constexpr const char* kUpdate = "UPDATE queue SET position = ?2, now = ?3, begun = ?4, held = ?5, boot = ?6 WHERE entry = ?1";
constexpr const char* kDelete = "DELETE FROM queue WHERE entry = ?1";

}  // namespace

std::vector<QueueRow> selectQueue(Database& database) {
  std::vector<QueueRow> rows;
  Statement query = database.statement(kSelect);
  while (query.step()) {
    QueueRow& row = rows.emplace_back();
    query.read(row.entry), query.read(row.position), query.read(row.kind), query.read(row.run), query.read(row.specText);
    query.read(row.name), query.read(row.suite), query.read(row.resumedFrom);
    query.read(row.now), query.read(row.begun), query.read(row.held);
    query.read(row.boot), query.read(row.context), query.read(row.submittedUtc);
  }
  return rows;
}

std::int64_t insertQueue(Database& database, const QueueRow& row) {
  database.statement(kInsert)
      .bind(row.position, row.kind, row.run, row.specText, row.name, row.suite, row.resumedFrom, row.now, row.begun, row.held, row.boot, row.context,
            row.submittedUtc)
      .run();
  return database.number("SELECT last_insert_rowid()");
}

void updateQueue(Database& database, const QueueRow& row) {
  database.statement(kUpdate).bind(row.entry, row.position, row.now, row.begun, row.held, row.boot).run();
}

void deleteQueue(Database& database, std::int64_t entry) { database.statement(kDelete).bind(entry).run(); }

}  // namespace paceline::store
