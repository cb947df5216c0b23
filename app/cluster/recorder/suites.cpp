#include "app/cluster/recorder/suites.h"

#include <algorithm>
#include <array>

#include "app/cluster/recorder/protocol.h"
#include "app/cluster/recorder/searches.h"

namespace paceline::recorder {

CellStanding standingOf(const store::RunRow* run, const Entry* entry) {
  if (run != nullptr && run->trashed) return CellStanding::kTrashed;
  const bool open = entry != nullptr && !entry->ended;
  if (open && entry->waiting) return entry->held ? CellStanding::kHeld : CellStanding::kWaiting;
  if (open) return CellStanding::kUnderWay;
  if (run == nullptr) return CellStanding::kNotRun;
  switch (run->state) {
    case store::RunState::kFinished:
    case store::RunState::kImported: return CellStanding::kFinished;
    case store::RunState::kFailed: return CellStanding::kFailed;
    case store::RunState::kStopped: return run->reason == kGivenUpReason ? CellStanding::kGivenUp : CellStanding::kStopped;
    case store::RunState::kStale: return CellStanding::kStale;
    case store::RunState::kDraft: return CellStanding::kNotRun;
    default: return CellStanding::kUnderWay;
  }
}

bool isMissing(CellStanding standing) { return standing == CellStanding::kFailed || standing == CellStanding::kStopped || standing == CellStanding::kNotRun; }

const char* standingWord(CellStanding standing) {
  static constexpr std::array<const char*, kStandings> kWords = {"finished", "under way", "waiting", "held", "stale", "failed", "stopped", "not run", "in the trash", "given up"};
  return kWords.at(static_cast<std::size_t>(standing));
}

std::string standingsText(const std::vector<CellStanding>& cells) {
  std::string text;
  for (int i = 0; i < kStandings; ++i) {
    const auto standing = static_cast<CellStanding>(i);
    const auto count = std::ranges::count(cells, standing);
    if (count > 0 && standing != CellStanding::kTrashed) text += strCat(text.empty() ? "" : ", ", count, " ", standingWord(standing));
  }
  return text;
}

store::SuiteRow suiteOf(const store::StoreReader& store, const std::string& word) {
  const std::vector<store::SuiteRow> suites = store.suites();
  std::vector<const store::SuiteRow*> prefixed;
  for (const store::SuiteRow& suite : suites) {
    if (suite.id == word) return suite;
    if (!word.empty() && suite.id.starts_with(word)) prefixed.push_back(&suite);
  }
  if (prefixed.size() == 1) return *prefixed.front();
  const auto named = std::ranges::find(suites, word, &store::SuiteRow::name);
  if (named != suites.end()) return *named;
  if (prefixed.size() > 1) throw Error(Errc::kStore, strCat("\"", word, "\" could be any of ", prefixed.size(), " suites"));
  throw Error(Errc::kStore, strCat("there is no suite \"", word, "\"; `paceline queue suites` lists what is there"));
}

std::optional<CellOfRun> cellOf(const store::StoreReader& store, const std::string& run) {
  for (const store::SuiteRow& suite : store.suites())
    for (const store::SuiteCell& cell : suite.cells)
      if (cell.runs.back() == run) return CellOfRun{.suite = suite.id, .name = suite.name, .place = cell.place, .searched = suite.searched};
  return std::nullopt;
}

std::vector<CellStanding> standingsOf(const store::StoreReader& store, const store::SuiteRow& suite, const std::vector<Entry>& queue) {
  std::vector<CellStanding> standings;
  for (const store::SuiteCell& cell : suite.cells) {
    const std::string& newest = cell.runs.back();
    const auto entry = std::ranges::find(queue, newest, &Entry::run);
    const auto run = store.find(newest);
    standings.push_back(standingOf(run && run->id == newest ? &*run : nullptr, entry == queue.end() ? nullptr : &*entry));
  }
  return standings;
}

Submission missingOf(const store::StoreReader& store, const store::SuiteRow& suite, const std::vector<Entry>& queue) {
  Submission wanted{.points = {}, .suite = suite.name, .into = suite.id};
  if (suite.searched) return wanted;  // it chooses what it runs
  const std::vector<CellStanding> standings = standingsOf(store, suite, queue);
  for (std::size_t i = 0; i < standings.size(); ++i) {
    if (!isMissing(standings[i])) continue;
    const store::SuiteCell& cell = suite.cells[i];
    wanted.kind = kindFromName(cell.kind).value_or(EntryKind::kRun);
    wanted.points.push_back({.name = cell.name, .spec = store.cellDocument(suite.id, cell.place).value_or(""), .place = cell.place});
  }
  return wanted;
}

}  // namespace paceline::recorder
