// Curves of what evaluations found (accuracy, loss, consensus) or rounds exchanged over any of the five axes: seeds, smoothing, gaps. Private to app/figures.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/figures/parts/groups.h"

namespace paceline::parts {

struct Curve {
  std::vector<double> x, y;
};

struct CurvePlan {
  std::string id, title, yTitle;
  double summary::CurvePoint::*value = nullptr;
  std::optional<double> yMin, yMax;
  std::function<const std::vector<summary::CurvePoint>&(const summary::RunSummary&)> points = &summary::RunSummary::curve;
  std::string lacking = "it has no evaluations";       // why a run without points is left out
  std::string nothing = "no run with evaluations";     // why the figure is empty
};

// Only of the runs that have the plan's value: `note` says what a point is. No published script draws such a figure.
Figure recordedCurveFigure(const CurvePlan& plan, const std::vector<summary::RunSummary>& runs, const FigureOptions& options, const std::string& note);

// One line per group with mean and band where it has several members; what is left out is said in the notes.
Figure curveFigure(const CurvePlan& plan, const std::vector<const summary::RunSummary*>& runs, const FigureOptions& options);

// Mean over `window` points that end at each one; shorter at the start; what is not finite stays a gap and does not count.
std::vector<double> trailingMean(const std::vector<double>& y, int window);

// Linear between points, exact at them; `x` ascends and every `at` lies in its range. NaN next to a gap.
std::vector<double> interpolate(const Curve& curve, const std::vector<double>& at);

// Where the mean of several curves is taken: their own points where they agree, else all points in their common range, thinned to
// 600.
std::vector<double> commonGrid(const std::vector<Curve>& curves);

}  // namespace paceline::parts
