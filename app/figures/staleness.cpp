#include <algorithm>
#include <map>

#include "app/figures/parts/groups.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

constexpr std::int64_t kMostBars = 40;  // more values share bars of equal width

// Rounds of all workers of all seeds, by staleness.
std::map<std::int64_t, std::int64_t> roundsOf(const parts::RunGroup& group) {
  std::map<std::int64_t, std::int64_t> all;
  for (const summary::RunSummary* run : group.members)
    for (const summary::NodeSummary& node : run->nodes)
      for (const auto& [staleness, count] : node.stalenessRounds) all[std::max<std::int64_t>(0, staleness)] += count;
  return all;
}

BarSet barsOf(const parts::RunGroup& group, const std::map<std::int64_t, std::int64_t>& rounds, std::int64_t width, std::size_t count) {
  BarSet bars{.label = group.label, .series = group.series, .values = std::vector<double>(count, 0.0)};
  std::int64_t total = 0;
  for (const auto& [staleness, times] : rounds) total += times;
  for (const auto& [staleness, times] : rounds)
    bars.values[static_cast<std::size_t>(staleness / width)] += static_cast<double>(times) / static_cast<double>(total);
  return bars;
}

Figure buildStaleness(const Summaries& runs, const FigureOptions& options) {
  Figure figure{.id = "staleness", .title = "Staleness", .variant = options.variant, .y = parts::valueAxis("share of rounds", options.logY)};
  figure.x.title = "updates by others between pull and push";
  auto groups = parts::groupRuns(parts::pointersTo(runs), options);
  parts::leaveOut(groups, figure, "no rounds recorded", [](const parts::RunGroup& group) { return roundsOf(group).empty(); });
  std::int64_t most = 0;
  for (const parts::RunGroup& group : groups) most = std::max(most, roundsOf(group).rbegin()->first);
  const std::int64_t width = most / kMostBars + 1;
  for (std::int64_t first = 0; !groups.empty() && first <= most; first += width)
    figure.x.categories.push_back(width == 1 ? strCat(first) : strCat(first, "–", first + width - 1));
  for (const parts::RunGroup& group : groups) {
    const auto rounds = roundsOf(group);
    figure.bars.push_back(barsOf(group, rounds, width, figure.x.categories.size()));
    if (rounds.rbegin()->first == 0) figure.notes.push_back(strCat(group.label, ": every round is up to date"));
    if (group.members.size() > 1) figure.notes.push_back(strCat(group.label, ": rounds of ", parts::membersWord(group), " together"));
  }
  parts::noteUnpublished(figure);
  if (figure.empty()) figure.notes.insert(figure.notes.begin(), strCat(kNothingToDraw, "no rounds recorded"));
  return figure;
}

}  // namespace

FigureDef staleness() {
  return {.id = "staleness",
          .title = "Staleness",
          .summary = "How old the parameters were that gradients belong to: the share of rounds by updates that others made meanwhile.",
          .build = buildStaleness};
}

}  // namespace paceline
