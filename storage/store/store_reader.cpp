#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "engine/core/base/user_folders.h"
#include "storage/store/kept_rows.h"
#include "storage/store/levels.h"
#include "storage/store/owner.h"
#include "storage/store/rows.h"
#include "storage/store/schema.h"
#include "storage/store/store.h"
#include "storage/store/searches.h"
#include "storage/store/suites.h"

namespace paceline::store {

namespace {

bool matches(const RunRow& run, const RunQuery& query) {
  std::string hay = strCat(run.name, "\n", run.id, "\n", run.algorithm, "\n", run.model, "\n", run.dataset, "\n", run.notes, "\n",
                           stateName(run.state));
  for (const std::string& tag : run.tags) hay += "\n" + tag;
  if (query.titles) hay += strCat("\n", query.titles(run));
  hay = lowerCase(hay);
  std::istringstream words(lowerCase(query.text));
  for (std::string word; words >> word;)
    if (hay.find(word) == std::string::npos) return false;
  return true;
}

// A draft waits for nobody; every other state that has not ended is only true while its recorder lives.
void tellTruth(RunRow& run) {
  const bool claimed = !isEnded(run.state) && run.state != RunState::kDraft && run.state != RunState::kStale;
  if (!claimed || run.ownerPid == 0 || isAlive({.pid = run.ownerPid, .start = run.ownerStart})) return;
  run.error = strCat("process ", run.ownerPid, ", which recorded this run, is gone; it was ", stateName(run.state),
                     "; `paceline attach ", run.id, "` picks it up if its hosts still have it");
  run.state = RunState::kStale;
}

[[noreturn]] void refuseAmbiguous(const std::string& text, const std::vector<const RunName*>& candidates) {
  std::string list;
  for (std::size_t i = 0; i < candidates.size() && i < 8; ++i)
    list += strCat(i == 0 ? "" : ", ", candidates[i]->id, " (", candidates[i]->name, ")");
  if (candidates.size() > 8) list += ", ...";
  throw Error(Errc::kUsage, strCat("run \"", text, "\" could be any of ", candidates.size(), ": ", list));
}

// Of the one whose id begins so, else of the newest of that name; one in the trash only when no other has the name. "": of none.
std::string idNamed(const std::vector<RunName>& runs, const std::string& text) {
  std::vector<const RunName*> prefixed;
  const RunName* named = nullptr;
  for (const RunName& run : runs) {
    if (run.id.starts_with(text)) prefixed.push_back(&run);
    if (run.name == text && (named == nullptr || (named->trashed && !run.trashed))) named = &run;
  }
  if (prefixed.size() == 1) return prefixed[0]->id;
  if (named == nullptr && prefixed.size() > 1) refuseAmbiguous(text, prefixed);
  return named == nullptr ? "" : named->id;
}

}  // namespace

std::string defaultStorePath() {
  if (const std::string store = environment("PACELINE_STORE"); !store.empty()) return store;
  return userDataFolder() + "/paceline/paceline.db";
}

struct StoreReader::Impl {
  std::string path;
  std::unique_ptr<Database> database;
  std::optional<FileIdentity> file;  // what is open
  bool checked = false;

  // nullptr: nothing there yet; asked anew every time, so a reader may be older than the store, and goes on with another one that takes its place.
  Database* open(bool older = false) {
    const std::optional<FileIdentity> now = fileIdentity(path);
    if (!now && errno != ENOENT && errno != ENOTDIR) refusePlace(errno);
    if (database != nullptr && ((now && now != file) || database->immutable())) database.reset(), checked = false;
    if (database == nullptr) {
      if (!now) return nullptr;
      std::error_code ignored;
      if (std::filesystem::is_directory(path, ignored)) throw Error(Errc::kStore, strCat(path, ": is a folder, not a store"));
      database = std::make_unique<Database>(path, Database::Mode::kRead);
      file = now;
    }
    if (!checked) {
      const int version = checkedVersion(*database);
      if (version == 0) return nullptr;
      if (version < latestVersion() && !older)
        throw Error(Errc::kFormat, strCat(path, ": made by an older Paceline (schema ", version, ", this one reads ",
                                          latestVersion(), "); `paceline runs --store ", path, "` upgrades it"));
      checked = true;
    }
    return database.get();
  }

  // nullopt: there is none; else the store is open.
  std::optional<std::int64_t> nodeKey(const std::string& run, const std::string& node) {
    Database* opened = open();
    const std::optional<std::int64_t> runKey = opened == nullptr ? std::nullopt : runKeyOf(*opened, run);
    return runKey ? nodeKeyOf(*opened, *runKey, node) : std::nullopt;
  }

  // A folder on the way that may not be entered is not an empty store.
  [[noreturn]] void refusePlace(int reason) const {
    std::filesystem::path folder;
    for (const std::filesystem::path& part : std::filesystem::path(path).parent_path())
      if (::access((folder /= part).c_str(), X_OK) != 0) break;
    throw Error(Errc::kStore, strCat(path, ": cannot be read: ", folder.string(), ": ", std::strerror(reason)));
  }

  std::vector<RunRow> all() {
    Database* opened = open();
    std::vector<RunRow> runs = opened == nullptr ? std::vector<RunRow>() : selectRuns(*opened);
    for (RunRow& run : runs) tellTruth(run);
    return runs;
  }
};

StoreReader::StoreReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->open();
}

void StoreReader::check(const std::string& path) {
  Impl impl;
  impl.path = path;
  impl.open(true);
}

StoreReader::~StoreReader() = default;
StoreReader::StoreReader(StoreReader&&) noexcept = default;

std::vector<RunRow> StoreReader::runs(const RunQuery& query) const {
  std::vector<RunRow> runs = impl_->all();
  std::erase_if(runs, [&](const RunRow& run) { return run.trashed != query.trashed || !matches(run, query); });
  return runs;
}

std::optional<RunRow> StoreReader::find(const std::string& idOrName) const {
  Database* opened = impl_->open();
  if (opened == nullptr || idOrName.empty()) return std::nullopt;
  std::optional<RunRow> run = selectRun(*opened, idOrName);
  if (!run) run = selectRun(*opened, idNamed(selectRunNames(*opened), idOrName));
  if (run) tellTruth(*run);
  return run;
}

std::vector<NodeRow> StoreReader::nodes(const std::string& run) const {
  Database* opened = impl_->open();
  return opened == nullptr ? std::vector<NodeRow>() : selectNodes(*opened, run);
}

template <class Record>
std::vector<RecordRow<Record>> StoreReader::records(const std::string& run, std::int64_t after, std::int64_t* last) const {
  std::vector<RecordRow<Record>> rows;
  Database* opened = impl_->open();
  const std::optional<std::int64_t> key = opened == nullptr ? std::nullopt : runKeyOf(*opened, run);
  const std::int64_t reached = key ? selectRecords(*opened, *key, after, rows) : after;
  if (last != nullptr) *last = reached;
  return rows;
}

std::vector<RoundRow> StoreReader::roundSpans(const std::string& run, const std::string& node, double from, double to, std::size_t most) const {
  const std::optional<std::int64_t> key = impl_->nodeKey(run, node);
  std::vector<RoundRow> rows = key ? selectRoundSpans(*impl_->database, *key, from, to, most) : std::vector<RoundRow>();
  for (RoundRow& row : rows) row.node = node;
  return rows;
}

std::vector<RoundRow> StoreReader::roundsBefore(const std::string& run, const std::string& node, std::int64_t seq, std::size_t most) const {
  const std::optional<std::int64_t> key = impl_->nodeKey(run, node);
  std::vector<RoundRow> rows = key ? selectRoundsBefore(*impl_->database, *key, seq, most) : std::vector<RoundRow>();
  for (RoundRow& row : rows) row.node = node;
  return rows;
}

std::optional<double> StoreReader::lastRoundEnd(const std::string& run, const std::string& node) const {
  const std::optional<std::int64_t> key = impl_->nodeKey(run, node);
  return key ? store::lastRoundEnd(*impl_->database, *key) : std::nullopt;
}

std::vector<BusyRow> StoreReader::busy(const std::string& run, const std::string& node, std::int64_t after, std::size_t most) const {
  const std::optional<std::int64_t> key = impl_->nodeKey(run, node);
  std::vector<BusyRow> rows = key ? selectBusy(*impl_->database, *key, after, most) : std::vector<BusyRow>();
  for (BusyRow& row : rows) row.node = node;
  return rows;
}

std::int64_t StoreReader::busyBefore(const std::string& run, const std::string& node, double t) const {
  const std::optional<std::int64_t> key = impl_->nodeKey(run, node);
  return key ? store::busyBefore(*impl_->database, *key, t) : 0;
}

std::vector<QueueRow> StoreReader::queue() const {
  Database* opened = impl_->open();
  return opened == nullptr ? std::vector<QueueRow>() : selectQueue(*opened);
}

std::vector<SuiteRow> StoreReader::suites() const {
  Database* opened = impl_->open();
  return opened == nullptr ? std::vector<SuiteRow>() : selectSuites(*opened);
}

std::vector<SearchRow> StoreReader::searches() const {
  Database* opened = impl_->open();
  return opened == nullptr ? std::vector<SearchRow>() : selectSearches(*opened);
}

std::optional<SearchRow> StoreReader::search(const std::string& suite) const {
  Database* opened = impl_->open();
  const std::vector<SearchRow> found = opened == nullptr ? std::vector<SearchRow>() : selectSearches(*opened, suite);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::set<std::string> StoreReader::trashed() const {
  std::set<std::string> ids;
  if (Database* opened = impl_->open())
    for (Statement query = opened->statement("SELECT id FROM run WHERE trashed"); query.step();) ids.insert(query.next<std::string>());
  return ids;
}

std::optional<std::string> StoreReader::cellDocument(const std::string& suite, std::int64_t place) const {
  Database* opened = impl_->open();
  return opened == nullptr ? std::nullopt : selectCellDocument(*opened, suite, place);
}

std::string StoreReader::recorded(const std::string& run) const {
  Database* opened = impl_->open();
  return opened == nullptr ? "" : recordedOf(*opened, run);
}

std::optional<KeptSummary> StoreReader::keptSummary(const std::string& run, std::int64_t formulas) const {
  Database* opened = impl_->open();
  return opened == nullptr ? std::nullopt : selectSummary(*opened, run, formulas);
}

std::optional<std::vector<std::int64_t>> StoreReader::keptColumn(std::int64_t summary, const std::string& name, std::size_t size) const {
  Database* opened = impl_->open();
  return opened == nullptr ? std::nullopt : selectColumn(*opened, summary, name, size);
}

template std::vector<RecordRow<RoundRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<EvaluationRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<NoticeRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<HostLoad>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<EdgeRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<LabelsRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<MetricRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<BusyRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<ClockRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<OrderRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<AnswerRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;
template std::vector<RecordRow<LinkRecord>> StoreReader::records(const std::string&, std::int64_t, std::int64_t*) const;

std::vector<StampedEvent> recordsUpTo(const StoreReader& store, const std::string& run, const std::set<std::string>& nodes, std::int64_t rounds) {
  std::vector<StampedEvent> events;
  eachRecordType([&]<class Record>() {
    if constexpr (requires(Record record) { record.round; } && !std::is_same_v<Record, LinkRecord>)  // nodes count their links since they began
      for (const RecordRow<Record>& row : store.records<Record>(run))
        if (nodes.contains(row.node) && row.record.round <= rounds) events.push_back({.run = "", .node = row.node, .seq = row.seq, .event = row.record});
  });
  std::stable_sort(events.begin(), events.end(), [](const StampedEvent& a, const StampedEvent& b) { return a.seq < b.seq; });
  if (events.empty()) return events;
  const std::int64_t newest = events.back().seq;
  for (StampedEvent& event : events) event.seq -= newest;
  return events;
}

}  // namespace paceline::store
