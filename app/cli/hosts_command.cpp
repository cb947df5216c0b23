// paceline hosts: the machines a spec may name. Only this computer so far.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/documents.h"
#include "app/cluster/host.h"
#include "engine/core/error.h"
#include "engine/core/json_number.h"

namespace paceline {
namespace {

constexpr double kProbeSeconds = 30;

Json probe(Host& host) {
  const auto process = host.start({localProgram("paceline-agent"), "probe"});
  process->closeInput();
  std::string text;
  while (!process->ended()) {
    const auto line = process->readLine(kProbeSeconds);
    if (!line && !process->ended())
      throw Error(Errc::kHost, strCat(host.name(), ": paceline-agent probe gave no answer in ", kProbeSeconds, " s"));
    if (line) text += *line + "\n";
  }
  const int code = process->wait().code;
  Json found = Json::parse(text, nullptr, false);
  if (code != 0 || !found.is_object()) throw Error(Errc::kHost, strCat(host.name(), ": paceline-agent probe ended with ", code));
  return found;
}

void listHosts(bool json) {
  const auto host = localHost();
  const Json found = probe(*host);
  if (json) {
    Json entry = {{"name", host->name()}};
    for (const auto& [key, value] : found.items())
      if (key != "name") entry[key] = value;
    std::cout << Json{{"hosts", Json::array({entry})}}.dump(2) << '\n';
    return;
  }
  std::cout << host->name() << "  this computer\n";
  for (const auto& [key, value] : found.items())
    std::cout << "  " << key << ": " << (value.is_string() ? value.get<std::string>() : value.dump()) << '\n';
}

}  // namespace

void addHostsCommand(CLI::App& app, Shared&) {
  CLI::App* hosts = app.add_subcommand("hosts", "Lists the hosts that a spec may name.");
  hosts->require_subcommand(1);
  auto json = std::make_shared<bool>(false);
  CLI::App* list = hosts->add_subcommand("list", "Shows \"local\" and what it has.");
  list->add_flag("--json", *json, "print one JSON document and nothing else");
  list->callback([json] { listHosts(*json); });
  for (const std::string name : {"add", "import", "check", "deploy", "clean", "remove"}) {
    CLI::App* later = hosts->add_subcommand(name, "Not built yet.");
    later->fallthrough(false);
    later->allow_extras();
    later->callback([name] {
      throw Error(Errc::kUnsupported,
                  strCat("hosts ", name, " is not built yet: runs use this computer, whose name is \"local\""));
    });
  }
}

}  // namespace paceline
