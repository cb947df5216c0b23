#include "engine/core/base/replace_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "engine/core/base/disk.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/held_files.h"

namespace paceline {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;                // as the kernel
constexpr std::size_t kLongestName = 240;     // NAME_MAX, less what is added
constexpr int kMostWriters = 16;              // of one file at the same moment

// The file behind the links, which need not be there.
std::string behindLinks(const std::string& path) {
  fs::path at = path;
  std::error_code none;
  for (int links = 0; fs::is_symlink(fs::symlink_status(at, none)); ++links) {
    const fs::path to = fs::read_symlink(at, none);
    if (none || links == kMostLinks) disk::refuse("cannot write " + path, none ? none.value() : ELOOP);
    at = to.is_absolute() ? to : at.parent_path() / to;
  }
  return at.string();
}

// Files that this process has open by another name ("/dev/stdout") are not to be replaced under it.
bool writtenInPlace(const std::string& path) {
  for (const char* open : {"/dev/fd/", "/dev/std", "/proc/"})
    if (path.starts_with(open)) return true;
  struct stat there{};
  return ::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
}

bool isNamed(const Fd& file, const std::string& name) {
  struct stat held{}, there{};
  return ::fstat(file.get(), &held) == 0 && ::lstat(name.c_str(), &there) == 0 && held.st_ino == there.st_ino && held.st_dev == there.st_dev;
}

// A temporary file that does not survive its writer, whose lock says that it lives. Each of several who write the same file at the same moment has one
// of its own, so that nobody waits for another, who may be frozen. Where the file system has no locks they are not kept apart.
class Temporary {
 public:
  Temporary(const std::string& target, mode_t mode) : folder_(disk::folderOf(target)) {
    const std::string stem = strCat(folder_, "/.", fs::path(target).filename().string().substr(0, kLongestName), ".new");
    for (int number = 1; number <= kMostWriters; ++number) {
      name_ = nameOf(stem, number);
      const Claim claim = claimed(mode);
      if (claim == Claim::kOurs) {
        removeLeftovers(stem, number + 1);
        return;
      }
      const int reason = claim == Claim::kBusy ? EBUSY : errno;
      name_.clear(), file_.close();  // not ours to remove
      errno = reason;
      if (claim == Claim::kRefused) return;
    }
  }
  ~Temporary() {
    if (!name_.empty()) disk::remove(name_);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  bool opens() const { return static_cast<bool>(file_); }  // else errno says why not; EBUSY: too many write the same file
  int fd() const { return file_.get(); }

  // false: errno says why it is not `target` now.
  bool become(const std::string& target) {
    Fd lock(::fcntl(file_.get(), F_DUPFD_CLOEXEC, 0));
    if (!lock) return false;
    const bool closed = disk::close(file_.release()) == 0;  // which may say that a write failed
    file_ = std::move(lock);                                // the lock stays until the name is gone
    if (!closed || disk::rename(name_, target) != 0) return false;
    name_.clear();
    return true;
  }
  const std::string& folder() const { return folder_; }

 private:
  enum class Claim { kOurs, kBusy, kRefused };  // kRefused: for the reason in errno

  static std::string nameOf(const std::string& stem, int number) { return number == 1 ? stem : strCat(stem, number); }

  // file_ is `name_`, fresh and locked, when it is ours.
  Claim claimed(mode_t mode) {
    for (;;) {
      file_ = Fd(disk::open(name_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
      const bool fresh = static_cast<bool>(file_);
      if (!fresh && errno != EEXIST) return Claim::kRefused;
      if (!fresh) file_ = Fd(disk::open(name_, O_WRONLY | O_NOFOLLOW | O_NONBLOCK));
      if (!file_ && errno != ENOENT) return Claim::kRefused;
      if (!file_) continue;
      if (!locked(file_)) return Claim::kBusy;
      if (!isNamed(file_, name_)) continue;  // its writer has put it in place meanwhile
      if (fresh) return Claim::kOurs;
      if (disk::remove(name_) != 0 && errno != ENOENT) return Claim::kRefused;  // of a writer that was killed
    }
  }

  // Of writers that were killed while others wrote the same file.
  static void removeLeftovers(const std::string& stem, int from) {
    for (int number = from; number <= kMostWriters; ++number) {
      const std::string name = nameOf(stem, number);
      if (::access(name.c_str(), F_OK) != 0) continue;
      const Fd file(disk::open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK));
      if (file && locked(file) && isNamed(file, name)) disk::remove(name);
    }
  }

  // false: its writer lives.
  static bool locked(const Fd& file) {
    while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
      if (errno != EINTR) return errno != EWOULDBLOCK;
    return true;
  }

  std::string folder_, name_;
  Fd file_;
};

// Root keeps the owner of what it replaces; everybody keeps the mode.
bool keepOwnership(int fd, const struct stat& old) {
  struct stat fresh{};
  if (::fstat(fd, &fresh) != 0) return false;
  if (fresh.st_uid != old.st_uid || fresh.st_gid != old.st_gid) (void)(::fchown(fd, old.st_uid, old.st_gid) == 0 || ::fchown(fd, static_cast<uid_t>(-1), old.st_gid) == 0);
  return (fresh.st_mode & 07777U) == (old.st_mode & 07777U) || disk::chmod(fd, old.st_mode & 07777U) == 0;
}

using Source = std::function<void(const PieceWriter& write)>;

void writeInPlace(const std::string& path, const Source& source, mode_t mode) {
  const auto failed = [&path] { disk::refuse("cannot write " + path, errno); };
  Fd file(disk::open(path, O_WRONLY | O_CREAT | O_TRUNC, mode));
  if (!file) failed();
  source([&](std::string_view piece) { if (!disk::writeAll(file.get(), piece)) failed(); });
  if (disk::close(file.release()) != 0) failed();
}

}  // namespace

void replaceFile(const std::string& path, std::string_view bytes, mode_t mode) {
  replaceFile(path, [bytes](const PieceWriter& write) { write(bytes); }, mode);
}

void replaceFile(const std::string& path, const Source& source, mode_t mode) {
  if (isHeld(path)) disk::refuse(strCat("cannot write ", path, ", a database that is open here"), EBUSY);
  if (writtenInPlace(path)) return writeInPlace(path, source, mode);
  const std::string target = behindLinks(path);
  struct stat old{};
  const bool replaces = ::stat(target.c_str(), &old) == 0;
  const auto failed = [&](int reason) { disk::refuse(strCat("cannot write ", path, replaces ? " (the file there stays as it was)" : ""), reason); };
  if (replaces && ::access(target.c_str(), W_OK) != 0) failed(errno);  // a file that may not be written may not be replaced
  Temporary fresh(target, mode);
  if (!fresh.opens() || (replaces && !keepOwnership(fresh.fd(), old))) failed(errno);
  source([&](std::string_view piece) { if (!disk::writeAll(fresh.fd(), piece)) failed(errno); });
  if (disk::sync(fresh.fd()) != 0 || !fresh.become(target)) failed(errno);
  if (disk::syncFolder(fresh.folder()) != 0) disk::refuse(strCat(path, " is written, but may not survive a power cut: cannot sync its folder"), errno);
}

}  // namespace paceline
