// Runs that belong together in a figure or a table: the seeds of one configuration, named and coloured. Pure functions over summaries; the
// pointers are into the caller's list. For figures and tables of results.
#pragma once

#include "app/figures/figure.h"
#include "app/figures/parts/names.h"

namespace paceline::parts {

struct RunGroup {
  std::string label{};      // unique within the figure: "ESync", "ESync, slowdown 6"; where all are of one algorithm "slowdown 6"
  std::string differs{};    // "slowdown 6": the same of all algorithms under the same conditions
  std::string fullLabel{};  // "ESync, slowdown 6", for tables
  int series = 0;
  Runs members;  // one run, or the seeds of one configuration, ascending
  const summary::RunSummary& first() const { return *members.front(); }
};

// In the fixed order of algorithms, then as given. A run that is given twice counts once.
std::vector<RunGroup> groupRuns(const Runs& runs, const FigureOptions& options);
Runs pointersTo(const Summaries& runs);

std::string nameOf(const summary::RunSummary& run);                      // its id where it has no name
std::string membersWord(const RunGroup& group);                         // "3 seeds", or "3 runs" when a seed repeats
std::string memberLabel(const RunGroup& group, const summary::RunSummary& run);  // "ESync, seed 2"
std::string membersNote(const RunGroup& group);  // "ESync: mean and sample std of 2 seeds (seed 1: ID, seed 2: ID)"

// Takes those groups away for which `lacks` holds; a note says of each that it is left out and why.
void leaveOut(std::vector<RunGroup>& groups, Figure& figure, const std::string& why, const std::function<bool(const RunGroup&)>& lacks);

Axis valueAxis(std::string title, bool log = false);  // from 0 on, unless it is logarithmic
void noteUnpublished(Figure& figure);                 // in the published variant: no script draws it

std::string barText(double value);  // "812", "12.3", "0.0123": three digits, for texts over bars
std::string deviationText(const summary::Statistic& of);  // two digits; "0" where only rounding is left
bool isStandalone(const summary::RunSummary& run);
bool isIid(const summary::RunSummary& run);  // by its partition: iid, contiguous or unknown

// One run per algorithm in the order of ESync's drawer.py: ESync, SSGD, ASGD, DC-ASGD; the rest is named in the notes.
std::vector<RunGroup> publishedOrder(const Runs& runs, Figure& figure);
inline constexpr const char* kNoPublishedRun = "no run of ESync, SSGD, ASGD or DC-ASGD";  // why a script's figure is empty where publishedOrder() is

// The figure that a plan makes.
template <class Plan>
FigureDef planned(std::string title, std::string summary, const Plan& plan, Figure (*draw)(const Plan&, const Summaries&, const FigureOptions&)) {
  const auto build = [plan, draw](const Summaries& runs, const FigureOptions& options) { return draw(plan, runs, options); };
  return {.id = plan.id, .title = std::move(title), .summary = std::move(summary), .build = build};
}

// A category for the group and a set with its single bar; NaN: no bar, `text` says why.
void addBar(Figure& figure, const RunGroup& group, double value, std::string text);
// Mean over the members, "mean ± std" over the bar, the members in a note.
void addMeanBar(Figure& figure, const RunGroup& group, const std::vector<double>& values);

}  // namespace paceline::parts
