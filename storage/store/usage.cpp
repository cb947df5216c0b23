#include "storage/store/usage.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "storage/store/sqlite.h"

namespace paceline::store {
namespace {

// Tables whose rows belong to a node, and with it to a run; indexes count as their table's.
constexpr const char* kTables = R"(
  SELECT coalesce(m.tbl_name, d.name) AS owner, sum(d.pgsize),
         EXISTS (SELECT 1 FROM pragma_table_info(coalesce(m.tbl_name, d.name)) AS c WHERE c.name = 'node')
  FROM dbstat AS d LEFT JOIN sqlite_master AS m ON m.name = d.name
  WHERE d.aggregate = TRUE GROUP BY owner)";
constexpr const char* kRuns = "SELECT key, id FROM run";

struct RecordTable {
  std::string count;  // its rows by run
  std::int64_t bytes = 0;
};

std::int64_t sizeOfFile(const std::string& path) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(path, missing);
  return missing ? 0 : static_cast<std::int64_t>(size);
}

// Each run's share of a table is that of its rows. False: it has none.
bool addShares(Database& database, const RecordTable& table, std::map<std::int64_t, RunUsage>& runs) {
  std::vector<std::pair<std::int64_t, std::int64_t>> rows;
  std::int64_t all = 0;
  Statement counted = database.statement(table.count.c_str());
  while (counted.step()) {
    const auto run = counted.next<std::int64_t>(), many = counted.next<std::int64_t>();
    rows.emplace_back(run, many), all += many;
  }
  for (const auto& [run, many] : rows) {
    RunUsage& usage = runs[run];
    usage.records += many;
    usage.bytes += static_cast<std::int64_t>(static_cast<double>(table.bytes) * static_cast<double>(many) / static_cast<double>(all));
  }
  return all > 0;
}

}  // namespace

StoreUsage usageOf(const std::string& path) {
  StoreUsage usage{.fileBytes = sizeOfFile(path), .logBytes = sizeOfFile(path + "-wal"), .runs = {}};
  if (usage.fileBytes == 0) return usage;
  std::vector<RecordTable> tables;  // their SQL outlives the connection
  Database database(path, Database::Mode::kRead);
  usage.freeBytes = database.number("PRAGMA freelist_count") * database.number("PRAGMA page_size");
  {
    Statement found = database.statement(kTables);
    while (found.step()) {
      const auto name = found.next<std::string>();
      const auto bytes = found.next<std::int64_t>();
      if (found.next<bool>()) tables.push_back({.count = "SELECT node.run, count(*) FROM \"" + name + "\" AS r JOIN node ON node.key = r.node GROUP BY node.run", .bytes = bytes});
      else usage.otherBytes += bytes;
    }
  }
  std::map<std::int64_t, RunUsage> runs;  // by key
  for (const RecordTable& table : tables)
    if (!addShares(database, table, runs)) usage.otherBytes += table.bytes;
  Statement named = database.statement(kRuns);
  while (named.step()) {
    const auto key = named.next<std::int64_t>();
    auto id = named.next<std::string>();
    if (const auto found = runs.find(key); found != runs.end()) found->second.run = std::move(id), usage.runs.push_back(found->second);
  }
  std::ranges::sort(usage.runs, std::ranges::greater(), &RunUsage::bytes);
  return usage;
}

}  // namespace paceline::store
