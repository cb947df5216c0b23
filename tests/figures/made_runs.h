// Small summaries made by hand.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/figure.h"

namespace paceline::tests {

inline summary::RunSummary madeRun(const std::string& algorithm, std::uint64_t seed = 1) {
  summary::RunSummary run;
  run.id = algorithm + "-" + std::to_string(seed);
  run.name = "demo " + algorithm + " seed " + std::to_string(seed);
  run.state = "finished";
  run.algorithm = algorithm;
  run.model = "lenet";
  run.dataset = "fashion_mnist";
  run.partition = "iid";
  run.groupHash = "group of " + algorithm;
  run.configHash = run.groupHash + std::to_string(seed);
  run.seed = seed;
  run.targetAccuracy = 0.8;
  return run;
}

// (seconds, accuracy) one evaluation a round; loss = 1 - accuracy, 600 samples and 2 MB a round.
inline summary::RunSummary withCurve(summary::RunSummary run, const std::vector<std::pair<double, double>>& points) {
  for (const auto& [seconds, accuracy] : points) {
    const auto round = static_cast<std::int64_t>(run.curve.size()) + 1;
    run.curve.push_back({.round = round,
                         .seconds = seconds,
                         .publishedSeconds = std::nearbyint(seconds),
                         .samples = 600 * round,
                         .bytes = 2'000'000 * round,
                         .accuracy = accuracy,
                         .loss = 1 - accuracy});
    run.accuracyLast = accuracy;
    if (!run.timeToTargetSeconds && accuracy >= run.targetAccuracy) run.timeToTargetSeconds = seconds;
  }
  return run;
}

inline summary::NodeSummary madeNode(const std::string& id, const std::string& host, const std::string& device, double busy,
                            double published) {
  summary::NodeSummary node;
  node.id = id;
  node.role = "worker";
  node.host = host;
  node.device = device;
  node.busyRatio = busy;
  node.publishedComputingRatio = published;
  return node;
}

inline Figure built(const std::string& id, const std::vector<summary::RunSummary>& runs, const FigureOptions& options = {}) {
  return findFigure(id)->build(runs, options);
}

inline FigureOptions published() {
  FigureOptions options;
  options.variant = Variant::kPublished;
  return options;
}

inline bool notes(const Figure& figure, const std::string& part) {
  for (const std::string& note : figure.notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

inline std::vector<std::string> labels(const Figure& figure) {
  std::vector<std::string> all;
  for (const Line& line : figure.lines) all.push_back(line.label);
  for (const BarSet& bars : figure.bars) all.push_back(bars.label);
  return all;
}

}  // namespace paceline::tests
