// Runs that the arguments of a command name. Main thread; throw Error{kStore} that says which word found nothing.
#pragma once

#include <string>
#include <vector>

#include "app/figures/budget.h"
#include "app/figures/figure.h"
#include "storage/store/store.h"
#include "storage/summary/summary.h"

namespace paceline::cli {

// By id, unique prefix of an id, or name (the newest of that name).
store::RunRow chosenRun(const store::StoreReader& store, const std::string& storePath, const std::string& word);
// Each once, in the order of the words; a suite (by id, unique prefix of an id, or name) stands for the newest runs of its cells. A run comes before a suite of the same name.
std::vector<store::RunRow> chosenRuns(const store::StoreReader& store, const std::string& storePath, const std::vector<std::string>& words);
std::vector<summary::RunSummary> chosenSummaries(const std::string& storePath, const std::vector<std::string>& words, double targetAccuracy, const summary::Details& details = {});
// The same cut to a budget as its user writes it; "": whole, without a note.
Cut chosenWithin(const std::string& budget, const std::string& storePath, const std::vector<std::string>& words, double targetAccuracy, summary::Details details);
// A line for each run whose loss stopped being a number: which one, in which round, after what time.
std::vector<std::string> divergedNotes(const std::string& storePath, const Summaries& runs);

std::string nameOr(const store::RunRow& run);  // its name, or the id where it has none
Titles knownTitles();  // of this computer's catalogue; none where no worker answers: ids then stand for themselves

}  // namespace paceline::cli
