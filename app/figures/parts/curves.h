// Curves of what evaluations found (accuracy, loss, consensus) or rounds exchanged over any of the five axes: seeds, smoothing, gaps. Private to app/figures.
#pragma once

#include "app/figures/parts/groups.h"

namespace paceline::parts {

struct CurvePlan {
  std::string id, title, yTitle;
  summary::Column value = summary::Column::kAccuracy;
  std::optional<double> yMin{}, yMax{};
  std::function<const summary::Curve&(const summary::RunSummary&)> points = &summary::RunSummary::curve;
  std::string note{};                                  // what a point is
  std::string lacking = "it has no evaluations";       // why a run without points is left out
  std::string nothing = "no run with evaluations";     // why the figure is empty
};

// One line per group with mean and band where it has several members; what is left out is said in the notes.
Figure curveFigure(const CurvePlan& plan, const Runs& runs, const FigureOptions& options);
summary::Column columnOf(XAxis x);

}  // namespace paceline::parts
