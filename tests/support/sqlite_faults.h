// SQLite's way to the disk, behind the same hook as ours (engine/core/base/disk.h): while this lives, DiskFault lets each call by which SQLite changes a file
// fail, or ends the process before it. Before the first store is opened; one thread. Header-only.
#pragma once

#include <sqlite3.h>

#include <array>
#include <cerrno>

#include "engine/core/base/disk.h"

namespace paceline::tests {

class SqliteFaults {
 public:
  SqliteFaults() {
    real = ::sqlite3_vfs_find(nullptr);
    ours = *real;
    ours.zName = "faulty", ours.xOpen = open, ours.xDelete = remove;
    ::sqlite3_vfs_register(&ours, 1);
  }
  ~SqliteFaults() { ::sqlite3_vfs_unregister(&ours); }
  SqliteFaults(const SqliteFaults&) = delete;
  SqliteFaults& operator=(const SqliteFaults&) = delete;

 private:
  // `code`, with errno, when this call is to fail.
  static int faultAt(const char* call, int code) {
    const int reason = disk::fault == nullptr ? 0 : disk::fault(call);
    if (reason == 0 || reason == EINTR) return SQLITE_OK;  // SQLite makes interrupted calls again
    errno = reason;
    return code;
  }

  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* given) {
    file->pMethods = nullptr;
    if (const int code = faultAt("sqlite open", SQLITE_CANTOPEN)) return code;
    const int code = real->xOpen(real, name, file, flags, given);
    if (code != SQLITE_OK) return code;
    file->pMethods = faultyOf(file->pMethods);
    return code;
  }
  static int remove(sqlite3_vfs*, const char* name, int syncFolder) {
    const int code = faultAt("sqlite delete", SQLITE_IOERR_DELETE);
    return code != SQLITE_OK ? code : real->xDelete(real, name, syncFolder);
  }
  static int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 at) {
    const int code = faultAt("sqlite write", SQLITE_IOERR_WRITE);
    return code == SQLITE_OK ? realOf(file)->xWrite(file, bytes, count, at) : errno == ENOSPC ? SQLITE_FULL : code;  // as its own
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    const int code = faultAt("sqlite truncate", SQLITE_IOERR_TRUNCATE);
    return code != SQLITE_OK ? code : realOf(file)->xTruncate(file, size);
  }
  static int sync(sqlite3_file*, int) { return faultAt("sqlite sync", SQLITE_IOERR_FSYNC); }  // nobody cuts the power here
  static int map(sqlite3_file* file, int page, int size, int extend, volatile void** at) {
    const int code = extend != 0 ? faultAt("sqlite shared memory", SQLITE_IOERR_SHMSIZE) : SQLITE_OK;
    if (code == SQLITE_OK) return realOf(file)->xShmMap(file, page, size, extend, at);
    *at = nullptr;
    return code;
  }

  struct Kind {  // of files: with locks, without
    const sqlite3_io_methods* real;
    sqlite3_io_methods faulty;
  };
  static const sqlite3_io_methods* faultyOf(const sqlite3_io_methods* methods) {
    for (Kind& kind : kinds) {
      if (kind.real == nullptr) {
        kind.real = methods, kind.faulty = *methods;
        kind.faulty.xWrite = write, kind.faulty.xTruncate = truncate, kind.faulty.xSync = sync, kind.faulty.xShmMap = map;
      }
      if (kind.real == methods) return &kind.faulty;
    }
    return methods;
  }
  static const sqlite3_io_methods* realOf(const sqlite3_file* file) {
    for (const Kind& kind : kinds)
      if (file->pMethods == &kind.faulty) return kind.real;
    return nullptr;
  }

  static inline sqlite3_vfs* real = nullptr;
  static inline sqlite3_vfs ours{};
  static inline std::array<Kind, 4> kinds;  // zeroes
};

}  // namespace paceline::tests
