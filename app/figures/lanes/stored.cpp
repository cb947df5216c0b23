#include <algorithm>
#include <iterator>
#include <optional>

#include "app/figures/lanes/axis.h"
#include "app/figures/lanes/lanes.h"

namespace paceline::lanes {
namespace {

constexpr double kAround = 0.25;  // of the length between the two moments, on either side
constexpr std::size_t kMostIntervals = 4096, kMostClocks = 512, kMostLoads = 4096;  // of a node or a host, that are kept
constexpr std::size_t kPiece = 16384;  // intervals that are read at once
constexpr std::size_t kMostRows = 65536, kFinest = 4;  // of all workers; of one, for each that is asked for

template <class Row>
void take(std::vector<Row>& all, std::vector<Row> newer) {
  std::ranges::move(newer, std::back_inserter(all));
}

// Idle in between.
BusyRecord merged(const BusyRecord& first, const BusyRecord& second) {
  BusyRecord sum = second;
  sum.span = second.t - (first.t - first.span);
  sum.busy += first.busy, sum.queued += first.queued;
  sum.messages += first.messages, sum.longestQueue = std::max(first.longestQueue, second.longestQueue);
  sum.bytesReceived += first.bytesReceived, sum.bytesSent += first.bytesSent;
  return sum;
}

// One more interval; `each` are one row.
void add(std::vector<store::BusyRow>& rows, const store::BusyRow& row, std::int64_t each) {
  if (rows.empty() || rows.back().merged >= each) {
    rows.push_back(row);
    return;
  }
  store::BusyRow& last = rows.back();
  last = {.node = row.node, .seq = row.seq, .record = merged(last.record, row.record), .merged = last.merged + row.merged};
}

void halve(std::vector<store::BusyRow>& rows, std::int64_t each) {
  std::vector<store::BusyRow> fewer;
  for (const store::BusyRow& row : rows) add(fewer, row, each);
  rows = std::move(fewer);
}

// The first stays as it is: of it nobody knows since when.
std::vector<store::HostLoadRow> halved(std::vector<store::HostLoadRow> rows) {
  std::vector<store::HostLoadRow> fewer{std::move(rows.front())};
  for (std::size_t i = 1; i < rows.size(); i += 2) {
    if (i + 1 == rows.size()) {
      fewer.push_back(std::move(rows[i]));
      break;
    }
    const double began = fewer.back().record.t;
    const HostLoad first = rows[i].record;
    store::HostLoadRow& both = fewer.emplace_back(std::move(rows[i + 1]));
    if (both.record.t > began) both.record.cpu = (first.cpu * (first.t - began) + both.record.cpu * (both.record.t - first.t)) / (both.record.t - began);
    both.merged += rows[i].merged;
  }
  return fewer;
}

}  // namespace

void StoredLanes::follow(const std::string& node, Track& track) {
  std::vector<store::BusyRow> newer;
  do {
    newer = store_.busy(run_, node, track.read, kPiece);
    for (const store::BusyRow& row : newer) {
      add(track.rows, row, track.each);
      track.read = row.seq;
      if (track.rows.size() > kMostIntervals) halve(track.rows, track.each *= 2);
    }
  } while (newer.size() == kPiece);
}

// What is kept of them where that is as fine as the view, else the part from the store.
std::vector<store::BusyRow> StoredLanes::intervals(const std::string& node, const Track& track, double from, double to, std::size_t most) const {
  const auto ends = [](const store::BusyRow& row) { return row.record.t; };
  const auto first = std::ranges::lower_bound(track.rows, from, {}, ends), last = std::ranges::upper_bound(track.rows, to, {}, ends);
  const auto shown = static_cast<std::size_t>(last - first);
  if (track.each == 1 || 2 * shown > most) return track.rows;
  const std::int64_t each = std::max<std::int64_t>(1, static_cast<std::int64_t>(shown) * track.each / static_cast<std::int64_t>(most));
  std::vector<store::BusyRow> rows, piece;
  std::int64_t read = store_.busyBefore(run_, node, from);
  do {
    piece = store_.busy(run_, node, read, kPiece);
    for (const store::BusyRow& row : piece) {
      add(rows, row, each);
      read = row.seq;
      if (row.record.t > to) return rows;
    }
  } while (piece.size() == kPiece);
  return rows;
}

// Every second one of a node goes where they are too many: between two the clocks drift evenly.
void StoredLanes::takeClocks() {
  take(data_.clocks, store_.records<ClockRecord>(run_, clock_, &clock_));
  std::map<std::string, std::size_t> counts, passed;
  for (const store::ClockRow& row : data_.clocks) ++counts[row.node];
  std::erase_if(data_.clocks, [&](const store::ClockRow& row) { return counts[row.node] > kMostClocks && passed[row.node]++ % 2 == 1; });
}

// Where a host has told too often, two that follow each other become one of their mean, so that its busy time stays.
void StoredLanes::takeLoads() {
  take(data_.hostLoads, store_.records<HostLoad>(run_, load_, &load_));
  std::map<std::string, std::vector<store::HostLoadRow>> byHost;
  for (store::HostLoadRow& row : data_.hostLoads) byHost[row.node].push_back(std::move(row));
  data_.hostLoads.clear();
  for (auto& [host, rows] : byHost) {
    while (rows.size() > kMostLoads) rows = halved(std::move(rows));
    take(data_.hostLoads, std::move(rows));
  }
}

Timeline StoredLanes::between(double from, double to, std::size_t most) {
  if (data_.nodes.empty()) data_.nodes = store_.nodes(run_);
  takeClocks();
  takeLoads();
  const Axis axis(data_);
  const double around = kAround * (to - from);
  const auto workers = static_cast<std::size_t>(std::ranges::count(data_.nodes, "worker", &store::NodeRow::role));
  const std::size_t rounds = std::max(most, std::min(kFinest * most, kMostRows / std::max<std::size_t>(1, workers)));
  data_.rounds.clear(), data_.busy.clear();
  double end = 0;
  for (const store::NodeRow& node : data_.nodes) {
    const double begin = axis.ownTime(node.id, from - around), until = axis.ownTime(node.id, to + around);
    if (node.role != "worker") {
      Track& track = tracks_[node.id];
      follow(node.id, track);
      take(data_.busy, intervals(node.id, track, begin, until, most));
      if (!track.rows.empty()) end = std::max(end, axis.at(node.id, track.rows.back().record.t));
      continue;
    }
    take(data_.rounds, store_.roundSpans(run_, node.id, begin, until, rounds));
    if (const std::optional<double> last = store_.lastRoundEnd(run_, node.id)) end = std::max(end, axis.at(node.id, *last));
  }
  Timeline timeline = timelineOf(data_);
  timeline.end = std::max(timeline.end, end);
  return timeline;
}

}  // namespace paceline::lanes
