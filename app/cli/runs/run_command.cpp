// paceline run | simulate SPEC.json: checks the whole document first, gives its points to the recorder and compares what came out.
// paceline simulate --calibrate RUN: with what was measured of a run.
// paceline validate SPEC.json: every finding with its JSON pointer.
#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/document/experiment_file.h"
#include "app/cli/document/model_note.h"
#include "app/cli/results/documents.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/cli/runs/followed_runs.h"
#include "app/cli/runs/search_table.h"
#include "app/cluster/worker/worker_answer.h"
#include "app/why/simulated.h"
#include "engine/core/base/error.h"
#include "storage/summary/assumed.h"

namespace paceline::cli {
namespace {

using recorder::Entry;

struct RunArguments {
  ExperimentRequest request;
  recorder::Submission submission;
  FollowOptions options;
  double target = 0.8;
  bool detach = false;
  std::string calibrate;  // a run; "": nothing is measured
};

// The run's own document, or the given one, with the times that were measured of the run.
Experiment readCalibrated(RunArguments& arguments, const std::string& storePath) {
  const store::StoreReader store(storePath);
  const store::RunRow row = chosenRun(store, storePath, arguments.calibrate);
  if (row.source == "simulated") throw Error(Errc::kStore, strCat("run \"", nameOr(row), "\" is simulated: nothing of it was measured"));
  const why::Explained run = why::explained(summary::loadRun(store, row));
  const why::Calibration measured = why::calibrated(run, why::briefly(run, why::localSimulator()));
  if (!arguments.options.json)
    for (const std::string& note : measured.notes) std::cerr << note << '\n';
  if (arguments.request.path.empty()) arguments.request.path = strCat("run ", nameOr(row)), arguments.request.text = toJsonText(run.spec);
  Experiment experiment = readExperiment(arguments.request, worker::describeLocal());
  refuseErrors(experiment);
  for (ExperimentPoint& point : experiment.points) why::takeTimes(measured.spec, point.spec);
  return experiment;
}

void printTable(const std::string& store, const std::vector<Entry>& entries, double target) {
  std::vector<std::string> ids;
  for (const Entry& entry : entries)
    if (store::StoreReader(store).find(entry.run)) ids.push_back(entry.run);
  if (ids.empty()) return;
  const Summaries runs = chosenSummaries(store, ids, target);
  std::cout << '\n' << comparisonTable(runs, knownTitles());
  for (const std::string& note : divergedNotes(store, runs)) std::cout << note << '\n';
  if (const std::string published = publishedTable(runs, knownTitles()); !published.empty()) std::cout << '\n' << published;
  std::cout << "\nfigures: paceline figure all";
  for (const std::string& id : ids) std::cout << ' ' << id;
  std::cout << " -o DIR" << (store == store::defaultStorePath() ? "" : strCat(" --store ", store)) << '\n';
}

void runSearch(RunArguments& arguments, const Experiment& experiment, const std::string& storePath) {
  if (arguments.submission.skipFinished) throw Error(Errc::kUsage, "--resume does not go with a search: which points it tries follows from what they give");
  arguments.submission.search = experiment.search;
  const auto runs = parseSuite(experiment.search).search->spec().budget.runs;
  if (arguments.detach) {
    const std::string suite = recorder::Client(storePath).beginSearch(arguments.submission);
    if (arguments.options.json) printSearch(storePath, suite, true);
    else std::cout << suite << "  " << experiment.suite << '\n';
    return;
  }
  FollowedRuns followed(storePath, arguments.options);
  const std::string suite = followed.search(arguments.submission, static_cast<std::size_t>(runs.value_or(0)));
  const recorder::SearchStory story = printSearch(storePath, suite, arguments.options.json);
  std::cout.flush();
  if (followed.interrupted()) throw Error(Errc::kStopped, "stopped on request");
  if (!story.best) throw Error(Errc::kSpec, story.sentence);
}

void sayAssumed(const Experiment& experiment) {
  std::vector<std::string> said;
  for (const ExperimentPoint& point : experiment.points)
    if (const std::string assumed = summary::assumedOf(point.spec); !assumed.empty() && std::ranges::find(said, assumed) == said.end()) said.push_back(assumed);
  for (const std::string& each : said) std::cerr << experiment.path << ": assumed: " << each << '\n';
}

void runExperiment(RunArguments& arguments, const std::string& store) {
  const Experiment experiment = arguments.calibrate.empty() ? readExperiment(arguments.request, worker::describeLocal()) : readCalibrated(arguments, store);
  refuseErrors(experiment);
  if (!arguments.options.json && !arguments.options.quiet)
    for (const Finding& finding : experiment.findings) std::cerr << findingLine(experiment.path, finding) << '\n';
  arguments.submission.suite = experiment.suite;
  if (!experiment.search.empty()) return runSearch(arguments, experiment, store);
  for (const ExperimentPoint& point : experiment.points) arguments.submission.points.push_back({.name = point.name, .spec = toJsonText(point.spec)});
  if (arguments.detach) {
    const std::vector<Entry> entries = recorder::Client(store).submit(arguments.submission);
    if (arguments.options.json) std::cout << outcomesDocument(entries);
    else
      for (const Entry& entry : entries) std::cout << entry.run << "  " << entry.name << '\n';
    return;
  }
  FollowedRuns runs(store, arguments.options);
  const std::vector<Entry> ended = runs.run(arguments.submission);
  if (!arguments.options.json && !arguments.options.quiet && arguments.submission.kind == recorder::EntryKind::kSimulation) sayAssumed(experiment);
  if (arguments.options.json) std::cout << outcomesDocument(ended);
  else printTable(store, ended, arguments.target);
  std::cout.flush();
  refuseFailures(runs, ended, experiment.points.size());
}

void addRunCommand(CLI::App& app, Shared& shared, const std::string& name, const std::string& help, recorder::EntryKind kind) {
  auto arguments = std::make_shared<RunArguments>();
  arguments->submission.kind = kind;
  CLI::App* command = app.add_subcommand(name, help);
  CLI::Option* spec = command->add_option("spec", arguments->request.path, "a run or a suite of runs")->type_name("SPEC.json");
  if (kind == recorder::EntryKind::kRun) spec->required();
  command->add_option("--set", arguments->request.assignments, "overrides a value of the document, as /seed=3")
      ->type_name("/pointer=value")
      ->allow_extra_args(false);
  command->add_option("--name", arguments->request.name, "name of the run, or of the suite")->type_name("TEXT");
  command->add_option("--target", arguments->target, "accuracy that the table takes the time to")
      ->capture_default_str()
      ->check(CLI::Number);
  command->add_flag("--resume", arguments->submission.skipFinished, "take runs of the same configuration that finished in this store, and simulations that diverged; run the rest");
  if (kind == recorder::EntryKind::kSimulation)
    command->add_flag_callback("--no-learning", [arguments] { arguments->request.assignments.push_back("/learn=false"); }, "times and bytes alone: nobody computes, so there is no loss and no accuracy");
  if (kind == recorder::EntryKind::kSimulation)
    command->add_option("--calibrate", arguments->calibrate, "with the step times, links and servers that were measured of this run; without SPEC.json its own document")->type_name("RUN");
  if (kind == recorder::EntryKind::kRun) command->add_flag("--now", arguments->submission.now, "run beside what the hosts are training already; both get slower");
  CLI::Option* inside = command->add_flag("--in-process", arguments->options.inProcess, "record in this process instead of starting a recorder");
  command->add_flag("--detach", arguments->detach, "leave the runs to the recorder and end")->excludes(inside);
  addFollowFlags(*command, arguments->options);
  command->callback([arguments, &shared] {
    if (arguments->request.path.empty() && arguments->calibrate.empty()) throw CLI::RequiredError("spec");
    runExperiment(*arguments, shared.store);
  });
}

struct ValidateArguments {
  ExperimentRequest request;
  bool json = false;
};

void validateFile(const ValidateArguments& arguments, Shared& shared) {
  const Catalog catalog = worker::describeLocal();
  const Experiment experiment = readExperiment(arguments.request, catalog);
  if (arguments.json) {
    std::cout << findingsDocument(experiment.findings);
  } else {
    for (const Finding& finding : experiment.findings) std::cout << findingLine(experiment.path, finding) << '\n';
    const auto space = experiment.search.empty() ? nullptr : parseSuite(experiment.search).search;
    const std::string runs = space ? "a search: " + recorder::planText(*space) : experiment.isSuite ? strCat("a suite of ", experiment.points.size(), " runs") : "a run";
    if (!hasErrors(experiment.findings)) {
      for (const std::string& note : modelNotes(experiment, catalog)) std::cout << experiment.path << ": note: " << note << '\n';
      std::cout << experiment.path << ": valid, " << runs << '\n';
    }
  }
  if (!hasErrors(experiment.findings)) return;
  shared.exit = 1;
  const auto errors = std::ranges::count_if(experiment.findings, &Finding::error);
  std::cerr << "paceline: " << experiment.path << " has " << errors << (errors == 1 ? " error\n" : " errors\n");
}

}  // namespace

void addRunCommands(CLI::App& app, Shared& shared) {
  addRunCommand(app, shared, "run", "Runs a spec, or the runs of a suite one after another.", recorder::EntryKind::kRun);
  addRunCommand(app, shared, "simulate", "Runs the same document in virtual time, in one process, deterministically.", recorder::EntryKind::kSimulation);
}

void addValidateCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<ValidateArguments>();
  CLI::App* command = app.add_subcommand("validate", "Says everything that is wrong with a spec or suite.");
  command->add_option("spec", arguments->request.path, "a run or a suite of runs")->required()->type_name("SPEC.json");
  command->add_option("--set", arguments->request.assignments, "overrides a value of the document, as /seed=3")
      ->type_name("/pointer=value")
      ->allow_extra_args(false);
  command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  command->callback([arguments, &shared] { validateFile(*arguments, shared); });
}

}  // namespace paceline::cli
