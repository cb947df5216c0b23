#include "app/cli/runs/chosen_runs.h"

#include <algorithm>
#include <cmath>

#include "app/cli/console.h"
#include "app/cluster/recorder/suites.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"
#include "storage/summary/diverged.h"

namespace paceline::cli {

namespace {

// Throws where the word names a run that has no records yet.
void refuseWaiting(const store::StoreReader& store, const std::string& word) {
  std::vector<store::QueueRow> waiting = store.queue();
  std::erase_if(waiting, &store::QueueRow::begun);
  const auto found = std::ranges::find_if(waiting, [&word](const store::QueueRow& row) { return row.run == word || row.name == word || (!word.empty() && row.run.starts_with(word)); });
  if (found == waiting.end()) return;
  throw Error(Errc::kStore, strCat(found->name.empty() ? found->run : strCat(found->name, " (", found->run, ")"), found->held ? " is held" : " waits", " in the queue, at place ", found - waiting.begin() + 1, " of ", waiting.size(),
                                   "; it has not begun, and `paceline queue` says why"));
}

}  // namespace

store::RunRow chosenRun(const store::StoreReader& store, const std::string& storePath, const std::string& word) {
  try {
    if (const auto run = store.find(word)) return *run;
  } catch (const Error& error) {  // an ambiguous prefix is the input's fault, not the command line's
    throw Error(error.code() == Errc::kUsage ? Errc::kStore : error.code(), error.what());
  }
  refuseWaiting(store, word);
  throw Error(Errc::kStore, strCat("no run \"", word, "\" in ", storePath, "; `paceline runs` lists what is there"));
}

namespace {

bool namesRuns(const store::StoreReader& store, const std::string& word) {
  try {
    return store.find(word).has_value();
  } catch (const Error&) {
    return true;  // several
  }
}

// nullopt: no suite has that id, beginning of an id or name.
std::optional<store::SuiteRow> suiteNamed(const store::StoreReader& store, const std::string& word) {
  try {
    return recorder::suiteOf(store, word);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The newest of each of its cells that has begun.
std::vector<store::RunRow> runsOf(const store::StoreReader& store, const store::SuiteRow& suite) {
  std::vector<store::RunRow> runs;
  for (const store::SuiteCell& cell : suite.cells)
    for (auto id = cell.runs.rbegin(); id != cell.runs.rend(); ++id)
      if (auto run = store.find(*id); run && run->id == *id) {
        runs.push_back(*std::move(run));
        break;
      }
  if (runs.empty()) throw Error(Errc::kStore, strCat("suite \"", suite.name, "\" has no run yet"));
  return runs;
}

}  // namespace

std::vector<store::RunRow> chosenRuns(const store::StoreReader& store, const std::string& storePath, const std::vector<std::string>& words) {
  std::vector<store::RunRow> runs;
  const auto take = [&runs](store::RunRow run) {
    if (std::ranges::find(runs, run.id, &store::RunRow::id) == runs.end()) runs.push_back(std::move(run));
  };
  for (const std::string& word : words) {
    const auto suite = namesRuns(store, word) ? std::nullopt : suiteNamed(store, word);
    if (!suite) take(chosenRun(store, storePath, word));
    else std::ranges::for_each(runsOf(store, *suite), take);
  }
  return runs;
}

std::vector<summary::RunSummary> chosenSummaries(const std::string& storePath, const std::vector<std::string>& words, double targetAccuracy, const summary::Details& details) {
  const store::StoreReader store(storePath);
  std::vector<summary::RunSummary> summaries;
  for (const store::RunRow& run : chosenRuns(store, storePath, words))
    summaries.push_back(summary::summaryOf(store, run, details, {.targetAccuracy = targetAccuracy}));
  return summaries;
}

Cut chosenWithin(const std::string& budget, const std::string& storePath, const std::vector<std::string>& words, double targetAccuracy, summary::Details details) {
  if (budget.empty()) return {.runs = chosenSummaries(storePath, words, targetAccuracy, details), .note = ""};
  const Budget most = budgetFrom(budget);
  details.add(detailsFor(most));
  return cutTo(chosenSummaries(storePath, words, targetAccuracy, details), most);
}

std::vector<std::string> divergedNotes(const std::string& storePath, const Summaries& runs) {
  const store::StoreReader store(storePath);
  std::vector<std::string> notes;
  for (const summary::RunSummary& run : runs) {
    const std::optional<summary::Divergence> found = summary::divergenceOf(store, run.id);
    if (!found) continue;
    const bool alone = std::ranges::count(runs, run.name, &summary::RunSummary::name) == 1;
    const std::string name = run.name.empty() ? run.id : alone ? run.name : strCat(run.name, " (", run.id, ")");
    const auto first = std::ranges::find_if(found->rounds, [](const store::RoundRow& row) { return !std::isfinite(row.record.loss); });
    notes.push_back(strCat(name, ": ", found->words, " (", found->node, first == found->rounds.end() ? "" : strCat(", after ", durationText(first->record.t)), ")"));
  }
  return notes;
}

std::string nameOr(const store::RunRow& run) { return run.name.empty() ? run.id : run.name; }

Titles knownTitles() {
  try {
    return titlesOf(worker::describeLocal());
  } catch (const Error&) {
    return {};
  }
}

}  // namespace paceline::cli
