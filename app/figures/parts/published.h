// The published variant: the formulas and the layout of ESync's drawer.py. Private to app/figures.
#pragma once

#include "app/figures/parts/groups.h"

namespace paceline::parts {

// One run per algorithm in the script's order ESync, SSGD, ASGD, DC-ASGD; the rest is named in the notes.
std::vector<RunGroup> publishedOrder(const Runs& runs, Figure& figure);

struct PublishedCurve {
  int every = 5;                                 // only each so many-th evaluation is drawn
  int window = 10;                               // trailing moving average, padded on the left with the first value
  std::vector<std::vector<std::size_t>> marks;   // by series: places of single markers ...
  std::vector<std::size_t> markStart, markStep;  // ... and from markStart on every markStep-th
};

struct AccuracyPlan {
  std::string id, title, publishedTitle;
  PublishedCurve script;
};
// Test accuracy of the drawn runs with the dashed line of stand-alone training: the option, else the last accuracy of a stand-alone run of `all`.
// Published: against minutes as the script draws it, with rounded seconds and accuracies, decimated, led by (0, 0.1), smoothed.
Figure accuracyFigure(const AccuracyPlan& plan, const Runs& drawn, const Runs& all, const FigureOptions& options);

}  // namespace paceline::parts
