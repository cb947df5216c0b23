#include "app/figures/lanes/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace paceline::lanes {

// On one host all nodes have one clock, and how far that is from the recorder's moves them all alike.
Axis::Axis(const summary::RunData& data) {
  std::set<std::string> hosts;
  for (const store::NodeRow& node : data.nodes) {
    hostOf_[node.id] = node.host;
    hosts.insert(node.host);
  }
  double nodeError = 0, hostError = 0;
  for (const store::ClockRow& row : data.clocks) {
    const ClockRecord& clock = row.record;
    if (clock.t) {
      nodes_[row.node].push_back({.t = *clock.t, .date = clock.unixTime});
      nodeError = std::max(nodeError, clock.error);
    } else if (clock.offset && hosts.size() > 1) {
      hosts_[row.node].push_back({.t = clock.unixTime, .date = *clock.offset});
      hostError = std::max(hostError, clock.error);
    }
  }
  error_ = 2 * (nodeError + hostError);  // either lane may be wrong by it
  const bool known = std::ranges::all_of(data.nodes, [this](const store::NodeRow& node) { return nodes_.contains(node.id); });
  const bool compared = hosts.size() < 2 || std::ranges::all_of(hosts, [this](const std::string& host) { return hosts_.contains(host); });
  if (!known || !compared) error_ = std::numeric_limits<double>::quiet_NaN();
  if (nodes_.empty()) return;
  origin_ = std::numeric_limits<double>::infinity();
  for (const store::NodeRow& node : data.nodes)  // servers are there before anybody trains
    if (node.role == "worker" && nodes_.contains(node.id)) origin_ = std::min(origin_, dateOf(node.id, 0));
  if (std::isinf(origin_)) origin_ = dateOf(nodes_.begin()->first, 0);
}

double Axis::at(const std::string& node, double t) const { return nodes_.contains(node) ? dateOf(node, t) - origin_ : t; }

// Behind its newest reading that is not later. Where two hosts' clocks drift apart, what is missing is a small part of that, and of it again.
double Axis::ownTime(const std::string& node, double at) const {
  const auto found = nodes_.find(node);
  if (found == nodes_.end() || !std::isfinite(at)) return at;
  const std::vector<Reading>& readings = found->second;
  const auto after = std::ranges::upper_bound(readings, at, {}, [&](const Reading& reading) { return this->at(node, reading.t); });
  const Reading& reading = after == readings.begin() ? readings.front() : *(after - 1);
  const auto host = hostOf_.find(node);
  double date = at + origin_;
  for (int i = 0; i < 3 && host != hostOf_.end(); ++i) date = at + origin_ + offsetOf(host->second, date);
  const double t = reading.t + date - reading.date;
  return after == readings.end() || after == readings.begin() ? t : std::min(t, after->t);
}

std::optional<double> Axis::ofDate(const std::string& host, double date) const {
  return nodes_.empty() ? std::nullopt : std::optional(date - offsetOf(host, date) - origin_);
}

double Axis::dateOf(const std::string& node, double t) const {
  const std::vector<Reading>& readings = nodes_.at(node);
  auto reading = std::ranges::upper_bound(readings, t, {}, &Reading::t);
  if (reading != readings.begin()) --reading;
  const double date = reading->date + (t - reading->t);
  const auto host = hostOf_.find(node);
  return host == hostOf_.end() ? date : date - offsetOf(host->second, date);
}

// Between two readings the clocks drift evenly.
double Axis::offsetOf(const std::string& host, double date) const {
  const auto found = hosts_.find(host);
  if (found == hosts_.end()) return 0;
  const std::vector<Reading>& readings = found->second;
  const auto after = std::ranges::lower_bound(readings, date, {}, &Reading::t);
  if (after == readings.begin()) return readings.front().date;
  if (after == readings.end()) return readings.back().date;
  const Reading& before = *(after - 1);
  return before.date + (after->date - before.date) * (date - before.t) / (after->t - before.t);
}

}  // namespace paceline::lanes
