// Parts of a summary: curves over a run, each point with what had been trained by then; ESync's summary.py and drawer.py as formulas over our rows. Pure;
// private to storage.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "storage/summary/summary.h"

namespace paceline::summary {

// A summary is what was measured, and what stands in the run's row, which a person may change: its name, say.
RunSummary measured(const RunData& data);
void introduce(RunSummary& summary, const store::RunRow& run, const SummaryOptions& options);  // and the time to the target

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // no value

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

// Rounds of one worker, by round number.
using WorkerRounds = std::vector<const RoundRecord*>;

struct CurveInput {
  const RunData& data;
  const TrafficRule& traffic;
  std::vector<std::string> workers{};   // ids, by rank
  std::vector<WorkerRounds> rounds{};   // of each of them
  std::size_t evaluator = 0;            // index of the coordinator
  bool synchronous = false;             // all workers go through the same rounds
};

// One for every (node that evaluated, whose parameters), the run's own first: of the mean if there are any, else an evaluator node's
// own, else those of the worker that has most, else the longest. Empty: no evaluations.
std::vector<EvaluationCurve> evaluationCurves(const CurveInput& input);

// Rounds of all workers in the order of their ends; a point for every (number of workers) of them that say what they kept.
Curve exchangedCurve(const CurveInput& input);

std::vector<MetricCurve> metricCurves(const CurveInput& input);  // by name

std::vector<EdgeSummary> edgeSummaries(const RunData& data);

// int(round(total_time)): whole seconds, ties to even. NaN stays NaN.
double publishedElapsed(double totalTime);
// What summary.py finds as "global update" / "global aggregate": everything between the local work and the new parameters, 4
// decimals.
double publishedAggregate(const RoundRecord& round);
// Whether accuracy_list has it: the logger leaves an accuracy of 0 out; a 0 in an imported summary was rounded to it.
bool publishedAccuracy(const store::RunRow& run, double accuracy);
// 1 - sum(aggregate) / last elapsed; NaN when the elapsed time rounds to 0.
double publishedComputingRatio(const WorkerRounds& rounds);
// int(sum of all samples / T), T = last elapsed of the first worker. NaN when T is 0.
double publishedThroughput(const CurveInput& input);
// int(R * workers * MiB / T). esync, ssgd: R = len(accuracy_list), that is the number of those with publishedAccuracy(), T of the coordinator;
// others: R * workers = all iterations, T of the first worker. 0 stand-alone; NaN when T is 0 or the size is not known.
double publishedTraffic(const CurveInput& input, std::int64_t accuracies);

}  // namespace paceline::summary
