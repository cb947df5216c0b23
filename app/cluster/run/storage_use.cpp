#include "app/cluster/run/storage_use.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"
#include "storage/store/store.h"

namespace paceline::run {
namespace {

namespace fs = std::filesystem;

void addFolder(const std::string& path, FolderUse& use) {
  std::error_code error;
  if (path.empty() || !fs::is_directory(path, error)) return;
  use.path = path;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) ++use.entries;
  for (fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unimportant;
    const auto size = entry->is_regular_file(unimportant) ? entry->file_size(unimportant) : 0;
    if (!unimportant) use.bytes += static_cast<std::int64_t>(size);
  }
}

FolderUse arraysUse() {
  FolderUse use;
  if (const std::string cache = userCacheFolder(); !cache.empty()) addFolder(cache + "/paceline/arrays", use);
  return use;
}

// Folders of supervisors of this user here; one is named by its host where a home is shared.
std::vector<std::string> supervisorFolders() {
  if (const std::string own = environment("PACELINE_AGENT_DIR"); !own.empty()) return {own};
  std::vector<std::string> folders;
  std::error_code error;
  const std::string cache = userCacheFolder();
  if (!cache.empty())
    for (fs::directory_iterator entry(cache + "/paceline/agent", error), end; !error && entry != end; entry.increment(error)) folders.push_back(entry->path().string());
  return folders;
}

std::vector<KeptItem> itemsOf(const store::StoreReader& store, const std::vector<store::RunRow>& rows, const store::StoreUsage& usage) {
  std::map<std::string, std::pair<std::string, std::string>> suites;  // run -> id and name of its suite
  for (const store::SuiteRow& suite : store.suites())
    for (const store::SuiteCell& cell : suite.cells)
      for (const std::string& run : cell.runs) suites[run] = {suite.id, suite.name};
  std::map<std::string, store::RunUsage> sizes;
  for (const store::RunUsage& run : usage.runs) sizes[run.run] = run;
  std::map<std::string, KeptItem> items;
  for (const store::RunRow& row : rows) {
    const auto suite = suites.find(row.id);
    const bool single = suite == suites.end();
    KeptItem& item = items[single ? row.id : suite->second.first];
    item.id = single ? row.id : suite->second.first, item.suite = !single;
    item.name = single ? (row.name.empty() ? row.id : row.name) : suite->second.second;
    item.runs += 1, item.trashed += row.trashed ? 1 : 0;
    item.records += sizes[row.id].records, item.bytes += sizes[row.id].bytes;
  }
  std::vector<KeptItem> all;
  for (auto& [id, item] : items) all.push_back(std::move(item));
  std::ranges::stable_sort(all, std::ranges::greater(), &KeptItem::bytes);
  return all;
}

}  // namespace

std::int64_t emptyArrays() {
  const FolderUse before = arraysUse();
  std::error_code error;
  if (!before.path.empty()) fs::remove_all(before.path, error);
  if (error) throw Error(Errc::kFile, strCat("cannot delete ", before.path, ": ", error.message()));
  return before.bytes;
}

std::int64_t storeBytes(const std::string& storePath) {
  std::int64_t bytes = 0;
  for (const char* part : {"", "-wal"}) {
    std::error_code missing;
    const auto size = fs::file_size(storePath + part, missing);
    if (!missing) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

StorageUse storageUse(const std::string& storePath) {
  StorageUse use{.store = store::usageOf(storePath), .items = {}, .trash = {}, .checkpoints = {}, .spools = {}, .dataSets = {}, .arrays = arraysUse()};
  const store::StoreReader store(storePath);
  std::vector<store::RunRow> rows = store.runs(), trashed = store.runs({.text = "", .trashed = true});
  for (const store::RunRow& row : trashed) {
    use.trash.push_back(row.id);
    for (const store::RunUsage& run : use.store.runs)
      if (run.run == row.id) use.trashBytes += run.bytes;
  }
  rows.insert(rows.end(), trashed.begin(), trashed.end());
  use.items = itemsOf(store, rows, use.store);
  for (const std::string& folder : supervisorFolders()) addFolder(folder + "/checkpoints", use.checkpoints), addFolder(folder + "/runs", use.spools);
  addFolder(userDataSets(), use.dataSets);
  return use;
}

}  // namespace paceline::run
