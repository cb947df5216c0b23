// One node's events on disk until the desktop has them: append-only, one record a line, "SEQ CRC PAYLOAD\n" with the CRC-32 of
// "SEQ PAYLOAD" as eight hex digits. What write() took survives the death of this process. One thread. Opening throws Error{kFile}.
// A full disk never stops a node: records wait in memory, and when that is full too the newest are dropped, counted and told.
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

namespace paceline {

struct SpoolRecord {
  std::int64_t seq = 0;
  std::string payload;
};

class Spool {
 public:
  // Opens or creates. The first record that is torn, damaged or out of order is cut off with everything behind it.
  explicit Spool(std::string path);

  std::int64_t append(std::string_view payload);  // its sequence number; 0: dropped
  void closeWriter() { writer_.close(); }         // no more will come; append() opens it again
  void skipNumbers();  // after a crash: numbers that may have been given out and lost with the machine are not used again

  const std::string& path() const { return path_; }
  std::int64_t lastSeq() const { return lastSeq_; }   // on disk; 0: none
  const std::string& lastPayload() const { return lastPayload_; }
  std::int64_t endOffset() const { return end_; }     // whole records lie before it
  std::int64_t cutBytes() const { return cutBytes_; }  // what opening cut off
  std::int64_t offsetAfter(std::int64_t seq) const;   // of a record not behind the first one with a greater number

  static std::string encode(std::int64_t seq, std::string_view payload);      // with the newline
  static std::optional<SpoolRecord> decode(std::string_view line);            // without it; nullopt: damaged

 private:
  void recover();
  void note(std::int64_t seq, std::int64_t offset);
  bool writeRecord(std::int64_t seq, std::string_view payload);
  bool flushPending();

  std::string path_;
  Fd writer_;
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

}  // namespace paceline
