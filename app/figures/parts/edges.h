// Figures of one bar per direction of an edge. Private to app/figures.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/figures/parts/groups.h"

namespace paceline::parts {

struct EdgePlan {
  std::string id, title, yTitle, note;
  std::function<double(const summary::EdgeSummary&)> value;
};
// Mean over the seeds of a configuration; runs without edges are named in the notes.
Figure edgeFigure(const EdgePlan& plan, const std::vector<summary::RunSummary>& runs, const FigureOptions& options);

}  // namespace paceline::parts
