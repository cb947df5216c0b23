// paceline stop | attach | resume RUN: runs that wait, are under way, or shall go on.
// paceline recorder: the process that records a store's runs.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/document/experiment_file.h"
#include "app/cli/results/documents.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/cli/runs/followed_runs.h"
#include "app/cluster/recorder/client.h"
#include "app/cluster/recorder/reach.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/state_table.h"
#include "engine/core/spec/suite.h"

namespace paceline::cli {
namespace {

// A run that has begun, else one that waits.
void stop(const std::string& word, const std::string& storePath) {
  const store::StoreReader store(storePath);
  TerminalPrompts prompts;
  recorder::Client client(storePath, {.answers = true, .ask = [&prompts](const recorder::Question& question) { return answerTo(question, prompts); }});
  const auto ask = [&client](const std::string& run, const std::string& name) {
    client.stop(run);
    std::cout << "asked " << name << " to stop\n";
  };
  for (const store::QueueRow& row : store.queue())
    if (!row.begun && (row.run == word || row.name == word || row.run.starts_with(word))) return ask(row.run, row.name.empty() ? row.run : row.name);
  const store::RunRow run = chosenRun(store, storePath, word);
  if (store::isEnded(run.state)) throw Error(Errc::kStore, strCat(nameOr(run), " has already ended: ", store::stateName(run.state)));
  ask(run.id, nameOr(run));
}

struct AttachArguments {
  std::string run;
  FollowOptions options;
};

// Shows a run's progress until it has ended, and fails unless it ended well.
void follow(const std::string& storePath, const recorder::Submission& submission, const std::string& name, const FollowOptions& options) {
  FollowedRuns runs(storePath, options);
  const recorder::Entry last = runs.run(submission).at(0);
  if (options.json) std::cout << outcomesDocument({last});
  if (last.state != store::RunState::kFinished && last.state != store::RunState::kStopped)
    throw Error(Errc::kHost, strCat(name, ": ", last.text.empty() ? store::stateName(last.state) : last.text));
}

void attach(const AttachArguments& arguments, const std::string& storePath) {
  const store::RunRow run = chosenRun(store::StoreReader(storePath), storePath, arguments.run);
  if (store::isEnded(run.state)) throw Error(Errc::kStore, strCat(nameOr(run), " has already ended: ", store::stateName(run.state)));
  follow(storePath, {.kind = recorder::EntryKind::kAttach, .points = {}, .resumedFrom = run.id}, nameOr(run), arguments.options);
}

struct ResumeArguments {
  std::string run, name;
  std::vector<std::string> assignments;
  FollowOptions options;
};

// The ended run's document with what the user changes in it; what its checkpoints depend on stays.
RunSpec resumable(const store::RunRow& run, const ResumeArguments& arguments) {
  std::string text = run.specText;
  if (!arguments.name.empty()) text = withOverride(text, "/name=" + dumped(Json(arguments.name)));  // a text, whatever it looks like
  for (const std::string& assignment : arguments.assignments) text = withOverride(text, assignment);
  const ParsedSpec parsed = parseRunSpec(text);
  const ParsedSpec checked = hasErrors(parsed.findings) ? parsed : worker::checkedSpec(parsed.spec, worker::describeLocal());
  for (const Finding& finding : checked.findings)
    if (finding.error) throw Error(Errc::kSpec, findingLine(nameOr(run), finding));
  if (stateConfig(checked.spec) != stateConfig(parseRunSpec(run.specText).spec))
    throw Error(Errc::kSpec, strCat(nameOr(run), ": its checkpoints fit no other training; what may change is stop, evaluate.every_rounds and source, "
                                                 "checkpoint, node_silent_s, hosts, devices and threads"));
  return checked.spec;
}

void resume(const ResumeArguments& arguments, Shared& shared) {
  const store::RunRow run = chosenRun(store::StoreReader(shared.store), shared.store, arguments.run);
  if (!store::isEnded(run.state)) throw Error(Errc::kStore, strCat(nameOr(run), " has not ended: ", store::stateName(run.state), "; paceline attach follows it"));
  if (!run.source.empty() || run.specText.empty()) throw Error(Errc::kStore, strCat(nameOr(run), " is ", run.source, "; only real runs have checkpoints"));
  const RunSpec spec = resumable(run, arguments);
  const std::string name = strCat(nameOr(run), ", resumed");
  follow(shared.store, {.kind = recorder::EntryKind::kResume, .points = {{.name = spec.name, .spec = toJsonText(spec)}}, .resumedFrom = run.id}, name, arguments.options);
}

void serve(Shared& shared, bool foreground) {
  try {
    shared.exit = recorder::serve(shared.store, foreground);
  } catch (const Error& error) {
    if (error.code() != Errc::kLocked) throw;
    std::cerr << "paceline: " << error.what() << '\n';
    shared.exit = recorder::kLockedExit;
  }
}

}  // namespace

void addControlCommands(CLI::App& app, Shared& shared) {
  auto word = std::make_shared<std::string>();
  CLI::App* stopper = app.add_subcommand("stop", "Asks a run to end in order, or takes it out of the queue.");
  stopper->add_option("run", *word, "id, beginning of an id, or name")->required()->type_name("RUN");
  stopper->callback([word, &shared] { stop(*word, shared.store); });

  auto arguments = std::make_shared<AttachArguments>();
  CLI::App* attacher =
      app.add_subcommand("attach", "Follows a run to its end, whoever started it; picks up one that nobody records. Ctrl-C stops the run.");
  attacher->add_option("run", arguments->run, "id, beginning of an id, or name")->required()->type_name("RUN");
  addFollowFlags(*attacher, arguments->options);
  attacher->callback([arguments, &shared] { attach(*arguments, shared.store); });

  auto again = std::make_shared<ResumeArguments>();
  CLI::App* resumer = app.add_subcommand("resume", "Goes on from the last checkpoint of an ended run, as a new run that has the old one's records up to it.");
  resumer->add_option("run", again->run, "id, beginning of an id, or name")->required()->type_name("RUN");
  resumer->add_option("--set", again->assignments, "overrides a value of the document, as /stop/rounds=500")
      ->type_name("/pointer=value")
      ->allow_extra_args(false);
  resumer->add_option("--name", again->name, "name of the new run")->type_name("TEXT");
  addFollowFlags(*resumer, again->options);
  resumer->callback([again, &shared] { resume(*again, shared); });
}

void addRecorderCommands(CLI::App& app, Shared& shared) {
  auto foreground = std::make_shared<bool>(false);
  CLI::App* recorder = app.add_subcommand("recorder", "Records the runs of a store and serves terminals and windows; they start it when they need it.");
  recorder->add_flag("--foreground", *foreground, "stay in the foreground, for service managers");
  recorder->callback([foreground, &shared] { serve(shared, *foreground); });
}

}  // namespace paceline::cli
