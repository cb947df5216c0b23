#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figures/parts/published_marks.h"
#include "engine/core/base/error.h"
#include "storage/summary/table_text.h"

namespace paceline {
namespace {

constexpr double kPaperTarget = 0.8;

// First raw crossing. Published: on the values as the scripts round them.
std::optional<double> timeTo(const summary::RunSummary& run, double target, bool rounded) {
  if (!rounded && run.targetAccuracy == target && (run.timeToTargetSeconds || run.curve.empty())) return run.timeToTargetSeconds;
  for (std::size_t i = 0; i < run.curve.size(); ++i) {
    const double accuracy = run.curve.deciding(i), seconds = run.curve.number(summary::Column::kSeconds, i);
    if ((rounded ? summary::rounded(accuracy, 3) : accuracy) >= target) return rounded ? std::nearbyint(seconds) : seconds;
  }
  return std::nullopt;
}

struct Timed {
  parts::RunGroup group;
  std::vector<double> seconds{};  // of the members that reached the target
  bool all() const { return seconds.size() == group.members.size(); }
  double mean() const { return summary::statistic(seconds).mean; }
};

bool evaluated(const Timed& timed) {
  return std::ranges::any_of(timed.group.members, [](const summary::RunSummary* run) { return !run->curve.empty() || run->timeToTargetSeconds; });
}

std::string missedText(const Timed& timed) {
  if (!evaluated(timed)) return "no evaluations";
  if (timed.seconds.empty()) return "not reached";
  return strCat("not reached by ", timed.group.members.size() - timed.seconds.size(), " of ", parts::membersWord(timed.group));
}

// What a group's time is divided into. It never gives way to another one: where it missed the target there is no speed-up.
class Bases {
 public:
  Bases(const std::vector<Timed>& groups, const std::string& asked, const std::string& askedName, Figure& figure) {
    const std::string algorithm = asked.empty() ? "ssgd" : asked;
    for (const Timed& timed : groups) {
      const bool named = std::ranges::any_of(timed.group.members, [&](const summary::RunSummary* run) { return run->id == algorithm; });
      if (named) chosen_ = {&timed};
      if (named) return;
      if (timed.group.first().algorithm == algorithm) chosen_.push_back(&timed);
    }
    if (!chosen_.empty()) return;
    if (!asked.empty()) figure.notes.push_back(strCat("the reference ", askedName.empty() ? displayName(asked) : askedName, " is not among the runs"));
    for (const Timed& timed : groups)
      if (asked.empty() && timed.all() && timed.mean() > 0 && (chosen_.empty() || timed.mean() > chosen_.front()->mean())) chosen_ = {&timed};
    if (!chosen_.empty()) figure.notes.push_back(strCat("no run of SSGD: the reference is ", chosen_.front()->group.label, ", the slowest to reach the target"));
  }

  // Of several configurations of the reference, the group's own counterpart.
  const Timed* of(const Timed& timed) const {
    if (chosen_.size() == 1) return chosen_.front();
    const auto same = std::ranges::find_if(chosen_, [&](const Timed* base) { return base->group.differs == timed.group.differs; });
    return same == chosen_.end() ? nullptr : *same;
  }

  std::string name() const {
    if (chosen_.empty()) return "";
    return chosen_.size() == 1 ? chosen_.front()->group.label : displayName(chosen_.front()->group.first().algorithm);
  }

  const std::vector<const Timed*>& all() const { return chosen_; }

 private:
  std::vector<const Timed*> chosen_;
};

void addTimed(Figure& figure, const Timed& timed, const Bases& bases) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (!timed.all()) {
    parts::addBar(figure, timed.group, none, missedText(timed));
    figure.notes.push_back(strCat(timed.group.label, ": ", missedText(timed)));
    return;
  }
  const Timed* base = bases.of(timed);
  if (base == nullptr || !base->all() || base->mean() <= 0) {  // its time is known all the same
    parts::addBar(figure, timed.group, none, strCat("in ", parts::barText(timed.mean()), " s"));
    if (base == nullptr && !bases.all().empty()) figure.notes.push_back(strCat(timed.group.label, ": no run of ", bases.name(), " with the same configuration"));
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

void noteBases(Figure& figure, const Bases& bases, const std::string& target) {
  for (const Timed* base : bases.all()) {
    if (base->all() && base->mean() > 0)
      figure.notes.push_back(strCat("time of ", base->group.label, " (", parts::barText(base->mean()), " s) / time, first raw crossing of ", target));
    else
      figure.notes.push_back(strCat("the reference ", base->group.label, ": accuracy ", target, " ", missedText(*base), "; choose another reference or target"));
  }
}

Figure buildSpeedup(const Summaries& runs, const FigureOptions& options) {
  const bool published = options.variant == Variant::kPublished;
  Figure figure{.id = "speedup", .title = "Speed-up to a target accuracy", .variant = options.variant, .y = parts::valueAxis("speed-up")};
  if (runs.empty()) return figure;
  const double target = published ? kPaperTarget : runs.front().targetAccuracy;
  const auto pointers = parts::pointersTo(runs);
  const auto groups = timesOf(published ? parts::publishedOrder(pointers, figure) : parts::groupRuns(pointers, options), target, published);
  if (groups.empty()) {
    figure.notes.push_back(strCat(kNothingToDraw, parts::kNoPublishedRun));
    return figure;
  }
  const Bases bases(groups, options.reference, options.referenceName, figure);
  std::vector<parts::RunGroup> drawn;
  for (const Timed& timed : groups) addTimed(figure, timed, bases), drawn.push_back(timed.group);
  if (!bases.all().empty()) parts::markBars(figure, drawn, {.measures = {PublishedMeasure::kSpeedupTime}, .target = target, .over = bases.all().front()->group.first().algorithm});
  const std::string name = bases.name(), words = parts::barText(target);
  figure.y.title = strCat("speed-up", name.empty() ? "" : strCat(" over ", name), " to accuracy ", words);
  noteBases(figure, bases, words);
  if (std::ranges::all_of(groups, [](const Timed& timed) { return timed.seconds.empty(); })) figure.notes.push_back(strCat("no run reached accuracy ", words));
  if (published)
    figure.notes.push_back("ESync's README gives the definition, no script computes it: values rounded as in its summary");
  return figure;
}

}  // namespace

FigureDef speedup() {
  return {.id = "speedup",
          .title = "Speed-up",
          .summary = "How much sooner than the reference (SSGD, unless another is chosen) a run reaches the target accuracy.",
          .build = buildSpeedup,
          .reads = [](const FigureOptions&) { return summary::Details{.columns = {summary::Column::kSeconds, summary::Column::kAccuracy, summary::Column::kValidation}, .curve = true}; }};
}

}  // namespace paceline
