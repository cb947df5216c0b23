#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/figures/parts/groups.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

constexpr int kSentSeries = 0, kReceivedSeries = 1;

struct Unit {
  const char* name;
  double bytes;
};

Unit unitOf(double most) {
  if (most >= 1e6) return {"MB", 1e6};
  return most >= 1e3 ? Unit{"kB", 1e3} : Unit{"bytes", 1};
}

std::string shortText(double value) {  // fits over a narrow bar
  char text[40];
  std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : value >= 0.1 ? "%.3g" : "%.2g", value);
  return text;
}

BarSet barsOf(const std::vector<parts::RunGroup>& groups, const char* label, int series, double summary::RunSummary::*value, const Unit& unit,
              std::vector<std::string>& notes) {
  BarSet bars{.label = label, .series = series};
  for (const parts::RunGroup& group : groups) {
    std::vector<double> values;
    for (const summary::RunSummary* run : group.members)
      if (std::isfinite(run->*value)) values.push_back(run->*value / unit.bytes);
    const summary::Statistic found = summary::statistic(values);
    bars.values.push_back(found.mean);
    bars.texts.push_back(values.empty() ? "" : shortText(found.mean));
    if (values.size() > 1) notes.push_back(strCat(group.label, " ", label, ": ", parts::barText(found.mean), " ± ", parts::deviationText(found), " ", unit.name));
  }
  return bars;
}

Figure buildBytesPerRound(const Summaries& runs, const FigureOptions& options) {
  Figure figure{.id = "bytes_per_round", .title = "Bytes per round", .variant = options.variant};
  auto groups = parts::groupRuns(parts::pointersTo(runs), options);
  double most = 0;
  parts::leaveOut(groups, figure, "no rounds recorded", [&most](const parts::RunGroup& group) {
    bool known = false;
    for (const summary::RunSummary* run : group.members)
      for (const double bytes : {run->bytesSentPerRound, run->bytesReceivedPerRound})
        if (std::isfinite(bytes)) most = std::max(most, bytes), known = true;
    return !known;
  });
  const Unit unit = unitOf(most);
  figure.y = parts::valueAxis(strCat(unit.name, " per round of one worker"), options.logY);
  for (const parts::RunGroup& group : groups) {
    figure.x.categories.push_back(group.label);
    if (group.members.size() > 1) figure.notes.push_back(parts::membersNote(group));
  }
  if (!groups.empty())
    figure.bars = {barsOf(groups, "sent", kSentSeries, &summary::RunSummary::bytesSentPerRound, unit, figure.notes),
                   barsOf(groups, "received", kReceivedSeries, &summary::RunSummary::bytesReceivedPerRound, unit, figure.notes)};
  parts::noteUnpublished(figure);
  figure.notes.insert(figure.notes.begin(), figure.empty() ? strCat(kNothingToDraw, "no rounds recorded")
                                                           : "mean over all rounds of all workers, on the wire, in powers of ten");
  return figure;
}

}  // namespace

FigureDef bytes_per_round() {
  return {.id = "bytes_per_round",
          .title = "Bytes per round",
          .summary = "What one worker sends and receives in a round, as measured on the wire.",
          .build = buildBytesPerRound};
}

}  // namespace paceline
