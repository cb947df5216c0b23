#include "storage/store/place.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "engine/core/base/clock.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"

namespace paceline::store {
namespace {

constexpr double kCopyShare = 0.1;  // of the time may go to copies that fail: each writes as much as the disk takes

std::string freeName(const std::string& path) {
  for (int i = 1;; ++i) {
    std::string name = i == 1 ? path : strCat(path, i);
    struct stat found {};
    if (::lstat(name.c_str(), &found) != 0) return name;
  }
}

}  // namespace

void prepareForWriting(Database& database) {
  if (database.text("PRAGMA journal_mode = WAL") != "wal")
    throw Error(Errc::kStore, strCat(database.path(), ": this file system cannot hold a write-ahead log; use another --store"));
  database.execute("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16384");
}

StorePlace::StorePlace(const Database& database) : path_(database.path()), place_(realPath(path_)) { stands(); }

void StorePlace::stands() {
  file_ = fileIdentity(place_), log_ = fileIdentity(place_ + "-wal"), index_ = fileIdentity(place_ + "-shm");
  struct stat found {};
  if (::stat(place_.c_str(), &found) == 0) mode_ = found.st_mode & 07777;
}

void StorePlace::look(Database& database, LockFile& lock) {
  const auto now = fileIdentity(place_);
  if (!now && errno != ENOENT && errno != ENOTDIR) throw Unavailable(Errc::kStore, strCat(path_, ": cannot be looked at: ", std::strerror(errno)));
  const bool alone = now == file_ && lostLogs(), moved = now != file_ || alone;
  bool back = false;
  try {
    if (moved) keep(database);
    if (moved && !alone) takeLogsAway();
    lock.takeAgainWhenGone();
    if (!now || alone) bringBack(alone);
    if (alone) takeLogsAway();  // not before: without them the file lacks its newest records
    back = moved && (!now || alone || now == copied_);
    if (back) openAgain(database);
  } catch (const Error& error) {
    const char* const what = alone ? ": its log was deleted" : now ? ": was replaced" : ": was deleted";
    throw Unavailable(error.code(), strCat(moved ? strCat(path_, what, " while it was in use, and cannot be put back yet: ") : "", error.what()));
  }
  if (moved && !back)
    throw Unavailable(Errc::kStore, strCat(path_, ": was replaced by another file while it was in use; all that was recorded is in ", copy_,
                                           ", and comes back when that other file is moved away"));
  if (!log_) log_ = fileIdentity(place_ + "-wal");  // SQLite makes them when it first reads
  if (!index_) index_ = fileIdentity(place_ + "-shm");
}

// Others see neither what is in them nor our locks.
bool StorePlace::lostLogs() const { return (log_ && fileIdentity(place_ + "-wal") != log_) || (index_ && fileIdentity(place_ + "-shm") != index_); }

// Once: nothing is written until it stands again.
void StorePlace::keep(Database& database) {
  if (!copied_ || (fileIdentity(copy_) != copied_ && fileIdentity(place_) != copied_)) copy(database);
  syncNames();
}

void StorePlace::copy(Database& database) {
  const double began = steadySeconds();
  if (refused_ && began < nextCopy_) throw *refused_;
  const std::string copy = freeName(place_ + ".kept"), part = copy + ".part";
  try {
    if (disk::makeFolders(disk::folderOf(place_)) != 0) disk::refuse(strCat(disk::folderOf(place_), ": the folder cannot be made again"), errno);
    for (const char* end : {"", "-journal", "-wal", "-shm"}) disk::remove(part + end);
    database.copyTo(part);
    ::chmod(part.c_str(), mode_);
    if (disk::rename(part, copy) != 0) disk::refuse(strCat(copy, ": cannot be made"), errno);
  } catch (const Error& error) {
    disk::remove(part);
    const double ended = steadySeconds();
    nextCopy_ = ended + (ended - began) * (1 / kCopyShare - 1);
    refused_.emplace(error.code(), error.what());
    throw;
  }
  copy_ = copy, copied_ = fileIdentity(copy);
}

void StorePlace::syncNames() const {
  if (disk::syncFolder(disk::folderOf(place_)) != 0) disk::refuse(strCat(disk::folderOf(place_), ": the names in it may not survive a power cut"), errno);
}

// What is in them is in the copy; whoever opens what stands there now would take them for its own.
void StorePlace::takeLogsAway() const {
  for (const auto& [end, file] : {std::pair("-wal", log_), std::pair("-shm", index_)})
    if (file && fileIdentity(place_ + end) == file && disk::remove(place_ + end) != 0) disk::refuse(strCat(place_, end, ": cannot be removed"), errno);
}

// Over the file itself; else as a second name, so that a file that has come there meanwhile is not written over. openAgain() takes the first one away.
void StorePlace::bringBack(bool overFile) const {
  if (!overFile && disk::link(copy_, place_) == 0) return;
  if ((!overFile && errno == EEXIST) || disk::rename(copy_, place_) != 0) disk::refuse(strCat(place_, ": cannot be put back from ", copy_), errno);
}

void StorePlace::openAgain(Database& database) {
  if (fileIdentity(copy_) == copied_ && disk::remove(copy_) != 0) disk::refuse(strCat(copy_, ": a second name of the store, cannot be removed"), errno);
  syncNames();
  Database fresh(place_, Database::Mode::kWrite);
  prepareForWriting(fresh);
  if (fileIdentity(place_) != copied_) throw Error(Errc::kStore, strCat(place_, ": was replaced again"));
  database = std::move(fresh);
  stands();
  copy_.clear(), copied_.reset();
  news_ = strCat(path_, ": was deleted or replaced while it was in use; it is back, and nothing of it was lost");
}

std::string StorePlace::takeNews() { return std::exchange(news_, ""); }

}  // namespace paceline::store
