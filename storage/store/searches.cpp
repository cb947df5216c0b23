#include "storage/store/searches.h"

#include "engine/core/base/error.h"

namespace paceline::store {
namespace {

constexpr const char* kSelectSearch = R"(
SELECT s.key, s.id, r.document, r.kind, r.context, r.now, r.held, r.boot, r.state, r.result FROM search r JOIN suite s ON s.key = r.suite
WHERE ?1 = '' OR s.id = ?1 ORDER BY s.created_utc DESC, s.key DESC
)";
constexpr const char* kSelectTrials = "SELECT trial FROM search_trial WHERE suite = ?1 ORDER BY number";
constexpr const char* kInsertSearch = R"(
INSERT INTO search(suite, document, kind, context, now, held, boot, state, result) SELECT key, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM suite WHERE id = ?1
)";
constexpr const char* kUpdateSearch = "UPDATE search SET held = ?2, boot = ?3, state = ?4, result = ?5 WHERE suite = (SELECT key FROM suite WHERE id = ?1)";
constexpr const char* kPutTrial = R"(
INSERT INTO search_trial(suite, number, trial) SELECT key, ?2, ?3 FROM suite WHERE id = ?1 ON CONFLICT(suite, number) DO UPDATE SET trial = excluded.trial
)";
constexpr const char* kDeleteSearch = "DELETE FROM search WHERE suite = ?1";
constexpr const char* kDeleteTrials = "DELETE FROM search_trial WHERE suite = ?1";

// Written to disk; append only.
constexpr const char *kSearchGoing = "going", *kSearchEnded = "ended";

}  // namespace

std::vector<SearchRow> selectSearches(Database& database, const std::string& suite) {
  std::vector<SearchRow> searches;
  std::vector<std::int64_t> keys;
  Statement query = database.statement(kSelectSearch);
  query.bind(suite);
  while (query.step()) {
    SearchRow& search = searches.emplace_back();
    std::string state;
    query.readNext(keys.emplace_back(), search.suite, search.document, search.kind, search.context, search.now, search.held, search.boot, state, search.result);
    search.ended = state == kSearchEnded;
  }
  for (std::size_t i = 0; i < searches.size(); ++i) {
    Statement trials = database.statement(kSelectTrials);
    trials.bind(keys[i]);
    while (trials.step()) searches[i].trials.push_back(trials.next<std::string>());
  }
  return searches;
}

void insertSearch(Database& database, const SearchRow& search) {
  database.statement(kInsertSearch).bind(search.suite, search.document, search.kind, search.context, search.now, search.held, search.boot, search.ended ? kSearchEnded : kSearchGoing, search.result).run();
  PACELINE_CHECK(database.changes() == 1, "the suite of a search");
}

void updateSearch(Database& database, const SearchRow& search) {
  database.statement(kUpdateSearch).bind(search.suite, search.held, search.boot, search.ended ? kSearchEnded : kSearchGoing, search.result).run();
}

void putTrial(Database& database, const std::string& suite, std::int64_t number, const std::string& trial) {
  database.statement(kPutTrial).bind(suite, number, trial).run();
  if (database.changes() == 0) throw Error(Errc::kStore, strCat(database.path(), ": there is no suite ", suite));
}

void deleteSearch(Database& database, std::int64_t suiteKey) {
  database.statement(kDeleteSearch).bind(suiteKey).run();
  database.statement(kDeleteTrials).bind(suiteKey).run();
}

}  // namespace paceline::store
