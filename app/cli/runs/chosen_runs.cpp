#include "app/cli/runs/chosen_runs.h"

#include <algorithm>

#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

std::vector<store::RunRow> everyRun(const store::StoreReader& store) {
  std::vector<store::RunRow> all = store.runs();
  std::ranges::copy(store.runs({.text = "", .trashed = true}), std::back_inserter(all));
  return all;
}

// The store's word for an ambiguous prefix is the input's fault, not the command line's.
std::optional<store::RunRow> found(const store::StoreReader& store, const std::string& word) {
  try {
    return word.empty() ? std::nullopt : store.find(word);
  } catch (const Error& error) {
    if (error.code() != Errc::kUsage) throw;
    throw Error(Errc::kStore, error.what());
  }
}

}  // namespace

store::RunRow chosenRun(const store::StoreReader& store, const std::string& storePath, const std::string& word) {
  if (const auto run = found(store, word)) return *run;
  std::vector<store::RunRow> matching;  // in the trash too, where find() may not look
  for (store::RunRow& run : everyRun(store))
    if (!word.empty() && (run.id.starts_with(word) || run.name == word)) matching.push_back(std::move(run));
  const auto byName = std::ranges::find(matching, word, &store::RunRow::name);
  if (byName != matching.end()) return *byName;
  if (matching.size() == 1) return matching.front();
  if (matching.size() > 1)
    throw Error(Errc::kStore, strCat("\"", word, "\" begins the ids of ", matching.size(), " runs; give more of it"));
  throw Error(Errc::kStore, strCat("no run \"", word, "\" in ", storePath, "; `paceline runs` lists what is there"));
}

std::vector<store::RunRow> chosenRuns(const store::StoreReader& store, const std::string& storePath, const std::vector<std::string>& words) {
  std::vector<store::RunRow> runs;
  for (const std::string& word : words) {
    store::RunRow run = chosenRun(store, storePath, word);
    if (std::ranges::find(runs, run.id, &store::RunRow::id) == runs.end()) runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<summary::RunSummary> chosenSummaries(const std::string& storePath, const std::vector<std::string>& words,
                                        double targetAccuracy) {
  const store::StoreReader store(storePath);
  std::vector<summary::RunSummary> summaries;
  for (const store::RunRow& run : chosenRuns(store, storePath, words))
    summaries.push_back(summary::summarise(summary::loadRun(store, run), {.targetAccuracy = targetAccuracy}));
  return summaries;
}

std::string nameOr(const store::RunRow& run) { return run.name.empty() ? run.id : run.name; }

}  // namespace paceline::cli
