// paceline import PATH... | export RUN...: exchange with other tools' files.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/results/documents.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/cli/runs/followed_runs.h"
#include "app/cli/terminal_prompts.h"
#include "app/cluster/interop/import_patience.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/recorder/client.h"
#include "app/cluster/run/weights.h"
#include "app/figures/lanes/lanes.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "storage/interchange/foreign/tensorboard_export.h"
#include "storage/interchange/interop.h"

namespace paceline::cli {
namespace {

struct ImportArguments {
  std::vector<std::string> paths, assignments;
  std::string profile;
  bool json = false, follow = false;
};

constexpr double kLookAgainSeconds = 1;

std::string profileOf(const ImportArguments& arguments) {
  interchange::ImportProfile profile;
  if (!arguments.profile.empty()) profile = interchange::ImportProfile::fromJson(readTextFile(arguments.profile), arguments.profile);
  for (const std::string& assignment : arguments.assignments) profile.take(assignment);
  return profile.text();
}

// Files of runs that are under way elsewhere, until Ctrl-C: each time they have more, a line.
void follow(recorder::Client& client, const ImportArguments& arguments, const std::string& profile, const store::StoreReader& store, std::map<std::string, std::string> recorded) {
  const Interrupt interrupt;
  interop::ImportPatience patience;
  const auto imported = [&]() -> std::vector<std::string> {
    try {
      std::vector<std::string> ids = client.importPaths(arguments.paths, profile);
      patience.wasRead();
      return ids;
    } catch (const Error& error) {
      if (patience.isOver(error.code())) throw;
      return {};
    }
  };
  while (!interrupt.asked()) {
    client.next(kLookAgainSeconds);
    if (interrupt.asked()) return;
    for (const std::string& id : imported()) {
      const std::string now = store.recorded(id);
      if (std::exchange(recorded[id], now) == now) continue;
      const auto metrics = store.records<MetricRecord>(id);
      std::cout << nameOr(store.find(id).value()) << ": " << metrics.size() << " numbers, newest step " << (metrics.empty() ? 0 : std::ranges::max(metrics, {}, [](const auto& row) { return row.record.round; }).record.round) << std::endl;
    }
  }
}

void importPaths(const ImportArguments& arguments, const std::string& storePath) {
  recorder::Client client(storePath);
  const std::string profile = profileOf(arguments);
  const std::vector<std::string> ids = client.importPaths(arguments.paths, profile);
  const store::StoreReader store(storePath);
  std::vector<store::RunRow> runs = chosenRuns(store, storePath, ids);
  if (arguments.json) std::cout << runsDocument(runs);
  else for (const store::RunRow& run : runs) std::cout << "imported " << run.id << "  " << nameOr(run) << std::endl;
  if (!arguments.follow) return;
  std::map<std::string, std::string> recorded;
  for (const std::string& id : ids) recorded[id] = store.recorded(id);
  follow(client, arguments, profile, store, std::move(recorded));
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

void exportEsync(const summary::RunData& data, const std::string& path, bool original) {
  std::string told;
  const std::string removed = interchange::exportEsyncTree(data, path, original ? interchange::EsyncFolders::kOriginal : interchange::EsyncFolders::kOwn, original ? &told : nullptr);
  std::cout << removed << (removed.empty() ? "" : "\n") << told;
}

// A log tree has one folder for a network, a mode and whether the classes are split: runs that differ in their seeds alone have no two places in it, other methods none.
void refuseWithoutPlace(const std::vector<store::RunRow>& runs) {
  std::map<std::tuple<std::string, std::string, bool>, const store::RunRow*> taken;
  for (const store::RunRow& run : runs) {
    summary::RunData asked;  // no records are needed to say that its method has no place
    asked.run = run;
    static_cast<void>(interchange::esyncSummaryJson(asked));
    const auto [place, isNew] = taken.try_emplace({run.model, run.algorithm, run.partition == "by_class"}, &run);
    if (isNew) continue;
    const store::RunRow& other = *place->second;
    throw Error(Errc::kUnsupported, strCat("\"", nameOr(other), "\" (", other.id, ") and \"", nameOr(run), "\" (", run.id, ") would go to the same folder of an ESync log tree, that of ", run.model, " with ", run.algorithm,
                                           "; nothing was written. Export each to a folder of its own"));
  }
}

// One run: the file PATH. Several: PATH is a folder with a file for each.
void exportRuns(const ExportArguments& arguments, const std::string& storePath) {
  const store::StoreReader store(storePath);
  const std::vector<store::RunRow> runs = chosenRuns(store, storePath, arguments.runs);
  const bool esync = arguments.format == "esync" || arguments.format == "esync-original", tree = esync || arguments.format == "tensorboard";
  if (esync) refuseWithoutPlace(runs);
  const bool folder = tree || runs.size() > 1 || std::filesystem::is_directory(arguments.output);
  if (folder) makeFolder(arguments.output);
  for (const store::RunRow& run : runs) {
    const std::string path =
        folder && !tree ? strCat(arguments.output, "/", run.id, isOfWeights(arguments.format) ? "." + arguments.format : interchange::endingOf(arguments.format)) : arguments.output;
    const summary::RunData data = arguments.format == "trace" || isOfWeights(arguments.format) ? summary::RunData() : summary::loadRun(store, run);
    if (arguments.format == "trace") exportTrace(store, run, path);
    else if (isOfWeights(arguments.format)) exportWeights(arguments, run, path);
    else if (arguments.format == "tensorboard") interchange::exportEventFiles(data, path);
    else if (!esync) writeOutput(path, exported(data, arguments.format));
    else exportEsync(data, path, arguments.format == "esync-original");
    if (path != "-") std::cout << "exported " << nameOr(run) << " to " << path << std::endl;  // whoever reads along is told of each
  }
}

}  // namespace

void addInteropCommands(CLI::App& app, Shared& shared) {
  auto in = std::make_shared<ImportArguments>();
  CLI::App* import = app.add_subcommand("import", strCat("Takes in what is in files and folders, told by their content: ", interchange::importableKinds(), ". What was imported before gets what is new."));
  import->add_option("paths", in->paths, "folders and files")->required()->type_name("PATH");
  import->add_option("--map", in->assignments, "what is what in other tools' files: accuracy, loss (of training), evaluation_loss, samples, and of tables step, time (Unix s), run, name and value, separator")->type_name("ROLE=NAME,...");
  import->add_option("--profile", in->profile, "a JSON file with the same: {\"accuracy\": \"val/acc\"}")->type_name("FILE")->check(CLI::ExistingFile);
  import->add_flag("--follow", in->follow, "go on with files that still grow, until Ctrl-C");
  import->add_flag("--json", in->json, "print one JSON document and nothing else");
  import->callback([in, &shared] { importPaths(*in, shared.store); });

  auto out = std::make_shared<ExportArguments>();
  CLI::App* exporter = app.add_subcommand("export", "Writes all that was recorded of runs.");
  exporter->add_option("runs", out->runs, "ids, beginnings of ids, names; suites, too")->required()->type_name("RUN|SUITE");
  exporter->add_option("-o,--output", out->output, "a file, or a folder for several runs, for esync's and for tensorboard")->required()->type_name("PATH");
  std::vector<std::string> formats = interchange::recordLists();
  const std::string lists = listed(formats);
  formats.insert(formats.begin(), {"json", "esync", "esync-original", "tensorboard", "trace", "safetensors", "npz", "csv"});
  exporter->add_option("--format", out->format, "json (everything), esync (a log tree), esync-original (with the folders that ESync's own scripts read), tensorboard (event files, with HParams), trace (the timeline for chrome://tracing and Perfetto), safetensors or npz (the model's weights, as its hosts kept them), csv (every round), or CSV of one list of records: " + lists)
      ->capture_default_str()
      ->check(CLI::IsMember(formats));
  exporter->add_option("--weights", out->weights, "whose, with safetensors and npz: best (of the best evaluation), last, or the round of a checkpoint")->capture_default_str()->type_name("WHICH");
  exporter->callback([out, &shared] { exportRuns(*out, shared.store); });
}

}  // namespace paceline::cli
