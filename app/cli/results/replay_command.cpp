// paceline replay RUN: repeats a run in virtual time, in the order in which its servers applied what came, and says whether the same came out.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/cluster/run/replay_run.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

struct ReplayArguments {
  std::string run;
  bool json = false, events = false;
};

Json documentOf(const store::RunRow& row, const run::Replayed& replayed) {
  return {{"run", row.id},
          {"same", replayed.same()},
          {"applied", replayed.applied},
          {"rounds", {{"recorded", replayed.rounds}, {"same", replayed.sameRounds}, {"missing", replayed.missingRounds}}},
          {"evaluations", {{"recorded", replayed.evaluations}, {"same", replayed.sameEvaluations}}},
          {"parameters", {{"recorded", replayed.recordedParameters}, {"repeated", replayed.parameters}}},
          {"first_difference", replayed.firstDifference},
          {"otherwise", replayed.otherwise},
          {"error", replayed.error}};
}

void printText(const store::RunRow& row, const run::Replayed& replayed) {
  std::cout << nameOr(row) << ": " << (replayed.same() ? "repeated to the same bits" : "did not come out the same") << '\n';
  if (replayed.applied > 0) std::cout << "order         " << replayed.applied << " messages, as servers applied them\n";
  std::cout << "rounds        " << replayed.sameRounds << " of " << replayed.rounds << " the same";
  if (replayed.missingRounds > 0) std::cout << ", " << replayed.missingRounds << " missing";
  std::cout << "\nevaluations   " << replayed.sameEvaluations << " of " << replayed.evaluations << " the same\n";
  if (replayed.recordedParameters.empty()) std::cout << "parameters    the run did not tell them at its end\n";
  else std::cout << "parameters    " << (replayed.parameters == replayed.recordedParameters ? "the same" : "others") << ", SHA-256 " << replayed.recordedParameters.substr(0, 12) << "...\n";
  if (!replayed.firstDifference.empty()) std::cout << "first         " << replayed.firstDifference << '\n';
  for (const std::string& sentence : replayed.otherwise) std::cout << "differs       " << sentence << '\n';
  if (!replayed.error.empty()) std::cout << "ended         " << replayed.error << '\n';
}

void replay(const ReplayArguments& arguments, Shared& shared) {
  const store::StoreReader store(shared.store);
  const store::RunRow row = chosenRun(store, shared.store, arguments.run);
  const auto print = [](const StampedEvent& event) { std::cout << "{\"node\":\"" << event.node << "\"," << std::string_view(toLine(event.event)).substr(1) << '\n'; };
  const run::Replayed replayed = run::replayRun(store, row, arguments.events ? std::function<void(const StampedEvent&)>(print) : nullptr);
  if (arguments.json) std::cout << dumped(documentOf(row, replayed), 2) << '\n';
  else if (!arguments.events) printText(row, replayed);
  shared.exit = replayed.same() ? 0 : 1;
}

}  // namespace

void addReplayCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<ReplayArguments>();
  CLI::App* command = app.add_subcommand("replay", "Repeats a run in virtual time, in the order in which its servers applied what came; says whether the same came out, else what differs. Exit code 1 where it did not.");
  command->add_option("run", arguments->run, "id, start of an id, or name")->required()->type_name("RUN");
  command->add_flag("--json", arguments->json, "print one JSON document");
  command->add_flag("--events", arguments->events, "print each event of the repetition, a line each with its node, to be stepped through");
  command->callback([arguments, &shared] { replay(*arguments, shared); });
}

}  // namespace paceline::cli
