// The test loss at the end of each run, a bar for each configuration. An example: a figure is one pure function from summaries of runs (storage/summary/summary.h)
// to lines and bars (app/figures/figure.h); the window, the terminal and every file draw the same.
#include <cmath>

#include "app/figures/parts/groups.h"

namespace paceline {
namespace {

Figure buildLastLoss(const Summaries& runs, const FigureOptions& options) {
  Figure figure{.id = "last_loss", .title = "Last loss", .variant = options.variant, .y = parts::valueAxis("test loss", options.logY)};
  auto groups = parts::groupRuns(parts::pointersTo(runs), options);  // the seeds of one configuration
  parts::leaveOut(groups, figure, "no loss was evaluated", [](const parts::RunGroup& group) { return !group.first().lossLast; });
  for (const parts::RunGroup& group : groups) {
    std::vector<double> losses;
    for (const summary::RunSummary* run : group.members) losses.push_back(run->lossLast.value_or(std::nan("")));
    parts::addMeanBar(figure, group, losses);
  }
  if (figure.empty()) figure.notes.insert(figure.notes.begin(), std::string(kNothingToDraw) + "no loss was evaluated");
  return figure;
}

}  // namespace

FigureDef last_loss() {
  return {.id = "last_loss", .title = "Last loss", .summary = "The test loss at the end, a bar for each configuration.", .build = buildLastLoss};
}

}  // namespace paceline
