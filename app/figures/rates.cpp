// Throughput and traffic: one bar per configuration, a rate as measured or as drawer.py computes it.
#include <algorithm>

#include "app/figures/parts/published_marks.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

struct RatePlan {
  std::string id, title, yTitle, note;
  std::function<double(const summary::RunSummary&)> value;
  std::string publishedYTitle, publishedNote;
  double summary::RunSummary::*publishedValue;
  parts::MarkPlan marks;  // its formula follows the variant
  bool bothFormulas;      // which give the same number but for rounding
};

Figure rateFigure(const RatePlan& plan, const Summaries& runs, const FigureOptions& options) {
  const bool published = options.variant == Variant::kPublished;
  Figure figure{.id = plan.id, .title = plan.title, .variant = options.variant};
  figure.y = published ? parts::valueAxis(plan.publishedYTitle) : parts::valueAxis(plan.yTitle, options.logY);
  if (published) figure.notes.push_back(plan.publishedNote);
  auto groups = published ? parts::publishedOrder(parts::pointersTo(runs), figure) : parts::groupRuns(parts::pointersTo(runs), options);
  const bool others = published && groups.empty();
  parts::leaveOut(groups, figure, "no rounds recorded", [&](const parts::RunGroup& group) {  // no rate, rather than a rate of 0
    return std::ranges::all_of(group.members, [&](const summary::RunSummary* run) { return run->wallSeconds <= 0 && (published ? run->*plan.publishedValue : plan.value(*run)) == 0; });
  });
  for (const parts::RunGroup& group : groups) {
    std::vector<double> values;
    for (const summary::RunSummary* run : group.members) values.push_back(published ? run->*plan.publishedValue : plan.value(*run));
    parts::addMeanBar(figure, group, values);
  }
  parts::MarkPlan marks = plan.marks;
  if (!plan.bothFormulas) marks.script = published;
  parts::markBars(figure, groups, marks);
  if (figure.empty()) figure.notes.push_back(strCat(kNothingToDraw, others ? parts::kNoPublishedRun : "no rounds recorded"));
  else if (!published) figure.notes.push_back(plan.note);
  return figure;
}

}  // namespace

FigureDef throughput() {
  // drawer.py, figure 1: int(sum of all devices' samples / last elapsed second of the first device).
  const RatePlan plan{.id = "throughput",
                      .title = "Data throughput",
                      .yTitle = "samples per second",
                      .note = "samples trained by all workers / wall time",
                      .value = &summary::RunSummary::throughputSamplesPerSecond,
                      .publishedYTitle = "samples per second",
                      .publishedNote = "drawer.py: int(samples of all devices / elapsed time of the first device)",
                      .publishedValue = &summary::RunSummary::publishedThroughput,
                      .marks = {.measures = {PublishedMeasure::kThroughput}},
                      .bothFormulas = true};
  return parts::planned("Throughput", "Samples that all workers together train in a second.", plan, rateFigure);
}

FigureDef traffic() {
  // drawer.py, figure 2: int(rounds x workers x model size in MiB / elapsed seconds); asynchronous methods count their own iterations.
  const RatePlan plan{.id = "traffic",
                      .title = "Traffic load",
                      .yTitle = "MB per second",
                      .note = "bytes that the workers sent and received, as measured, in 10^6, / wall time",
                      .value = [](const summary::RunSummary& run) { return run.trafficBytesPerSecond / 1e6; },
                      .publishedYTitle = "MBytes per second",
                      .publishedNote = "drawer.py: int(rounds x workers x model MiB / elapsed time), one direction",
                      .publishedValue = &summary::RunSummary::publishedTrafficMbPerSecond,
                      .marks = {.measures = {PublishedMeasure::kTraffic}},
                      .bothFormulas = false};
  return parts::planned("Traffic", "Bytes that the workers send and receive in a second.", plan, rateFigure);
}

}  // namespace paceline
