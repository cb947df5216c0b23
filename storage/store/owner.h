// Which process this is, and whether another still lives: process id and start time together, so a reused id is not mistaken.
// Any thread. Linux (/proc). Private to storage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/base/fd.h"
#include "engine/core/base/held_files.h"

namespace paceline::store {

struct ProcessIdentity {
  std::int64_t pid = 0, start = 0;  // start: clock ticks since boot
};

ProcessIdentity thisProcess();
bool isAlive(const ProcessIdentity& process);
std::string thisProgram();  // "paceline run": the program's file name and its subcommand

std::string realPath(const std::string& path);  // whatever links lead to it: two names of one file have one real path

// The exclusive lock beside a store: FILE.lock, held as long as the object lives; the kernel frees it however the process ends. Only this user can
// open the file: whoever can read it could hold its lock.
// Throws Error{kLocked} naming the holder, kStore when the lock file cannot be made. Private to storage.
class LockFile {
 public:
  explicit LockFile(const std::string& store);
  ~LockFile();
  void takeAgainWhenGone();  // the file was deleted: another process could take the lock of a new one

 private:
  void take();

  std::string store_, path_;
  Fd file_;
  std::optional<FileIdentity> taken_;
};

}  // namespace paceline::store
