#include "agent/supervisor/receive/installed.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "agent/supervisor/contain/processes.h"
#include "agent/supervisor/receive/object_store.h"
#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/base/text.h"
#include "engine/core/json/json_text.h"

namespace paceline::receive {

namespace {

namespace fs = std::filesystem;

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
  std::ifstream file(version + "/" + kManifestName);
  const Json json = Json::parse(file, nullptr, false);
  return json.is_object() && json.contains("paceline") && json["paceline"].is_string() ? json["paceline"].get<std::string>() : "";
}

}  // namespace

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
  const ObjectStore alone(paths, [] {});  // nobody sends meanwhile
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
