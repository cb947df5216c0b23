// Hollow marks of published values beside what a figure draws. Private to app/figures.
#pragma once

#include "app/figures/parts/groups.h"
#include "app/figures/published.h"

namespace paceline::parts {

// Of the first member that has any: a document of before they were written is of the same configuration.
std::vector<PublishedValue> publishedOf(const RunGroup& group);

// What a figure is of. `script`: nullopt where both formulas give its numbers.
struct MarkPlan {
  std::vector<PublishedMeasure> measures;
  std::optional<bool> script{};
  std::optional<double> target{};  // only values of that
  std::string over{};              // only speed-ups over it; "": of any
};
// Those of `values` that belong in the figure. What is left out only because of its formula or target is said in the notes, once.
std::vector<PublishedValue> belonging(const std::vector<PublishedValue>& values, const MarkPlan& plan, Figure& figure);

PublishedMark markOf(const PublishedValue& value, const std::string& label, int series, double x);
void put(Figure& figure, PublishedMark mark);  // its source is said in the notes, once
// Bars with a category for each group, in their order.
void markBars(Figure& figure, const std::vector<RunGroup>& groups, const MarkPlan& plan);
// Accuracies and losses at the line's end, times to a target where x is time, in units of `unit` seconds (0: it is not).
void markCurve(Figure& figure, const RunGroup& group, const Line& line, bool loss, double unit);

}  // namespace paceline::parts
