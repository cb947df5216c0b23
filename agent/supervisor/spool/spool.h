// One node's events on disk until the desktop has them: append-only, one record a line, "SEQ CRC PAYLOAD\n" with the CRC-32 of
// "SEQ PAYLOAD" as eight hex digits. What write() took survives the death of this process; what is older than a second (and everything
// behind an exit) survives a power cut. One thread. Opening throws Error{kFile}. A full disk never stops a node: records wait in memory,
// where cursors read them like those on disk; when that is full too, or the run's budget is used up, records are dropped, counted and told.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/supervisor/fd.h"
#include "engine/core/record/event.h"

namespace paceline::spool {

// The supervisor's own notices.
NoticeRecord noticeOf(std::string kind, std::string text, std::string level, std::string reason = "", std::int64_t code = 0);

struct SpoolRecord {
  std::int64_t seq = 0;
  std::string payload;
};

// What must go when not everything can stay: loads of the host first, then what nodes measure; how a node ended has room kept for it.
enum class SpoolWeight { kLoad, kRecord, kVital };

// What the spools of one run may have together. Loads stop at 15/16 of it, records at all of it.
struct SpoolBudget {
  std::int64_t limitBytes = defaultLimitBytes();
  std::int64_t usedBytes = 0;

  static std::int64_t defaultLimitBytes();  // $PACELINE_SPOOL_LIMIT, else 4 GiB
  bool admits(std::int64_t bytes, SpoolWeight weight) const;
};

class Spool {
 public:
  // Opens or creates. The first record that is torn, damaged or out of order is cut off with everything behind it.
  explicit Spool(std::string path, std::shared_ptr<SpoolBudget> budget = std::make_shared<SpoolBudget>());

  std::int64_t append(std::string_view payload, SpoolWeight weight = SpoolWeight::kRecord);  // its sequence number; 0: dropped
  void append(const Event& event, SpoolWeight weight = SpoolWeight::kRecord) { append(toLine(event), weight); }
  void tellDropped();       // how many records the budget has cost since the last time, if any
  bool flush();             // what waits in memory to the disk; false: there is still something
  void sync(double now);    // fdatasync at most once a second, less often where that is slow. `now`: steady seconds
  bool closeWriter();       // no more will come: flush, fdatasync, close; append() opens it again. false: something waits for the disk
  bool pending() const { return !pending_.empty() || dropped_ > 0; }
  void skipNumbers();  // after a crash: numbers that may have been given out and lost with the machine are not used again

  const std::string& path() const { return path_; }
  std::int64_t lastSeq() const { return pending_.empty() ? lastSeq_ : pending_.back().seq; }  // 0: none
  const std::string& lastPayload() const { return lastPayload_; }
  std::int64_t endOffset() const { return end_; }     // whole records lie before it
  std::int64_t cutBytes() const { return cutBytes_; }  // what opening cut off
  std::int64_t offsetAfter(std::int64_t seq) const;   // of a record not behind the first one with a greater number
  const SpoolRecord* pendingAfter(std::int64_t seq) const;  // the first one in memory with a greater number; nullptr: none

  static std::string encode(std::int64_t seq, std::string_view payload);      // with the newline
  static std::optional<SpoolRecord> decode(std::string_view line);            // without it; nullopt: damaged

 private:
  void recover();
  void note(std::int64_t seq, std::int64_t offset);
  bool writeRecord(std::int64_t seq, std::string_view payload);
  void drop(SpoolWeight weight);
  void syncData();

  std::string path_;
  std::shared_ptr<SpoolBudget> budget_;
  Fd writer_;
  double nextSync_ = 0;
  bool unsynced_ = false, toldUnsafe_ = false;
  std::int64_t overBudget_[2] = {0, 0};  // loads, records: dropped since they were told
  bool toldOverBudget_[2] = {false, false};
  std::int64_t end_ = 0, lastSeq_ = 0, nextSeq_ = 1, cutBytes_ = 0, count_ = 0, dropped_ = 0;
  std::string lastPayload_;
  std::vector<std::pair<std::int64_t, std::int64_t>> index_;  // (seq, offset) of every 256th record
  std::deque<SpoolRecord> pending_;
  std::size_t pendingBytes_ = 0;
};

// Reads a spool from a sequence number on, while it grows. Shares the spool with its writer.
class SpoolCursor {
 public:
  SpoolCursor(std::shared_ptr<const Spool> spool, std::int64_t after);
  std::optional<SpoolRecord> next();  // nullopt: nothing more now

 private:
  bool fill();

  std::shared_ptr<const Spool> spool_;
  std::int64_t after_;
  Fd reader_;
  std::int64_t offset_;    // of the first byte not yet in buffer_
  std::string buffer_;
  std::size_t begin_ = 0;  // of the next record in buffer_
};

// A run's folder in the spool: run.json says what was launched; one spool per node, one for the host's own events.
// Making and reading throw Error{kFile, kFormat}. run.json may lack what older versions did not write, and hold what newer ones add.
struct RunFolder {
  std::string run;
  std::string host;                // the name that the desktop has for this machine
  std::vector<std::string> nodes;  // ids; node i writes "i.spool", the host "host.spool"
  std::string path;
  std::string cgroup = "";  // that holds its processes; "": none
  std::shared_ptr<SpoolBudget> budget = std::make_shared<SpoolBudget>();  // of all its spools together

  static bool isRunName(const std::string& name);  // letters, digits, - and _; at most 64
  void create() const;                             // refuses a run that is already there
  static RunFolder read(const std::string& path);
  std::shared_ptr<Spool> openSpool(int node) const;  // -1: the host's
  void remove() const;
};

}  // namespace paceline::spool
