// paceline summary RUN...: the numbers of runs as a document.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/runs/chosen_runs.h"
#include "app/cli/command.h"
#include "app/cli/results/comparison.h"
#include "app/cli/console.h"
#include "engine/core/base/error.h"
#include "storage/interchange/interop.h"

namespace paceline::cli {
namespace {

struct SummaryArguments {
  std::vector<std::string> runs;
  std::string format = "json", output;
  double target = 0.8;
  bool json = false;
};

std::string withNewline(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

std::string esyncDocument(const std::string& storePath, const std::vector<std::string>& words) {
  const store::StoreReader store(storePath);
  const std::vector<store::RunRow> runs = chosenRuns(store, storePath, words);
  if (runs.size() != 1) throw Error(Errc::kUsage, strCat("--format esync writes one run, got ", runs.size()));
  return interchange::esyncSummaryJson(summary::loadRun(store, runs.front()));
}

std::string summaryDocument(const SummaryArguments& arguments, const std::string& store) {
  if (arguments.format == "esync") return esyncDocument(store, arguments.runs);
  const std::vector<summary::RunSummary> summaries = chosenSummaries(store, arguments.runs, arguments.target);
  if (arguments.format == "csv") return summary::summariesToCsv(summaries);
  if (arguments.format == "latex") return summary::summariesToLatex(summaries);
  if (arguments.format == "markdown") return comparisonMarkdown(summaries);
  return summary::summariesToJson(summaries);
}

}  // namespace

void addSummaryCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<SummaryArguments>();
  CLI::App* command = app.add_subcommand(
      "summary", "Writes the results of runs: accuracy, times, throughput, traffic, per worker and over time.");
  command->add_option("runs", arguments->runs, "ids, beginnings of ids, or names")->required()->type_name("RUN");
  auto* format =
      command->add_option("--format", arguments->format, "json, csv, esync (the layout of ESync's summary.py), latex or markdown")
          ->capture_default_str()
          ->check(CLI::IsMember({"json", "csv", "esync", "latex", "markdown"}));
  command->add_flag("--json", arguments->json, "the same as --format json")->excludes(format);
  command->add_option("-o,--output", arguments->output, "file instead of standard output")->type_name("PATH");
  command->add_option("--target", arguments->target, "accuracy that the time to is told for")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  command->callback(
      [arguments, &shared] { writeOutput(arguments->output, withNewline(summaryDocument(*arguments, shared.store))); });
}

}  // namespace paceline::cli
