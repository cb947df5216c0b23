// One SQLite file. StoreWriter: the only connection that writes, guarded by an exclusive lock file beside the database; used by one
// thread (the recorder). StoreReader: any number, one per thread; never blocks the writer.
// Throw Error{kStore} (with path and SQLite's words), kLocked (naming the other process), kNoSpace, kFormat (not a database, newer version).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/core/record/event.h"
#include "storage/store/records.h"

namespace paceline::store {

// The store takes nothing now, and may take it later: no space, a disk that refuses, a file that was deleted or replaced. Nothing of the call was
// written.
class Unavailable : public Error {
 public:
  using Error::Error;
};

// $PACELINE_STORE, else $XDG_DATA_HOME/paceline/paceline.db, else ~/.local/share/paceline/paceline.db.
std::string defaultStorePath();

int storeVersion();  // of the stores that this program makes

struct RunQuery {
  std::string text;            // words found in name, id, algorithm, model, dataset, tags, notes, state; all must match; "" = all
  bool trashed = false;        // true: only the trash
  std::function<std::string(const RunRow&)> titles{};  // what people call what the run has ids of; words are found in that, too
};

// What storage/summary keeps of a run that has ended. The store does not look into it; another version of the formulas is as none.
struct SummaryToKeep {
  std::int64_t formulas = 0;
  std::string of{};  // StoreReader::recorded() before the records were read; it is not kept if that has changed. "": kept in any case
  std::string numbers{};
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> columns{};  // by name
};
struct KeptSummary {
  std::int64_t key = 0;  // no other summary ever has it
  std::string numbers{};
};

class StoreReader {
 public:
  explicit StoreReader(const std::string& path);  // migrates nothing; a missing file is an empty store
  static void check(const std::string& path);      // throws what no program could mend: a file that is no store, one of a newer version, a place that cannot be read
  ~StoreReader();
  StoreReader(StoreReader&&) noexcept;

  std::vector<RunRow> runs(const RunQuery& query = {}) const;  // newest first; states of runs whose recorder is gone read kStale
  std::optional<RunRow> find(const std::string& idOrName) const;  // full id, unique prefix of an id, or the newest run of that name
  std::vector<NodeRow> nodes(const std::string& run) const;
  // Rows newer than `after`, in order of arrival; how far that is goes to *last when given. For live views: ask again from *last.
  template <class Record>
  std::vector<RecordRow<Record>> records(const std::string& run, std::int64_t after = 0, std::int64_t* last = nullptr) const;
  auto rounds(const std::string& run, std::int64_t after = 0, std::int64_t* last = nullptr) const { return records<RoundRecord>(run, after, last); }
  auto evaluations(const std::string& run, std::int64_t after = 0, std::int64_t* last = nullptr) const { return records<EvaluationRecord>(run, after, last); }
  auto notices(const std::string& run, std::int64_t after = 0, std::int64_t* last = nullptr) const { return records<NoticeRecord>(run, after, last); }
  // A worker's rounds between two moments of its own time, and what surrounds them, in order: each alone where they are at most `most`, else so many together that
  // they are about that or less. A row of several is like one of theirs: sums, means, the longest of their waits; its round is the last one.
  std::vector<RoundRow> roundSpans(const std::string& run, const std::string& node, double from, double to, std::size_t most) const;
  // The newest `most` rounds that a node had recorded before that record of its own, in order, and the next few behind it.
  std::vector<RoundRow> roundsBefore(const std::string& run, const std::string& node, std::int64_t seq, std::size_t most) const;
  std::optional<double> lastRoundEnd(const std::string& run, const std::string& node) const;  // nullopt: it has none
  // Intervals of a server or an evaluator behind the one with that number, in order, at most so many.
  std::vector<BusyRow> busy(const std::string& run, const std::string& node, std::int64_t after, std::size_t most) const;
  std::int64_t busyBefore(const std::string& run, const std::string& node, double t) const;  // the number behind which those begin that end at `t` or later
  std::vector<QueueRow> queue() const;  // in order
  std::vector<SuiteRow> suites() const;  // newest first
  std::vector<SearchRow> searches() const;  // newest first
  std::optional<SearchRow> search(const std::string& suite) const;
  std::set<std::string> trashed() const;  // ids of runs
  std::optional<std::string> cellDocument(const std::string& suite, std::int64_t place) const;
  std::string recorded(const std::string& run) const;  // changes with every record of the run, and with its versions
  std::optional<KeptSummary> keptSummary(const std::string& run, std::int64_t formulas) const;
  std::optional<std::vector<std::int64_t>> keptColumn(std::int64_t summary, const std::string& name, std::size_t size) const;  // nullopt: it went meanwhile

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Brings a store of an earlier version to this one's; the path of the copy that is kept for that version, "" if it was this one's, is not there or had no runs.
std::string upgrade(const std::string& path);

class StoreWriter {
 public:
  explicit StoreWriter(const std::string& path);  // creates folder and file, takes the lock, migrates
  ~StoreWriter();                                 // releases the lock
  StoreWriter(StoreWriter&&) noexcept;

  void createRun(const RunRow& run, std::span<const NodeRow> nodes);
  void setState(const std::string& run, RunState state, const std::string& error = "", const std::string& reason = "");  // also times
  void setTimes(const std::string& run, double startedUtc, double endedUtc);  // when its nodes began and ended; 0: as it is. Before the end's state
  void adopt(const std::string& run);             // this process records it from now on
  void beginAgain(const std::string& run);        // nothing was recorded of it: state checking, recorded by this process
  void changeVersions(const std::string& run, const std::function<std::string(const std::string& json)>& change);  // how it is produced, once its hosts are known
  std::int64_t append(std::span<const StampedEvent> events);  // one transaction; duplicates are ignored; returns rows new
  std::int64_t lastSeq(const std::string& run, const std::string& node) const;  // 0: none yet
  void setText(const std::string& run, const std::string& name, const std::string& notes, const std::vector<std::string>& tags);
  void trash(const std::string& run);             // Error{kStore} while a living process records it
  void restore(const std::string& run);
  void purge(const std::string& run);             // only from the trash; frees the space
  void compact();                                 // gives unused pages back to the disk; not within together()
  std::int64_t enqueue(const QueueRow& row);      // its entry
  void updateQueue(const QueueRow& row);          // all that may change of it
  void dequeue(std::int64_t entry);
  void createSuite(const SuiteRow& suite, const std::vector<std::string>& documents);  // one for each of its cells
  void createSearch(const SuiteRow& suite, const SearchRow& search);  // both; nothing was tried yet
  void updateSearch(const SearchRow& search);  // held, boot, ended, result
  void putTrial(const std::string& suite, std::int64_t number, const std::string& trial);  // a new one, or another state of it
  void addCell(const std::string& suite, const SuiteCell& cell, const std::string& document);
  void addAttempt(const std::string& suite, std::int64_t place, const std::string& run);  // Error{kStore} when there is no such cell
  void forgetAttempt(const std::string& run);  // a cell goes with its last attempt, a suite with its last cell; purge() does so, too
  std::vector<std::string> unsummarised(std::int64_t formulas) const;   // runs that have ended without a summary of this version, oldest first
  void keepSummary(const std::string& run, const SummaryToKeep& summary);  // until another record of the run comes
  void together(const std::function<void()>& work);  // what work() writes through this writer: all of it or, when it throws, nothing
  // A file that was deleted meanwhile is put back whole, one that was replaced is kept beside it; every transaction begins with that. Throws
  // Unavailable while the store does not stand where it was opened.
  void look();
  std::string takeNews();  // what look() did since the last call, a sentence; "": nothing
  const std::string& path() const;

 private:
  friend std::string upgrade(const std::string& path);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What a run recorded before the checkpoint that another run goes on from. Any thread with a reader of its own.
// Whatever belongs to a round (rounds, evaluations, edges, metrics) of `nodes` up to and including round `rounds`, in the order in which they came. Their numbers are moved
// below 1, so that they differ from all that a supervisor gives.
std::vector<StampedEvent> recordsUpTo(const StoreReader& store, const std::string& run, const std::set<std::string>& nodes, std::int64_t rounds);

}  // namespace paceline::store
