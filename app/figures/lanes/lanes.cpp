#include "app/figures/lanes/lanes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "app/figures/lanes/axis.h"
#include "engine/core/base/error.h"
#include "storage/summary/table_text.h"

namespace paceline::lanes {
namespace {

constexpr double kRounding = 1e-9;  // s

constexpr std::array<PhaseLook, kPhaseCount> kLooks = {{{"fetch", "it was making its batch", 5},
                                                         {"query", "it was asking the state server", 7},
                                                         {"compute", "it was computing", 0},
                                                         {"send", "it was sending", 4},
                                                         {"wait", "it was waiting itself", kQuiet},
                                                         {"receive", "it was receiving", 1},
                                                         {"update", "it was updating its parameters", 2},
                                                         {"evaluate", "it was evaluating", 3},
                                                         {"serve", "it was busy with others", 2},
                                                         {"host CPU", "its host was busy", 0}}};

struct Part {
  Phase phase;
  double seconds;
};

// What is waited for in the forward pass, of an exchange that the round before has left under way, comes first.
std::array<Part, 8> partsOf(const RoundRecord& r, bool waitsFirst) {
  std::array<Part, 8> parts = {{{Phase::kFetch, r.fetch}, {Phase::kQuery, r.query}, {Phase::kCompute, r.compute}, {Phase::kSend, r.send}, {Phase::kWait, r.wait},
                                {Phase::kReceive, r.receive}, {Phase::kUpdate, r.update}, {Phase::kEvaluate, r.evaluate}}};
  if (waitsFirst) std::stable_partition(parts.begin(), parts.end(), [](const Part& part) { return part.phase == Phase::kWait || part.phase == Phase::kReceive; });
  return parts;
}

// One worker's lane from its rounds, in order.
class WorkerLane {
 public:
  WorkerLane(Lane& lane, const Axis& axis) : lane_(lane), axis_(axis) {}

  void add(const store::RoundRow& row) {
    const RoundRecord& r = row.record;
    const double end = axis_.at(lane_.node, r.t), begin = std::max(end - r.total, reached_);
    const bool underWay = !lane_.exchanges.empty() && lane_.exchanges.back().end > begin + kRounding;
    double at = begin;
    std::optional<Span> waited;
    for (const Part& part : partsOf(r, underWay)) {
      const double until = std::min(end, at + std::max(0.0, part.seconds));
      if (until <= at) continue;
      lane_.spans.push_back({.begin = at, .end = until, .phase = part.phase, .round = r.round, .rounds = row.merged});
      const bool holdsTheWait = part.phase == Phase::kWait || (part.phase == Phase::kQuery && !waited);
      if (holdsTheWait && (!waited || part.seconds + kRounding >= r.longestWait.value_or(0))) waited = lane_.spans.back();
      at = until;
    }
    if (waited && r.longestWait && !r.longestWaitFor.empty())
      lane_.gaps.push_back({.begin = waited->begin, .end = std::min(waited->end, waited->begin + *r.longestWait), .round = r.round, .rounds = row.merged, .whom = r.longestWaitFor});
    if (r.exchangeBegan && r.exchangeEnded)
      lane_.exchanges.push_back({.begin = axis_.at(lane_.node, *r.exchangeBegan),
                                 .end = axis_.at(lane_.node, *r.exchangeEnded),
                                 .round = r.round,
                                 .rounds = row.merged,
                                 .bytes = r.bytesSent + r.bytesReceived});
    reached_ = end;
  }

 private:
  Lane& lane_;
  const Axis& axis_;
  double reached_ = -std::numeric_limits<double>::infinity();
};

template <class Row>
std::map<std::string, std::vector<const Row*>> byNode(const std::vector<Row>& rows) {
  std::map<std::string, std::vector<const Row*>> all;
  for (const Row& row : rows) all[row.node].push_back(&row);
  for (auto& [node, own] : all) std::ranges::stable_sort(own, {}, [](const Row* row) { return row->record.t; });
  return all;
}

std::vector<store::NodeRow> inOrder(std::vector<store::NodeRow> nodes) {
  std::ranges::stable_sort(nodes, {}, [](const store::NodeRow& node) { return node.rank < 0 ? std::numeric_limits<int>::max() : node.rank; });
  return nodes;
}

// By phase, how long the lane was in it between the two moments.
std::array<double, kPhaseCount> timeIn(const Lane& lane, double begin, double end) {
  std::array<double, kPhaseCount> seconds{};
  auto span = std::ranges::upper_bound(lane.spans, begin, {}, &Span::end);
  for (; span != lane.spans.end() && span->begin < end; ++span)
    seconds[static_cast<std::size_t>(span->phase)] += span->share * (std::min(end, span->end) - std::max(begin, span->begin));
  return seconds;
}

// How busy the host's CPUs were, each time since it last told; before that nobody knows since when.
void addLoads(Timeline& timeline, const summary::RunData& data, const Axis& axis) {
  std::set<std::string> hosts;
  for (const store::NodeRow& node : data.nodes) hosts.insert(node.host);
  for (const auto& [host, rows] : byNode(data.hostLoads)) {
    if (!hosts.contains(host)) continue;
    Lane lane{.node = strCat("host ", host), .role = kHostRole, .host = host, .name = strCat(host, " CPU"), .members = {strCat("host ", host)}};
    std::optional<double> before;
    for (const store::HostLoadRow* row : rows) {
      const std::optional<double> at = axis.ofDate(host, row->record.t);
      if (!at) return;
      const double begin = before ? std::max(0.0, *before) : 0, end = std::min(timeline.end, *at);
      if (before && end > begin) lane.spans.push_back({.begin = begin, .end = end, .phase = Phase::kHostLoad, .share = std::clamp(row->record.cpu, 0.0, 1.0)});
      before = at;
    }
    if (!lane.spans.empty()) timeline.lanes.push_back(std::move(lane));
  }
}

}  // namespace

const PhaseLook& lookOf(Phase phase) { return kLooks[static_cast<std::size_t>(phase)]; }

std::string secondsText(double seconds) {
  if (seconds < 0.0995) return strCat(summary::fixedText(seconds * 1e3, seconds < 0.00995 ? 2 : 1), " ms");
  return strCat(summary::fixedText(seconds, 2), " s");
}

const Lane* Timeline::find(const std::string& node) const {
  const auto found = std::ranges::find_if(lanes, [&](const Lane& lane) { return std::ranges::find(lane.members, node) != lane.members.end(); });
  return found == lanes.end() ? nullptr : &*found;
}

Timeline timelineOf(const summary::RunData& data) {
  const Axis axis(data);
  const auto rounds = byNode(data.rounds);
  const auto busy = byNode(data.busy);
  Timeline timeline{.clockError = axis.error()};
  for (const store::NodeRow& node : inOrder(data.nodes)) {
    Lane& lane = timeline.lanes.emplace_back(Lane{.node = node.id, .role = node.role, .host = node.host, .name = node.id, .members = {node.id}});
    if (const auto own = rounds.find(node.id); own != rounds.end()) {
      WorkerLane worker(lane, axis);
      for (const store::RoundRow* round : own->second) worker.add(*round);
    }
    if (const auto own = busy.find(node.id); own != busy.end()) {
      const Phase phase = node.role == "evaluator" ? Phase::kEvaluate : Phase::kServe;
      for (const store::BusyRow* row : own->second) {
        const BusyRecord& record = row->record;
        const double end = axis.at(node.id, record.t), begin = std::max(0.0, end - record.span);
        if (end > begin) lane.spans.push_back({.begin = begin, .end = end, .phase = phase, .share = std::min(1.0, record.busy / record.span)});
      }
    }
    if (!lane.spans.empty()) timeline.end = std::max(timeline.end, lane.spans.back().end);
  }
  addLoads(timeline, data, axis);
  return timeline;
}

const Span* spanAt(const Lane& lane, double time) {
  const auto span = std::ranges::upper_bound(lane.spans, time, {}, &Span::end);
  return span == lane.spans.end() || span->begin > time ? nullptr : &*span;
}

const Gap* gapAt(const Lane& lane, double time) {
  const auto gap = std::ranges::upper_bound(lane.gaps, time, {}, &Gap::end);
  return gap == lane.gaps.end() || gap->begin > time ? nullptr : &*gap;
}

const Exchange* exchangeAt(const Lane& lane, double time) {
  const auto exchange = std::ranges::upper_bound(lane.exchanges, time, {}, &Exchange::end);
  return exchange == lane.exchanges.end() || exchange->begin > time ? nullptr : &*exchange;
}

std::string roundsText(std::int64_t last, std::int64_t rounds) {
  return rounds > 1 ? strCat("rounds ", last - rounds + 1, " to ", last) : strCat("round ", last);
}

// What the other did for most of that time. One that waited itself was held up by somebody else.
std::string sentenceOf(const Timeline& timeline, const Lane& lane, const Gap& gap) {
  const std::string waited = strCat(lane.name, lane.members.size() > 1 ? " each waited " : " waited ", secondsText(gap.seconds()), gap.rounds > 1 ? " at most, for " : " for ", gap.whom);
  if (gap.rounds > 1) return waited;
  const Lane* other = timeline.find(gap.whom);
  if (other == nullptr || other->spans.empty()) return waited;
  const std::array<double, kPhaseCount> seconds = timeIn(*other, gap.begin, gap.end);
  const auto most = std::ranges::max_element(seconds);
  const bool server = other->role == "server";
  if (*most < gap.seconds() / 2) {
    double worked = 0;
    for (const double part : seconds) worked += part;
    if (server || worked < gap.seconds() / 2) return strCat(waited, server ? ": the answer was on its way" : ": what it had sent was on its way");
  }
  const auto phase = static_cast<Phase>(most - seconds.begin());
  if (phase != Phase::kWait) return strCat(waited, ": ", lookOf(phase).doing);
  const Gap* its = gapAt(*other, (gap.begin + gap.end) / 2);
  return its == nullptr || its->whom == lane.node ? strCat(waited, ": it was waiting itself") : strCat(waited, ": it was waiting for ", its->whom);
}

std::string clockNote(const Timeline& timeline) {
  if (std::isnan(timeline.clockError)) return "the nodes' clocks were not compared: lanes may be shifted against each other";
  if (timeline.clockError < 1e-6) return "all lanes have one clock";
  return strCat("lanes may be shifted against each other by ", secondsText(timeline.clockError), " at most");
}

}  // namespace paceline::lanes
