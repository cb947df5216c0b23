#include "storage/store/backup.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <mutex>

#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/base/text.h"
#include "engine/core/json/fields.h"
#include "storage/store/sqlite.h"
#include "storage/store/store.h"

namespace paceline::store {
namespace {

std::map<std::string, std::int64_t> rowsOf(Database& database) {
  std::vector<std::string> tables;
  {
    Statement names = database.statement("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name");
    while (names.step()) tables.push_back(names.next<std::string>());
  }
  std::map<std::string, std::int64_t> counts;
  std::vector<std::string> asked;  // a statement is found again by the address of its text
  asked.reserve(tables.size());
  for (const std::string& table : tables) counts[table] = database.number(asked.emplace_back(strCat("SELECT count(*) FROM \"", table, "\"")).c_str());
  return counts;
}

class Part {
 public:
  explicit Part(std::string path) : path_(std::move(path)) { clear(); }
  ~Part() { clear(); }
  const std::string& path() const { return path_; }

 private:
  void clear() const {
    std::error_code ignored;
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path_ + ending, ignored);
  }
  std::string path_;
};

}  // namespace

Backup backUp(const std::string& store, const std::string& to) {
  std::error_code ignored;
  if (!std::filesystem::exists(store, ignored)) throw Error(Errc::kStore, strCat("there is no store ", store));
  if (std::filesystem::exists(to, ignored)) throw Error(Errc::kStore, strCat(to, " exists; nothing was written"));
  StoreReader::check(store);
  const Part part(to + ".part");
  Backup backup{.path = to};
  {
    std::map<std::string, std::int64_t> wanted;
    {
      Database source(store, Database::Mode::kRead);
      source.execute("BEGIN");  // what is recorded meanwhile is in neither
      wanted = rowsOf(source);
      source.copyTo(part.path());
      source.execute("COMMIT");
    }
    Database copy(part.path(), Database::Mode::kRead);
    if (const std::string verdict = copy.text("PRAGMA integrity_check"); verdict != "ok") throw Error(Errc::kStore, strCat("the copy of ", store, " is not whole: ", verdict));
    if (rowsOf(copy) != wanted) throw Error(Errc::kStore, strCat("the copy of ", store, " has not the rows that it has"));
    backup.runs = copy.number("SELECT count(*) FROM run");
  }
  std::filesystem::rename(part.path(), to, ignored);
  if (ignored) throw Error(Errc::kFile, strCat("cannot name the copy ", to, ": ", ignored.message()));
  backup.bytes = static_cast<std::int64_t>(std::filesystem::file_size(to, ignored));
  return backup;
}

namespace {

namespace fs = std::filesystem;

constexpr const char* kCopyName = "paceline-%Y%m%dT%H%M%SZ.db";

std::string planFile(const std::string& store) { return store + ".backup.json"; }

// When a file of ours was made, by its name; 0: it is none.
double timeOfCopy(const fs::directory_entry& entry) {
  std::error_code ignored;
  std::tm utc{};
  const std::string name = entry.path().filename().string();
  const char* end = ::strptime(name.c_str(), kCopyName, &utc);
  return end != nullptr && *end == '\0' && entry.is_regular_file(ignored) ? static_cast<double>(::timegm(&utc)) : 0;
}

std::vector<std::pair<double, std::string>> copiesIn(const std::string& folder) {  // oldest first
  std::vector<std::pair<double, std::string>> copies;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (const double made = timeOfCopy(entry); made > 0) copies.emplace_back(made, entry.path().string());
  std::ranges::sort(copies);
  return copies;
}

}  // namespace

void describe(auto& visit, BackupPlan& plan) {
  visit(Field{.key = "folder", .required = true}, plan.folder);
  visit(Field{.key = "keep", .bounds = {.min = 0, .max = 100000}}, plan.keep);
  visit(Field{.key = "every_hours", .bounds = {.min = 0, .max = 1e6, .aboveMin = true}}, plan.everyHours);
}

Backup backUpInto(const std::string& store, const BackupPlan& plan, std::vector<std::string>* removed) {
  if (disk::makeFolders(plan.folder) != 0) disk::refuse("cannot make folder " + plan.folder, errno);
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char name[64];
  std::strftime(name, sizeof name, kCopyName, &utc);
  Backup made = backUp(store, plan.folder + "/" + name);
  const auto copies = copiesIn(plan.folder);
  for (std::size_t i = 0; plan.keep > 0 && i + static_cast<std::size_t>(plan.keep) < copies.size(); ++i) {
    disk::remove(copies[i].second);
    if (removed != nullptr) removed->push_back(copies[i].second);
  }
  return made;
}

std::optional<BackupPlan> backupPlan(const std::string& store) {
  const std::string path = planFile(store);
  std::vector<Finding> findings;
  BackupPlan plan;
  const std::optional<std::string> text = fileText(path, 1 << 16);
  if (!text && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;  // also where the plan is given up just now
  if (!text) throw Error(Errc::kFile, strCat("cannot read ", path, ": ", std::strerror(errno)));
  if (const auto document = parseJson(*text, findings)) {
    Fields fields(*document, "", findings);
    readObject(fields, plan);
  }
  if (!findings.empty()) throw Error(Errc::kFormat, strCat(path, ": ", findings.front().pointer, findings.front().pointer.empty() ? "" : ": ", findings.front().message));
  return plan;
}

void setBackupPlan(const std::string& store, const std::optional<BackupPlan>& plan) {
  if (plan) return replaceFile(planFile(store), dumped(written(*plan), 2) + "\n", 0600);
  std::error_code ignored;
  if (fs::exists(planFile(store), ignored) && disk::remove(planFile(store)) != 0) disk::refuse("cannot remove " + planFile(store), errno);
}

double newestBackupUtc(const BackupPlan& plan) {
  const auto copies = copiesIn(plan.folder);
  return copies.empty() ? 0 : copies.back().first;
}

std::optional<Backup> backUpWhenDue(const std::string& store) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const std::optional<BackupPlan> plan = backupPlan(store);
  if (!plan || static_cast<double>(std::time(nullptr)) - newestBackupUtc(*plan) < plan->everyHours * 3600) return std::nullopt;
  return backUpInto(store, *plan);
}

}  // namespace paceline::store
