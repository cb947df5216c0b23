#include "app/figures/timeline.h"

#include <algorithm>
#include <array>

#include "app/figures/parts/groups.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

constexpr const char *kTitle = "Timeline", *kTimeTitle = "time (s)";

// Spans of one phase that touch are one, so that a picture has not more of them than can be seen.
void add(SpanSet& set, std::size_t row, const auto& span, double strength, double least) {
  if (!set.rows.empty() && set.rows.back() == row && span.begin - set.end.back() < least && set.strength.back() == strength) {
    set.end.back() = span.end;
    return;
  }
  set.rows.push_back(row), set.begin.push_back(span.begin), set.end.push_back(span.end), set.strength.push_back(strength);
}

void addLanes(Figure& figure, const lanes::Timeline& timeline) {
  std::array<SpanSet, lanes::kPhaseCount> sets;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const lanes::PhaseLook& look = lanes::lookOf(static_cast<lanes::Phase>(i));
    sets[i] = {.label = look.name, .series = std::max(0, look.series), .quiet = look.series == lanes::kQuiet};
  }
  SpanSet exchanges{.label = lanes::kExchange, .series = lanes::kExchangeSeries, .thin = true};
  const double least = timeline.end / 1e5;
  for (std::size_t row = 0; row < timeline.lanes.size(); ++row) {
    figure.y.categories.push_back(timeline.lanes[row].name);
    for (const lanes::Span& span : timeline.lanes[row].spans) add(sets[static_cast<std::size_t>(span.phase)], row, span, span.share, least);
    for (const lanes::Exchange& exchange : timeline.lanes[row].exchanges) add(exchanges, row, exchange, 1, least);
  }
  for (SpanSet& set : sets)
    if (!set.rows.empty()) figure.spans.push_back(std::move(set));
  if (!exchanges.rows.empty()) figure.spans.push_back(std::move(exchanges));  // over the others
}

// The longest of all waits, as a sentence.
void noteLongestWait(Figure& figure, const lanes::Timeline& timeline) {
  const lanes::Lane* of = nullptr;
  const lanes::Gap* longest = nullptr;
  for (const lanes::Lane& lane : timeline.lanes)
    for (const lanes::Gap& gap : lane.gaps)
      if (longest == nullptr || gap.seconds() > longest->seconds()) of = &lane, longest = &gap;
  if (longest != nullptr) figure.notes.push_back(strCat("the longest wait: ", lanes::sentenceOf(timeline, *of, *longest), " (", lanes::roundsText(longest->round, longest->rounds), ")"));
}

Figure buildTimeline(const Summaries& runs, const FigureOptions& options) {
  Figure figure{.id = "timeline", .title = kTitle, .variant = options.variant, .x = {.title = kTimeTitle}};
  const auto drawn = std::ranges::find_if(runs, [](const summary::RunSummary& run) { return run.timeline && !run.timeline->rounds.empty(); });
  if (drawn == runs.end()) {
    figure.notes.push_back(strCat(kNothingToDraw, "no run with rounds"));
    return figure;
  }
  figure = figureOf(lanes::foldedToFit(lanes::timelineOf(*drawn->timeline)), parts::nameOf(*drawn));
  figure.variant = options.variant;
  for (const summary::RunSummary& other : runs)
    if (&other != &*drawn) figure.notes.push_back(strCat(parts::nameOf(other), ": left out, a timeline is of one run"));
  if (options.variant == Variant::kPublished) figure.notes.push_back("no published script draws it: the same as corrected");
  return figure;
}

}  // namespace

Figure figureOf(const lanes::Timeline& timeline, const std::string& run) {
  Figure figure{.id = "timeline", .title = strCat(kTitle, ", ", run), .x = {.title = kTimeTitle, .min = 0, .max = timeline.end}};
  addLanes(figure, timeline);
  figure.notes.push_back(lanes::clockNote(timeline));
  noteLongestWait(figure, timeline);
  return figure;
}

FigureDef timeline() {
  return {.id = "timeline",
          .title = kTitle,
          .summary = "Who waits for whom: one lane a node, coloured by what it does.",
          .build = buildTimeline,
          .reads = [](const FigureOptions&) { return summary::Details{.timeline = true}; }};
}

}  // namespace paceline
