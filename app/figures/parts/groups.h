// Runs that belong together in a figure: the seeds of one configuration, named and coloured. Pure functions over summaries; the
// pointers are into the caller's list. Private to app/figures.
#pragma once

#include <string>
#include <vector>

#include "app/figures/figure.h"

namespace paceline::parts {

struct RunGroup {
  std::string label;  // "ESync"; unique within the figure
  int series = 0;
  std::vector<const summary::RunSummary*> members;  // one run, or the seeds of one configuration, ascending
  const summary::RunSummary& first() const { return *members.front(); }
};

// In the fixed order of algorithms, then as given. A run that is given twice counts once.
std::vector<RunGroup> groupRuns(const std::vector<const summary::RunSummary*>& runs, bool groupSeeds);
std::vector<const summary::RunSummary*> pointersTo(const std::vector<summary::RunSummary>& runs);

std::string membersWord(const RunGroup& group);                         // "3 seeds", or "3 runs" when a seed repeats
std::string memberLabel(const RunGroup& group, const summary::RunSummary& run);  // "ESync seed 2"
std::string membersNote(const RunGroup& group);  // "ESync: mean and sample std of 2 seeds (seed 1: ID, seed 2: ID)"

Figure newFigure(std::string id, std::string title, Variant variant);
Line newLine(std::string label, int series, std::string runId);

struct Statistic {
  double mean = 0, deviation = 0;  // of the sample (n - 1); 0 for one value
};
Statistic statistic(const std::vector<double>& values);

std::string barText(double value);  // "812", "12.3", "0.0123": three digits, for texts over bars
bool isStandalone(const summary::RunSummary& run);
bool isIid(const summary::RunSummary& run);  // by its partition: iid, contiguous or unknown

}  // namespace paceline::parts
