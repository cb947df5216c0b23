// paceline summary RUN...: the numbers of runs as a document. paceline import PATH... | export RUN...: exchange with other tools' files.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/results/documents.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/cli/terminal_prompts.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/recorder/client.h"
#include "app/cluster/run/weights.h"
#include "app/figures/budget.h"
#include "app/figures/lanes/lanes.h"
#include "app/figures/published.h"
#include "app/figures/results.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "storage/interchange/interop.h"

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
  if (arguments.format == "csv") return resultsToCsv(results);
  if (arguments.format == "latex") {
    if (!cutNote.empty()) results.findings.insert(results.findings.begin(), cutNote);
    return resultsToLatex(results);
  }
  const std::string published = publishedMarkdown(summaries, knownTitles());
  return (arguments.grouped ? groupedMarkdown(results) : comparisonMarkdown(summaries, knownTitles())) + (published.empty() ? "" : "\n") + published;
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

struct ImportArguments {
  std::vector<std::string> paths;
  bool json = false;
};

void importPaths(const ImportArguments& arguments, const std::string& storePath) {
  const std::vector<std::string> ids = recorder::Client(storePath).importPaths(arguments.paths);
  const store::StoreReader store(storePath);
  std::vector<store::RunRow> runs = chosenRuns(store, storePath, ids);
  if (arguments.json) {
    std::cout << runsDocument(runs);
    return;
  }
  for (const store::RunRow& run : runs) std::cout << "imported " << run.id << "  " << nameOr(run) << '\n';
}

struct ExportArguments {
  std::vector<std::string> runs;
  std::string output, format = "json", weights = "best";
};

bool isOfWeights(const std::string& format) { return format == "safetensors" || format == "npz"; }

// What its hosts kept (/checkpoint/weights of its document).
void exportWeights(const ExportArguments& arguments, const store::RunRow& run, const std::string& path) {
  TerminalPrompts prompts;
  const hosts::HostOpener opener = hosts::bookOpener(hosts::HostRegistry::load(hosts::HostRegistry::defaultPath()), prompts);
  const Weights weights = run::weightsOfRun(run.id, parseRunSpec(run.specText).spec, arguments.weights, opener);
  writeOutput(path, arguments.format == "npz" ? npzBytes(weights) : safetensorsBytes(weights));
}


// "csv" is of rounds; other lists of records are called by their names.
std::string listOf(const std::string& format) { return format == "csv" ? "rounds" : format; }

std::string exported(const summary::RunData& data, const std::string& format) {
  return format == "json" ? interchange::runToJson(data) + "\n" : interchange::recordsToCsv(data, listOf(format));
}

// Of a long run in fewer slices than a viewer of traces takes.
void exportTrace(const store::StoreReader& store, const store::RunRow& run, const std::string& path) {
  constexpr std::size_t kMostRounds = 400'000;  // of all workers: some two million slices
  const lanes::Timeline timeline = lanes::StoredLanes(store, run.id).between(0, std::numeric_limits<double>::infinity(), kMostRounds / std::max<std::size_t>(1, store.nodes(run.id).size()));
  writeOutput(path, [&](const PieceWriter& write) { lanes::writeTrace(timeline, nameOr(run), write); });
}

// One run: the file PATH. Several: PATH is a folder with a file for each.
void exportRuns(const ExportArguments& arguments, const std::string& storePath) {
  const store::StoreReader store(storePath);
  const std::vector<store::RunRow> runs = chosenRuns(store, storePath, arguments.runs);
  const bool folder = arguments.format == "esync" || runs.size() > 1 || std::filesystem::is_directory(arguments.output);
  if (folder) makeFolder(arguments.output);
  for (const store::RunRow& run : runs) {
    const std::string path =
        folder && arguments.format != "esync" ? strCat(arguments.output, "/", run.id, isOfWeights(arguments.format) ? "." + arguments.format : interchange::endingOf(arguments.format)) : arguments.output;
    const summary::RunData data = arguments.format == "trace" || isOfWeights(arguments.format) ? summary::RunData() : summary::loadRun(store, run);
    if (arguments.format == "trace") exportTrace(store, run, path);
    else if (isOfWeights(arguments.format)) exportWeights(arguments, run, path);
    else if (arguments.format != "esync") writeOutput(path, exported(data, arguments.format));
    else if (const std::string removed = interchange::exportEsyncTree(data, path); !removed.empty()) std::cout << removed << '\n';
    if (path != "-") std::cout << "exported " << nameOr(run) << " to " << path << std::endl;  // whoever reads along is told of each
  }
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

void addInteropCommands(CLI::App& app, Shared& shared) {
  auto in = std::make_shared<ImportArguments>();
  CLI::App* import = app.add_subcommand("import", "Takes in bundles of paceline export, ESync log trees and ESync summary files.");
  import->add_option("paths", in->paths, "folders and files")->required()->type_name("PATH");
  import->add_flag("--json", in->json, "print one JSON document and nothing else");
  import->callback([in, &shared] { importPaths(*in, shared.store); });

  auto out = std::make_shared<ExportArguments>();
  CLI::App* exporter = app.add_subcommand("export", "Writes all that was recorded of runs.");
  exporter->add_option("runs", out->runs, "ids, beginnings of ids, names; suites, too")->required()->type_name("RUN|SUITE");
  exporter->add_option("-o,--output", out->output, "a file, or a folder for several runs and for esync")->required()->type_name("PATH");
  std::vector<std::string> formats = interchange::recordLists();
  const std::string lists = listed(formats);
  formats.insert(formats.begin(), {"json", "esync", "trace", "safetensors", "npz", "csv"});
  exporter->add_option("--format", out->format, "json (everything), esync (a log tree), trace (the timeline for chrome://tracing and Perfetto), safetensors or npz (the model's weights, as its hosts kept them), csv (every round), or CSV of one list of records: " + lists)
      ->capture_default_str()
      ->check(CLI::IsMember(formats));
  exporter->add_option("--weights", out->weights, "whose, with safetensors and npz: best (of the best evaluation), last, or the round of a checkpoint")->capture_default_str()->type_name("WHICH");
  exporter->callback([out, &shared] { exportRuns(*out, shared.store); });
}

}  // namespace paceline::cli
