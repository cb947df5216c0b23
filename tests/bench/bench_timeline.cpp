// The lanes of 64 workers with 100 000 rounds each, and of their server: from the store to painted pixels, and a frame of zooming into what is read.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/figures/lanes/lanes.h"
#include "app/ui/runs/lanes_view.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "storage/store/store.h"
#include "tests/bench/bench.h"
#include "tests/bench/painting.h"
#include "tests/bench/temp_folder.h"

namespace paceline::bench {
namespace {

constexpr int kWorkers = 64, kRounds = 100'000, kBatch = 64;  // rounds of each worker in a transaction
constexpr int kWidth = 1600, kHeight = 900, kOpenings = 5, kFrames = 400;
constexpr double kInterval = 0.2;  // s, of a server

RoundRecord roundAt(int round, double& t, Rng& rng) {
  RoundRecord r;
  r.round = round;
  r.compute = 0.03 * rng.uniform(0.9, 1.1), r.send = 0.002, r.wait = 0.01 * rng.uniform(0, 1), r.receive = 0.001;
  r.evaluate = round % 500 == 0 ? 0.5 : 0;
  r.total = r.compute + r.send + r.wait + r.receive + r.evaluate;
  r.t = t += r.total;
  r.localSteps = 1, r.samples = 64, r.bytesSent = r.bytesReceived = 1'724'320;
  r.longestWait = r.wait, r.longestWaitFor = "w0";
  r.exchangeBegan = r.t - r.evaluate - r.send - r.wait - r.receive, r.exchangeEnded = r.t - r.evaluate;
  return r;
}

std::string stored(const std::string& path) {
  store::StoreWriter writer(path);
  store::RunRow run;
  run.id = store::newRunId(), run.name = "long";
  std::vector<store::NodeRow> nodes;
  for (int w = 0; w < kWorkers; ++w) nodes.push_back({.run = run.id, .id = strCat("w", w), .role = "worker", .host = "local", .device = "cpu", .rank = w});
  nodes.push_back({.run = run.id, .id = "s0", .role = "server", .host = "local", .device = "cpu"});
  writer.createRun(run, nodes);
  std::vector<double> ends(kWorkers, 0.0);
  Rng rng = Rng::stream(1, "timeline", 0);
  std::vector<StampedEvent> events;
  std::int64_t intervals = 0;  // of the server
  for (int first = 1; first <= kRounds; first += kBatch) {
    events.clear();
    for (int round = first; round < std::min(kRounds + 1, first + kBatch); ++round)
      for (std::size_t w = 0; w < kWorkers; ++w) events.push_back({.run = run.id, .node = nodes[w].id, .seq = round, .event = roundAt(round, ends[w], rng)});
    while (kInterval * static_cast<double>(intervals) < ends.front())
      events.push_back({.run = run.id, .node = "s0", .seq = ++intervals, .event = BusyRecord{.t = kInterval * static_cast<double>(intervals), .span = kInterval, .busy = rng.uniform(0, kInterval)}});
    writer.append(events);
  }
  return run.id;
}

double painted(runs::LanesView& view) {
  const double began = secondsNow();
  view.viewport()->grab();
  return (secondsNow() - began) * 1e3;
}

struct Measured {
  std::vector<double> open, read, frame;  // ms
};

// Once for both rows.
const Measured& measure() {
  static const Measured all = [] {
    Measured measured;
    const TempFolder folder{};
    const std::string path = folder.path + "/long.db", run = stored(path);
    const Painting painting{};
    runs::LanesView view;
    view.resize(kWidth, kHeight);
    for (int i = 0; i < kOpenings; ++i) {
      const double began = secondsNow();
      const store::StoreReader store(path);
      auto timeline = std::make_shared<const lanes::Timeline>(lanes::StoredLanes(store, run).between(0, 1e9, view.spansWanted()));
      measured.read.push_back((secondsNow() - began) * 1e3);
      view.setTimeline(std::move(timeline));
      measured.open.push_back(measured.read.back() + painted(view));
    }
    Rng rng = Rng::stream(2, "timeline", 0);
    for (int i = 0; i < kFrames; ++i) {
      const double length = view.range().length() * rng.uniform(0.7, 1.4), at = rng.uniform(0, 1) * 3000;
      view.setRange({at, at + std::clamp(length, 0.1, 4000.0)});
      measured.frame.push_back(painted(view));
    }
    std::ranges::sort(measured.frame);
    return measured;
  }();
  return all;
}

}  // namespace

std::vector<Named> timelines() {
  const auto opened = [] {
    const Measured& all = measure();
    return Result{.id = "timeline_open_ms", .value = median(all.open), .unit = "ms", .target = 300, .higherIsBetter = false,
                  .note = "lanes of 64 workers with 100 000 rounds each and a server, store to pixels at 1600 x 900, median of 5", .inputs = {{"read_ms", median(all.read)}}};
  };
  const auto zoomed = [] {
    const Measured& all = measure();
    return Result{.id = "timeline_frame_ms", .value = all.frame[kFrames * 99 / 100], .unit = "ms", .target = 16, .higherIsBetter = false,
                  .note = "a frame of those lanes in any part and length of their time, 99th of 100", .inputs = {{"median_ms", median(all.frame)}}};
  };
  return {{"timeline_open_ms", opened}, {"timeline_frame_ms", zoomed}};
}

}  // namespace paceline::bench
