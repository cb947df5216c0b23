// The results table for a paper: one row per configuration, its seeds as mean +- sample standard deviation, the best of a column
// bold.
#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/core/base/error.h"
#include "storage/summary/summary.h"
#include "storage/summary/table_text.h"

namespace paceline::summary {
namespace {

struct Cell {
  std::vector<double> values;  // of the seeds that have one
  std::size_t seeds = 0;

  double mean() const {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
  double deviation() const {  // sample: divided by n - 1
    double sum = 0;
    for (const double value : values) sum += (value - mean()) * (value - mean());
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
  }
};

struct Column {
  const char* title;
  int decimals;
  bool higherIsBetter;
  const char* missing;
  std::function<std::optional<double>(const RunSummary&)> value;
};

const std::vector<Column>& columns() {
  static const std::vector<Column> kColumns = {
      {"Accuracy (\\%)", 2, true, "--",
       [](const RunSummary& r) { return r.accuracyBest ? std::optional(100 * *r.accuracyBest) : std::nullopt; }},
      {"Time to target (s)", 1, false, "not reached", [](const RunSummary& r) { return r.timeToTargetSeconds; }},
      {"Samples/s", 1, true, "--", [](const RunSummary& r) { return std::optional(r.throughputSamplesPerSecond); }},
      {"Traffic (MB/s)", 2, false, "--",
       [](const RunSummary& r) {
         return r.trafficBytesPerSecond > 0 ? std::optional(r.trafficBytesPerSecond / 1e6) : std::nullopt;
       }},
      {"Busy (\\%)", 1, true, "--", [](const RunSummary& r) { return std::optional(100 * meanBusyRatio(r)); }},
  };
  return kColumns;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        out += {'\\', c};
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

using Group = std::vector<const RunSummary*>;

// Runs that differ only in the seed, in the order they were given; a run without a hash is alone.
std::vector<Group> groupsOf(const std::vector<RunSummary>& runs) {
  std::vector<Group> groups;
  for (const RunSummary& run : runs) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return !run.groupHash.empty() && group.front()->groupHash == run.groupHash;
    });
    if (same == groups.end())
      groups.push_back({&run});
    else
      same->push_back(&run);
  }
  return groups;
}

Cell cellOf(const Group& group, const Column& column) {
  Cell cell{.values = {}, .seeds = group.size()};
  for (const RunSummary* run : group)
    if (const std::optional<double> value = column.value(*run); value && std::isfinite(*value)) cell.values.push_back(*value);
  return cell;
}

std::string textOf(const Cell& cell, const Column& column, bool best) {
  if (cell.values.empty()) return column.missing;
  const std::string mean = fixedText(cell.mean(), column.decimals);
  std::string text = best ? strCat("\\textbf{", mean, "}") : mean;
  if (cell.values.size() > 1) text += strCat(" $\\pm$ ", fixedText(cell.deviation(), column.decimals));
  if (cell.values.size() < cell.seeds) text += strCat(" (", cell.values.size(), " of ", cell.seeds, ")");
  return text;
}

// Index of the best mean; none when there is nothing to compare.
std::optional<std::size_t> bestOf(const std::vector<Cell>& cells, bool higherIsBetter) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].values.empty()) continue;
    const bool better = !best || (higherIsBetter ? cells[i].mean() > cells[*best].mean() : cells[i].mean() < cells[*best].mean());
    if (better) best = i;
  }
  return cells.size() > 1 ? best : std::nullopt;
}

}  // namespace

std::string summariesToLatex(const std::vector<RunSummary>& runs) {
  const std::vector<Group> groups = groupsOf(runs);
  std::vector<std::string> rows;
  for (const Group& group : groups)
    rows.push_back(strCat(escaped(group.front()->algorithm), " & ", escaped(group.front()->model), " & ", group.size()));
  std::string header = "Algorithm & Model & Runs", alignment = "llr";
  for (const Column& column : columns()) {
    header += strCat(" & ", column.title), alignment += 'r';
    std::vector<Cell> cells;
    for (const Group& group : groups) cells.push_back(cellOf(group, column));
    const std::optional<std::size_t> best = bestOf(cells, column.higherIsBetter);
    for (std::size_t i = 0; i < cells.size(); ++i) rows[i] += strCat(" & ", textOf(cells[i], column, best == i));
  }
  std::string text =
      strCat("% needs \\usepackage{booktabs}; mean and sample standard deviation over runs that differ in the seed\n",
             "\\begin{tabular}{", alignment, "}\n\\toprule\n", header, " \\\\\n\\midrule\n");
  for (const std::string& row : rows) text += row + " \\\\\n";
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace paceline::summary
