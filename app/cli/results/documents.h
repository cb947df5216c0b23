// The JSON documents that scripts rely on (see the README's table): fields may be added, never renamed; and tables that compare runs. Pure.
#pragma once

#include <string>
#include <vector>

#include "app/cluster/recorder/client.h"
#include "app/figures/figure.h"
#include "app/figures/results.h"
#include "engine/core/json/differences.h"
#include "engine/core/json/finding.h"
#include "storage/summary/summary.h"

namespace paceline::cli {

std::string outcomesDocument(const std::vector<recorder::Entry>& entries);  // {"runs": [{"id", "name", "state", "error"}]}
std::string runsDocument(const std::vector<store::RunRow>& runs);  // the same with algorithm, model, dataset, created_utc, tags ...
std::string showDocument(const summary::RunData& data, const summary::RunSummary& summary);
std::string findingsDocument(const std::vector<Finding>& findings);

// Of two documents "left" and "right", of more their "values".
std::string differencesDocument(const std::vector<Difference>& differences);

// The comparison table at the end of a suite: the results of each run beside the others.
// One row per run: algorithm, seed (where they differ), state, rounds, samples/s, measured traffic, computing-time ratio
// (least..most of the workers), best accuracy, time to the target, speed-up over SSGD of the same seed and configuration.
// Runs are called by their names where those tell them apart, else by what differs.
std::string comparisonTable(const std::vector<summary::RunSummary>& runs, const Titles& titles = {});

// The same runs for a README: name, workers, rounds of the coordinator, samples/s, bytes that a worker sent and received per round,
// computing-time ratio, the mean of the workers' own accuracies where those were evaluated, accuracy at the end and at its best, time to the target.
std::string comparisonMarkdown(const std::vector<summary::RunSummary>& runs, const Titles& titles = {});

// Runs that differ in the seed as one row, mean ± sample standard deviation, the best in bold, and below the table how sure that is.
std::string groupedMarkdown(const Results& results);

// What papers report of these runs, beside what they gave: a table for the terminal, one for a README, columns for the CSV of summaries. "", none: nothing is reported.
std::string publishedTable(const std::vector<summary::RunSummary>& runs, const Titles& titles = {});
std::string publishedMarkdown(const std::vector<summary::RunSummary>& runs, const Titles& titles = {});
std::vector<summary::CsvColumn> publishedColumns(const std::vector<summary::RunSummary>& runs, const Titles& titles = {});

std::string indented(const std::string& json);  // unchanged when it is no JSON

}  // namespace paceline::cli
