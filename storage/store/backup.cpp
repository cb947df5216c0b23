#include "storage/store/backup.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
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

}  // namespace paceline::store
