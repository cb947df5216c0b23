#include "storage/store/place.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "storage/store/store.h"

namespace paceline::store {
namespace {

std::string realPath(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, ignored);
  return ignored ? path : real.string();
}

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
  const bool moved = now != file_;
  bool back = false;
  try {
    if (moved) keep(database), takeLogsAway();
    lock.takeAgainWhenGone();
    if (!now) bringBack();
    back = moved && (!now || now == copied_);
    if (back) openAgain(database);
  } catch (const Error& error) {
    const std::string what = moved ? strCat(path_, ": was ", now ? "replaced" : "deleted", " while it was in use, and cannot be put back yet: ") : "";
    throw Unavailable(error.code(), what + error.what());
  }
  if (moved && !back)
    throw Unavailable(Errc::kStore, strCat(path_, ": was replaced by another file while it was in use; all that was recorded is in ", copy_,
                                           ", and comes back when that other file is moved away"));
  if (!log_ || !index_) stands();  // SQLite makes them when it first reads
}

// Once: nothing is written until it stands again.
void StorePlace::keep(Database& database) {
  if (copied_ && (fileIdentity(copy_) == copied_ || fileIdentity(place_) == copied_)) return;
  if (disk::makeFolders(disk::folderOf(place_)) != 0) disk::refuse(strCat(disk::folderOf(place_), ": the folder cannot be made again"), errno);
  const std::string copy = freeName(place_ + ".kept"), part = copy + ".part";
  for (const char* end : {"", "-journal", "-wal", "-shm"}) disk::remove(part + end);
  try {
    database.copyTo(part);
  } catch (const Error&) {
    disk::remove(part);
    throw;
  }
  ::chmod(part.c_str(), mode_);
  if (disk::rename(part, copy) != 0) disk::refuse(strCat(copy, ": cannot be made"), errno);
  disk::syncFolder(disk::folderOf(place_));
  copy_ = copy, copied_ = fileIdentity(copy);
}

// What is in them is in the copy; whoever opens what stands there now would take them for its own.
void StorePlace::takeLogsAway() const {
  if (log_ && fileIdentity(place_ + "-wal") == log_) disk::remove(place_ + "-wal");
  if (index_ && fileIdentity(place_ + "-shm") == index_) disk::remove(place_ + "-shm");
}

void StorePlace::bringBack() {
  // A second name, so that a file that has come there meanwhile is not written over; then without the first.
  if (disk::link(copy_, place_) == 0) disk::remove(copy_);
  else if (errno == EEXIST || disk::rename(copy_, place_) != 0) disk::refuse(strCat(place_, ": cannot be put back from ", copy_), errno);
  disk::syncFolder(disk::folderOf(place_));
}

void StorePlace::openAgain(Database& database) {
  Database fresh(path_, Database::Mode::kWrite);
  prepareForWriting(fresh);
  database = std::move(fresh);
  stands();
  copy_.clear(), copied_.reset();
  news_ = strCat(path_, ": was deleted or replaced while it was in use; it is back, and nothing of it was lost");
}

std::string StorePlace::takeNews() { return std::exchange(news_, ""); }

}  // namespace paceline::store
