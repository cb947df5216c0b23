#include <algorithm>

#include "app/figures/parts/groups.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

bool alwaysOne(const summary::RunSummary& run) {
  return std::ranges::all_of(run.nodes, [](const summary::NodeSummary& node) {
    return std::ranges::all_of(node.localSteps, [](const auto& entry) { return entry.second == 1; });
  });
}

// One line per worker. ESync's summary counts the entries of a round's log, which are one more than the local steps.
void addWorkers(Figure& figure, const parts::RunGroup& group, bool alone) {
  const bool published = figure.variant == Variant::kPublished;
  const summary::RunSummary& run = group.first();
  const std::int64_t more = published && run.algorithm == "esync" ? 1 : 0;
  for (const summary::NodeSummary& node : run.nodes) {
    if (node.localSteps.empty()) continue;
    Line line{.label = alone ? node.id : strCat(group.label, ", ", node.id), .series = static_cast<int>(figure.lines.size()), .runId = run.id};
    for (const auto& [round, steps] : node.localSteps) {
      line.x.push_back(static_cast<double>(round));
      line.y.push_back(static_cast<double>(steps + more));
    }
    figure.lines.push_back(std::move(line));
  }
}

void noteOthers(Figure& figure, const parts::RunGroup& group) {
  for (std::size_t i = 1; i < group.members.size(); ++i)
    figure.notes.push_back(strCat(parts::memberLabel(group, *group.members[i]), ": left out, one seed of a configuration is drawn"));
}

Figure buildLocalSteps(const Summaries& runs, const FigureOptions& options) {
  const bool published = options.variant == Variant::kPublished;
  Figure figure{.id = "local_steps", .title = "Local steps per round", .variant = options.variant};
  figure.x = {.title = "round", .log = options.logX};
  figure.y = parts::valueAxis(published ? "log entries per round" : "local steps", options.logY);
  auto groups = parts::groupRuns(parts::pointersTo(runs), options);
  const bool anyMore = std::ranges::any_of(groups, [](const parts::RunGroup& group) { return !alwaysOne(group.first()); });
  parts::leaveOut(groups, figure, "one step in every round", [anyMore](const parts::RunGroup& group) { return anyMore && alwaysOne(group.first()); });
  for (const parts::RunGroup& group : groups) {
    addWorkers(figure, group, groups.size() == 1);
    noteOthers(figure, group);
  }
  if (groups.size() == 1 && !figure.empty()) figure.title += strCat(", ", groups.front().label);
  if (published) figure.notes.push_back("ESync's summary counts a round's log entries: local steps + 1; no script draws them");
  if (figure.empty()) figure.notes.push_back(strCat(kNothingToDraw, "no rounds recorded"));
  return figure;
}

}  // namespace

FigureDef local_steps() {
  return {.id = "local_steps",
          .title = "Local steps",
          .summary = "Steps that each worker takes on its own in every round: ESync's balancing at work.",
          .build = buildLocalSteps,
          .reads = [](const FigureOptions&) { return summary::Details{.localSteps = true}; }};
}

}  // namespace paceline
