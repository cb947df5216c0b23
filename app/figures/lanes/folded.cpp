#include <algorithm>
#include <cmath>

#include "app/figures/lanes/lanes.h"
#include "engine/core/base/error.h"

namespace paceline::lanes {
namespace {

// The fraction of the time of both in which they are in the same phase.
double agreementOf(const Lane& a, const Lane& b) {
  double same = 0, all = 0;
  for (const Lane* lane : {&a, &b})
    for (const Span& span : lane->spans) all += span.end - span.begin;
  auto x = a.spans.begin(), y = b.spans.begin();
  while (x != a.spans.end() && y != b.spans.end()) {
    const double common = std::min(x->end, y->end) - std::max(x->begin, y->begin);
    if (common > 0 && x->phase == y->phase) same += common * (1 - std::abs(x->share - y->share));
    x->end < y->end ? ++x : ++y;
  }
  return all > 0 ? 2 * same / all : 1;
}

// "w3 to w66" where their numbers follow each other, else the first and the last with what is between left out.
std::string nameOf(const std::vector<std::string>& members, const std::vector<std::string>& order) {
  const auto first = std::ranges::find(order, members.front());
  const auto count = static_cast<std::ptrdiff_t>(members.size());
  const bool consecutive = order.end() - first >= count && std::equal(members.begin(), members.end(), first);
  return strCat(members.front(), consecutive ? " to " : " ... ", members.back(), ", ", members.size(), " alike");
}

}  // namespace

Timeline folded(Timeline timeline, double agreement) {
  std::vector<std::string> order;
  for (const Lane& lane : timeline.lanes) order.push_back(lane.node);
  std::vector<Lane> kept;
  for (Lane& lane : timeline.lanes) {
    const auto like = std::ranges::find_if(kept, [&](const Lane& other) { return other.role == lane.role && agreementOf(other, lane) >= agreement; });
    if (like == kept.end()) kept.push_back(std::move(lane));
    else like->members.insert(like->members.end(), lane.members.begin(), lane.members.end());
  }
  for (Lane& lane : kept)
    if (lane.members.size() > 1) lane.name = nameOf(lane.members, order);
  timeline.lanes = std::move(kept);
  return timeline;
}

}  // namespace paceline::lanes
