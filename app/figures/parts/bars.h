// Figures of bars. Private to app/figures.
#pragma once

#include "app/figures/parts/groups.h"

namespace paceline::parts {

// A category for the group and a set with its single bar; NaN: no bar, `text` says why.
void addBar(Figure& figure, const RunGroup& group, double value, std::string text);

// Mean over the members, "mean ± std" over the bar, the members in a note.
void addMeanBar(Figure& figure, const RunGroup& group, const std::vector<double>& values);

// One bar per configuration: a rate as measured, or as drawer.py computes it.
struct RatePlan {
  std::string id, title, yTitle, note;
  std::function<double(const summary::RunSummary&)> value;
  std::string publishedYTitle, publishedNote;
  double summary::RunSummary::*publishedValue;
};
Figure rateFigure(const RatePlan& plan, const Summaries& runs, const FigureOptions& options);

// One bar per direction of an edge.
struct EdgePlan {
  std::string id, title, yTitle, note;
  std::function<double(const summary::EdgeSummary&)> value;
};
// Mean over the seeds of a configuration; runs without edges are named in the notes.
Figure edgeFigure(const EdgePlan& plan, const Summaries& runs, const FigureOptions& options);

}  // namespace paceline::parts
