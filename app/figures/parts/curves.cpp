#include "app/figures/parts/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "app/figures/parts/published_marks.h"
#include "engine/core/base/error.h"

namespace paceline::parts {
namespace {

constexpr std::size_t kBandPoints = 600;  // more make a translucent band slow to paint and look no different
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Scale {
  std::string title;
  double perUnit = 1;
};

Scale timeScale(const CurvePlan& plan, const Runs& runs) {
  double longest = 0;
  for (const summary::RunSummary* run : runs)
    for (std::size_t i = 0; i < plan.points(*run).size(); ++i) longest = std::max(longest, plan.points(*run).number(summary::Column::kSeconds, i));
  if (longest <= 180) return {.title = "time (s)", .perUnit = 1};
  if (longest <= 5 * 3600) return {.title = "time (minutes)", .perUnit = 60};
  return {.title = "time (hours)", .perUnit = 3600};
}

Scale scaleOf(const CurvePlan& plan, XAxis x, const Runs& runs) {
  switch (x) {
    case XAxis::kTime:
      return timeScale(plan, runs);
    case XAxis::kRounds:
      return {.title = "rounds", .perUnit = 1};
    case XAxis::kEpochs:
      return {.title = "epochs", .perUnit = 1};
    case XAxis::kSamples:
      return {.title = "samples", .perUnit = 1};
    case XAxis::kBytes:
      return {.title = "traffic (MB)", .perUnit = 1e6};
  }
  return {};
}

// What the workers told, else of runs from before they did: those had data sets of one size.
std::optional<double> epochSamples(const summary::RunSummary& run) {
  if (run.epochSamples) return static_cast<double>(*run.epochSamples);
  if (run.dataset == "fashion_mnist" || run.dataset == "mnist") return 60000.0;
  return std::nullopt;
}

// Mean over `window` points that end at each one; shorter at the start; what is not finite stays a gap and does not count.
std::vector<double> trailingMean(const std::vector<double>& y, int window) {
  const auto width = static_cast<std::size_t>(std::max(window, 1));
  std::vector<double> smoothed(y.size(), kNaN);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) continue;
    double sum = 0;
    int count = 0;
    for (std::size_t k = i + 1 > width ? i + 1 - width : 0; k <= i; ++k) {
      if (!std::isfinite(y[k])) continue;
      sum += y[k];
      ++count;
    }
    smoothed[i] = sum / count;
  }
  return smoothed;
}

// Linear between points, exact at them; `x` ascends and every `at` lies in its range. NaN next to a gap.
std::vector<double> interpolate(const Line& curve, const std::vector<double>& at) {
  std::vector<double> out;
  out.reserve(at.size());
  std::size_t right = 0;
  for (const double x : at) {
    while (right + 1 < curve.x.size() && curve.x[right] < x) ++right;
    if (curve.x[right] == x || right == 0) {
      out.push_back(curve.y[right]);
      continue;
    }
    const double share = (x - curve.x[right - 1]) / (curve.x[right] - curve.x[right - 1]);
    out.push_back(curve.y[right - 1] + share * (curve.y[right] - curve.y[right - 1]));
  }
  return out;
}

// Where the mean of several curves is taken: their own points where they agree, else all points in their common range, thinned to 600.
std::vector<double> commonGrid(std::span<const Line> curves) {
  if (curves.empty()) return {};
  const bool same = std::ranges::all_of(curves, [&](const Line& curve) { return curve.x == curves.front().x; });
  if (same) return curves.front().x;
  double first = -std::numeric_limits<double>::infinity(), last = -first;
  for (const Line& curve : curves) {
    if (curve.x.empty() || !std::ranges::is_sorted(curve.x)) return {};
    first = std::max(first, curve.x.front());
    last = std::min(last, curve.x.back());
  }
  if (first > last) return {};
  std::set<double> all;
  for (auto curve = curves.begin(); curve != curves.end() && all.size() <= kBandPoints; ++curve)
    for (const double x : curve->x)
      if (x >= first && x <= last && all.size() <= kBandPoints) all.insert(x);  // NaN is in no range
  if (all.size() <= kBandPoints) return {all.begin(), all.end()};
  std::vector<double> even;
  for (std::size_t i = 0; i < kBandPoints; ++i)
    even.push_back(i + 1 == kBandPoints ? last : first + (last - first) * static_cast<double>(i) / (kBandPoints - 1));
  return even;
}

class CurveBuilder {
 public:
  CurveBuilder(const CurvePlan& plan, const FigureOptions& options, Figure& figure)
      : plan_(plan), options_(options), figure_(figure) {}

  // Runs that can be drawn on this axis; the others are named in the notes.
  Runs usable(const Runs& runs) {
    Runs kept;
    for (const summary::RunSummary* run : runs) {
      const std::string who = nameOf(*run);
      const bool evaluated = !plan_.points(*run).empty();
      anyPoints_ = anyPoints_ || evaluated;
      if (!evaluated)
        figure_.notes.push_back(strCat(who, ": left out, ", plan_.lacking));
      else if (options_.x == XAxis::kEpochs && !epochSamples(*run))
        figure_.notes.push_back(strCat(who, ": left out, it did not record how many samples its workers train on, so an epoch is not known"));
      else
        kept.push_back(run);
    }
    scale_ = scaleOf(plan_, options_.x, kept);
    return kept;
  }

  void add(const RunGroup& group) {
    if (group.members.size() == 1) {
      Line line = lineOf(group.first(), group.label, group.series);
      smooth(line);
      mark(group, line);
      figure_.lines.push_back(std::move(line));
    } else {
      addMean(group);
    }
  }

  const Scale& scale() const { return scale_; }

  std::string whyNothing(const Runs& usable) const {
    if (!anyPoints_) return plan_.nothing;
    if (usable.empty()) return "no run recorded how many samples its workers train on, so an epoch is not known";
    return options_.logX || options_.logY ? "no point has a place on a logarithmic axis" : "no point is a finite number";
  }

 private:
  void mark(const RunGroup& group, const Line& line) {
    if (plan_.value == summary::Column::kAccuracy || plan_.value == summary::Column::kLoss)
      markCurve(figure_, group, line, plan_.value == summary::Column::kLoss, options_.x == XAxis::kTime ? scale_.perUnit : 0);
  }

  Line lineOf(const summary::RunSummary& run, std::string label, int series) {
    Line line{.label = std::move(label), .series = series, .runId = run.id};
    const summary::Curve& points = plan_.points(run);
    const double unit = options_.x == XAxis::kEpochs ? epochSamples(run).value_or(kNaN) : scale_.perUnit;
    line.x.reserve(points.size()), line.y.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      line.x.push_back(points.number(columnOf(options_.x), i) / unit);
      line.y.push_back(points.number(plan_.value, i));
    }
    makeGaps(line);
    return line;
  }

  void makeGaps(Line& line) {
    std::size_t notFinite = 0, notPositive = 0;
    for (std::size_t i = 0; i < line.y.size(); ++i) {
      if (!std::isfinite(line.y[i]) || !std::isfinite(line.x[i]))
        ++notFinite;
      else if ((options_.logY && line.y[i] <= 0) || (options_.logX && line.x[i] <= 0))
        ++notPositive;
      else
        continue;
      line.y[i] = kNaN;
    }
    if (notFinite > 0)
      figure_.notes.push_back(
          strCat(line.label, ": ", notFinite, " of ", line.y.size(), " points are not finite: drawn as gaps"));
    if (notPositive > 0)
      figure_.notes.push_back(
          strCat(line.label, ": ", notPositive, " of ", line.y.size(), " points have no place on a log axis"));
  }

  void smooth(Line& line) {
    if (options_.smoothing <= 1) return;
    line.rawX = line.x;
    line.rawY = line.y;
    line.y = trailingMean(line.rawY, options_.smoothing);
  }

  void addMean(const RunGroup& group) {
    for (const summary::RunSummary* run : group.members) {
      figure_.lines.push_back(lineOf(*run, memberLabel(group, *run), group.series));
      figure_.lines.back().faint = true;
    }
    const std::span<const Line> curves = std::span(figure_.lines).last(group.members.size());  // until there is another line
    const std::vector<double> grid = commonGrid(curves);
    if (grid.empty()) {
      figure_.notes.push_back(strCat(group.label, ": its ", membersWord(group), " share no range of x, so they have no mean"));
      return;
    }
    Line mean{.label = strCat(group.label, ", ", membersWord(group)), .series = group.series, .x = grid};
    Band band{.label = strCat(mean.label, " ± std"), .series = group.series};
    fillMean(curves, grid, mean, band);
    smooth(mean);
    figure_.notes.push_back(membersNote(group));
    noteRange(group, curves, grid);
    mark(group, mean);
    figure_.lines.push_back(std::move(mean));
    figure_.bands.push_back(std::move(band));
  }

  static void fillMean(std::span<const Line> curves, const std::vector<double>& grid, Line& mean, Band& band) {
    std::vector<std::vector<double>> values;
    for (const Line& curve : curves) values.push_back(interpolate(curve, grid));
    const std::size_t stride = (grid.size() + kBandPoints - 1) / kBandPoints;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      std::vector<double> at;
      for (const std::vector<double>& member : values) at.push_back(member[i]);
      const summary::Statistic found = summary::statistic(at);
      mean.y.push_back(found.mean);
      if (i % stride != 0 && i + 1 != grid.size()) continue;
      band.x.push_back(grid[i]);
      band.lower.push_back(found.mean - found.deviation);
      band.upper.push_back(found.mean + found.deviation);
    }
  }

  void noteRange(const RunGroup& group, std::span<const Line> curves, const std::vector<double>& grid) {
    const bool same = std::ranges::all_of(curves, [&](const Line& curve) { return curve.x == grid; });
    if (same) return;
    figure_.notes.push_back(strCat(group.label, ": seeds interpolated to common points; the mean ends where the shortest ends"));
  }

  const CurvePlan& plan_;
  const FigureOptions& options_;
  Figure& figure_;
  Scale scale_;
  bool anyPoints_ = false;  // of any run, whether it can be drawn or not
};

}  // namespace

summary::Column columnOf(XAxis x) {
  switch (x) {
    case XAxis::kTime:
      return summary::Column::kSeconds;
    case XAxis::kRounds:
      return summary::Column::kRound;
    case XAxis::kEpochs:
    case XAxis::kSamples:
      return summary::Column::kSamples;
    case XAxis::kBytes:
      return summary::Column::kBytes;
  }
  return summary::Column::kSeconds;
}

Figure curveFigure(const CurvePlan& plan, const Runs& runs, const FigureOptions& options) {
  Figure figure{.id = plan.id, .title = plan.title};
  CurveBuilder builder(plan, options, figure);
  const auto usable = builder.usable(runs);
  figure.x = {.title = builder.scale().title, .log = options.logX};
  figure.y = {.title = plan.yTitle, .min = plan.yMin, .max = plan.yMax, .log = options.logY};
  if (options.logY) figure.y.min.reset();
  for (const RunGroup& group : groupRuns(usable, options)) builder.add(group);
  if (options.smoothing > 1) figure.notes.push_back(strCat("smoothed: mean of the last ", options.smoothing, " points"));
  if (figure.empty()) figure.notes.push_back(strCat(kNothingToDraw, builder.whyNothing(usable)));
  return figure;
}

}  // namespace paceline::parts
