// Suites of a store: what became of their cells, and those that are missing as a submission. Terminal, window and recorder ask here. Any thread.
#pragma once

#include "app/cluster/recorder/client.h"
#include "storage/store/store.h"

namespace paceline::recorder {

enum class CellStanding { kFinished, kUnderWay, kWaiting, kHeld, kStale, kFailed, kStopped, kNotRun, kTrashed, kGivenUp };  // kGivenUp: by its search
inline constexpr int kStandings = 10;

// Of a cell's newest attempt: its run in the store and its entry in the queue; nullptr: it has none.
CellStanding standingOf(const store::RunRow* run, const Entry* entry);
bool isMissing(CellStanding standing);             // failed, stopped or never run: can be submitted again
const char* standingWord(CellStanding standing);   // "finished", "under way", "not run"
std::string standingsText(const std::vector<CellStanding>& cells);  // "3 finished, 1 under way, 2 waiting"; what is in the trash is left out

store::SuiteRow suiteOf(const store::StoreReader& store, const std::string& word);  // id, beginning of one, or the newest of that name; Error{kStore}
// The cell whose newest attempt a run is; nullopt: of none.
struct CellOfRun {
  std::string suite, name;  // its id, its name
  std::int64_t place = 0;
  bool searched = false;
};
std::optional<CellOfRun> cellOf(const store::StoreReader& store, const std::string& run);

std::vector<CellStanding> standingsOf(const store::StoreReader& store, const store::SuiteRow& suite, const std::vector<Entry>& queue);
Submission missingOf(const store::StoreReader& store, const store::SuiteRow& suite, const std::vector<Entry>& queue);  // no points: nothing is missing

}  // namespace paceline::recorder
