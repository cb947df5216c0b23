// paceline why RUN: where its wall time goes, what to change, and what that would gain.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/why/simulated.h"

namespace paceline::cli {
namespace {

struct WhyArguments {
  std::string run;
  bool json = false;
};

void printWhy(const WhyArguments& arguments, const std::string& storePath) {
  const store::StoreReader store(storePath);
  const why::Answer answer = why::whyOf(store, chosenRun(store, storePath, arguments.run));
  if (arguments.json) {
    std::cout << dumped(why::toJson(answer.diagnosis, answer.run), 2) << '\n';
    return;
  }
  for (const std::string& sentence : why::sentences(answer.diagnosis)) std::cout << sentence << ".\n";
}

}  // namespace

void addWhyCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<WhyArguments>();
  CLI::App* command = app.add_subcommand("why", "Says where a run's wall time goes, what to change, and what the simulator predicts of it.");
  command->add_option("run", arguments->run, "id, start of an id, or name")->required()->type_name("RUN");
  command->add_flag("--json", arguments->json, "print one JSON document, with the changed documents");
  command->callback([arguments, &shared] { printWhy(*arguments, shared.store); });
}

}  // namespace paceline::cli
