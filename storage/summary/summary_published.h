// ESync's summary.py and drawer.py as formulas over our rows. Private to storage.
#pragma once

#include <string>
#include <vector>

#include "storage/summary/summary.h"

namespace paceline::summary {

// int(round(total_time)): whole seconds, ties to even. NaN stays NaN.
double publishedElapsed(double totalTime);
// What summary.py finds as "global update" / "global aggregate": everything between the local work and the new parameters, 4
// decimals.
double publishedAggregate(const RoundRecord& round);
// Whether accuracy_list has it: the logger leaves an accuracy of 0 out; a 0 in an imported summary was rounded to it.
bool publishedAccuracy(const store::RunRow& run, double accuracy);
// One way, one worker, MiB: drawer.py's constant 42.6 for ResNet-18 and whatever came from ESync, else 4 * parameters / 2^20
// where the run's versions say "parameters"; NaN when they do not.
double publishedModelMib(const store::RunRow& run);

// Rounds of one worker, by round number.
using WorkerRounds = std::vector<const RoundRecord*>;

// 1 - sum(aggregate) / last elapsed; NaN when the elapsed time rounds to 0.
double publishedComputingRatio(const WorkerRounds& rounds);

struct PublishedInput {
  const store::RunRow& run;
  const std::vector<WorkerRounds>& workers;  // by rank
  std::size_t evaluator = 0;                 // index into workers
  std::int64_t accuracies = 0;               // len(accuracy_list): those with publishedAccuracy()
};
// int(sum of all samples / T), T = last elapsed of the first worker. NaN when T is 0.
double publishedThroughput(const PublishedInput& input);
// int(R * workers * MiB / T). esync, ssgd: R = len(accuracy_list), T of the evaluating worker; others: R * workers = all
// iterations, T of the first worker. 0 stand-alone; NaN when T is 0 or the size is not known.
double publishedTraffic(const PublishedInput& input);

}  // namespace paceline::summary
