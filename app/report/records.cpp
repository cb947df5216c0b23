#include "app/report/records.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::report {

namespace {
constexpr int kForget = 20;  // reports in which a figure or a number was not asked for: a target that is typed is another one with each key
}

void Records::begin() {
  found_.clear(), states_.clear(), used_.clear();
  ++round_;
  const auto old = [this](const auto& kept) { return round_ - kept.second.age > kForget; };
  std::erase_if(figures_, old), std::erase_if(numbers_, old);
}

const store::StoreReader& Records::reader() {
  if (!reader_) reader_ = std::make_unique<store::StoreReader>(path_);
  return *reader_;
}

std::string Records::storeName() const { return std::filesystem::path(path_).filename().string(); }

const store::RunRow& Records::run(const std::string& word) {
  if (const auto known = found_.find(word); known != found_.end()) return known->second;
  std::optional<store::RunRow> row = reader().find(word);
  if (!row) throw Error(Errc::kStore, strCat("no run \"", quotable(word), "\" in store ", storeName(), "; `paceline runs` lists what is there"));
  if (std::ranges::find(used_, row->id, &store::RunRow::id) == used_.end()) used_.push_back(*row);
  return found_.emplace(word, std::move(*row)).first->second;
}

// Changes whenever a figure or a number of the run might.
std::string Records::stateOf(const store::RunRow& row) {
  const auto known = states_.find(row.id);
  if (known != states_.end()) return known->second;
  return states_[row.id] = strCat(reader().recorded(row.id), '\n', row.name, '\n', store::stateName(row.state));
}

const summary::RunSummary& Records::numbers(const std::string& word, double target) {
  const store::RunRow& row = run(word);
  Kept& kept = numbers_[{row.id, target}];
  const std::string state = stateOf(row);
  if (kept.of != state) kept = {.of = state, .summary = summary::summaryOf(reader(), row, {}, {.targetAccuracy = target})};
  kept.age = round_;
  return kept.summary;
}

Summaries Records::summaries(const std::vector<std::string>& words, double target, const summary::Details& details) {
  Summaries all;
  std::vector<std::string> ids;
  for (const std::string& word : words) {
    const store::RunRow& row = run(word);
    if (std::ranges::find(ids, row.id) != ids.end()) continue;
    ids.push_back(row.id);
    if (summary::Details().covers(details)) all.push_back(numbers(word, target));
    else all.push_back(summary::summaryOf(reader(), row, details, {.targetAccuracy = target}));
  }
  return all;
}

std::shared_ptr<const Figure> Records::figure(const std::string& key, const std::vector<std::string>& words, const std::function<Figure()>& make) {
  std::string state;
  for (const std::string& word : words) state += strCat(run(word).id, '\n', stateOf(run(word)), '\n');
  KeptFigure& kept = figures_[key];
  if (kept.of != state || !kept.figure) kept = {.of = state, .figure = std::make_shared<const Figure>(make())};
  kept.age = round_;
  return kept.figure;
}

}  // namespace paceline::report
