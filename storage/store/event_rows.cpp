#include "storage/store/event_rows.h"

#include <algorithm>
#include <array>

namespace paceline::store {
namespace {

template <class Record>
struct Table;

// The columns of a record after (key, node, seq) in the order of insert and select; `Record` is const when they are bound.
template <>
struct Table<RoundRecord> {
  static constexpr const char* kInsert = R"(
INSERT INTO round(key, node, seq, round, t_s, fetch_s, compute_s, update_s, send_s, wait_s, receive_s, query_s, evaluate_s,
                  total_s, local_steps, samples, bytes_sent, bytes_received, messages_sent, messages_received, staleness, loss,
                  learning_rate, kept)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)
ON CONFLICT(node, seq) DO NOTHING
)";
  static constexpr const char* kSelect = R"(
SELECT e.key, n.id, e.seq, round, t_s, fetch_s, compute_s, update_s, send_s, wait_s, receive_s, query_s, evaluate_s, total_s,
       local_steps, samples, bytes_sent, bytes_received, messages_sent, messages_received, staleness, loss, learning_rate, kept
FROM round e CROSS JOIN node n ON n.key = e.node WHERE e.key > ?1 AND e.key < ?2 ORDER BY e.key
)";
  template <class Record, class Visit>
  static void columns(Record& r, Visit&& visit) {
    visit(r.round), visit(r.t), visit(r.fetch), visit(r.compute), visit(r.update), visit(r.send), visit(r.wait), visit(r.receive);
    visit(r.query), visit(r.evaluate), visit(r.total), visit(r.localSteps), visit(r.samples), visit(r.bytesSent);
    visit(r.bytesReceived), visit(r.messagesSent), visit(r.messagesReceived), visit(r.staleness), visit(r.loss);
    visit(r.learningRate), visit(r.kept);
  }
};

template <>
struct Table<EvaluationRecord> {
  static constexpr const char* kInsert = R"(
INSERT INTO evaluation(key, node, seq, round, t_s, accuracy, loss, samples, evaluate_s, of, consensus)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
ON CONFLICT(node, seq) DO NOTHING
)";
  static constexpr const char* kSelect = R"(
SELECT e.key, n.id, e.seq, round, t_s, accuracy, loss, samples, evaluate_s, of, consensus
FROM evaluation e CROSS JOIN node n ON n.key = e.node WHERE e.key > ?1 AND e.key < ?2 ORDER BY e.key
)";
  template <class Record, class Visit>
  static void columns(Record& r, Visit&& visit) {
    visit(r.round), visit(r.t), visit(r.accuracy), visit(r.loss), visit(r.samples), visit(r.seconds);
    visit(r.of), visit(r.consensus);
  }
};

template <>
struct Table<NoticeRecord> {
  static constexpr const char* kInsert = R"(
INSERT INTO event(key, node, seq, kind, text, level, reason, code, unix_s) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT(node, seq) DO NOTHING
)";
  static constexpr const char* kSelect = R"(
SELECT e.key, n.id, e.seq, kind, text, level, reason, code, unix_s
FROM event e CROSS JOIN node n ON n.key = e.node WHERE e.key > ?1 AND e.key < ?2 ORDER BY e.key
)";
  template <class Record, class Visit>
  static void columns(Record& r, Visit&& visit) {
    visit(r.kind), visit(r.text), visit(r.level), visit(r.reason), visit(r.code), visit(r.unixTime);
  }
};

template <>
struct Table<HostLoad> {
  static constexpr const char* kInsert = R"(
INSERT INTO host_load(key, node, seq, unix_s, cpu, memory_used_bytes, memory_total_bytes, network_sent_bytes,
                      network_received_bytes)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT(node, seq) DO NOTHING
)";
  static constexpr const char* kSelect = R"(
SELECT e.key, n.id, e.seq, unix_s, cpu, memory_used_bytes, memory_total_bytes, network_sent_bytes, network_received_bytes
FROM host_load e CROSS JOIN node n ON n.key = e.node WHERE e.key > ?1 AND e.key < ?2 ORDER BY e.key
)";
  template <class Record, class Visit>
  static void columns(Record& r, Visit&& visit) {
    visit(r.t), visit(r.cpu), visit(r.memoryUsedBytes), visit(r.memoryTotalBytes), visit(r.networkSentBytes);
    visit(r.networkReceivedBytes);
  }
};

template <>
struct Table<EdgeRecord> {
  static constexpr const char* kInsert = R"(
INSERT INTO edge(key, node, seq, round, t_s, peer, exchanges, age, bytes_sent, bytes_received, lost)
VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
ON CONFLICT(node, seq) DO NOTHING
)";
  static constexpr const char* kSelect = R"(
SELECT e.key, n.id, e.seq, round, t_s, peer, exchanges, age, bytes_sent, bytes_received, lost
FROM edge e CROSS JOIN node n ON n.key = e.node WHERE e.key > ?1 AND e.key < ?2 ORDER BY e.key
)";
  template <class Record, class Visit>
  static void columns(Record& r, Visit&& visit) {
    visit(r.round), visit(r.t), visit(r.peer), visit(r.exchanges), visit(r.age), visit(r.bytesSent), visit(r.bytesReceived);
    visit(r.lost);
  }
};

template <>
struct Table<LabelsRecord> {
  static constexpr const char* kInsert = "INSERT INTO labels(key, node, seq, counts) VALUES(?1, ?2, ?3, ?4) ON CONFLICT(node, seq) DO NOTHING";
  static constexpr const char* kSelect = R"(
SELECT e.key, n.id, e.seq, counts
FROM labels e CROSS JOIN node n ON n.key = e.node WHERE e.key > ?1 AND e.key < ?2 ORDER BY e.key
)";
  template <class Record, class Visit>
  static void columns(Record& r, Visit&& visit) {
    visit(r.counts);
  }
};

constexpr std::array<const char*, kRecordTables> kLargestKey = {
    "SELECT max(key) FROM round WHERE key > ?1 AND key < ?2", "SELECT max(key) FROM evaluation WHERE key > ?1 AND key < ?2",
    "SELECT max(key) FROM host_load WHERE key > ?1 AND key < ?2", "SELECT max(key) FROM event WHERE key > ?1 AND key < ?2",
    "SELECT max(key) FROM edge WHERE key > ?1 AND key < ?2", "SELECT max(key) FROM labels WHERE key > ?1 AND key < ?2"};
constexpr std::array<const char*, kRecordTables> kLastSeq = {
    "SELECT max(seq) FROM round WHERE node = ?1", "SELECT max(seq) FROM evaluation WHERE node = ?1",
    "SELECT max(seq) FROM host_load WHERE node = ?1", "SELECT max(seq) FROM event WHERE node = ?1",
    "SELECT max(seq) FROM edge WHERE node = ?1", "SELECT max(seq) FROM labels WHERE node = ?1"};
constexpr std::array<const char*, kRecordTables> kDelete = {
    "DELETE FROM round WHERE key > ?1 AND key < ?2", "DELETE FROM evaluation WHERE key > ?1 AND key < ?2",
    "DELETE FROM host_load WHERE key > ?1 AND key < ?2", "DELETE FROM event WHERE key > ?1 AND key < ?2",
    "DELETE FROM edge WHERE key > ?1 AND key < ?2", "DELETE FROM labels WHERE key > ?1 AND key < ?2"};

template <class Row>
std::int64_t select(Database& database, std::int64_t runKey, std::int64_t after, std::vector<Row>& rows) {
  using Columns = Table<decltype(Row::record)>;
  Statement query = database.statement(Columns::kSelect);
  query.bind(std::max(after, firstKey(runKey)), firstKey(runKey + 1));
  std::int64_t last = after;
  while (query.step()) {
    Row& row = rows.emplace_back();
    query.read(last), query.read(row.node), query.read(row.seq);
    Columns::columns(row.record, [&](auto& value) { query.read(value); });
  }
  return last;
}

}  // namespace

bool insertRecord(Database& database, std::int64_t key, std::int64_t node, std::int64_t seq, const Event& event) {
  std::visit(
      [&]<class Record>(const Record& record) {
        Statement insert = database.statement(Table<Record>::kInsert);
        insert.bind(key, node, seq);
        Table<Record>::columns(record, [&](const auto& value) { insert.bindNext(value); });
        insert.run();
      },
      event);
  return database.changes() > 0;
}

std::int64_t largestKey(Database& database, RecordTable table, std::int64_t runKey) {
  Statement query = database.statement(kLargestKey[static_cast<std::size_t>(table)]);
  query.bind(firstKey(runKey), firstKey(runKey + 1));
  const std::int64_t key = query.step() ? query.next<std::int64_t>() : 0;  // no rows: max is NULL, read as 0
  return std::max(key, firstKey(runKey));
}

std::int64_t lastSeqOf(Database& database, std::int64_t node) {
  std::int64_t last = 0;
  for (const char* sql : kLastSeq) {
    Statement query = database.statement(sql);
    if (query.bind(node).step()) last = std::max(last, query.next<std::int64_t>());
  }
  return last;
}

void deleteRecords(Database& database, std::int64_t runKey) {
  for (const char* sql : kDelete) database.statement(sql).bind(firstKey(runKey), firstKey(runKey + 1)).run();
}

std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<RoundRow>& rows) {
  return select(database, runKey, after, rows);
}
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<EvaluationRow>& rows) {
  return select(database, runKey, after, rows);
}
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<NoticeRow>& rows) {
  return select(database, runKey, after, rows);
}
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<HostLoadRow>& rows) {
  return select(database, runKey, after, rows);
}
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<EdgeRow>& rows) {
  return select(database, runKey, after, rows);
}
std::int64_t selectRecords(Database& database, std::int64_t runKey, std::int64_t after, std::vector<LabelsRow>& rows) {
  return select(database, runKey, after, rows);
}

}  // namespace paceline::store
