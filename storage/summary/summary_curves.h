// Curves over a run: what its evaluations found and what its rounds kept, each point with what had been trained by then. Pure; private to storage.
#pragma once

#include <string>
#include <vector>

#include "storage/summary/summary.h"
#include "storage/summary/summary_published.h"
#include "storage/summary/traffic.h"

namespace paceline::summary {

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
