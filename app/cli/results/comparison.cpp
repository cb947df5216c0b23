#include "app/cli/results/documents.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/cli/console.h"
#include "app/figures/figure.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

const summary::RunSummary* baseFor(const summary::RunSummary& run, const std::vector<summary::RunSummary>& runs) {
  const summary::RunSummary* base = nullptr;
  for (const summary::RunSummary& other : runs) {
    if (other.algorithm != "ssgd") continue;
    if (other.seed == run.seed) return &other;
    if (base == nullptr) base = &other;
  }
  return base;
}

std::string speedUp(const summary::RunSummary& run, const summary::RunSummary* base) {
  if (base == nullptr || !base->timeToTargetSeconds) return "-";
  if (!run.timeToTargetSeconds) return "not reached";
  return *run.timeToTargetSeconds > 0 ? decimals(*base->timeToTargetSeconds / *run.timeToTargetSeconds, 2) : "-";
}

std::string busyRange(const summary::RunSummary& run) {
  std::vector<double> ratios;
  for (const summary::NodeSummary& node : run.nodes)
    if (summary::trains(node) && !std::isnan(node.busyRatio)) ratios.push_back(node.busyRatio);
  if (ratios.empty()) return "-";
  const auto [least, most] = std::ranges::minmax(ratios);
  const std::string low = decimals(least, 2), high = decimals(most, 2);
  return low == high ? low : low + ".." + high;
}

template <class Property>
bool differs(const std::vector<summary::RunSummary>& runs, Property property) {
  return std::ranges::any_of(runs, [&](const summary::RunSummary& run) { return run.*property != runs.front().*property; });
}

std::string bytesPerRound(const summary::RunSummary& run) {
  std::int64_t rounds = 0;
  for (const summary::NodeSummary& node : run.nodes) rounds += node.rounds;
  return rounds == 0 ? "-" : significant(static_cast<double>(run.bytesSent + run.bytesReceived) / static_cast<double>(rounds) / 1e3);
}

std::size_t workersIn(const summary::RunSummary& run) { return static_cast<std::size_t>(std::ranges::count_if(run.nodes, summary::trains)); }

// Mean of the workers' own last accuracies, where their parameters were evaluated one by one; nullopt: they were not.
std::optional<double> ownAccuracy(const summary::RunSummary& run) {
  double sum = 0;
  std::size_t count = 0;
  for (const summary::EvaluationCurve& curve : run.otherCurves) {
    if (curve.points.empty() || std::ranges::find(run.nodes, curve.of, &summary::NodeSummary::id) == run.nodes.end()) continue;
    sum += curve.points.back().accuracy;
    ++count;
  }
  return count > 0 && count == workersIn(run) ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

std::string markdownRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += strCat(' ', cell, " |");
  return row + '\n';
}

}  // namespace

std::string comparisonMarkdown(const std::vector<summary::RunSummary>& runs) {
  if (runs.empty()) return "";
  const std::string target = strCat("s to ", significant(runs.front().targetAccuracy));
  std::vector<std::string> header = {"run", "workers", "rounds", "samples/s", "kB per round", "computing", "accuracy", "best accuracy", target};
  const bool each = std::ranges::any_of(runs, [](const summary::RunSummary& run) { return ownAccuracy(run).has_value(); });
  if (each) header.insert(header.begin() + 6, "each worker's accuracy");
  std::string table = markdownRow(header) + markdownRow(std::vector<std::string>(header.size(), "---"));
  for (const summary::RunSummary& run : runs) {
    std::vector<std::string> row = {run.state == "finished" ? run.name : strCat(run.name, " (", run.state, ")"),
                                    std::to_string(workersIn(run)),
                                    std::to_string(run.rounds),
                                    significant(run.throughputSamplesPerSecond),
                                    bytesPerRound(run),
                                    busyRange(run),
                                    run.accuracyLast ? decimals(*run.accuracyLast, 3) : "-",
                                    run.accuracyBest ? decimals(*run.accuracyBest, 3) : "-",
                                    run.timeToTargetSeconds ? significant(*run.timeToTargetSeconds) : "-"};
    const std::optional<double> own = ownAccuracy(run);
    if (each) row.insert(row.begin() + 6, own ? decimals(*own, 3) : "-");
    table += markdownRow(row);
  }
  return table;
}

std::string comparisonTable(const std::vector<summary::RunSummary>& runs) {
  if (runs.empty()) return "";
  std::set<std::pair<std::string, std::uint64_t>> shown;
  for (const summary::RunSummary& run : runs) shown.emplace(run.algorithm, run.seed);
  const bool needName = shown.size() < runs.size(), needSeed = differs(runs, &summary::RunSummary::seed);
  std::vector<std::string> header = {"algorithm"};
  if (needSeed) header.emplace_back("seed");
  if (needName) header.emplace_back("name");
  const std::string target = strCat("s to ", significant(runs.front().targetAccuracy));
  for (const char* title :
       {"state", "rounds", "samples/s", "traffic MB/s", "computing", "best accuracy", target.c_str(), "speed-up vs SSGD"})
    header.emplace_back(title);
  std::vector<std::vector<std::string>> rows;
  for (const summary::RunSummary& run : runs) {
    std::vector<std::string> row = {displayName(run.algorithm)};
    if (needSeed) row.push_back(std::to_string(run.seed));
    if (needName) row.push_back(run.name);
    row.push_back(run.state);
    row.push_back(std::to_string(run.rounds));
    row.push_back(significant(run.throughputSamplesPerSecond));
    row.push_back(significant(run.trafficBytesPerSecond / 1e6));
    row.push_back(busyRange(run));
    row.push_back(run.accuracyBest ? decimals(*run.accuracyBest, 3) : "-");
    row.push_back(run.timeToTargetSeconds ? significant(*run.timeToTargetSeconds) : "not reached");
    row.push_back(speedUp(run, baseFor(run, runs)));
    rows.push_back(std::move(row));
  }
  return tableText(header, rows);
}

}  // namespace paceline::cli
