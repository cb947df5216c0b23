// The results table: runs of one configuration become one row of mean ± sample standard deviation. The window shows it, CSV and LaTeX write it. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/figures/published.h"

namespace paceline {

enum class Better { kHigher, kLower, kNeither };

struct ResultColumn {
  std::string title;  // with unit
  Better better = Better::kHigher;
  bool ofBudget = false;  // who may train longer gets more of it: a best is marked only among equal budgets
};
struct ResultCell {
  std::optional<double> mean{};
  double std = 0;     // sample standard deviation; 0 for a single run
  int runs = 0;       // that have the value
  std::string text{};  // "87.4 ± 0.3"; "not reached"; "—"
  bool best = false;
};
struct ResultRow {
  std::string label, algorithm, model;  // "ESync, slowdown 6"; an id; a title
  std::vector<std::string> ids{};       // of its runs, ascending by seed
  int runs = 0;
  std::vector<ResultCell> cells{};      // one for each column
};
struct Results {
  std::vector<ResultColumn> columns;
  std::vector<ResultRow> rows;
  std::string note;  // why some column has no best; "": nothing to say
  std::vector<PublishedRow> published{};  // what papers report of these runs
  std::string peeking{};  // "Best accuracy: the best of 5 to 12 evaluations on the test set."; "": no such column has a value
  std::vector<std::string> findings{};  // of columns with a best: whether it is ahead of the next one, and by how much
};

// How the table calls each of these beside the others: "CIFAR-10", and "SSGD, CIFAR-10" where they are of several algorithms. Seeds do not count.
std::vector<std::string> whatDiffers(const Summaries& configurations, const Titles& titles);

struct TableChoice {
  std::vector<std::string> columns{};  // ids, in this order; empty: all, speed-ups where there is a reference
  std::string reference{};             // of speed-ups: a run's id or an algorithm's; of several configurations of it each row's own counterpart. "": none
};
const std::vector<std::string>& tableColumns();  // ids
// sameBudget: whatever their stop rules, they were cut to one. Throws Error{kUsage}: no such column, no such reference.
Results tabulate(const Summaries& runs, const Titles& titles = {}, bool sameBudget = false, const TableChoice& choice = {});
// With published values where there are any: in CSV as further columns of the row, in LaTeX as a table of its own.
std::string resultsToCsv(const Results& results);
std::string resultsToLatex(const Results& results);  // booktabs; the best of a column in bold

}  // namespace paceline
