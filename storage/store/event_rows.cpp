#include "storage/store/event_rows.h"

#include <algorithm>
#include <array>

#include "engine/core/base/error.h"
#include "storage/store/columns.h"

namespace paceline::store {
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

}  // namespace paceline::store
