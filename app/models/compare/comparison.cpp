#include "app/models/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>

#include "engine/core/base/error.h"
#include "storage/store/store.h"
#include "storage/summary/table_text.h"

namespace paceline::compare {
namespace {

using summary::fixedText;

struct Measure {
  ResultColumn column;
  int decimals;
  const char* missing;
  std::function<std::optional<double>(const summary::RunSummary&)> of;
};

std::optional<double> positive(double value) { return value > 0 ? std::optional(value) : std::nullopt; }

std::vector<Measure> measures(double target) {
  const auto percent = [](std::optional<double> x) { return x ? std::optional(*x * 100) : x; };
  const std::string title = strCat("Time to ", target * 100, " % (s)");
  return {
      {{"Best accuracy (%)", Better::kHigher}, 2, "—", [percent](const summary::RunSummary& r) { return percent(r.accuracyBest); }},
      {{"Last accuracy (%)", Better::kHigher}, 2, "—", [percent](const summary::RunSummary& r) { return percent(r.accuracyLast); }},
      {{title, Better::kLower}, 1, "not reached", [](const summary::RunSummary& r) { return r.timeToTargetSeconds; }},
      {{"Samples/s", Better::kHigher}, 0, "—", [](const summary::RunSummary& r) { return positive(r.throughputSamplesPerSecond); }},
      {{"Traffic (MB/s)", Better::kLower}, 2, "—", [](const summary::RunSummary& r) { return positive(r.trafficBytesPerSecond / 1e6); }},
      {{"Computing (%)", Better::kHigher}, 1, "—", [](const summary::RunSummary& r) { return std::optional(100 * summary::meanBusyRatio(r)); }},
      {{"Wall time (s)", Better::kNeither}, 1, "—", [](const summary::RunSummary& r) { return positive(r.wallSeconds); }},
  };
}

ResultCell cell(const std::vector<const summary::RunSummary*>& runs, const Measure& measure) {
  std::vector<double> values;
  for (const summary::RunSummary* run : runs)
    if (const auto value = measure.of(*run); value && std::isfinite(*value)) values.push_back(*value);
  if (values.empty()) return {.text = measure.missing};
  const auto [mean, deviation] = summary::statistic(values);
  ResultCell made{.mean = mean, .std = deviation, .runs = static_cast<int>(values.size()), .text = fixedText(mean, measure.decimals)};
  if (values.size() > 1) made.text += strCat(" ± ", fixedText(deviation, measure.decimals));
  if (values.size() < runs.size()) made.text += strCat(" (", values.size(), " of ", runs.size(), ")");
  return made;
}

// A mean over some of the seeds is no winner over means of all; equal texts are equally good.
void markBest(Results& results, std::size_t column, int decimals) {
  const Better better = results.columns[column].better;
  if (better == Better::kNeither || results.rows.size() < 2) return;
  std::optional<double> best;
  for (const ResultRow& row : results.rows) {
    const ResultCell& c = row.cells[column];
    if (!c.mean || c.runs < row.runs) continue;
    if (!best || (better == Better::kHigher ? *c.mean > *best : *c.mean < *best)) best = c.mean;
  }
  for (ResultRow& row : results.rows) {
    ResultCell& c = row.cells[column];
    c.best = best && c.mean && c.runs == row.runs && fixedText(*c.mean, decimals) == fixedText(*best, decimals);
  }
}

}  // namespace

Results tabulate(const std::vector<summary::RunSummary>& runs) {
  Results results;
  const std::vector<Measure> all = measures(runs.empty() ? 0.8 : runs.front().targetAccuracy);
  for (const Measure& measure : all) results.columns.push_back(measure.column);
  auto groups = summary::seedGroups(runs);
  std::ranges::stable_sort(groups, {}, [](const auto& group) { return seriesOf(group.front()->algorithm); });
  for (const auto& group : groups) {
    const summary::RunSummary& first = *group.front();
    ResultRow& row = results.rows.emplace_back(ResultRow{.label = group.size() == 1 ? first.name : displayName(first.algorithm),
                                                         .algorithm = first.algorithm,
                                                         .runs = static_cast<int>(group.size())});
    for (const Measure& measure : all) row.cells.push_back(cell(group, measure));
  }
  for (std::size_t i = 0; i < results.columns.size(); ++i) markBest(results, i, all[i].decimals);
  return results;
}

std::string resultsToCsv(const Results& results) {
  summary::CsvTable table;
  table.cell("name").cell("algorithm").cell("runs");
  for (const ResultColumn& column : results.columns) table.cell(column.title + " mean").cell(column.title + " std");
  table.endRow();
  for (const ResultRow& row : results.rows) {
    table.cell(row.label).cell(row.algorithm).cell(std::int64_t{row.runs});
    for (const ResultCell& c : row.cells) table.cell(c.mean ? fixedText(*c.mean, 6) : "").cell(c.mean ? fixedText(c.std, 6) : "");
    table.endRow();
  }
  return table.text();
}

struct Comparison::Source {
  std::string path;
  std::unique_ptr<store::StoreReader> reader;
  std::map<std::pair<std::string, double>, summary::RunSummary> cache;  // of ended runs, by id and target

  std::vector<summary::RunSummary> summaries(const std::vector<std::string>& ids, double target, const std::stop_token& stop) {
    std::vector<summary::RunSummary> all;
    if (!reader && std::filesystem::exists(path)) reader = std::make_unique<store::StoreReader>(path);
    if (!reader) return all;
    for (const std::string& id : ids) {
      if (stop.stop_requested()) break;
      if (const auto known = cache.find({id, target}); known != cache.end()) {
        all.push_back(known->second);
        continue;
      }
      const std::optional<store::RunRow> row = reader->find(id);
      if (!row) continue;
      all.push_back(summary::summarise(summary::loadRun(*reader, *row), {.targetAccuracy = target}));
      if (store::isEnded(row->state)) cache[{id, target}] = all.back();
    }
    return all;
  }
};

Comparison::Comparison(std::string storePath, QObject* parent)
    : QObject(parent), answer_(std::make_shared<const Answer>()), source_(std::make_shared<Source>()) {
  source_->path = std::move(storePath);
}

void Comparison::setRuns(const std::vector<std::string>& ids) {
  if (std::exchange(ids_, ids) != ids) compute();
}

void Comparison::setFigure(const std::string& id) {
  if (std::exchange(figureId_, id) != id) compute();
}

void Comparison::setOptions(const FigureOptions& options) {
  options_ = options;
  compute();
}

void Comparison::setTarget(double accuracy) {
  if (std::exchange(target_, accuracy) != accuracy) compute();
}

void Comparison::refresh() {
  again_ = answered_ != generation_;
  if (!again_) compute();
}

void Comparison::compute() {
  const auto work = [source = source_, ids = ids_, id = figureId_, options = options_, target = target_](const std::stop_token& stop) {
    Answer answer;
    try {
      answer.summaries = source->summaries(ids, target, stop);
      if (const FigureDef* def = findFigure(id)) answer.figure = def->build(answer.summaries, options);
      answer.results = tabulate(answer.summaries);
    } catch (const std::exception&) {
      source->reader.reset();
      throw;
    }
    return std::make_shared<const Answer>(std::move(answer));
  };
  inBackground(tasks_, this, work, [this, generation = ++generation_](const std::shared_ptr<const Answer>& answer, const QString& error) {
    if (generation != generation_) return;  // a newer question is on its way
    answered_ = generation;
    answer_ = answer ? answer : std::make_shared<const Answer>();
    if (!error.isEmpty()) emit failed(error);
    emit ready();
    if (std::exchange(again_, false)) refresh();
  });
}

}  // namespace paceline::compare
