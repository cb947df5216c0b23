// paceline hosts ...: the machines a spec may name.
#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/hosts/parts.h"

namespace paceline::cli {

void addHostsCommand(CLI::App& app, Shared& shared) {
  CLI::App* hosts = app.add_subcommand("hosts", "The hosts that a spec may name: \"local\" is always there, the others are in $PACELINE_HOSTS or the user's configuration.");
  hosts->require_subcommand(1);
  addHostsListCommands(*hosts, shared);
  addHostsBookCommands(*hosts, shared);
  addHostsCheckCommands(*hosts, shared);
  addHostsDeployCommands(*hosts, shared);
  addHostsPlaceCommand(*hosts, shared);
}

}  // namespace paceline::cli
