#include "app/cli/runs/chosen_runs.h"

#include <algorithm>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

std::vector<RunRow> everyRun(const StoreReader& store) {
  std::vector<RunRow> all = store.runs();
  std::ranges::copy(store.runs({.text = "", .trashed = true}), std::back_inserter(all));
  return all;
}

// The store's word for an ambiguous prefix is the input's fault, not the command line's.
std::optional<RunRow> found(const StoreReader& store, const std::string& word) {
  try {
    return word.empty() ? std::nullopt : store.find(word);
  } catch (const Error& error) {
    if (error.code() != Errc::kUsage) throw;
    throw Error(Errc::kStore, error.what());
  }
}

}  // namespace

RunRow chosenRun(const StoreReader& store, const std::string& storePath, const std::string& word) {
  if (const auto run = found(store, word)) return *run;
  std::vector<RunRow> matching;  // in the trash too, where find() may not look
  for (RunRow& run : everyRun(store))
    if (!word.empty() && (run.id.starts_with(word) || run.name == word)) matching.push_back(std::move(run));
  const auto byName = std::ranges::find(matching, word, &RunRow::name);
  if (byName != matching.end()) return *byName;
  if (matching.size() == 1) return matching.front();
  if (matching.size() > 1)
    throw Error(Errc::kStore, strCat("\"", word, "\" begins the ids of ", matching.size(), " runs; give more of it"));
  throw Error(Errc::kStore, strCat("no run \"", word, "\" in ", storePath, "; `paceline runs` lists what is there"));
}

std::vector<RunRow> chosenRuns(const StoreReader& store, const std::string& storePath, const std::vector<std::string>& words) {
  std::vector<RunRow> runs;
  for (const std::string& word : words) {
    RunRow run = chosenRun(store, storePath, word);
    if (std::ranges::find(runs, run.id, &RunRow::id) == runs.end()) runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<RunSummary> chosenSummaries(const std::string& storePath, const std::vector<std::string>& words,
                                        double targetAccuracy) {
  const StoreReader store(storePath);
  std::vector<RunSummary> summaries;
  for (const RunRow& run : chosenRuns(store, storePath, words))
    summaries.push_back(summarise(loadRun(store, run), {.targetAccuracy = targetAccuracy}));
  return summaries;
}

std::string nameOr(const RunRow& run) { return run.name.empty() ? run.id : run.name; }

}  // namespace paceline
