// paceline run | simulate SPEC.json: checks the whole document first, then runs its points and compares what came out.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/runs/chosen_runs.h"
#include "app/cluster/worker/catalog_source.h"
#include "app/cli/command.h"
#include "app/cli/results/comparison.h"
#include "app/cli/console.h"
#include "app/cli/results/documents.h"
#include "app/cli/runs/run_list.h"
#include "app/cli/terminal_prompts.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

struct RunArguments {
  ExperimentRequest request;
  RunListOptions options;
  double target = 0.8;
  bool json = false;
};

ProgressLine::Style progressStyle(bool json) {
  if (isTerminal(STDERR_FILENO)) return ProgressLine::Style::kTerminal;
  return json ? ProgressLine::Style::kSilent : ProgressLine::Style::kPlain;
}

void printTable(const std::string& store, const std::vector<run::RunOutcome>& outcomes, double target) {
  std::vector<std::string> ids;
  for (const run::RunOutcome& outcome : outcomes)
    if (!outcome.run.empty()) ids.push_back(outcome.run);
  if (ids.empty()) return;
  std::cout << '\n' << comparisonTable(chosenSummaries(store, ids, target));
  std::cout << "\nfigures: paceline figure all";
  for (const std::string& id : ids) std::cout << ' ' << id;
  std::cout << " -o DIR\n";
}

// One sentence for stderr when not all is well.
void refuseFailures(const std::vector<run::RunOutcome>& outcomes, std::size_t planned, bool interrupted) {
  const auto failed = std::ranges::count_if(
      outcomes, [](const run::RunOutcome& o) { return o.state != store::RunState::kFinished && o.state != store::RunState::kStopped; });
  if (interrupted)
    throw Error(Errc::kStopped,
                strCat("stopped on request", planned > outcomes.size() ? strCat("; ", planned - outcomes.size(), " of ", planned,
                                                                                " runs not begun, --resume goes on")
                                                                       : ""));
  if (failed == 0) return;
  const auto bad = std::ranges::find_if(
      outcomes, [](const run::RunOutcome& o) { return o.state != store::RunState::kFinished && o.state != store::RunState::kStopped; });
  const std::string what = strCat(bad->name, ": ", bad->error.empty() ? store::stateName(bad->state) : bad->error);
  throw Error(Errc::kSpec, failed == 1 ? what : strCat(what, " (and ", failed - 1, " more runs failed)"));
}

void runExperiment(const RunArguments& arguments, const std::string& store) {
  const Experiment experiment = readExperiment(arguments.request, worker::describeLocal());
  refuseErrors(experiment);
  if (!arguments.json)
    for (const Finding& finding : experiment.findings) std::cerr << findingLine(experiment.path, finding) << '\n';
  std::vector<run::RunOutcome> outcomes;
  bool interrupted = false;
  {
    run::Recorder recorder(store);
    Interrupt interrupt;
    ProgressLine line(progressStyle(arguments.json), experiment.points.size());
    TerminalPrompts prompts(interrupt.token());
    outcomes = RunList(recorder, arguments.options, line, listedHosts(prompts)).run(experiment.points, interrupt);
    recorder.flush();
    interrupted = interrupt.asked();
  }
  if (arguments.json)
    std::cout << outcomesDocument(outcomes);
  else
    printTable(store, outcomes, arguments.target);
  std::cout.flush();
  refuseFailures(outcomes, experiment.points.size(), interrupted);
}

void addRunCommand(CLI::App& app, Shared& shared, const std::string& name, const std::string& help, bool simulated) {
  auto arguments = std::make_shared<RunArguments>();
  arguments->options.simulated = simulated;
  CLI::App* command = app.add_subcommand(name, help);
  command->add_option("spec", arguments->request.path, "a run or a suite of runs")->required()->type_name("SPEC.json");
  command->add_option("--set", arguments->request.assignments, "overrides a value of the document, as /seed=3")
      ->type_name("/pointer=value")
      ->allow_extra_args(false);
  command->add_option("--name", arguments->request.name, "name of the run, or of the suite")->type_name("TEXT");
  command->add_option("--target", arguments->target, "accuracy that the table takes the time to")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  command->add_flag("--resume", arguments->options.resume,
                    "take runs of the same configuration that finished in this store, run the rest");
  command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  command->callback([arguments, &shared] { runExperiment(*arguments, shared.store); });
}

}  // namespace

void addRunCommands(CLI::App& app, Shared& shared) {
  addRunCommand(app, shared, "run", "Runs a spec, or the runs of a suite one after another.", false);
  addRunCommand(app, shared, "simulate", "Runs the same document in virtual time, in one process, deterministically.", true);
}

}  // namespace paceline::cli
