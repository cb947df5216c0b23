// paceline stop | attach | resume RUN: runs that go on without a recorder of their own, and those that shall go on.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/runs/chosen_runs.h"
#include "app/cluster/worker/catalog_source.h"
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/results/documents.h"
#include "app/cli/document/experiment_file.h"
#include "app/cli/runs/interrupt.h"
#include "app/cli/runs/progress.h"
#include "app/cli/terminal_prompts.h"
#include "app/cluster/run/run_controller.h"
#include "app/cluster/worker/spec_check.h"
#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"
#include "engine/core/spec/suite.h"
#include "engine/core/base/text.h"

namespace paceline::cli {
namespace {

// Only reads the store, so that it works while another process records the run.
void stop(const std::string& word, const std::string& storePath) {
  const store::RunRow run = chosenRun(store::StoreReader(storePath), storePath, word);
  if (store::isEnded(run.state)) throw Error(Errc::kStore, strCat(nameOr(run), " has already ended: ", store::stateName(run.state)));
  const std::vector<std::string> hosts = parseRunSpec(run.specText).spec.hosts();
  TerminalPrompts prompts;
  if (!run::stopRun(run.id, listedHosts(prompts), hosts)) throw Error(Errc::kHost, strCat(nameOr(run), " is not running on ", hosts == std::vector<std::string>{"local"} ? "this computer" : listed(hosts)));
  std::cout << "asked " << nameOr(run) << " to stop\n";
}

struct AttachArguments {
  std::string run;
  bool json = false;
};

// Shows a run's progress until it has ended, and fails unless it ended well.
void followed(run::Recorder& recorder, const std::string& name, const RunSpec& spec, bool json,
              const std::function<run::RunOutcome(run::RunController&, std::stop_token)>& work) {
  const Interrupt interrupt;
  const bool terminal = isTerminal(STDERR_FILENO);
  ProgressLine line(terminal         ? ProgressLine::Style::kTerminal
                    : json ? ProgressLine::Style::kSilent
                                     : ProgressLine::Style::kPlain,
                    1);
  line.begin(0, name, spec);
  TerminalPrompts prompts(interrupt.token());
  run::RunController controller(
      recorder,
      {.onState = [&line](const std::string&, store::RunState state, const std::string&) { line.state(store::stateName(state)); },
                 .onEvent = [&line](const StampedEvent& event) { line.take(event); }},
      listedHosts(prompts));
  const run::RunOutcome outcome = work(controller, interrupt.token());
  recorder.flush();
  line.end(strCat(store::stateName(outcome.state), outcome.error.empty() ? "" : ": " + outcome.error));
  if (json) std::cout << outcomesDocument({outcome});
  if (outcome.state != store::RunState::kFinished && outcome.state != store::RunState::kStopped)
    throw Error(Errc::kHost, strCat(name, ": ", outcome.error.empty() ? store::stateName(outcome.state) : outcome.error));
}

void attach(const AttachArguments& arguments, const std::string& storePath) {
  const store::RunRow run = chosenRun(store::StoreReader(storePath), storePath, arguments.run);
  if (store::isEnded(run.state)) throw Error(Errc::kStore, strCat(nameOr(run), " has already ended: ", store::stateName(run.state)));
  run::Recorder recorder(storePath);
  followed(recorder, nameOr(run), parseRunSpec(run.specText).spec, arguments.json,
           [&](run::RunController& controller, std::stop_token stop) { return controller.attach(run.id, std::move(stop)); });
}

struct ResumeArguments {
  std::string run, name;
  std::vector<std::string> assignments;
  bool json = false;
};

// The ended run's document with what the user changes in it; what its checkpoints depend on stays.
RunSpec resumable(const store::RunRow& run, const ResumeArguments& arguments) {
  std::string text = run.specText;
  if (!arguments.name.empty()) text = withOverride(text, "/name=" + arguments.name);
  for (const std::string& assignment : arguments.assignments) text = withOverride(text, assignment);
  const ParsedSpec parsed = parseRunSpec(text);
  const ParsedSpec checked = hasErrors(parsed.findings) ? parsed : worker::checkedSpec(parsed.spec, worker::describeLocal());
  for (const Finding& finding : checked.findings)
    if (finding.error) throw Error(Errc::kSpec, findingLine(nameOr(run), finding));
  if (stateConfig(checked.spec) != stateConfig(parseRunSpec(run.specText).spec))
    throw Error(Errc::kSpec, strCat(nameOr(run), ": its checkpoints fit no other training; what may change is stop, evaluate.every_rounds and source, "
                                                 "checkpoint, hosts, devices and threads"));
  return checked.spec;
}

void resume(const ResumeArguments& arguments, Shared& shared) {
  const store::RunRow run = chosenRun(store::StoreReader(shared.store), shared.store, arguments.run);
  if (!store::isEnded(run.state)) throw Error(Errc::kStore, strCat(nameOr(run), " has not ended: ", store::stateName(run.state), "; paceline attach follows it"));
  if (!run.source.empty() || run.specText.empty()) throw Error(Errc::kStore, strCat(nameOr(run), " is ", run.source, "; only real runs have checkpoints"));
  const RunSpec spec = resumable(run, arguments);
  run::Recorder recorder(shared.store);
  followed(recorder, strCat(nameOr(run), ", resumed"), spec, arguments.json,
           [&](run::RunController& controller, std::stop_token stop) { return controller.resume(run, spec, std::move(stop)); });
}

}  // namespace

void addControlCommands(CLI::App& app, Shared& shared) {
  auto word = std::make_shared<std::string>();
  CLI::App* stopper = app.add_subcommand("stop", "Asks a run to end in order; works while another process records it.");
  stopper->add_option("run", *word, "id, beginning of an id, or name")->required()->type_name("RUN");
  stopper->callback([word, &shared] { stop(*word, shared.store); });

  auto arguments = std::make_shared<AttachArguments>();
  CLI::App* attacher =
      app.add_subcommand("attach", "Picks up a run whose recorder went away, and follows it to its end. Ctrl-C stops the run.");
  attacher->add_option("run", arguments->run, "id, beginning of an id, or name")->required()->type_name("RUN");
  attacher->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  attacher->callback([arguments, &shared] { attach(*arguments, shared.store); });

  auto again = std::make_shared<ResumeArguments>();
  CLI::App* resumer = app.add_subcommand("resume", "Goes on from the last checkpoint of an ended run, as a new run that has the old one's records up to it.");
  resumer->add_option("run", again->run, "id, beginning of an id, or name")->required()->type_name("RUN");
  resumer->add_option("--set", again->assignments, "overrides a value of the document, as /stop/rounds=500")
      ->type_name("/pointer=value")
      ->allow_extra_args(false);
  resumer->add_option("--name", again->name, "name of the new run")->type_name("TEXT");
  resumer->add_flag("--json", again->json, "print one JSON document and nothing else");
  resumer->callback([again, &shared] { resume(*again, shared); });
}

}  // namespace paceline::cli
