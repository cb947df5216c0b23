// Runs that the arguments of a command name. Main thread; throw Error{kStore} that says which word found nothing.
#pragma once

#include <string>
#include <vector>

#include "storage/store/store.h"
#include "storage/summary/summary.h"

namespace paceline {

// By id, unique prefix of an id, or name (the newest of that name).
RunRow chosenRun(const StoreReader& store, const std::string& storePath, const std::string& word);
std::vector<RunRow> chosenRuns(const StoreReader& store, const std::string& storePath, const std::vector<std::string>& words);
std::vector<RunSummary> chosenSummaries(const std::string& storePath, const std::vector<std::string>& words,
                                        double targetAccuracy);
std::string nameOr(const RunRow& run);  // its name, or the id where it has none

}  // namespace paceline
