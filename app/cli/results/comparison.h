// The comparison table at the end of a suite: the results of each run beside the others. Pure.
#pragma once

#include <string>
#include <vector>

#include "storage/summary/summary.h"

namespace paceline::cli {

// One row per run: algorithm, seed (where they differ), state, rounds, samples/s, measured traffic, computing-time ratio
// (least..most of the workers), best accuracy, time to the target, speed-up over SSGD of the same seed (else the first SSGD run).
std::string comparisonTable(const std::vector<summary::RunSummary>& runs);

// The same runs for a README: name, workers, rounds of the evaluating worker, samples/s, bytes that a worker sent and received per
// round, computing-time ratio, the mean of the
// workers' own accuracies where those were evaluated, accuracy at the end and at its best, time to the target.
std::string comparisonMarkdown(const std::vector<summary::RunSummary>& runs);

}  // namespace paceline::cli
