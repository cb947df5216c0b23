// paceline summary RUN...: the numbers of runs as a document.
#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/results/documents.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/figures/budget.h"
#include "app/figures/published.h"
#include "app/figures/results.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "storage/interchange/interop.h"
#include "storage/summary/assumed.h"

namespace paceline::cli {
namespace {

struct SummaryArguments {
  std::vector<std::string> runs;
  std::string format = "json", output, cut;
  double target = 0.8;
  bool json = false, grouped = false;
  TableChoice table;  // of what is grouped
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

// What simulations took for what their documents do not say, each once.
std::vector<std::string> assumedBy(const Summaries& summaries) {
  std::vector<std::string> all;
  for (const summary::RunSummary& run : summaries)
    if (const std::string assumed = summary::assumedOf(run); !assumed.empty()) {
      const std::string sentence = strCat("Simulated, assuming that ", assumed, ".");
      if (std::ranges::find(all, sentence) == all.end()) all.push_back(sentence);
    }
  return all;
}

std::string summaryTable(const SummaryArguments& arguments, const std::string& store) {
  if (arguments.format == "esync") return esyncDocument(store, arguments.runs);
  summary::Details details;
  if (arguments.format == "markdown") details = {.columns = {summary::Column::kAccuracy}, .others = true};  // of every worker
  const auto [summaries, cutNote] = chosenWithin(arguments.cut, store, arguments.runs, arguments.target, details);
  if (arguments.format != "latex" && !cutNote.empty()) std::cerr << cutNote << '\n';
  if (arguments.format == "csv" && !arguments.grouped) return summary::summariesToCsv(summaries, publishedColumns(summaries, knownTitles()));
  Results results;
  if (arguments.format == "latex" || arguments.grouped) {
    TableChoice choice = arguments.table;
    if (const auto run = store::StoreReader(store).find(choice.reference)) choice.reference = run->id;
    results = tabulate(summaries, knownTitles(), !arguments.cut.empty(), choice);
  }
  std::vector<std::string> notes = divergedNotes(store, summaries);
  const std::vector<std::string> assumed = assumedBy(summaries);
  notes.insert(notes.end(), assumed.begin(), assumed.end());
  results.findings.insert(results.findings.end(), notes.begin(), notes.end());
  if (arguments.format == "csv") return resultsToCsv(results);
  if (arguments.format == "latex") {
    if (!cutNote.empty()) results.findings.insert(results.findings.begin(), cutNote);
    return resultsToLatex(results);
  }
  const std::string published = publishedMarkdown(summaries, knownTitles());
  std::string table = arguments.grouped ? groupedMarkdown(results) : comparisonMarkdown(summaries, knownTitles());
  for (std::size_t i = 0; !arguments.grouped && i < notes.size(); ++i) table += strCat("\n* ", notes[i], i + 1 == notes.size() ? "\n" : "");
  return table + (published.empty() ? "" : "\n") + published;
}

// All curves of all runs: one run after the other, so that it takes the memory of one. A file is whole or not there; stdout keeps what it has when a run
// cannot be read.
void writeSummaries(const SummaryArguments& arguments, const std::string& storePath) {
  const store::StoreReader store(storePath);
  const std::vector<store::RunRow> runs = chosenRuns(store, storePath, arguments.runs);
  summary::SummariesJson document;
  writeOutput(arguments.output, [&](const PieceWriter& write) {
    Summaries numbers;  // without their curves
    for (const store::RunRow& run : runs) {
      numbers.push_back(summary::summaryOf(store, run, summary::Details::all(), {.targetAccuracy = arguments.target}));
      write(document.next(numbers.back()));
      summary::keepOnly(numbers.back(), {});
    }
    std::string end = document.end();
    if (const std::vector<PublishedRow> rows = publishedRows(numbers); !rows.empty()) end.insert(end.rfind("\n}"), strCat(",\n  \"published\": ", publishedToJson(rows)));
    write(end + "\n");
  });
}

}  // namespace

void addSummaryCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<SummaryArguments>();
  CLI::App* command = app.add_subcommand("summary", "Writes the results of runs: accuracy, times, throughput, traffic, per worker and over time.");
  command->add_option("runs", arguments->runs, "ids, beginnings of ids, names; suites, too")->required()->type_name("RUN|SUITE");
  auto* format =
      command->add_option("--format", arguments->format, "json, csv, esync (the layout of ESync's summary.py), latex or markdown")
          ->capture_default_str()
          ->check(CLI::IsMember({"json", "csv", "esync", "latex", "markdown"}));
  command->add_flag("--json", arguments->json, "the same as --format json")->excludes(format);
  command->add_option("-o,--output", arguments->output, "file instead of standard output")->type_name("PATH");
  command->add_option("--target", arguments->target, "accuracy that the time to is told for")
      ->capture_default_str()
      ->check(CLI::Number);
  command->add_flag("--grouped", arguments->grouped, "with csv and markdown: runs that differ in the seed as one row, mean and standard deviation (latex has them so)");
  command->add_option("--cut", arguments->cut, kCutHelp)->type_name("BUDGET");
  command->add_option("--columns", arguments->table.columns, strCat("of grouped tables, with commas: ", listed(tableColumns())))->delimiter(',')->allow_extra_args(false)->type_name("ID,...");
  command->add_option("--over", arguments->table.reference, "adds speed-ups over a run or an algorithm: the mean time of its seeds over each run's, and likewise samples/s")->type_name("RUN");
  command->callback([arguments, &shared] {
    const bool chosen = !arguments->table.columns.empty() || !arguments->table.reference.empty();
    if (chosen && arguments->format != "latex" && !arguments->grouped) throw Error(Errc::kUsage, "--columns and --over go with --grouped and with --format latex");
    if (!arguments->cut.empty()) budgetFrom(arguments->cut);
    if (!arguments->cut.empty() && (arguments->format == "json" || arguments->format == "esync"))
      throw Error(Errc::kUsage, strCat("--cut goes with --format csv, latex or markdown; the format is ", arguments->format));
    if (arguments->grouped && (arguments->format == "json" || arguments->format == "esync"))
      throw Error(Errc::kUsage, strCat("--grouped goes with --format csv, latex or markdown; the format is ", arguments->format));
    if (arguments->format == "json") writeSummaries(*arguments, shared.store);
    else writeOutput(arguments->output, withNewline(summaryTable(*arguments, shared.store)));
  });
}

}  // namespace paceline::cli
