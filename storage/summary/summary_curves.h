// Curves over a run: what its evaluations found and what its rounds kept, each point with what had been trained by then. Pure; private to storage.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "storage/store/records.h"
#include "storage/summary/summary.h"
#include "storage/summary/summary_published.h"

namespace paceline::summary {

// What a worker's round put on the network, so that the sum over a run holds every byte once. Pure; any thread.
// Only workers say what they send and receive. What goes through servers is in their books once, both ways; what goes from worker to
// worker is in two: the sender's and the receiver's. Where an aggregation among workers has servers beside it (a state server), the
// servers' few answers are left out rather than everything else counted twice.
class TrafficRule {
 public:
  TrafficRule(const store::RunRow& run, std::span<const store::NodeRow> nodes);
  std::int64_t bytesOf(const RoundRecord& round) const { return round.bytesSent + (throughServers_ ? round.bytesReceived : 0); }

 private:
  bool throughServers_ = false;
};

// Whether all workers of the run go through the same rounds, as its versions say; nullopt: they do not (imports).
std::optional<bool> recordedSynchronous(const store::RunRow& run);

struct CurveInput {
  const RunData& data;
  const std::vector<std::string>& workers;  // ids, by rank
  const std::vector<WorkerRounds>& rounds;  // of each of them, by round number
  std::size_t evaluator = 0;                // index of the evaluating worker
  bool synchronous = false;                 // all workers go through the same rounds
  const TrafficRule& traffic;
};

// One for every (node that evaluated, whose parameters), the run's own first: of the mean if there are any, else an evaluator node's
// own, else those of the worker that has most, else the longest. Empty: no evaluations.
std::vector<EvaluationCurve> evaluationCurves(const CurveInput& input);

// Rounds of all workers in the order of their ends; a point for every (number of workers) of them that say what they kept.
std::vector<CurvePoint> exchangedCurve(const CurveInput& input);

std::vector<MetricCurve> metricCurves(const CurveInput& input);  // by name

std::vector<EdgeSummary> edgeSummaries(const RunData& data);

}  // namespace paceline::summary
