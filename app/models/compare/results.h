// The results table of a comparison: runs of one configuration become one row of mean ± standard deviation. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/summary/summary.h"

namespace paceline::compare {

enum class Better { kHigher, kLower, kNeither };

struct ResultColumn {
  std::string title;  // with unit
  Better better = Better::kHigher;
};
struct ResultCell {
  std::optional<double> mean{};
  double std = 0;     // sample standard deviation; 0 for a single run
  int runs = 0;       // that have the value
  std::string text{};  // "87.4 ± 0.3"; "not reached"; "—"
  bool best = false;
};
struct ResultRow {
  std::string label, algorithm;
  int runs = 0;
  std::vector<ResultCell> cells{};  // one for each column
};
struct Results {
  std::vector<ResultColumn> columns;
  std::vector<ResultRow> rows;
};

Results tabulate(const std::vector<summary::RunSummary>& runs);
std::string resultsToCsv(const Results& results);

}  // namespace paceline::compare
