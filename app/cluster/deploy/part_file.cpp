#include "app/cluster/deploy/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/core/base/bytes_text.h"
#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"

namespace paceline::deploy {

PartFile::PartFile(const std::string& path) : path_(path), part_(path + ".part") {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw Error(Errc::kFile, strCat("cannot make the folder ", folder.string(), ": ", error.message()));
  file_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) failed("cannot be written", errno);
  struct stat status {};
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw Error(Errc::kLocked, strCat(part_, ": another process is downloading it"));
  }
  if (::fstat(file_, &status) != 0 || ::lseek(file_, 0, SEEK_END) < 0) {
    const int code = errno;
    ::close(file_);
    failed("cannot be read", code);
  }
  size_ = status.st_size;
}

PartFile::~PartFile() {
  if (size_ == 0) ::unlink(part_.c_str());  // nothing to go on from
  ::close(file_);
}

void PartFile::failed(const char* what, int code) const {
  if (code == ENOSPC || code == EDQUOT) throw Error(Errc::kNoSpace, strCat(part_, ": the disk is full after ", bytesText(size_)));
  throw Error(Errc::kFile, strCat(part_, ": ", what, ": ", std::strerror(code)));
}

void PartFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) failed("cannot be written", errno);
    size_ += written;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PartFile::clear() {
  if (::ftruncate(file_, 0) != 0 || ::lseek(file_, 0, SEEK_SET) < 0) failed("cannot be emptied", errno);
  size_ = 0;
}

void PartFile::requireSpace(std::int64_t bytes) const {
  struct statvfs disk {};
  if (::fstatvfs(file_, &disk) != 0) return;
  const auto left = static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
  if (left < bytes) throw Error(Errc::kNoSpace, strCat(path_, ": needs ", bytesText(bytes), " more, its disk has ", bytesText(left), " left"));
}

std::string PartFile::sha256() const { return sha256OfFile(part_); }

void PartFile::complete() {
  if (::fsync(file_) != 0 || ::rename(part_.c_str(), path_.c_str()) != 0) failed("cannot be put in place", errno);
}

void PartFile::keepAsBad() {
  if (::rename(part_.c_str(), (path_ + ".bad").c_str()) != 0) failed("cannot be renamed", errno);
}

}  // namespace paceline::deploy
