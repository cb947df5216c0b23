#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "app/figures/lanes/lanes.h"
#include "engine/core/base/error.h"

namespace paceline::lanes {
namespace {

// How long a lane was in each phase, and how long anything is recorded of it.
struct Sums {
  std::array<double, kPhaseCount> seconds{};
  double all = 0;
};

Sums sumsOf(const Lane& lane) {
  Sums sums;
  for (const Span& span : lane.spans) {
    sums.seconds[static_cast<std::size_t>(span.phase)] += span.share * (span.end - span.begin);
    sums.all += span.end - span.begin;
  }
  return sums;
}

// By how many seconds of both two lanes differ, or more than `most`.
double difference(const Lane& a, const Lane& b, double most) {
  constexpr double kForever = std::numeric_limits<double>::infinity();
  double apart = 0, at = -kForever;
  auto x = a.spans.begin(), y = b.spans.begin();
  while (apart <= most && (x != a.spans.end() || y != b.spans.end())) {
    const bool inX = x != a.spans.end() && x->begin <= at, inY = y != b.spans.end() && y->begin <= at;
    double next = kForever;  // where either begins or ends
    if (x != a.spans.end()) next = std::min(next, inX ? x->end : x->begin);
    if (y != b.spans.end()) next = std::min(next, inY ? y->end : y->begin);
    next = std::max(next, at);
    if (inX && inY) apart += (next - at) * (x->phase == y->phase ? 2 * std::abs(x->share - y->share) : 2);
    else if (inX || inY) apart += next - at;
    at = next;
    if (inX && x->end <= at) ++x;
    if (inY && y->end <= at) ++y;
  }
  return apart;
}

// Most lanes that are not differ in their sums, or soon: few are gone through to their ends.
bool alike(const Lane& a, const Sums& ofA, const Lane& b, const Sums& ofB, double agreement) {
  const double most = (1 - agreement) * (ofA.all + ofB.all);
  double apart = 0;
  for (std::size_t i = 0; i < kPhaseCount; ++i) apart += std::abs(ofA.seconds[i] - ofB.seconds[i]);
  return apart <= most && difference(a, b, most) <= most;
}

// "w3 to w66" where their numbers follow each other, else the first and the last with what is between left out.
std::string nameOf(const std::vector<std::string>& members, const std::vector<std::string>& order) {
  const auto first = std::ranges::find(order, members.front());
  const auto count = static_cast<std::ptrdiff_t>(members.size());
  const bool consecutive = order.end() - first >= count && std::equal(members.begin(), members.end(), first);
  return strCat(members.front(), consecutive ? " to " : " ... ", members.back(), ", ", members.size(), " alike");
}

// For each lane the first one that it is like.
std::vector<std::size_t> likenesses(const std::vector<Lane>& lanes, double agreement) {
  std::vector<Sums> sums;
  for (const Lane& lane : lanes) sums.push_back(sumsOf(lane));
  std::vector<std::size_t> first, kept;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const auto like = std::ranges::find_if(kept, [&](std::size_t k) { return lanes[k].role == lanes[i].role && alike(lanes[k], sums[k], lanes[i], sums[i], agreement); });
    first.push_back(like == kept.end() ? i : *like);
    if (like == kept.end()) kept.push_back(i);
  }
  return first;
}

Timeline fold(Timeline timeline, const std::vector<std::size_t>& first) {
  std::vector<std::string> order;
  for (const Lane& lane : timeline.lanes) order.push_back(lane.node);
  std::vector<Lane> kept;
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i)
    if (first[i] != i) timeline.lanes[first[i]].members.push_back(order[i]);
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
    if (first[i] != i) continue;
    Lane& lane = kept.emplace_back(std::move(timeline.lanes[i]));
    if (lane.members.size() > 1) lane.name = nameOf(lane.members, order);
  }
  timeline.lanes = std::move(kept);
  return timeline;
}

}  // namespace

Timeline folded(Timeline timeline, double agreement) {
  const std::vector<std::size_t> first = likenesses(timeline.lanes, agreement);
  return fold(std::move(timeline), first);
}

Timeline foldedToFit(Timeline timeline) {
  if (timeline.lanes.size() <= kMostLanes) return timeline;
  std::vector<std::size_t> first;
  for (const double agreement : {0.98, 0.95, 0.9}) {
    first = likenesses(timeline.lanes, agreement);
    if (std::set<std::size_t>(first.begin(), first.end()).size() <= kMostLanes) break;
  }
  return fold(std::move(timeline), first);
}

}  // namespace paceline::lanes
