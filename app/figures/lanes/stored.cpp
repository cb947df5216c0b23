#include <algorithm>
#include <iterator>
#include <limits>

#include "app/figures/lanes/axis.h"
#include "app/figures/lanes/lanes.h"

namespace paceline::lanes {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kAround = 0.25;  // of the length between the two moments, on either side

template <class Row>
void take(std::vector<Row>& all, std::vector<Row> newer) {
  std::ranges::move(newer, std::back_inserter(all));
}

}  // namespace

Timeline StoredLanes::between(double from, double to, std::size_t most) {
  if (data_.nodes.empty()) data_.nodes = store_.nodes(run_);
  take(data_.clocks, store_.records<ClockRecord>(run_, clock_, &clock_));
  take(data_.busy, store_.records<BusyRecord>(run_, busy_, &busy_));
  const Axis axis(data_);
  const double around = kAround * (to - from);
  data_.rounds.clear();
  double end = 0;
  for (const store::NodeRow& node : data_.nodes) {
    if (node.role != "worker") continue;
    take(data_.rounds, store_.roundSpans(run_, node.id, axis.ownTime(node.id, from - around), axis.ownTime(node.id, to + around), most));
    const std::vector<store::RoundRow> all = store_.roundSpans(run_, node.id, -kForever, kForever, 1);
    if (!all.empty()) end = std::max(end, axis.at(node.id, all.back().record.t));
  }
  Timeline timeline = timelineOf(data_);
  timeline.end = std::max(timeline.end, end);
  return timeline;
}

}  // namespace paceline::lanes
