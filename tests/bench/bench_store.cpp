// Event ingest into the store over SQLite alone: the same rows into an equal table by statements of many rows, the fastest way that it has.
#include <string>
#include <vector>

#include <sqlite3.h>

#include "engine/core/base/error.h"
#include "storage/store/store.h"
#include "tests/bench/bench.h"
#include "tests/bench/temp_folder.h"

namespace paceline::bench {
namespace {

constexpr int kRows = 100'000, kBatch = 500, kWorkers = 4;
constexpr int kRowsAStatement = 50, kColumns = 26;  // columns behind that of the run

RoundRecord recordOf(int i) {
  RoundRecord r;
  r.round = i + 1;
  r.t = i * 0.05;
  r.fetch = 0.0009 + i * 1e-9, r.compute = 0.0274, r.update = 0.0036, r.send = 0.001, r.wait = 0.01, r.receive = 0.002, r.query = 0.0031;
  r.total = 0.05;
  r.localSteps = 3, r.samples = 192;
  r.bytesSent = 1'724'320, r.bytesReceived = 1'724'320, r.messagesSent = 2, r.messagesReceived = 2;
  r.staleness = 1.5, r.loss = 2.3 - i * 1e-6, r.learningRate = 0.05;
  r.longestWaitFor = "w0", r.longestWait = 0.01, r.exchangeBegan = r.t - 0.02, r.exchangeEnded = r.t - 0.005;
  return r;
}

void check(int code, sqlite3* db) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) throw Error(Errc::kStore, sqlite3_errmsg(db));
}

double rawSeconds(const std::string& file) {
  sqlite3* db = nullptr;
  check(sqlite3_open(file.c_str(), &db), db);
  check(sqlite3_exec(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                         "CREATE TABLE round (run INTEGER, node INTEGER, seq INTEGER, a REAL, b REAL, c REAL, d REAL, e REAL, f REAL, g REAL, h REAL, i REAL,"
                         " j INTEGER, k INTEGER, l INTEGER, m INTEGER, n INTEGER, o INTEGER, p REAL, q REAL, r REAL, s REAL, t INTEGER, u TEXT, v REAL, w REAL, x REAL,"
                         " PRIMARY KEY (run, node, seq))", nullptr, nullptr, nullptr), db);
  std::string sql = "INSERT OR IGNORE INTO round VALUES ", places = "(1";
  for (int column = 0; column < kColumns; ++column) places += ",?";
  for (int i = 0; i < kRowsAStatement; ++i) sql += strCat(i == 0 ? "" : ",", places, ")");
  sqlite3_stmt* insert = nullptr;
  check(sqlite3_prepare_v2(db, sql.c_str(), -1, &insert, nullptr), db);
  const double began = secondsNow();
  for (int row = 0, at = 1; row < kRows;) {
    check(sqlite3_exec(db, "BEGIN", nullptr, nullptr, nullptr), db);
    for (int end = row + kBatch; row < end;) {
      const RoundRecord r = recordOf(row / kWorkers);
      sqlite3_bind_int(insert, at++, row % kWorkers);
      sqlite3_bind_int(insert, at++, row / kWorkers + 1);
      for (const double value : {r.t, r.fetch, r.compute, r.update, r.send, r.wait, r.receive, r.query, r.evaluate}) sqlite3_bind_double(insert, at++, value);
      for (const std::int64_t value : {r.localSteps, r.samples, r.bytesSent, r.bytesReceived, r.messagesSent, r.messagesReceived}) sqlite3_bind_int64(insert, at++, value);
      for (const double value : {r.staleness, r.loss, r.learningRate, r.total}) sqlite3_bind_double(insert, at++, value);
      sqlite3_bind_int64(insert, at++, r.round);
      sqlite3_bind_text(insert, at++, "w0", 2, SQLITE_STATIC);
      for (const std::optional<double>& value : {r.longestWait, r.exchangeBegan, r.exchangeEnded}) sqlite3_bind_double(insert, at++, *value);
      if (++row % kRowsAStatement != 0) continue;
      check(sqlite3_step(insert), db);
      sqlite3_reset(insert);
      at = 1;
    }
    check(sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr), db);
  }
  const double seconds = secondsNow() - began;
  sqlite3_finalize(insert);
  sqlite3_close(db);
  return seconds;
}

double storeSeconds(const std::string& file) {
  store::StoreWriter store(file);
  store::RunRow run;
  run.id = store::newRunId();
  run.name = "bench";
  std::vector<store::NodeRow> nodes;
  for (int i = 0; i < kWorkers; ++i) nodes.push_back({.run = run.id, .id = strCat("w", i), .role = "worker", .host = "local", .device = "cpu", .rank = i});
  store.createRun(run, nodes);
  std::vector<StampedEvent> batch;
  const double began = secondsNow();
  for (int row = 0; row < kRows;) {
    batch.clear();
    for (int end = row + kBatch; row < end; ++row)
      batch.push_back({run.id, nodes[static_cast<std::size_t>(row % kWorkers)].id, row / kWorkers + 1, recordOf(row / kWorkers)});
    store.append(batch);
  }
  return secondsNow() - began;
}

}  // namespace

Result ingestVsSqlite() {
  const TempFolder folder{};
  std::vector<double> ratios, ours, raw;
  for (int turn = 0; turn < 3; ++turn) {
    raw.push_back(kRows / rawSeconds(strCat(folder.path, "/raw", turn, ".db")));
    ours.push_back(kRows / storeSeconds(strCat(folder.path, "/store", turn, ".db")));
    ratios.push_back(ours.back() / raw.back());
  }
  return {.id = "ingest_vs_sqlite", .value = median(ratios), .target = 0.4,
          .note = "100 000 round rows of 4 workers, 500 a transaction: StoreWriter::append over SQLite's VALUES of 50 rows a statement, rows/s, median of 3",
          .inputs = {{"store_rows_per_s", median(ours)}, {"sqlite_rows_per_s", median(raw)}}};
}

}  // namespace paceline::bench
