#include "agent/supervisor/receive/object_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "engine/core/base/text.h"
#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"

namespace paceline::receive {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void failed(const std::string& what, const InstalledPaths& paths, int problem) {
  if (problem == ENOSPC) throw Error(Errc::kNoSpace, strCat("the disk of ", paths.folder, " is full"));
  if (problem == EDQUOT) throw Error(Errc::kNoSpace, strCat("the quota of the disk of ", paths.folder, " is used up"));
  throw Error(Errc::kFile, strCat(what, ": ", std::strerror(problem)));
}

std::int64_t sizeOf(const std::string& path) {  // -1: no such file
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? static_cast<std::int64_t>(status.st_size) : -1;
}

void writeAll(const Fd& file, std::string_view bytes, const std::string& path, const InstalledPaths& paths) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) failed("cannot write " + path, paths, written == 0 ? ENOSPC : errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void makeFolders(const std::string& path, const InstalledPaths& paths) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) failed("cannot make " + path, paths, error.value());
}

// A rename is on the disk when its folder is.
void syncFolder(const std::string& path) {
  const Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) ::fsync(folder.get());
}

void writeWhole(const std::string& path, const std::string& text, const InstalledPaths& paths) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) failed("cannot write " + path, paths, errno);
  writeAll(file, text, path, paths);
  if (::fsync(file.get()) != 0) failed("cannot write " + path, paths, errno);
}

// A second name for the same content; a copy where the file system has no such thing.
void linkOrCopy(const std::string& from, const std::string& to, const InstalledPaths& paths) {
  if (::link(from.c_str(), to.c_str()) == 0) return;
  if (errno != EPERM && errno != ENOTSUP && errno != EMLINK && errno != EXDEV) failed(strCat("cannot link ", to), paths, errno);
  std::error_code error;
  fs::copy_file(from, to, error);
  if (error) failed("cannot write " + to, paths, error.value());
}

}  // namespace

ObjectStore::ObjectStore(InstalledPaths paths, const std::function<void()>& onWait) : paths_(std::move(paths)) {
  for (const std::string& folder : {paths_.objects, paths_.partial, paths_.versions}) makeFolders(folder, paths_);
  const std::string file = paths_.partial + "/.lock";
  lock_ = Fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock_) failed("cannot write " + file, paths_, errno);
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return;
  onWait();
  while (::flock(lock_.get(), LOCK_EX) != 0)
    if (errno != EINTR) failed("cannot lock " + file, paths_, errno);
}

bool ObjectStore::has(const ManifestFile& file) const {
  if (sizeOf(object(file)) < 0) takeOver(file);
  return sizeOf(object(file)) == file.size;
}

std::int64_t ObjectStore::arrived(const ManifestFile& file) const {
  const std::int64_t size = sizeOf(partial(file));
  return size > 0 && size <= file.size ? size : 0;
}

std::int64_t ObjectStore::bytesFree() const {
  struct statvfs disk{};
  return ::statvfs(paths_.folder.c_str(), &disk) == 0 ? static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize) : 0;
}

void ObjectStore::takeOver(const ManifestFile& file) const {
  const std::string agent = strCat(paths_.agents, "/", file.sha256, "/paceline-agent");
  if (file.program && sizeOf(agent) == file.size && sha256OfFile(agent) == file.sha256) linkOrCopy(agent, object(file), paths_);
}

void ObjectStore::receive(const ManifestFile& file, const std::function<std::string(std::int64_t)>& next) {
  const std::string path = partial(file);
  std::int64_t done = arrived(file);
  {
    const Fd out(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (done == 0 ? O_TRUNC : 0), 0600));
    if (!out) failed("cannot write " + path, paths_, errno);
    while (done < file.size) {
      const std::string bytes = next(file.size - done);
      writeAll(out, bytes, path, paths_);
      done += static_cast<std::int64_t>(bytes.size());
    }
    if (::fsync(out.get()) != 0) failed("cannot write " + path, paths_, errno);
  }
  keep(file);
}

void ObjectStore::keep(const ManifestFile& file) {
  const std::string path = partial(file);
  if (sha256OfFile(path) != file.sha256) {
    ::unlink(path.c_str());
    throw Error(Errc::kFormat, strCat(file.path, " arrived with another SHA-256; deploy again"));
  }
  if (::chmod(path.c_str(), file.program ? 0555 : 0444) != 0 || ::rename(path.c_str(), object(file).c_str()) != 0)
    failed("cannot keep " + object(file), paths_, errno);
  syncFolder(paths_.objects);
}

void ObjectStore::place(const Manifest& manifest, const std::string& folder) {
  const std::string fresh = strCat(paths_.versions, "/.new-", ::getpid()), old = strCat(paths_.versions, "/.old-", ::getpid());
  std::error_code ignored;
  for (const std::string& left : {fresh, old}) fs::remove_all(left, ignored);
  try {
    makeFolders(fresh, paths_);
    for (const ManifestFile& file : manifest.files) {
      const std::string path = fresh + "/" + file.path;
      makeFolders(fs::path(path).parent_path().string(), paths_);
      linkOrCopy(object(file), path, paths_);
    }
    writeWhole(fresh + "/" + kManifestName, toJsonText(manifest), paths_);
    syncFolder(fresh);
    const std::string parent = fs::path(folder).parent_path().string();
    makeFolders(parent, paths_);
    if (::rename(folder.c_str(), old.c_str()) != 0 && errno != ENOENT) failed("cannot replace " + folder, paths_, errno);
    if (::rename(fresh.c_str(), folder.c_str()) != 0) failed("cannot make " + folder, paths_, errno);
    syncFolder(parent);
  } catch (const Error&) {
    fs::remove_all(fresh, ignored);
    throw;
  }
  fs::remove_all(old, ignored);
}

}  // namespace paceline::receive
