#include "app/cluster/hosts/replace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/core/base/error.h"

namespace paceline::hosts {

void replaceFile(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path temporary = strCat(path.string(), ".", ::getpid(), ".new");
  const auto failed = [&] {
    const int reason = errno;
    ::unlink(temporary.c_str());
    throw Error(reason == ENOSPC || reason == EDQUOT ? Errc::kNoSpace : Errc::kFile,
                strCat("cannot write ", path.string(), ": ", std::strerror(reason)));
  };
  ::unlink(temporary.c_str());  // of a process that was killed and had our id
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) failed();
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = ::write(file, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    written += static_cast<std::size_t>(n);
  }
  const bool whole = written == text.size() && ::fsync(file) == 0;
  const int reason = errno;
  ::close(file);
  errno = reason;
  if (!whole || ::rename(temporary.c_str(), path.c_str()) != 0) failed();
  if (const int folder = ::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

}  // namespace paceline::hosts
