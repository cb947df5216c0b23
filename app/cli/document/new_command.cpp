// paceline new: a document to begin from.
#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/document/templates.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

struct NewArguments {
  std::string id = "quick_synthetic", output;
  bool list = false;
};

void writeNew(const NewArguments& arguments) {
  if (arguments.list) {
    std::vector<std::vector<std::string>> rows;
    for (const Template& each : templates()) rows.push_back({each.id, each.name, each.notes});
    std::cout << tableText({"template", "name", "what"}, rows);
    return;
  }
  const Template& chosen = chosenTemplate(arguments.id);
  std::error_code ignored;
  if (!arguments.output.empty() && std::filesystem::exists(arguments.output, ignored)) throw Error(Errc::kFile, strCat(arguments.output, " exists; nothing was written"));
  writeOutput(arguments.output, commentedDocument(chosen, worker::describeLocal()));
}

}  // namespace

void addNewCommand(CLI::App& app, Shared&) {
  auto arguments = std::make_shared<NewArguments>();
  CLI::App* command = app.add_subcommand("new", "Writes an experiment to begin from, with a comment at each member.");
  command->add_option("template", arguments->id, "which one: --list shows them")->capture_default_str()->type_name("TEMPLATE");
  command->add_option("-o,--output", arguments->output, "file instead of standard output; one that exists is left alone")->type_name("FILE");
  command->add_flag("--list", arguments->list, "show the templates");
  command->callback([arguments] { writeNew(*arguments); });
}

}  // namespace paceline::cli
