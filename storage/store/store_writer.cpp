#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unordered_map>

#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "engine/core/record/dates.h"
#include "storage/store/kept_rows.h"
#include "storage/store/levels.h"
#include "storage/store/owner.h"
#include "storage/store/place.h"
#include "storage/store/rows.h"
#include "storage/store/schema.h"
#include "storage/store/store.h"
#include "storage/store/searches.h"
#include "storage/store/suites.h"

namespace paceline::store {
namespace {

constexpr const char* kSetState = R"(
UPDATE run SET state = ?2, error = ?3, reason = CASE WHEN ?4 = '' THEN reason ELSE ?4 END,
  started_utc = CASE WHEN ?5 AND started_utc = 0 THEN ?7 ELSE started_utc END,
  ended_utc = CASE WHEN NOT ?6 THEN 0 WHEN ended_utc > 0 THEN ended_utc ELSE ?7 END
WHERE id = ?1
)";
constexpr const char* kSetTimes = R"(
UPDATE run SET started_utc = CASE WHEN ?2 > 0 THEN ?2 ELSE started_utc END, ended_utc = CASE WHEN ?3 > 0 THEN ?3 ELSE ended_utc END WHERE id = ?1
)";
constexpr const char* kAdopt = "UPDATE run SET owner_pid = ?2, owner_start = ?3 WHERE id = ?1";
constexpr const char* kBeginAgain =
    "UPDATE run SET state = ?2, owner_pid = ?3, owner_start = ?4, error = '', reason = '', started_utc = 0, ended_utc = 0 WHERE id = ?1";
constexpr const char* kSetVersions = "UPDATE run SET versions = ?2 WHERE id = ?1";
constexpr const char* kSelectVersions = "SELECT versions FROM run WHERE id = ?1";
constexpr const char* kSetText = "UPDATE run SET name = ?2, notes = ?3, tags = ?4 WHERE id = ?1";
constexpr const char* kSetTrashed = "UPDATE run SET trashed = ?2 WHERE id = ?1";
constexpr const char* kSelectLife = "SELECT state, trashed, owner_pid, owner_start FROM run WHERE id = ?1";
constexpr const char* kDeleteNodes = "DELETE FROM node WHERE run = ?1";
constexpr const char* kDeleteRun = "DELETE FROM run WHERE key = ?1";

// What append() remembers of a run, so that a record costs one insert and no look-up.
struct OpenRun {
  std::int64_t key = 0;
  bool summarised = false;
  std::array<std::int64_t, kRecordTables> nextKey{};
  std::unordered_map<std::string, std::int64_t> nodes;
  std::unordered_map<std::int64_t, RoundLevels> levels;  // by node
};

// What is committed while this lives, and all that was committed before, is on the disk when the commit returns: a power cut loses none of it.
class Durable {
 public:
  Durable(Database& database, bool wanted) : database_(database), wanted_(wanted) {
    if (wanted_) database_.execute("PRAGMA synchronous = FULL");
  }
  ~Durable() {
    try {
      if (wanted_) database_.execute("PRAGMA synchronous = NORMAL");
    } catch (const Error&) {  // later commits are durable too, and slower
    }
  }
  Durable(const Durable&) = delete;
  Durable& operator=(const Durable&) = delete;

 private:
  Database& database_;
  bool wanted_;
};

void makeFolder(const std::string& path) {
  const std::string folder = disk::folderOf(path);
  if (disk::makeFolders(folder) != 0) {
    if (errno == ENOSPC || errno == EDQUOT) throw Error(Errc::kNoSpace, strCat(folder, ": no space left"));
    throw Error(Errc::kStore, strCat(folder, ": the folder cannot be made: ", std::strerror(errno)));
  }
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw Error(Errc::kStore, strCat(path, ": is a folder, not a store"));
}

}  // namespace

struct StoreWriter::Impl {
  std::string path;
  LockFile lock;
  Database database;
  std::string copy;  // of the store as it was before it was upgraded; "": it was not
  std::optional<StorePlace> place;
  std::unordered_map<std::string, OpenRun> open;
  std::unordered_map<std::string, Dates> dates;  // of runs whose states are written here, since the first of them
  bool inside = false;  // a transaction is open: what is called meanwhile joins it
  bool ended = false;   // a run ended in it

  explicit Impl(const std::string& path) : path((makeFolder(path), path)), lock(path), database(path, Database::Mode::kWrite) {
    const int version = checkedVersion(database);
    // Must come before the first table; lets purge give pages back without rewriting the file.
    if (version == 0) database.execute("PRAGMA auto_vacuum = INCREMENTAL");
    prepareForWriting(database);
    keepCopy(version);
    migrate(database);
    place.emplace(database);
    if (version > 0 && version < kFirstVersionWithLevels) transaction([&] { makeLevels(database); });
  }

  // A reader may be the last one to close the file, and none moves the log into it.
  ~Impl() { moveLog("PRAGMA wal_checkpoint(TRUNCATE)"); }

  // The file alone then has all that was committed, for whoever copies it without its log. What cannot be moved now is in the log, where SQLite finds it.
  void moveLog(const char* checkpoint) noexcept {
    try {
      database.number(checkpoint);
    } catch (const std::exception&) {
    }
  }

  // Of a store with runs that is about to be upgraded: FILE.vN, as the version before this one can open it.
  void keepCopy(int version) {
    if (version == 0 || version == latestVersion() || database.number("SELECT count(*) FROM run") == 0) return;
    const std::string kept = strCat(path, ".v", version), part = kept + ".part";
    disk::remove(part);
    { const Database empty(part, Database::Mode::kWrite); }  // this user's alone; VACUUM's own file would not be
    database.statement("VACUUM INTO ?1").bind(part).run();
    if (disk::rename(part, kept) != 0) disk::refuse(strCat(kept, ": cannot be made"), errno);
    copy = kept;
  }

  void look() { place->look(database, lock); }

  // `durable`: unless it joins another one.
  template <class Work>
  void transaction(Work&& work, bool durable = false) {
    if (inside) return static_cast<void>(work());
    look();
    const Durable onDisk(database, durable);
    try {
      database.execute("BEGIN IMMEDIATE");
      inside = true;
      work();
      database.execute("COMMIT");
      inside = false;
    } catch (...) {
      inside = ended = false;
      open.clear();  // its numbers may be of rows that are not there now
      if (database.inTransaction()) database.execute("ROLLBACK");
      throw;
    }
    if (std::exchange(ended, false)) moveLog("PRAGMA wal_checkpoint(PASSIVE)");
  }

  // One UPDATE of one run.
  template <class... Values>
  void update(const char* sql, const std::string& run, const Values&... values) {
    transaction([&] {
      database.statement(sql).bind(run, values...).run();
      if (database.changes() == 0) unknown(run);
    });
  }

  [[noreturn]] void unknown(const std::string& run) { throw Error(Errc::kStore, strCat(path, ": has no run ", run)); }

  OpenRun& opened(const std::string& run) {
    const auto found = open.find(run);
    if (found != open.end()) return found->second;
    const std::optional<std::int64_t> key = runKeyOf(database, run);
    if (!key) unknown(run);
    OpenRun& fresh = open[run];
    fresh.key = *key;
    fresh.summarised = hasSummary(database, *key);
    for (std::size_t table = 0; table < kRecordTables; ++table)
      fresh.nextKey[table] = largestKey(database, table, *key) + 1;
    return fresh;
  }

  std::int64_t nodeKey(OpenRun& run, const std::string& node) {
    const auto found = run.nodes.find(node);
    if (found != run.nodes.end()) return found->second;
    std::optional<std::int64_t> key = nodeKeyOf(database, run.key, node);
    if (!key) key = insertUndeclaredNode(database, run.key, node);
    return run.nodes[node] = *key;
  }

  void addToLevels(OpenRun& run, std::int64_t node, std::int64_t seq, const RoundRecord& round) {
    const auto found = run.levels.find(node);
    if (found != run.levels.end()) found->second.add(seq, round);
    else run.levels.try_emplace(node, database, node);  // this round is among those that it finds
  }

  struct Life {
    RunState state = RunState::kStale;
    bool trashed = false, recorded = false;  // recorded: a living process is at it
  };
  Life life(const std::string& run) {
    Statement query = database.statement(kSelectLife);
    if (!query.bind(run).step()) unknown(run);
    Life life;
    ProcessIdentity owner;
    query.readNext(life.state, life.trashed, owner.pid, owner.start);
    const bool over = isEnded(life.state) || life.state == RunState::kDraft || life.state == RunState::kStale;
    life.recorded = !over && isAlive(owner);
    return life;
  }

  void eraseRecords(const std::string& run, std::int64_t key) {
    deleteRecords(database, key);
    deleteLevels(database, key);
    deleteSummary(database, key);
    open.erase(run);
  }

  void erase(const std::string& run) {
    const std::int64_t key = runKeyOf(database, run).value();
    eraseRecords(run, key);
    database.statement(kDeleteNodes).bind(key).run();
    database.statement(kDeleteRun).bind(key).run();
    store::forgetAttempt(database, run);
  }
};

StoreWriter::StoreWriter(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
StoreWriter::~StoreWriter() = default;
StoreWriter::StoreWriter(StoreWriter&&) noexcept = default;
const std::string& StoreWriter::path() const { return impl_->path; }

void StoreWriter::createRun(const RunRow& run, std::span<const NodeRow> nodes) {
  RunRow row = run;
  if (row.createdUtc == 0) row.createdUtc = unixNow();
  if (row.ownerPid == 0 && !isEnded(row.state)) {
    const ProcessIdentity self = thisProcess();
    row.ownerPid = self.pid, row.ownerStart = self.start;
  }
  impl_->transaction([&] { insertRun(impl_->database, row, nodes); });
}

void StoreWriter::setState(const std::string& run, RunState state, const std::string& error, const std::string& reason) {
  const bool begins = state == RunState::kRunning;
  const double date = impl_->dates.try_emplace(run).first->second.now();
  impl_->transaction([&] {
    impl_->update(kSetState, run, stateName(state), error, reason, begins, isEnded(state), date);
    impl_->ended = impl_->ended || isEnded(state);
  }, isEnded(state));  // its hosts forget their records now
  if (isEnded(state)) impl_->dates.erase(run);
}

void StoreWriter::setTimes(const std::string& run, double startedUtc, double endedUtc) { impl_->update(kSetTimes, run, startedUtc, endedUtc); }

void StoreWriter::adopt(const std::string& run) {
  const ProcessIdentity self = thisProcess();
  impl_->update(kAdopt, run, self.pid, self.start);
}

void StoreWriter::beginAgain(const std::string& run) {
  const ProcessIdentity self = thisProcess();
  impl_->transaction([&] {
    impl_->update(kBeginAgain, run, stateName(RunState::kChecking), self.pid, self.start);
    impl_->eraseRecords(run, runKeyOf(impl_->database, run).value());
  });
}

std::int64_t StoreWriter::enqueue(const QueueRow& row) {
  std::int64_t entry = 0;
  impl_->transaction([&] { entry = insertQueue(impl_->database, row); });
  return entry;
}

void StoreWriter::updateQueue(const QueueRow& row) {
  impl_->transaction([&] { store::updateQueue(impl_->database, row); });
}

void StoreWriter::dequeue(std::int64_t entry) {
  impl_->transaction([&] { deleteQueue(impl_->database, entry); });
}

void StoreWriter::createSuite(const SuiteRow& suite, const std::vector<std::string>& documents) {
  impl_->transaction([&] { insertSuite(impl_->database, suite, documents); });
}

void StoreWriter::createSearch(const SuiteRow& suite, const SearchRow& search) {
  impl_->transaction([&] { insertSuite(impl_->database, suite, {}), insertSearch(impl_->database, search); });
}

void StoreWriter::updateSearch(const SearchRow& search) {
  impl_->transaction([&] { store::updateSearch(impl_->database, search); });
}

void StoreWriter::putTrial(const std::string& suite, std::int64_t number, const std::string& trial) {
  impl_->transaction([&] { store::putTrial(impl_->database, suite, number, trial); });
}

void StoreWriter::addCell(const std::string& suite, const SuiteCell& cell, const std::string& document) {
  impl_->transaction([&] { insertCell(impl_->database, suite, cell, document); });
}

void StoreWriter::addAttempt(const std::string& suite, std::int64_t place, const std::string& run) {
  impl_->transaction([&] { insertAttempt(impl_->database, suite, place, run); });
}

void StoreWriter::forgetAttempt(const std::string& run) {
  impl_->transaction([&] { store::forgetAttempt(impl_->database, run); });
}

void StoreWriter::changeVersions(const std::string& run, const std::function<std::string(const std::string& json)>& change) {
  impl_->transaction([&] {
    Statement query = impl_->database.statement(kSelectVersions);
    if (!query.bind(run).step()) impl_->unknown(run);
    impl_->update(kSetVersions, run, change(query.next<std::string>()));
    deleteSummary(impl_->database, runKeyOf(impl_->database, run).value());
  });
}

std::vector<std::string> StoreWriter::unsummarised(std::int64_t formulas) const { return selectUnsummarised(impl_->database, formulas); }

void StoreWriter::keepSummary(const std::string& run, const SummaryToKeep& summary) {
  impl_->transaction([&] {
    if (!summary.of.empty() && summary.of != recordedOf(impl_->database, run)) return;
    OpenRun& opened = impl_->opened(run);
    insertSummary(impl_->database, opened.key, summary);
    opened.summarised = true;
  });
}

void StoreWriter::look() { impl_->look(); }
std::string StoreWriter::takeNews() { return impl_->place->takeNews(); }

std::int64_t StoreWriter::append(std::span<const StampedEvent> events) {
  std::int64_t added = 0;
  if (events.empty()) return added;
  impl_->transaction([&] {
    for (const StampedEvent& event : events) {
      OpenRun& run = impl_->opened(event.run);
      std::int64_t& key = run.nextKey[event.event.index()];
      const std::int64_t node = impl_->nodeKey(run, event.node);
      if (!insertRecord(impl_->database, key, node, event.seq, event.event)) continue;
      ++key, ++added;
      if (const auto* round = std::get_if<RoundRecord>(&event.event)) impl_->addToLevels(run, node, event.seq, *round);
      if (std::exchange(run.summarised, false)) deleteSummary(impl_->database, run.key);
    }
  });
  return added;
}

std::int64_t StoreWriter::lastSeq(const std::string& run, const std::string& node) const {
  const std::optional<std::int64_t> runKey = runKeyOf(impl_->database, run);
  const std::optional<std::int64_t> key = runKey ? nodeKeyOf(impl_->database, *runKey, node) : std::nullopt;
  return key ? lastSeqOf(impl_->database, *key) : 0;
}

void StoreWriter::setText(const std::string& run, const std::string& name, const std::string& notes,
                          const std::vector<std::string>& tags) {
  impl_->update(kSetText, run, name, notes, tags);
}

void StoreWriter::trash(const std::string& run) {
  if (impl_->life(run).recorded)
    throw Error(Errc::kStore, strCat(impl_->path, ": run ", run, " is still going on; stop it first"));
  impl_->update(kSetTrashed, run, true);
}

void StoreWriter::restore(const std::string& run) { impl_->update(kSetTrashed, run, false); }

void StoreWriter::purge(const std::string& run) {
  if (!impl_->life(run).trashed) throw Error(Errc::kStore, strCat(impl_->path, ": run ", run, " is not in the trash"));
  impl_->transaction([&] { impl_->erase(run); });
  if (!impl_->inside) compact();
}

void StoreWriter::compact() {
  impl_->look();
  impl_->database.execute("PRAGMA incremental_vacuum");
  impl_->database.number("PRAGMA wal_checkpoint(TRUNCATE)");
}

void StoreWriter::together(const std::function<void()>& work) { impl_->transaction(work); }

std::string upgrade(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  {
    Database database(path, Database::Mode::kRead);
    const int version = checkedVersion(database);
    if (version == 0 || version == latestVersion()) return "";
  }
  return StoreWriter(path).impl_->copy;
}

}  // namespace paceline::store
