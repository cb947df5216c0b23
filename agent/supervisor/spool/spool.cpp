#include "agent/supervisor/spool/spool.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/core/base/clock.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/dates.h"

namespace paceline::spool {
namespace {

constexpr std::int64_t kIndexEvery = 256;
constexpr std::size_t kReadBytes = 64 << 10;
constexpr std::size_t kMaxPendingBytes = 16 << 20;
constexpr std::int64_t kReservedBytes = 16 << 20;  // above the budget, for how the nodes ended
constexpr double kSyncShare = 0.05;                // of the time may go to fdatasync of one spool
constexpr const char* kWhat[] = {"host load", "node"};
constexpr std::int64_t kSkippedNumbers = 1'000'000;

std::uint32_t checksum(std::string_view seq, std::string_view payload) {
  return crc32(payload, crc32(" ", crc32(seq)));
}

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  disk::refuse(strCat("cannot ", what, " the spool ", path), errno);
}

}  // namespace

NoticeRecord noticeOf(std::string kind, std::string text, std::string level, std::string reason, std::int64_t code) {
  return {.kind = std::move(kind), .text = std::move(text), .level = std::move(level), .reason = std::move(reason), .code = code, .unixTime = recordDates().now()};
}

std::string Spool::encode(std::int64_t seq, std::string_view payload) {
  const std::string number = std::to_string(seq);
  char crc[16];
  std::snprintf(crc, sizeof crc, " %08x ", checksum(number, payload));
  std::string line;
  line.reserve(number.size() + payload.size() + 11);
  return line.append(number).append(crc).append(payload).append("\n");
}

std::optional<SpoolRecord> Spool::decode(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || space > 19 || line.size() < space + 10 || line[space + 9] != ' ') return std::nullopt;
  const std::string_view number = line.substr(0, space), crcText = line.substr(space + 1, 8), payload = line.substr(space + 10);
  std::int64_t seq = 0;
  std::uint32_t crc = 0;
  const auto seqEnd = std::from_chars(number.data(), number.data() + number.size(), seq);
  const auto crcEnd = std::from_chars(crcText.data(), crcText.data() + crcText.size(), crc, 16);
  const bool numbers = seqEnd.ec == std::errc{} && seqEnd.ptr == number.data() + number.size() && crcEnd.ec == std::errc{} &&
                       crcEnd.ptr == crcText.data() + crcText.size();
  if (!numbers || seq < 1 || crc != checksum(number, payload)) return std::nullopt;
  return SpoolRecord{seq, std::string(payload)};
}

std::int64_t SpoolBudget::defaultLimitBytes() {
  const char* given = std::getenv("PACELINE_SPOOL_LIMIT");
  const std::int64_t bytes = given == nullptr ? 0 : std::atoll(given);
  return bytes > 0 ? bytes : std::int64_t{4} << 30;
}

bool SpoolBudget::admits(std::int64_t bytes, SpoolWeight weight) const {
  const std::int64_t limit = weight == SpoolWeight::kLoad     ? limitBytes - limitBytes / 16
                             : weight == SpoolWeight::kRecord ? limitBytes
                                                              : limitBytes + kReservedBytes;
  return usedBytes + bytes <= limit;
}

Spool::Spool(std::string path, std::shared_ptr<SpoolBudget> budget) : path_(std::move(path)), budget_(std::move(budget)) {
  recover();
  budget_->usedBytes += end_;
}

void Spool::recover() {
  const bool made = ::access(path_.c_str(), F_OK) != 0;
  const Fd file(disk::open(path_, O_RDWR | O_CREAT, 0600));
  if (!file) fail("open", path_);
  if (made && disk::syncFolder(disk::folderOf(path_)) != 0) fail("keep the name of", path_);
  std::ifstream lines(path_, std::ios::binary);
  if (!lines) fail("open", path_);
  for (std::string line; std::getline(lines, line) && !lines.eof();) {  // eof: no newline behind it, it is torn
    auto record = decode(line);
    if (!record || record->seq <= lastSeq_) break;
    note(record->seq, end_);
    end_ += static_cast<std::int64_t>(line.size()) + 1;
    lastPayload_ = std::move(record->payload);
  }
  if (lines.bad()) fail("read", path_);  // else what cannot be read would be cut off
  const std::int64_t size = ::lseek(file.get(), 0, SEEK_END);
  cutBytes_ = size - end_;
  if (cutBytes_ > 0 && disk::truncate(file.get(), end_) != 0) fail("mend", path_);
  nextSeq_ = lastSeq_ + 1;
}

void Spool::note(std::int64_t seq, std::int64_t offset) {
  if (count_++ % kIndexEvery == 0) index_.emplace_back(seq, offset);
  lastSeq_ = seq;
}

void Spool::skipNumbers() { nextSeq_ = std::max(nextSeq_, lastSeq_ + 1 + kSkippedNumbers); }

bool Spool::writeRecord(std::int64_t seq, std::string_view payload) {
  if (!writer_) writer_ = Fd(disk::open(path_, O_WRONLY));
  const std::string line = encode(seq, payload);
  if (!writer_) return false;
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t n = disk::pwrite(writer_.get(), std::string_view(line).substr(done), end_ + static_cast<std::int64_t>(done));
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  if (done < line.size()) {
    if (done > 0) disk::truncate(writer_.get(), end_);  // a torn tail that stays is written over, or cut when the spool is opened again
    return false;
  }
  note(seq, end_);
  end_ += static_cast<std::int64_t>(line.size());
  budget_->usedBytes += static_cast<std::int64_t>(line.size());
  lastPayload_ = payload;
  unsynced_ = true;
  return true;
}

bool Spool::flush() {
  while (!pending_.empty()) {
    if (!writeRecord(pending_.front().seq, pending_.front().payload)) return false;
    pendingBytes_ -= pending_.front().payload.size();
    pending_.pop_front();
  }
  if (dropped_ == 0) return true;
  const NoticeRecord lost = noticeOf("log", strCat(dropped_, " events were lost: ", path_, " could not be written"), "error", "spool_full");
  if (!writeRecord(nextSeq_, toLine(Event(lost)))) return false;
  nextSeq_++;
  dropped_ = 0;
  return true;
}

void Spool::drop(SpoolWeight weight) {
  const int kind = weight == SpoolWeight::kLoad ? 0 : 1;
  overBudget_[kind]++;
  if (std::exchange(toldOverBudget_[kind], true)) return;
  const std::string text = strCat("the records of this run have reached ", budget_->usedBytes, " of ", budget_->limitBytes, " bytes: ", kWhat[kind],
                                  " records are not kept from here on");
  append(noticeOf("log", text, kind == 0 ? "warn" : "error", "spool_limit"), SpoolWeight::kVital);
}

void Spool::tellDropped() {
  for (int kind = 0; kind < 2; ++kind) {
    if (overBudget_[kind] == 0) continue;
    const std::string text = strCat(std::exchange(overBudget_[kind], 0), " ", kWhat[kind], " records were not kept: the run's limit is ",
                                    budget_->limitBytes, " bytes");
    append(noticeOf("log", text, kind == 0 ? "warn" : "error", "spool_limit"), SpoolWeight::kVital);
  }
}

void Spool::sync(double now) {
  if (!unsynced_ || !writer_ || now < nextSync_) return;
  syncData();
  nextSync_ = now + std::max(1.0, (steadySeconds() - now) / kSyncShare);
}

bool Spool::closeWriter() {
  if (!flush()) return false;
  if (unsynced_ && writer_) syncData();
  if (unsynced_ && writer_) syncData();  // what the first one said
  writer_.close();
  return !pending();
}

// What a failed fdatasync has lost no second one finds, so it is told, once.
void Spool::syncData() {
  unsynced_ = false;
  if (disk::syncData(writer_.get()) == 0) return;
  const std::string reason = std::strerror(errno);
  if (std::exchange(toldUnsafe_, true)) return;
  append(noticeOf("log", strCat("records up to here may be lost when the power fails: ", path_, " cannot be brought to the disk: ", reason), "error", "spool_sync"),
         SpoolWeight::kVital);
}

std::int64_t Spool::append(std::string_view payload, SpoolWeight weight) {
  constexpr std::array<std::size_t, 3> kMaxWaiting{kMaxPendingBytes / 2, kMaxPendingBytes, kMaxPendingBytes + (1 << 20)};
  if (!budget_->admits(static_cast<std::int64_t>(payload.size() + pendingBytes_ + 32), weight)) {
    if (weight != SpoolWeight::kVital) drop(weight);
    else dropped_++;
    return 0;
  }
  const bool clear = flush();
  if (clear && writeRecord(nextSeq_, payload)) return nextSeq_++;
  const bool room = pendingBytes_ + payload.size() <= kMaxWaiting[static_cast<std::size_t>(weight)];
  if (!room || (dropped_ > 0 && weight != SpoolWeight::kVital)) {
    dropped_++;
    return 0;
  }
  pending_.push_back({nextSeq_, std::string(payload)});
  pendingBytes_ += payload.size();
  return nextSeq_++;
}

std::int64_t Spool::offsetAfter(std::int64_t seq) const {
  const auto later = std::upper_bound(index_.begin(), index_.end(), seq, [](std::int64_t s, const auto& entry) { return s < entry.first; });
  return later == index_.begin() ? 0 : std::prev(later)->second;
}

const SpoolRecord* Spool::pendingAfter(std::int64_t seq) const {
  const auto later = std::upper_bound(pending_.begin(), pending_.end(), seq, [](std::int64_t s, const SpoolRecord& record) { return s < record.seq; });
  return later == pending_.end() ? nullptr : &*later;
}

SpoolCursor::SpoolCursor(std::shared_ptr<const Spool> spool, std::int64_t after)
    : spool_(std::move(spool)),
      after_(after),
      reader_(::open(spool_->path().c_str(), O_RDONLY | O_CLOEXEC)),
      offset_(spool_->offsetAfter(after)) {
  if (!reader_) fail("read", spool_->path());
}

bool SpoolCursor::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::int64_t left = spool_->endOffset() - offset_;
  if (left <= 0) return false;
  const std::size_t before = buffer_.size(), wanted = std::min<std::size_t>(static_cast<std::size_t>(left), kReadBytes);
  buffer_.resize(before + wanted);
  const ssize_t got = ::pread(reader_.get(), buffer_.data() + before, wanted, offset_);
  buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got < 0) fail("read", spool_->path());
  offset_ += got;
  return got > 0;
}

std::optional<SpoolRecord> SpoolCursor::next() {
  for (;;) {
    const std::size_t newline = buffer_.find('\n', begin_);
    if (newline == std::string::npos) {
      if (fill()) continue;
      const SpoolRecord* waiting = spool_->pendingAfter(after_);
      if (waiting == nullptr) return std::nullopt;
      after_ = waiting->seq;
      return *waiting;
    }
    auto record = Spool::decode(std::string_view(buffer_).substr(begin_, newline - begin_));
    begin_ = newline + 1;
    if (!record) throw Error(Errc::kFile, strCat("the spool ", spool_->path(), " was changed under way"));
    if (record->seq <= after_) continue;
    after_ = record->seq;
    return record;
  }
}

bool RunFolder::isRunName(const std::string& name) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), allowed);
}

void RunFolder::create() const {
  if (disk::makeFolder(path, 0700) != 0) {
    if (errno == EEXIST) throw Error(Errc::kHost, strCat("run ", run, " is already known to this supervisor"));
    disk::refuse("cannot make " + path, errno);
  }
  Json json{{"run", run}, {"host", host}, {"nodes", nodes}};
  if (!cgroup.empty()) json["cgroup"] = cgroup;
  try {
    replaceFile(path + "/run.json", json.dump() + "\n", 0600);
    if (disk::syncFolder(disk::folderOf(path)) != 0) disk::refuse("cannot keep the name of " + path, errno);
  } catch (const Error&) {
    remove();
    throw;
  }
}

RunFolder RunFolder::read(const std::string& path) {
  const Json json = jsonOrNull(fileText(path + "/run.json").value_or(""));
  try {
    RunFolder folder{.run = json.at("run"), .host = json.at("host"), .nodes = json.at("nodes"), .path = path};
    folder.cgroup = json.value("cgroup", "");
    if (folder.run == std::filesystem::path(path).filename()) return folder;
  } catch (const Json::exception&) {
  }
  throw Error(Errc::kFormat, strCat(path, "/run.json does not describe a run"));
}

std::shared_ptr<Spool> RunFolder::openSpool(int node) const {
  return std::make_shared<Spool>(strCat(path, "/", node < 0 ? "host" : std::to_string(node), ".spool"), budget);
}

void RunFolder::remove() const {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace paceline::spool
