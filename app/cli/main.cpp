// paceline: the workbench's abilities from a terminal. Exit 0: done; 1: the input or the run failed, one line on stderr; 2: usage.

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "storage/store/store.h"

namespace paceline::cli {
namespace {

std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

void addCommands(CLI::App& app, Shared& shared) {
  app.set_version_flag("--version", strCat("paceline ", PACELINE_VERSION));
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--store", shared.store, "the database; default: $PACELINE_STORE, else below the XDG data folder")
      ->type_name("FILE");
  addRunCommands(app, shared);
  addValidateCommand(app, shared);
  addCatalogCommand(app, shared);
  addRunsCommands(app, shared);
  addSummaryCommand(app, shared);
  addWhyCommand(app, shared);
  addPredictCommand(app, shared);
  addReplayCommand(app, shared);
  addTrafficCommand(app, shared);
  addFigureCommand(app, shared);
  addReportCommand(app, shared);
  addInteropCommands(app, shared);
  addControlCommands(app, shared);
  addRecorderCommands(app, shared);
  addQueueCommands(app, shared);
  addSearchCommand(app, shared);
  addTrashCommands(app, shared);
  addStorageCommand(app, shared);
  addHostsCommand(app, shared);
  addClusterCommand(app, shared);
  addDataCommand(app, shared);
  addModelCommand(app, shared);
  addGuiCommand(app, shared);
}

int usageExit(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
  std::cerr << "paceline: " << oneLine(error.what()) << " (paceline --help)\n";
  return 2;
}

// Subcommands work in callbacks, which CLI11 calls when everything is parsed.
int runProgram(int argc, char** argv) {
  CLI::App app("Experiments in distributed training on unequal machines.", "paceline");
  Shared shared;
  shared.store = store::defaultStorePath();
  addCommands(app, shared);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usageExit(app, error);
  }
  std::cout.flush();
  if (!std::cout) throw Error(Errc::kFile, strCat("cannot write standard output: ", std::strerror(errno)));
  return shared.exit;
}

}  // namespace
}  // namespace paceline::cli

int main(int argc, char** argv) {
  paceline::disk::tellFileSizeLimits();
  paceline::cli::guardTerminal();
  try {
    return paceline::cli::runProgram(argc, argv);
  } catch (const paceline::Error& error) {
    std::cerr << "paceline: " << paceline::cli::oneLine(error.what()) << '\n';
    return error.code() == paceline::Errc::kUsage ? 2 : 1;
  } catch (const std::exception& error) {
    std::cerr << "paceline: " << paceline::cli::oneLine(paceline::reasonOf(error)) << '\n';
    return 1;
  }
}

// paceline gui: becomes the workbench.
namespace paceline::cli {

void addGuiCommand(CLI::App& app, Shared& shared) {
  CLI::App* command = app.add_subcommand("gui", "Opens the workbench.");
  command->callback([&shared] {
    const std::string path = workbenchPath();
    ::setenv("PACELINE_STORE", shared.store.c_str(), 1);
    ::execl(path.c_str(), path.c_str(), static_cast<char*>(nullptr));
    throw Error(Errc::kHost, strCat("cannot start ", path, ": ", std::strerror(errno)));
  });
}

}  // namespace paceline::cli
