#include "storage/store/suites.h"

#include <map>

#include "engine/core/base/error.h"
#include "storage/store/searches.h"

namespace paceline::store {
namespace {

constexpr const char* kSelectSuites = "SELECT key, id, name, created_utc, EXISTS (SELECT 1 FROM search WHERE suite = key) FROM suite ORDER BY created_utc DESC, key DESC";
constexpr const char* kSelectCells = "SELECT suite, place, name, kind FROM suite_cell ORDER BY suite, place";
constexpr const char* kSelectAttempts = "SELECT suite, place, run FROM suite_run ORDER BY key";
constexpr const char* kSelectDocument = "SELECT c.spec FROM suite_cell c JOIN suite s ON s.key = c.suite WHERE s.id = ?1 AND c.place = ?2";
constexpr const char* kInsertSuite = "INSERT INTO suite(id, name, created_utc) VALUES(?1, ?2, ?3)";
constexpr const char* kSelectKey = "SELECT key FROM suite WHERE id = ?1";
constexpr const char* kInsertCell = "INSERT INTO suite_cell(suite, place, name, kind, spec) VALUES(?1, ?2, ?3, ?4, ?5)";
constexpr const char* kInsertAttempt = "INSERT INTO suite_run(suite, place, run) SELECT suite, place, ?3 FROM suite_cell WHERE suite = (SELECT key FROM suite WHERE id = ?1) AND place = ?2";
constexpr const char* kSelectCell = "SELECT suite, place FROM suite_run WHERE run = ?1";
constexpr const char* kDeleteAttempt = "DELETE FROM suite_run WHERE run = ?1";
constexpr const char* kDeleteCell = "DELETE FROM suite_cell WHERE suite = ?1 AND place = ?2 AND NOT EXISTS (SELECT 1 FROM suite_run WHERE suite = ?1 AND place = ?2)";
constexpr const char* kDeleteSuite = R"(
DELETE FROM suite WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM suite_cell WHERE suite = ?1) AND NOT EXISTS (SELECT 1 FROM search WHERE suite = ?1 AND state = 'going')
)";

}  // namespace

std::vector<SuiteRow> selectSuites(Database& database) {
  std::vector<SuiteRow> suites;
  std::map<std::int64_t, std::size_t> byKey;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> cells;
  std::int64_t key = 0, place = 0;
  for (Statement query = database.statement(kSelectSuites); query.step();) {
    SuiteRow& suite = suites.emplace_back();
    query.readNext(key, suite.id, suite.name, suite.createdUtc, suite.searched);
    byKey[key] = suites.size() - 1;
  }
  for (Statement query = database.statement(kSelectCells); query.step();) {
    SuiteCell cell;
    query.readNext(key, cell.place, cell.name, cell.kind);
    const auto suite = byKey.find(key);
    if (suite == byKey.end()) continue;
    cells[{key, cell.place}] = suites[suite->second].cells.size();
    suites[suite->second].cells.push_back(std::move(cell));
  }
  for (Statement query = database.statement(kSelectAttempts); query.step();) {
    std::string run;
    query.readNext(key, place, run);
    if (const auto cell = cells.find({key, place}); cell != cells.end()) suites[byKey[key]].cells[cell->second].runs.push_back(std::move(run));
  }
  for (SuiteRow& suite : suites) std::erase_if(suite.cells, [](const SuiteCell& cell) { return cell.runs.empty(); });  // a damaged store's
  return suites;
}

std::optional<std::string> selectCellDocument(Database& database, const std::string& suite, std::int64_t place) {
  Statement query = database.statement(kSelectDocument);
  return query.bind(suite, place).step() ? std::optional(query.next<std::string>()) : std::nullopt;
}

void insertSuite(Database& database, const SuiteRow& suite, const std::vector<std::string>& documents) {
  PACELINE_CHECK(documents.size() == suite.cells.size(), "a document for each cell");
  database.statement(kInsertSuite).bind(suite.id, suite.name, suite.createdUtc).run();
  for (std::size_t i = 0; i < documents.size(); ++i) insertCell(database, suite.id, suite.cells[i], documents[i]);
}

void insertCell(Database& database, const std::string& suite, const SuiteCell& cell, const std::string& document) {
  Statement query = database.statement(kSelectKey);
  if (!query.bind(suite).step()) throw Error(Errc::kStore, strCat(database.path(), ": there is no suite ", suite));
  database.statement(kInsertCell).bind(query.next<std::int64_t>(), cell.place, cell.name, cell.kind, document).run();
  for (const std::string& run : cell.runs) insertAttempt(database, suite, cell.place, run);
}

void insertAttempt(Database& database, const std::string& suite, std::int64_t place, const std::string& run) {
  database.statement(kInsertAttempt).bind(suite, place, run).run();
  if (database.changes() == 0) throw Error(Errc::kStore, strCat(database.path(), ": suite ", suite, " has no cell ", place));
}

void forgetAttempt(Database& database, const std::string& run) {
  std::int64_t suite = 0, place = 0;
  {
    Statement query = database.statement(kSelectCell);
    if (!query.bind(run).step()) return;
    query.readNext(suite, place);
  }
  database.statement(kDeleteAttempt).bind(run).run();
  database.statement(kDeleteCell).bind(suite, place).run();
  database.statement(kDeleteSuite).bind(suite).run();
  if (database.changes() > 0) deleteSearch(database, suite);
}

}  // namespace paceline::store
