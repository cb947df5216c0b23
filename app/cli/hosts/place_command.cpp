// paceline hosts place: which node of a spec runs where.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/hosts/parts.h"
#include "app/cluster/run/placement.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

struct PlaceArguments {
  std::string spec, hosts, output;
  bool bySpeed = false;
};

// What the last check measured.
void addMeasured(run::PlacementHost& host) {
  const auto facts = hosts::loadFacts(host.name);
  if (!facts) return;
  host.speed = facts->speed;
  const Json probe = Json::parse(facts->probe, nullptr, false);
  if (probe.is_object() && probe.contains("cpus") && probe["cpus"].is_number()) host.cpus = probe["cpus"].get<int>();
}

void place(const PlaceArguments& arguments) {
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  std::vector<run::PlacementHost> hosts = run::parsePlacementHosts(arguments.hosts);
  for (run::PlacementHost& host : hosts) {
    book.require(host.name);
    addMeasured(host);
  }
  const std::string text = readTextFile(arguments.spec);
  try {
    writeOutput(arguments.output, run::placedDocument(text, hosts, arguments.bySpeed));
  } catch (const Error& error) {
    if (error.code() == Errc::kSpec) throw Error(Errc::kSpec, strCat(arguments.spec, ": ", error.what()));
    throw;
  }
}

}  // namespace

void addHostsPlaceCommand(CLI::App& hosts, Shared&) {
  auto arguments = std::make_shared<PlaceArguments>();
  CLI::App* command = hosts.add_subcommand("place", "Writes a spec or suite whose nodes go to hosts in turn, in the document's order.");
  command->add_option("spec", arguments->spec, "a run or a suite of runs")->required()->type_name("SPEC.json");
  command->add_option("--hosts", arguments->hosts, "names with commas between; a:2 takes two nodes a turn")->required()->type_name("A,B:2,...");
  command->add_flag("--by-speed", arguments->bySpeed, "shares of the data (workers) and of the parameters (servers) follow the hosts' measured speeds");
  command->add_option("-o,--output", arguments->output, "where to write; default: standard output")->type_name("FILE");
  command->callback([arguments] { place(*arguments); });
}

}  // namespace paceline::cli
