#include "app/models/compare/results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>

#include "app/figures/figure.h"
#include "engine/core/base/error.h"

namespace paceline::compare {
namespace {

struct Measure {
  ResultColumn column;
  int decimals;
  const char* missing;
  std::function<std::optional<double>(const summary::RunSummary&)> of;
};

std::optional<double> positive(double value) { return value > 0 ? std::optional(value) : std::nullopt; }

std::vector<Measure> measures(double target) {
  const auto percent = [](std::optional<double> x) { return x ? std::optional(*x * 100) : x; };
  char title[64];
  std::snprintf(title, sizeof title, "Time to %g %% (s)", target * 100);
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

std::string fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

ResultCell cell(const std::vector<const summary::RunSummary*>& runs, const Measure& measure) {
  std::vector<double> values;
  for (const summary::RunSummary* run : runs)
    if (const auto value = measure.of(*run); value && std::isfinite(*value)) values.push_back(*value);
  ResultCell made;
  made.runs = static_cast<int>(values.size());
  made.text = measure.missing;
  if (values.empty()) return made;
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  made.mean = sum / static_cast<double>(values.size());
  for (const double v : values) squares += (v - *made.mean) * (v - *made.mean);
  if (values.size() > 1) made.std = std::sqrt(squares / static_cast<double>(values.size() - 1));
  made.text = fixed(*made.mean, measure.decimals);
  if (values.size() > 1) made.text += strCat(" ± ", fixed(made.std, measure.decimals));
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
    c.best = best && c.mean && c.runs == row.runs && fixed(*c.mean, decimals) == fixed(*best, decimals);
  }
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

}  // namespace

Results tabulate(const std::vector<summary::RunSummary>& runs) {
  Results results;
  const std::vector<Measure> all = measures(runs.empty() ? 0.8 : runs.front().targetAccuracy);
  for (const Measure& measure : all) results.columns.push_back(measure.column);
  std::map<std::string, std::size_t> seen;
  std::vector<std::vector<const summary::RunSummary*>> groups;
  for (const summary::RunSummary& run : runs) {
    const std::string key = run.groupHash.empty() ? run.id : run.groupHash;
    const auto [found, fresh] = seen.emplace(key, groups.size());
    if (fresh) groups.emplace_back();
    groups[found->second].push_back(&run);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return seriesOf(a.front()->algorithm) < seriesOf(b.front()->algorithm);
  });
  for (const auto& group : groups) {
    ResultRow row;
    row.algorithm = group.front()->algorithm;
    row.label = group.size() == 1 ? group.front()->name : displayName(row.algorithm);
    row.group = group.front()->groupHash;
    row.runs = static_cast<int>(group.size());
    for (const Measure& measure : all) row.cells.push_back(cell(group, measure));
    results.rows.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < results.columns.size(); ++i) markBest(results, i, all[i].decimals);
  return results;
}

std::string resultsToCsv(const Results& results) {
  std::string text = "name,algorithm,runs";
  for (const ResultColumn& column : results.columns) text += strCat(",", quoted(column.title + " mean"), ",", quoted(column.title + " std"));
  text += "\r\n";
  for (const ResultRow& row : results.rows) {
    text += strCat(quoted(row.label), ",", quoted(row.algorithm), ",", row.runs);
    for (const ResultCell& c : row.cells) text += c.mean ? strCat(",", fixed(*c.mean, 6), ",", fixed(c.std, 6)) : ",,";
    text += "\r\n";
  }
  return text;
}

}  // namespace paceline::compare
