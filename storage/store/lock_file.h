// The exclusive lock beside a store: FILE.lock, held as long as the object lives; the kernel frees it however the process ends.
// Throws Error{kLocked} naming the holder, kStore when the lock file cannot be made. Private to storage.
#pragma once

#include <string>

namespace paceline::store {

class LockFile {
 public:
  explicit LockFile(const std::string& store);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace paceline::store
