// What a run amounts to: pure functions over rows. Published formulas reproduce ESync's scripts, the others measure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "storage/records.h"
#include "storage/store.h"

namespace paceline {

// Everything recorded of one run.
struct RunData {
  RunRow run;
  std::vector<NodeRow> nodes;
  std::vector<RoundRow> rounds;
  std::vector<EvaluationRow> evaluations;
  std::vector<NoticeRow> notices;
  std::vector<HostLoadRow> hostLoads;
  std::vector<EdgeRow> edges;
};
RunData loadRun(const StoreReader& store, const RunRow& run);

struct CurvePoint {
  std::int64_t round = 0;
  double seconds = 0;       // since start, when the evaluation began
  double publishedSeconds = 0;  // end of that round, rounded to whole seconds: what ESync's drawer has on its x-axis
  std::int64_t samples = 0;  // trained by all workers by then
  std::int64_t bytes = 0;    // sent + received by all workers by then
  double accuracy = 0, loss = 0;
};

struct NodeSummary {
  std::string id, role, host, device;
  std::int64_t rounds = 0, samples = 0;
  double computeSeconds = 0, waitSeconds = 0, sendSeconds = 0, receiveSeconds = 0, evaluateSeconds = 0, totalSeconds = 0;
  double busyRatio = 0;              // (fetch + compute + update) / total
  double publishedComputingRatio = 0;  // 1 - aggregation time / elapsed, ESync's drawer
  double localStepsMean = 0, stalenessMean = 0;
  std::int64_t bytesSent = 0, bytesReceived = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> localSteps;  // (round, steps)
};

struct RunSummary {
  std::string id, name, state, algorithm, model, dataset, partition, configHash, groupHash;
  std::uint64_t seed = 0;
  std::int64_t rounds = 0, samples = 0;  // rounds: of the evaluating worker
  double wallSeconds = 0;
  double throughputSamplesPerSecond = 0, trafficBytesPerSecond = 0;
  std::int64_t bytesSent = 0, bytesReceived = 0;  // by workers
  std::string evaluator;   // id of the evaluating worker
  std::optional<double> accuracyLast, accuracyBest, lossLast;
  double targetAccuracy = 0;
  std::optional<double> timeToTargetSeconds;  // first raw crossing; null: not reached
  double publishedThroughput = 0;             // int(sum of samples / T of the first device)
  double publishedTrafficMbPerSecond = 0;     // int(rounds x workers x model MiB / T), one way
  std::vector<NodeSummary> nodes;             // workers, by rank
  std::vector<CurvePoint> curve;
};

struct SummaryOptions {
  double targetAccuracy = 0.8;
};
RunSummary summarise(const RunData& data, const SummaryOptions& options = {});

std::string summariesToJson(const std::vector<RunSummary>& runs, int indent = 2);  // the document of `paceline summary --format json`
std::string summariesToCsv(const std::vector<RunSummary>& runs);    // RFC 4180, one row per run
std::string summariesToLatex(const std::vector<RunSummary>& runs);  // booktabs table, seeds grouped to mean +- std, best in bold

}  // namespace paceline
