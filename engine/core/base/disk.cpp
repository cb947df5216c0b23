#include "engine/core/base/disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "engine/core/base/fd.h"

namespace paceline::disk {
namespace {

int faultBefore(const char* call) { return fault == nullptr ? 0 : fault(call); }

template <class Call>
auto through(const char* name, const Call& call) -> decltype(call()) {
  for (;;) {
    errno = faultBefore(name);
    const auto result = errno == 0 ? call() : -1;
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace

int open(const std::string& path, int flags, mode_t mode) {
  return through("open", [&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); });
}

ssize_t write(int fd, std::string_view bytes) {
  return through("write", [&] { return ::write(fd, bytes.data(), bytes.size()); });
}

bool writeAll(int fd, std::string_view bytes) {
  return paceline::writeAll(bytes, [fd](std::string_view rest) { return write(fd, rest); });
}

ssize_t pwrite(int fd, std::string_view bytes, off_t at) {
  return through("pwrite", [&] { return ::pwrite(fd, bytes.data(), bytes.size(), at); });
}

int truncate(int fd, off_t length) {
  return through("ftruncate", [&] { return ::ftruncate(fd, length); });
}

int chmod(int fd, mode_t mode) {
  return through("fchmod", [&] { return ::fchmod(fd, mode); });
}

int sync(int fd) {
  return through("fsync", [&] { return ::fsync(fd); });
}

int syncData(int fd) {
  return through("fdatasync", [&] { return ::fdatasync(fd); });
}

int syncFileSystem(int fd) {
  return through("syncfs", [&] { return ::syncfs(fd); });
}

// Linux closes the descriptor even when it says EINTR.
int close(int fd) {
  const int injected = faultBefore("close");
  const int result = ::close(fd);
  if (injected != 0) errno = injected;
  return (result == 0 && injected == 0) || errno == EINTR ? 0 : -1;
}

int rename(const std::string& from, const std::string& to) {
  return through("rename", [&] { return std::rename(from.c_str(), to.c_str()); });
}

int exchange(const std::string& one, const std::string& other) {
  return through("renameat2", [&] { return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE); });
}

int link(const std::string& from, const std::string& to) {
  return through("link", [&] { return ::link(from.c_str(), to.c_str()); });
}

int remove(const std::string& file) {
  return through("unlink", [&] { return ::unlink(file.c_str()); });
}

int makeFolder(const std::string& path, mode_t mode) {
  return through("mkdir", [&] { return ::mkdir(path.c_str(), mode); });
}

int makeFolders(const std::string& path) {
  struct stat there{};
  if (::stat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode)) return 0;
  const std::string above = folderOf(path);
  if (above != path && makeFolders(above) != 0) return -1;
  if (makeFolder(path) == 0) return 0;
  const int reason = errno;  // another process may have been faster
  const bool folder = ::stat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode);
  errno = folder ? 0 : reason;
  return folder ? 0 : -1;
}

int syncFolder(const std::string& path) {
  const Fd folder(open(path, O_RDONLY | O_DIRECTORY));
  if (!folder) return -1;
  return sync(folder.get()) == 0 || errno == EINVAL ? 0 : -1;
}

std::string folderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

void refuse(const std::string& what, int reason) {
  throw Error(reason == ENOSPC || reason == EDQUOT ? Errc::kNoSpace : Errc::kFile, strCat(what, ": ", std::strerror(reason)));
}

void tellFileSizeLimits() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace paceline::disk
