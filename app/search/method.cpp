#include "app/search/method.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/search/parzen.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/spec/varied_values.h"

namespace paceline::search {
namespace {

constexpr double kGood = 0.15;      // of the points that are ranked, as in the paper
constexpr std::size_t kMostGood = 25;
constexpr int kCandidates = 24;
constexpr int kDraws = 1000;        // for a point that is new
constexpr double kListed = 20000;   // spaces up to this size are taken point by point

bool isNew(const History& history, const SearchPoint& at) {
  return std::ranges::find(history.ranked, at) == history.ranked.end() && std::ranges::find(history.others, at) == history.others.end();
}

double valuesOf(const SearchAxis& axis) {
  if (!axis.range) return static_cast<double>(axis.labels.size());
  return axis.range->integer ? axis.range->to - axis.range->from + 1 : HUGE_VAL;
}

SearchPoint drawn(const SearchSpace& space, Rng& rng) {
  SearchPoint at;
  for (const SearchAxis& axis : space.axes()) at.push_back(axis.range ? valueAt(*axis.range, rng.uniform()) : static_cast<double>(rng.below(axis.labels.size())));
  return at;
}

// The point with that number of a space that has no reals.
SearchPoint numbered(const SearchSpace& space, std::uint64_t number) {
  SearchPoint at;
  for (const SearchAxis& axis : space.axes()) {
    const auto values = static_cast<std::uint64_t>(valuesOf(axis));
    at.push_back((axis.range ? axis.range->from : 0) + static_cast<double>(number % values));
    number /= values;
  }
  return at;
}

// A new one; where hardly any is left of a small space, one of these.
std::optional<SearchPoint> newPoint(const SearchSpace& space, const History& history, Rng& rng) {
  const double size = sizeOf(space);
  for (int i = 0; i < kDraws; ++i)
    if (SearchPoint at = drawn(space, rng); isNew(history, at)) return at;
  if (size > kListed) return std::nullopt;
  std::vector<SearchPoint> left;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(size); ++i)
    if (SearchPoint at = numbered(space, i); isNew(history, at)) left.push_back(std::move(at));
  return left.empty() ? std::nullopt : std::optional(left[rng.below(left.size())]);
}

std::vector<Parzen> densities(const SearchSpace& space, std::span<const SearchPoint> points) {
  std::vector<Parzen> along;
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
    std::vector<double> tried;
    for (const SearchPoint& point : points) tried.push_back(point[axis]);
    along.emplace_back(space.axes()[axis], tried);
  }
  return along;
}

double logRatio(const std::vector<Parzen>& good, const std::vector<Parzen>& bad, const SearchPoint& at) {
  double sum = 0;
  for (std::size_t axis = 0; axis < at.size(); ++axis) sum += std::log(good[axis].density(at[axis])) - std::log(bad[axis].density(at[axis]));
  return sum;
}

// "learning_rate 0.012 to 0.09, batch_size 32"
std::string spanText(const SearchSpace& space, std::span<const SearchPoint> points) {
  std::string text;
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
    std::vector<double> values;
    for (const SearchPoint& point : points) values.push_back(point[axis]);
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    text += strCat(text.empty() ? "" : ", ", space.word(axis));
    if (space.axes()[axis].range) text += strCat(" ", space.text(axis, values.front()), values.size() > 1 ? strCat(" to ", space.text(axis, values.back())) : "");
    else
      for (std::size_t i = 0; i < values.size(); ++i) text += strCat(i == 0 ? " " : " or ", space.text(axis, values[i]));
  }
  return text;
}

std::optional<Proposal> byModel(const SearchSpace& space, const History& history, Rng& rng) {
  const std::size_t known = history.ranked.size();
  const std::size_t best = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(kGood * static_cast<double>(known))), 1, kMostGood);
  const std::span<const SearchPoint> all(history.ranked), good = all.first(best), bad = all.subspan(best);
  const std::vector<Parzen> l = densities(space, good), g = densities(space, bad);
  std::optional<SearchPoint> next;
  double most = 0;
  for (int i = 0; i < kCandidates; ++i) {
    SearchPoint at;
    for (const Parzen& along : l) at.push_back(along.draw(rng));
    const double ratio = logRatio(l, g, at);
    if ((!next || ratio > most) && isNew(history, at)) next = std::move(at), most = ratio;
  }
  if (!next) return std::nullopt;
  return Proposal{*next, strCat("The ", best == 1 ? std::string("best") : strCat(best, " best"), " of ", known, " points", history.compared.empty() ? " " : strCat(", compared ", history.compared, ", "), best == 1 ? "has " : "have ", spanText(space, good), "; this point is ",
                                boundText(roundedTo(std::exp(most), 2)), " times as likely ", best == 1 ? "beside it" : "among them", " as among the other ", bad.size(), ".")};
}

}  // namespace

int firstPoints(const SearchSpace& space) { return std::max(5, 2 * static_cast<int>(space.axes().size())); }

double sizeOf(const SearchSpace& space) {
  double size = 1;
  for (const SearchAxis& axis : space.axes()) size *= valuesOf(axis);
  return size;
}

std::optional<Proposal> propose(const SearchSpace& space, const History& history, std::uint64_t number) {
  Rng rng = Rng::stream(space.spec().seed, "search", number);
  const bool model = space.spec().method == SearchMethod::kBayesian;
  const int first = firstPoints(space);
  if (model && static_cast<int>(history.ranked.size()) >= first) {
    if (auto proposal = byModel(space, history, rng)) return proposal;
    if (auto at = newPoint(space, history, rng)) return Proposal{*at, "Drawn at random: all that the model would try was tried."};
    return std::nullopt;
  }
  auto at = newPoint(space, history, rng);
  if (!at) return std::nullopt;
  if (!model) return Proposal{*at, "Drawn at random."};
  return Proposal{*at, strCat("Drawn at random: the model needs ", first, " points that have ended, and there ", history.ranked.size() == 1 ? "is " : "are ", history.ranked.size(), ".")};
}

}  // namespace paceline::search
