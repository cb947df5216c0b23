#include "storage/store/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/core/base/error.h"
#include "storage/store/owner.h"

namespace paceline::store {
namespace {

// Two names of one file have one lock.
std::string lockPath(const std::string& store) {
  std::error_code ignored;
  const std::filesystem::path real = std::filesystem::weakly_canonical(store, ignored);
  return (ignored ? store : real.string()) + ".lock";
}

// What the holder wrote: "1234 paceline run".
std::string holderOf(int descriptor) {
  char text[200] = {};
  const ssize_t length = ::pread(descriptor, text, sizeof text - 1, 0);
  std::string line(text, length > 0 ? static_cast<std::size_t>(length) : 0);
  line = line.substr(0, line.find('\n'));
  const std::size_t space = line.find(' ');
  if (line.empty()) return "another process";
  return space == std::string::npos ? "process " + line
                                    : strCat("process ", line.substr(0, space), " (", line.substr(space + 1), ")");
}

}  // namespace

LockFile::LockFile(const std::string& store) {
  const std::string path = lockPath(store);
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) {
    const Errc code = errno == ENOSPC || errno == EDQUOT ? Errc::kNoSpace : Errc::kStore;
    throw Error(code, strCat(path, ": cannot be made: ", std::strerror(errno)));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const std::string holder = holderOf(descriptor_);
    ::close(descriptor_);
    throw Error(Errc::kLocked, strCat(store, ": in use by ", holder, "; close it or use another --store"));
  }
  // Only for the message that the next one gets: the lock is the kernel's, so a failure to write is none of ours.
  const std::string line = strCat(thisProcess().pid, " ", thisProgram(), "\n");
  if (::ftruncate(descriptor_, 0) == 0) static_cast<void>(!::pwrite(descriptor_, line.data(), line.size(), 0));
}

// The file stays: removing it would let two processes lock two different files of this name.
LockFile::~LockFile() {
  static_cast<void>(!::ftruncate(descriptor_, 0));
  ::close(descriptor_);
}

}  // namespace paceline::store
