#include "app/figures/parts/published_marks.h"

#include <algorithm>

#include "engine/core/base/error.h"

namespace paceline::parts {
namespace {

void noteOnce(Figure& figure, const std::string& note) {
  if (std::ranges::find(figure.notes, note) == figure.notes.end()) figure.notes.push_back(note);
}

constexpr double kFarthest = 2;  // times as far as what was measured reaches: beyond, a mark would make the rest of the figure small

}  // namespace

void put(Figure& figure, PublishedMark mark) {
  noteOnce(figure, strCat("published: ", mark.source));
  figure.published.push_back(std::move(mark));
}

std::vector<PublishedValue> publishedOf(const RunGroup& group) {
  for (const summary::RunSummary* run : group.members)
    if (std::vector<PublishedValue> values = paceline::publishedOf(*run); !values.empty()) return values;
  return {};
}

std::vector<PublishedValue> belonging(const std::vector<PublishedValue>& values, const MarkPlan& plan, Figure& figure) {
  std::vector<PublishedValue> kept;
  for (const PublishedValue& value : values) {
    if (std::ranges::find(plan.measures, value.measure) == plan.measures.end()) continue;
    if (isSpeedup(value.measure) && !plan.over.empty() && value.over != plan.over) continue;
    const bool script = value.formula == "script";
    if (plan.script && script != *plan.script)
      noteOnce(figure, script ? "published values by the script's formula are in the published variant" : "published values that were measured are in the corrected variant");
    else if (plan.target && hasTarget(value.measure) && value.target != *plan.target)
      noteOnce(figure, strCat("a published value is of the target ", barText(value.target), ", not ", barText(*plan.target)));
    else kept.push_back(value);
  }
  return kept;
}

PublishedMark markOf(const PublishedValue& value, const std::string& label, int series, double x) {
  PublishedMark mark{.label = strCat(label, label.empty() ? "published" : ", published"), .series = series, .x = x, .y = value.value, .source = sourceText(value)};
  if (const auto range = rangeOf(value)) mark.low = range->low, mark.high = range->high;
  return mark;
}

void markBars(Figure& figure, const std::vector<RunGroup>& groups, const MarkPlan& plan) {
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const PublishedValue& value : belonging(publishedOf(groups[i]), plan, figure)) put(figure, markOf(value, groups[i].label, groups[i].series, static_cast<double>(i)));
}

void markCurve(Figure& figure, const RunGroup& group, const Line& line, bool loss, double unit) {
  if (line.x.empty()) return;
  const MarkPlan plan{.measures = loss ? std::vector{PublishedMeasure::kLossLast} : std::vector{PublishedMeasure::kAccuracyLast, PublishedMeasure::kAccuracyBest, PublishedMeasure::kTimeToTarget}};
  for (const PublishedValue& value : belonging(publishedOf(group), plan, figure)) {
    PublishedMark mark = markOf(value, group.label, group.series, line.x.back());
    if (value.measure == PublishedMeasure::kTimeToTarget) {
      if (unit <= 0) continue;  // x is no time
      mark.x = value.value / unit, mark.y = value.target, mark.lying = true;
      if (mark.low) mark.low = *mark.low / unit, mark.high = *mark.high / unit;
      if (mark.x > kFarthest * line.x.back()) {
        noteOnce(figure, strCat(mark.label, ": ", barText(value.value), " s to ", barText(value.target), " is beyond what is drawn"));
        continue;
      }
    }
    put(figure, std::move(mark));
  }
}

}  // namespace paceline::parts
