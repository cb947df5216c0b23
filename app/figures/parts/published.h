// The published variant: the formulas and the layout of ESync's drawer.py. Private to app/figures.
#pragma once

#include <string>
#include <vector>

#include "app/figures/parts/groups.h"

namespace paceline::parts {

// One run per algorithm in the script's order ESync, SSGD, ASGD, DC-ASGD; the rest is named in the notes.
std::vector<RunGroup> publishedOrder(const std::vector<const summary::RunSummary*>& runs, Figure& figure);

struct PublishedCurve {
  int every = 5;                                 // only each so many-th evaluation is drawn
  int window = 10;                               // trailing moving average, padded on the left with the first value
  std::vector<std::vector<std::size_t>> marks;   // by series: places of single markers ...
  std::vector<std::size_t> markStart, markStep;  // ... and from markStart on every markStep-th
};

// Accuracy against minutes as the script draws it: rounded seconds and accuracies, decimated, led by (0, 0.1), smoothed.
Line publishedCurve(const summary::RunSummary& run, int series, const PublishedCurve& plan, Figure& figure);
Figure publishedAccuracy(Figure figure, const std::vector<const summary::RunSummary*>& runs, const PublishedCurve& plan,
                         const FigureOptions& options, const std::vector<const summary::RunSummary*>& all);

// The dashed line of stand-alone training: the option, else the last accuracy of a stand-alone run of `all`.
std::optional<Reference> standaloneReference(const std::vector<const summary::RunSummary*>& all, const FigureOptions& options);

double roundedTo3(double value);  // as Python's round(value, 3)

}  // namespace paceline::parts
