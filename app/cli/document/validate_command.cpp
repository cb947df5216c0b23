// paceline validate SPEC.json: every finding with its JSON pointer.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cluster/worker/worker_answer.h"
#include "app/cli/results/documents.h"
#include "app/cli/document/experiment_file.h"
#include "app/cluster/run/run_controller.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

struct ValidateArguments {
  ExperimentRequest request;
  bool json = false;
};

void validateFile(const ValidateArguments& arguments, Shared& shared) {
  const Experiment experiment = readExperiment(arguments.request, worker::describeLocal());
  if (arguments.json) {
    std::cout << findingsDocument(experiment.findings);
  } else {
    for (const Finding& finding : experiment.findings) std::cout << findingLine(experiment.path, finding) << '\n';
    const std::string runs = experiment.isSuite ? strCat("a suite of ", experiment.points.size(), " runs") : "a run";
    if (!hasErrors(experiment.findings)) std::cout << experiment.path << ": valid, " << runs << '\n';
  }
  if (!hasErrors(experiment.findings)) return;
  shared.exit = 1;
  const auto errors = std::ranges::count_if(experiment.findings, &Finding::error);
  std::cerr << "paceline: " << experiment.path << " has " << errors << (errors == 1 ? " error\n" : " errors\n");
}

}  // namespace

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
