#include <cmath>
#include <limits>

#include "app/figures/parts/groups.h"
#include "engine/core/base/error.h"
#include "storage/summary/table_text.h"

namespace paceline {
namespace {

constexpr double kPaperTarget = 0.8;

// First raw crossing. Published: on the values as the scripts round them.
std::optional<double> timeTo(const summary::RunSummary& run, double target, bool rounded) {
  if (!rounded && run.targetAccuracy == target && (run.timeToTargetSeconds || run.curve.empty())) return run.timeToTargetSeconds;
  for (const summary::CurvePoint& point : run.curve)
    if ((rounded ? summary::rounded(point.accuracy, 3) : point.accuracy) >= target)
      return rounded ? std::nearbyint(point.seconds) : point.seconds;
  return std::nullopt;
}

struct Timed {
  parts::RunGroup group;
  std::vector<double> seconds{};  // of the members that reached the target
  bool all() const { return seconds.size() == group.members.size(); }
  double mean() const { return summary::statistic(seconds).mean; }
};

// SSGD where it reached the target, else the slowest that did.
const Timed* baseOf(const std::vector<Timed>& groups) {
  const Timed* base = nullptr;
  for (const Timed& timed : groups) {
    if (!timed.all() || timed.mean() <= 0) continue;
    if (timed.group.first().algorithm == "ssgd") return &timed;
    if (base == nullptr || timed.mean() > base->mean()) base = &timed;
  }
  return base;
}

std::string missedText(const Timed& timed) {
  if (timed.seconds.empty()) return "not reached";
  return strCat("not reached by ", timed.group.members.size() - timed.seconds.size(), " of ", parts::membersWord(timed.group));
}

void addTimed(Figure& figure, const Timed& timed, const Timed* base) {
  if (!timed.all() || base == nullptr) {
    parts::addBar(figure, timed.group, std::numeric_limits<double>::quiet_NaN(), missedText(timed));
    figure.notes.push_back(strCat(timed.group.label, ": ", missedText(timed)));
    return;
  }
  std::vector<double> factors;
  for (const double seconds : timed.seconds) factors.push_back(base->mean() / seconds);
  parts::addMeanBar(figure, timed.group, factors);
}

std::vector<Timed> timesOf(std::vector<parts::RunGroup> groups, double target, bool rounded) {
  std::vector<Timed> all;
  for (parts::RunGroup& group : groups) {
    Timed timed{.group = std::move(group)};
    for (const summary::RunSummary* run : timed.group.members)
      if (const auto seconds = timeTo(*run, target, rounded)) timed.seconds.push_back(*seconds);
    all.push_back(std::move(timed));
  }
  return all;
}

Figure build(const Summaries& runs, const FigureOptions& options) {
  const bool published = options.variant == Variant::kPublished;
  Figure figure{.id = "speedup", .title = "Speed-up to a target accuracy", .variant = options.variant, .y = parts::valueAxis("speed-up")};
  if (runs.empty()) {
    figure.notes.push_back("nothing to draw: no runs chosen");
    return figure;
  }
  const double target = published ? kPaperTarget : runs.front().targetAccuracy;
  const auto pointers = parts::pointersTo(runs);
  const auto groups =
      timesOf(published ? parts::publishedOrder(pointers, figure) : parts::groupRuns(pointers, options.groupSeeds), target, published);
  const Timed* base = baseOf(groups);
  for (const Timed& timed : groups) addTimed(figure, timed, base);
  const std::string over = base == nullptr ? "" : strCat(" over ", base->group.label);
  figure.y.title = strCat("speed-up", over, " to accuracy ", parts::barText(target));
  if (base == nullptr)
    figure.notes.push_back(strCat("no run reached accuracy ", parts::barText(target)));
  else
    figure.notes.push_back(strCat("time of ", base->group.label, " (", parts::barText(base->mean()),
                                  " s) / time, first raw crossing of ", parts::barText(target)));
  if (published)
    figure.notes.push_back("ESync's README gives the definition, no script computes it: values rounded as in its summary");
  return figure;
}

}  // namespace

FigureDef speedup() {
  return {.id = "speedup",
          .title = "Speed-up",
          .summary = "How much sooner than SSGD a run reaches the target accuracy.",
          .build = build};
}

}  // namespace paceline
