// Figures of one bar per configuration (throughput, traffic, speed-up). Private to app/figures.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/figures/parts/groups.h"

namespace paceline::parts {

// A category for the group and a set with its single bar; NaN: no bar, `text` says why.
void addBar(Figure& figure, const RunGroup& group, double value, std::string text);

// Mean over the members, "mean ± std" over the bar, the members in a note.
void addMeanBar(Figure& figure, const RunGroup& group, const std::vector<double>& values);

struct BarPlan {
  std::string id, title, yTitle;
  std::function<double(const summary::RunSummary&)> value;
};
Figure barFigure(const BarPlan& plan, const std::vector<const summary::RunSummary*>& runs, const FigureOptions& options);

// Figures of one bar per direction of an edge. Private to app/figures.
struct EdgePlan {
  std::string id, title, yTitle, note;
  std::function<double(const summary::EdgeSummary&)> value;
};
// Mean over the seeds of a configuration; runs without edges are named in the notes.
Figure edgeFigure(const EdgePlan& plan, const std::vector<summary::RunSummary>& runs, const FigureOptions& options);

}  // namespace paceline::parts
