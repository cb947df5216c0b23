#include "agent/supervisor/receive/installed.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "agent/supervisor/contain/containment.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/json_text.h"

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

void makeFolders(const std::string& path, const InstalledPaths& paths) {
  if (disk::makeFolders(path) != 0) failed("cannot make " + path, paths, errno);
}

mode_t modeOf(bool program) { return program ? 0555 : 0444; }

// A rename is on the disk when its folder is.
void syncFolder(const std::string& path, const InstalledPaths& paths) {
  if (disk::syncFolder(path) != 0) failed("cannot keep the names in " + path, paths, errno);
}

void writeWhole(const std::string& path, const std::string& text, const InstalledPaths& paths) {
  Fd file(disk::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600));
  if (!file || !disk::writeAll(file.get(), text) || disk::sync(file.get()) != 0 || disk::close(file.release()) != 0) failed("cannot write " + path, paths, errno);
}

void copy(const std::string& from, const std::string& to, bool program, const InstalledPaths& paths) {
  const Fd source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  Fd file(disk::open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  if (!source || !file) failed(strCat("cannot copy ", from, " to ", to), paths, errno);
  std::string block(1 << 20, '\0');
  ssize_t got = 0;
  while ((got = ::read(source.get(), block.data(), block.size())) > 0)
    if (!disk::writeAll(file.get(), std::string_view(block).substr(0, static_cast<std::size_t>(got)))) failed("cannot write " + to, paths, errno);
  if (got < 0) failed("cannot read " + from, paths, errno);
  if (disk::chmod(file.get(), modeOf(program)) != 0 || disk::sync(file.get()) != 0 || disk::close(file.release()) != 0) failed("cannot write " + to, paths, errno);
}

void removeIfThere(const std::string& path, const InstalledPaths& paths) {
  if (disk::remove(path) != 0 && errno != ENOENT) failed("cannot remove " + path, paths, errno);
}

// A second name for the same content. false: the file system has no such thing, or no more of them.
bool linked(const std::string& from, const std::string& to, const InstalledPaths& paths) {
  if (disk::link(from, to) == 0) return true;
  if (errno != EPERM && errno != ENOTSUP && errno != EMLINK && errno != EXDEV) failed("cannot link " + to, paths, errno);
  return false;
}

struct Content {
  std::int64_t bytes = 0;
  nlink_t names = 0, here = 0;  // of this content: in all, below the folder that was looked at
};
using Contents = std::map<std::pair<dev_t, ino_t>, Content>;

Contents contentsBelow(const std::string& folder) {
  Contents found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    struct stat status{};
    if (::lstat(entry->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    Content& content = found[{status.st_dev, status.st_ino}];
    content.bytes = static_cast<std::int64_t>(status.st_size);
    content.names = status.st_nlink;
    ++content.here;
  }
  return found;
}

std::int64_t bytesOf(const Contents& contents) {
  std::int64_t sum = 0;
  for (const auto& [id, content] : contents) sum += content.bytes;
  return sum;
}

std::int64_t bytesInstalled(const InstalledPaths& paths) {
  Contents all;
  for (const std::string& folder : {paths.agents, paths.objects, paths.partial, paths.versions}) all.merge(contentsBelow(folder));
  return bytesOf(all);
}

std::vector<std::string> namesIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The folders directly below `parent` from which a process runs or has something mapped. `except`: a process that does not count.
std::set<std::string> inUse(const std::string& parent, pid_t except) {
  std::error_code ignored;
  const std::string prefix = fs::weakly_canonical(parent, ignored).string() + "/";
  std::set<std::string> used;
  const auto note = [&](const std::string& text) {
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
      const std::size_t begin = at + prefix.size();
      used.insert(text.substr(begin, text.find('/', begin) - begin));
    }
  };
  for (const pid_t pid : contain::processesOfUser()) {
    if (pid == except) continue;
    const std::string process = "/proc/" + std::to_string(pid);
    note(fs::read_symlink(process + "/exe", ignored).string());
    std::ifstream maps(process + "/maps");
    for (std::string line; std::getline(maps, line);) note(line);
  }
  return used;
}

// As /proc/locks writes it: the file system, not the device of fstat(), which is another one where a file system has several (btrfs); and the inode.
std::string nameInLocks(const Fd& lock) {
  struct stat status{};
  if (::fstat(lock.get(), &status) != 0) return "";
  std::ifstream info(strCat("/proc/self/fdinfo/", lock.get())), mounts("/proc/self/mountinfo");  // "36 35 98:0 /root /mnt options ..."
  std::string word, mount;
  while (info >> word)
    if (word == "mnt_id:") info >> mount;
  unsigned type = major(status.st_dev), number = minor(status.st_dev);
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string id, parent;
    char colon = 0;
    if (words >> id >> parent && id == mount) words >> type >> colon >> number;
  }
  char name[64];
  std::snprintf(name, sizeof name, "%02x:%02x:%ju", type, number, static_cast<std::uintmax_t>(status.st_ino));
  return name;
}

// Who has this lock, as the kernel says; a process of another host that shares the disk is not known.
std::string holderOf(const Fd& lock) {
  const std::string who = "another deployment to this host", wanted = nameInLocks(lock);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);  // "1: FLOCK ADVISORY WRITE 4711 fd:01:123456 0 EOF"
    std::string number, kind, how, access, pid, file;
    words >> number >> kind >> how >> access >> pid >> file;
    if (kind != "FLOCK" || file != wanted) continue;
    const std::string state = fileText(strCat("/proc/", pid, "/stat")).value_or("");
    const bool stopped = state.find(") T ") != std::string::npos;
    return strCat(who, " (process ", pid, stopped ? strCat(", which is stopped; kill -CONT ", pid, " goes on with it") : "", ")");
  }
  return who;
}

std::string utc(const std::string& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return "";
  return utcText(static_cast<double>(status.st_mtime));
}

std::vector<std::string> partsOf(const std::string& version) {
  std::vector<std::string> parts;
  std::error_code ignored;
  if (fs::is_directory(version + "/lib", ignored)) parts.emplace_back("lib");
  for (const std::string& name : namesIn(version + "/data")) parts.push_back("data/" + name);
  return parts;
}

std::string madeBy(const std::string& version) {
  const Json json = jsonOrNull(fileText(version + "/" + kManifestName).value_or(""));
  return json.is_object() && json.contains("paceline") && json["paceline"].is_string() ? json["paceline"].get<std::string>() : "";
}

}  // namespace

bool isWhole(const std::string& folder) {
  try {
    const Manifest manifest = parseManifest(fileText(folder + "/" + kManifestName).value_or(""));
    return std::ranges::all_of(manifest.files, [&](const ManifestFile& file) { return sizeOf(folder + "/" + file.path) == file.size; });
  } catch (const Error&) {
    return false;
  }
}

bool keepAgent(const std::string& part, const std::string& sha256) {
  if (sha256OfFile(part) != sha256) return false;
  const std::string folder = disk::folderOf(part), agent = folder + "/paceline-agent";
  Fd file(disk::open(part, O_RDONLY | O_NOFOLLOW));
  if (!file || disk::sync(file.get()) != 0 || disk::close(file.release()) != 0 || disk::rename(part, agent) != 0 || disk::syncFolder(folder) != 0)
    disk::refuse("cannot keep " + agent, errno);
  return true;
}

ObjectStore::ObjectStore(InstalledPaths paths, const std::function<void(const std::string&)>& onWait) : paths_(std::move(paths)) {
  for (const std::string& folder : {paths_.objects, paths_.partial, paths_.versions}) makeFolders(folder, paths_);
  const std::string file = paths_.partial + "/.lock";
  lock_ = Fd(disk::open(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  if (!lock_) failed("cannot write " + file, paths_, errno);
  while (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) onWait(holderOf(lock_));
    else if (errno != EINTR) failed("cannot lock " + file, paths_, errno);
  }
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
  const auto isThere = [&file](const std::string& path) { return sizeOf(path) == file.size && sha256OfFile(path) == file.sha256; };
  const std::string agent = strCat(paths_.agents, "/", file.sha256, "/paceline-agent"), twin = object(file.sha256, !file.program);
  const bool isAgent = file.program && isThere(agent);
  if (isAgent && linked(agent, object(file), paths_)) return;
  if (!isAgent && !isThere(twin)) return;
  removeIfThere(partial(file), paths_);
  copy(isAgent ? agent : twin, partial(file), file.program, paths_);
  keep(file);
}

void ObjectStore::receive(const ManifestFile& file, const std::function<std::string(std::int64_t)>& next) {
  const std::string path = partial(file);
  std::int64_t done = arrived(file);
  if (done == 0) removeIfThere(path, paths_);
  {
    const bool whole = done > 0 && done == file.size;  // may have its last mode already
    Fd out(disk::open(path, (whole ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND) | O_NOFOLLOW, 0600));
    if (!out) failed("cannot write " + path, paths_, errno);
    while (done < file.size) {
      const std::string bytes = next(file.size - done);
      if (!disk::writeAll(out.get(), bytes)) failed("cannot write " + path, paths_, errno);
      done += static_cast<std::int64_t>(bytes.size());
    }
    if (disk::chmod(out.get(), modeOf(file.program)) != 0 || disk::sync(out.get()) != 0 || disk::close(out.release()) != 0) failed("cannot write " + path, paths_, errno);
  }
  keep(file);
}

void ObjectStore::keep(const ManifestFile& file) const {
  const std::string path = partial(file);
  if (sha256OfFile(path) != file.sha256) {
    disk::remove(path);
    throw Error(Errc::kFormat, strCat(file.path, " arrived with another SHA-256; deploy again"));
  }
  if (disk::rename(path, object(file)) != 0) failed("cannot keep " + object(file), paths_, errno);
  syncFolder(paths_.objects, paths_);
}

void ObjectStore::place(const Manifest& manifest, const std::string& folder) {
  const std::string fresh = strCat(paths_.versions, "/.new-", ::getpid());
  std::error_code ignored;
  for (const std::string& name : namesIn(paths_.versions))  // the lock is ours: whose they were was killed
    if (name.starts_with(".new-") || name.starts_with(".old-")) fs::remove_all(paths_.versions + "/" + name, ignored);
  if (isWhole(folder) && fileText(folder + "/" + kManifestName) == toJsonText(manifest)) return;
  try {
    fill(fresh, manifest);
    const std::string parent = disk::folderOf(folder);
    makeFolders(parent, paths_);
    putInPlace(fresh, folder);
    syncFolder(parent, paths_);
  } catch (const Error&) {
    fs::remove_all(fresh, ignored);
    throw;
  }
  fs::remove_all(fresh, ignored);
}

// What was there has the name `fresh` afterwards.
void ObjectStore::putInPlace(const std::string& fresh, const std::string& folder) const {
  if (disk::rename(fresh, folder) == 0) return;  // nothing was there
  if (errno != ENOTEMPTY && errno != EEXIST) failed("cannot make " + folder, paths_, errno);
  if (disk::exchange(fresh, folder) == 0) return;
  if (errno != EINVAL && errno != ENOSYS) failed("cannot replace " + folder, paths_, errno);
  // NFS knows no exchange. Who is killed between these two leaves nothing of that name; the next deployment makes it of the contents here.
  const std::string old = strCat(paths_.versions, "/.old-", ::getpid());
  if (disk::rename(folder, old) != 0) failed("cannot replace " + folder, paths_, errno);
  if (disk::rename(fresh, folder) != 0) {
    const int reason = errno;
    disk::rename(old, folder);
    failed("cannot make " + folder, paths_, reason);
  }
  std::error_code ignored;
  fs::remove_all(old, ignored);
}

void ObjectStore::fill(const std::string& folder, const Manifest& manifest) const {
  std::set<std::string> folders{folder};
  makeFolders(folder, paths_);
  for (const ManifestFile& file : manifest.files) {
    const std::string path = folder + "/" + file.path;
    for (std::string above = disk::folderOf(path); folders.insert(above).second; above = disk::folderOf(above)) makeFolders(above, paths_);
    if (!linked(object(file), path, paths_)) copy(object(file), path, file.program, paths_);
  }
  writeWhole(folder + "/" + kManifestName, toJsonText(manifest), paths_);
  for (const std::string& made : folders) syncFolder(made, paths_);
}

std::string traceOf(const InstalledPaths& paths) {
  std::string trace = strCat(namesIn(paths.objects).size(), " ", bytesOf(contentsBelow(paths.partial)));
  for (const std::string& name : namesIn(paths.versions))
    if (name.starts_with(".new-")) trace += strCat(" ", bytesOf(contentsBelow(paths.versions + "/" + name)));
  return trace;
}

std::string installedJson(const InstalledPaths& paths) {
  const Contents objects = contentsBelow(paths.objects);
  const std::set<std::string> used = inUse(paths.versions, 0);
  Json versions = Json::array();
  for (const std::string& id : namesIn(paths.versions)) {
    if (!isHash(id, 32)) continue;
    const std::string folder = paths.version(id);
    std::int64_t bytes = 0;
    for (const auto& [content, found] : contentsBelow(folder))
      if (found.names == found.here + (objects.contains(content) ? 1 : 0)) bytes += found.bytes;
    versions.push_back({{"id", id}, {"paceline", madeBy(folder)}, {"created_utc", utc(folder + "/" + kManifestName)}, {"bytes", bytes},
                        {"in_use", used.contains(id)}, {"parts", partsOf(folder)}});
  }
  return dumped(Json{{"folder", paths.folder}, {"versions", versions}, {"partial_bytes", bytesOf(contentsBelow(paths.partial))},
                     {"bytes", bytesInstalled(paths)}});
}

std::string uninstall(const InstalledPaths& paths, const std::string& keep) {
  std::error_code error;
  if (!fs::is_directory(paths.folder, error)) return dumped(Json{{"freed_bytes", 0}});
  const ObjectStore alone(paths, [](const std::string& holder) {  // nobody sends meanwhile
    throw Error(Errc::kHost, strCat(holder, " is under way; what it left can be removed when it has ended"));
  });
  const std::int64_t before = bytesInstalled(paths);
  const auto removeBut = [&](const std::string& parent, const std::set<std::string>& kept) {
    for (const std::string& name : namesIn(parent)) {
      if (kept.contains(name)) continue;
      fs::remove_all(parent + "/" + name, error);
      if (error) throw Error(Errc::kFile, strCat("cannot remove ", parent, "/", name, ": ", error.message()));
    }
  };
  std::set<std::string> versions = inUse(paths.versions, 0), agents = inUse(paths.agents, keep == "-" ? ::getpid() : 0);
  versions.insert(keep);
  removeBut(paths.versions, versions);
  removeBut(paths.agents, agents);
  removeBut(paths.partial, {".lock"});
  std::set<std::string> shared;
  for (const std::string& name : namesIn(paths.objects)) {
    struct stat status{};
    if (::lstat((paths.objects + "/" + name).c_str(), &status) == 0 && status.st_nlink > 1) shared.insert(name);
  }
  removeBut(paths.objects, shared);
  return dumped(Json{{"freed_bytes", before - bytesInstalled(paths)}});
}

InstalledPaths installedPaths() {
  std::string folder = userCacheFolder();
  if (folder.empty()) throw Error(Errc::kHost, "neither XDG_CACHE_HOME nor HOME is set");
  folder += "/paceline";
  return {.folder = folder, .agents = folder + "/agents", .objects = folder + "/objects", .partial = folder + "/partial", .versions = folder + "/versions"};
}

}  // namespace paceline::receive
