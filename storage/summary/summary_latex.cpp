// The results table for a paper: one row per configuration, its seeds as mean +- sample standard deviation, the best of a column
// bold.
#include <cmath>
#include <limits>
#include <map>

#include "engine/core/base/error.h"
#include "storage/summary/summary.h"
#include "storage/summary/table_text.h"

namespace paceline::summary {
namespace {

struct Column {
  const char* title;
  int decimals;
  bool higherIsBetter;
  const char* missing;
  double (*value)(const RunSummary&);  // NaN: has none
};

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Column kColumns[] = {
    {"Accuracy (\\%)", 2, true, "--", [](const RunSummary& r) { return 100 * r.accuracyBest.value_or(kNone); }},
    {"Time to target (s)", 1, false, "not reached", [](const RunSummary& r) { return r.timeToTargetSeconds.value_or(kNone); }},
    {"Samples/s", 1, true, "--", [](const RunSummary& r) { return r.throughputSamplesPerSecond; }},
    {"Traffic (MB/s)", 2, false, "--", [](const RunSummary& r) { return r.trafficBytesPerSecond > 0 ? r.trafficBytesPerSecond / 1e6 : kNone; }},
    {"Busy (\\%)", 1, true, "--", [](const RunSummary& r) { return 100 * meanBusyRatio(r); }},
};

std::string escaped(const std::string& text) {
  static const std::map<char, std::string> kWords = {{'~', "\\textasciitilde{}"}, {'^', "\\textasciicircum{}"}, {'\\', "\\textbackslash{}"}, {'<', "\\textless{}"}, {'>', "\\textgreater{}"}};
  std::string out;
  for (const char c : text) {
    const auto word = kWords.find(c);
    if (word != kWords.end()) out += word->second;
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += {'\\', c};
    else out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out;
}

struct Cell {
  std::size_t values = 0, seeds = 0;  // seeds that have a value, and all
  Statistic of{};
};

Cell cellOf(const std::vector<const RunSummary*>& group, const Column& column) {
  std::vector<double> values;
  for (const RunSummary* run : group)
    if (const double value = column.value(*run); std::isfinite(value)) values.push_back(value);
  return {.values = values.size(), .seeds = group.size(), .of = statistic(values)};
}

std::string textOf(const Cell& cell, const Column& column, bool best) {
  if (cell.values == 0) return column.missing;
  const std::string mean = fixedText(cell.of.mean, column.decimals);
  std::string text = best ? strCat("\\textbf{", mean, "}") : mean;
  if (cell.values > 1) text += strCat(" $\\pm$ ", fixedText(cell.of.deviation, column.decimals));
  if (cell.values < cell.seeds) text += strCat(" (", cell.values, " of ", cell.seeds, ")");
  return text;
}

// Index of the best mean; none when there is nothing to compare.
std::optional<std::size_t> bestOf(const std::vector<Cell>& cells, bool higherIsBetter) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].values == 0) continue;
    const double mean = cells[i].of.mean;
    if (!best || (higherIsBetter ? mean > cells[*best].of.mean : mean < cells[*best].of.mean)) best = i;
  }
  return cells.size() > 1 ? best : std::nullopt;
}

}  // namespace

std::string summariesToLatex(const std::vector<RunSummary>& runs) {
  const auto groups = seedGroups(runs);
  std::vector<std::string> rows;
  for (const auto& group : groups)
    rows.push_back(strCat(escaped(group.front()->algorithm), " & ", escaped(group.front()->model), " & ", group.size()));
  std::string header = "Algorithm & Model & Runs", alignment = "llr";
  for (const Column& column : kColumns) {
    header += strCat(" & ", column.title), alignment += 'r';
    std::vector<Cell> cells;
    for (const auto& group : groups) cells.push_back(cellOf(group, column));
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
