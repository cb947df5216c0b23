// paceline stop | attach RUN: runs that go on without a recorder of their own.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/chosen_runs.h"
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/documents.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/cli/terminal_questions.h"
#include "app/cluster/run_controller.h"
#include "engine/core/error.h"
#include "engine/core/text.h"

namespace paceline {
namespace {

// Only reads the store, so that it works while another process records the run.
void stop(const std::string& word, const std::string& storePath) {
  const RunRow run = chosenRun(StoreReader(storePath), storePath, word);
  if (isEnded(run.state)) throw Error(Errc::kStore, strCat(nameOr(run), " has already ended: ", stateName(run.state)));
  const std::vector<std::string> hosts = parseRunSpec(run.specText).spec.hosts();
  TerminalQuestions questions;
  if (!stopRun(run.id, listedHosts(questions), hosts)) throw Error(Errc::kHost, strCat(nameOr(run), " is not running on ", hosts == std::vector<std::string>{"local"} ? "this computer" : listed(hosts)));
  std::cout << "asked " << nameOr(run) << " to stop\n";
}

struct AttachArguments {
  std::string run;
  bool json = false;
};

void attach(const AttachArguments& arguments, const std::string& storePath) {
  const RunRow run = chosenRun(StoreReader(storePath), storePath, arguments.run);
  if (isEnded(run.state)) throw Error(Errc::kStore, strCat(nameOr(run), " has already ended: ", stateName(run.state)));
  Recorder recorder(storePath);
  const Interrupt interrupt;
  const bool terminal = isTerminal(STDERR_FILENO);
  ProgressLine line(terminal         ? ProgressLine::Style::kTerminal
                    : arguments.json ? ProgressLine::Style::kSilent
                                     : ProgressLine::Style::kPlain,
                    1);
  line.begin(0, nameOr(run), parseRunSpec(run.specText).spec);
  TerminalQuestions questions(interrupt.token());
  RunController controller(
      recorder,
      {.onState = [&line](const std::string&, RunState state, const std::string&) { line.state(stateName(state)); },
                 .onEvent = [&line](const StampedEvent& event) { line.take(event); }},
      listedHosts(questions));
  const RunOutcome outcome = controller.attach(run.id, interrupt.token());
  recorder.flush();
  line.end(strCat(stateName(outcome.state), outcome.error.empty() ? "" : ": " + outcome.error));
  if (arguments.json) std::cout << outcomesDocument({outcome});
  if (outcome.state != RunState::kFinished && outcome.state != RunState::kStopped)
    throw Error(Errc::kHost, strCat(nameOr(run), ": ", outcome.error.empty() ? stateName(outcome.state) : outcome.error));
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
}

}  // namespace paceline
