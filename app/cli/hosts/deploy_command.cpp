// paceline hosts deploy | clean: our programs on hosts.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/hosts/parts.h"
#include "app/cli/runs/followed_runs.h"
#include "app/cli/terminal_prompts.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/slurm/host.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

struct DeployArguments {
  std::vector<std::string> names, datasets;
  bool json = false;
};

struct Deployed {
  std::string folder;
  deploy::DeployProgress last;
  double seconds = 0;
};

std::string progressText(const deploy::DeployProgress& progress) {
  if (!progress.waitsFor.empty()) return "waiting: " + progress.waitsFor;
  return strCat(transferText(progress.bytesDone, progress.bytesTotal, progress.rateBytesPerSecond, progress.etaSeconds), ", ", progress.file);
}

std::string deployedText(const std::string& name, const Deployed& deployed) {
  if (deployed.last.bytesTotal == 0) return strCat(name, ": all was there already, in ", deployed.folder);
  return strCat(name, ": sent ", bytesText(deployed.last.bytesDone), " as ", bytesText(deployed.last.bytesSent), " in ", durationText(deployed.seconds), ", to ", deployed.folder);
}

// "local" runs what lies beside this program; it needs no copy.
std::vector<std::string> remoteOf(const hosts::HostRegistry& book, const std::vector<std::string>& names) {
  std::vector<std::string> remote;
  for (const std::string& name : chosenHosts(book, names))
    if (book.require(name).kind != "local") remote.push_back(name);
  if (remote.empty()) throw Error(Errc::kHost, "there is no host to deploy to: this computer runs the programs where they are; add hosts with paceline hosts add");
  return remote;
}

void deployAll(const DeployArguments& arguments) {
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  const std::vector<std::string> names = remoteOf(book, arguments.names);
  Interrupt interrupt;
  HostsLine line(isTerminal(STDERR_FILENO) && !arguments.json);
  TerminalPrompts prompts(interrupt.token(), [&](const std::string& told) { line.print(told); });
  std::vector<Deployed> done(names.size());
  const std::vector<std::string> errors = onEachHost(names, [&](std::size_t i, const std::string& name) {
    Deployed deployed;
    const auto began = std::chrono::steady_clock::now();
    line.tell(name, "connecting");
    const auto host = hosts::openHost(book, name, prompts);
    const auto told = [&](const deploy::DeployProgress& progress) {
      deployed.last = progress;
      line.tell(name, progressText(progress));
    };
    deployed.folder = deploy::deploy(*host, {.datasets = arguments.datasets, .libraries = book.require(name).libraries, .onProgress = told, .stop = interrupt.token()}).folder;
    deployed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    line.tell(name, "");
    done[i] = deployed;
  });
  line.clear();
  Json hosts = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Deployed& deployed = done[i];
    if (errors[i].empty() && !arguments.json) std::cout << deployedText(names[i], deployed) << '\n';
    hosts.push_back({{"name", names[i]}, {"folder", deployed.folder}, {"bytes", deployed.last.bytesDone}, {"sent_bytes", deployed.last.bytesSent}, {"seconds", deployed.seconds}, {"error", errors[i]}});
  }
  if (arguments.json) std::cout << dumped(Json{{"hosts", hosts}}, 2) << '\n';
  std::cout.flush();
  refuseHostErrors(errors);
}

struct CleanArguments {
  std::vector<std::string> names;
  bool spools = false, versions = false, json = false;
};

// What `clean` was to remove and could not.
std::int64_t bytesInUse(const deploy::HostDisk& left, bool currentToo) {
  std::int64_t bytes = 0;
  for (const deploy::InstalledVersion& version : left.versions)
    if (version.inUse && (currentToo || !version.current)) bytes += version.bytes;
  return bytes;
}

// A Slurm host's job is given back too, unless runs go on in it.
void cleanAll(const CleanArguments& arguments) {
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  const std::vector<std::string> names = chosenHosts(book, arguments.names);
  Interrupt interrupt;
  HostsLine line(isTerminal(STDERR_FILENO) && !arguments.json);
  TerminalPrompts prompts(interrupt.token(), [&](const std::string& told) { line.print(told); });
  std::vector<std::int64_t> freed(names.size()), inUse(names.size());
  std::vector<int> kept(names.size());
  std::vector<char> jobEnded(names.size());
  const std::vector<std::string> errors = onEachHost(names, [&](std::size_t i, const std::string& name) {
    line.tell(name, "cleaning");
    const auto host = hosts::openHost(book, name, prompts);
    const std::int64_t bytes = deploy::cleanHost(*host, arguments.spools, arguments.versions);
    const deploy::HostDisk left = deploy::diskOf(*host);
    jobEnded[i] = left.activeRuns == 0 && slurm::endSlurmJob(*host);
    line.tell(name, "");
    freed[i] = bytes;
    inUse[i] = bytesInUse(left, arguments.versions);
    kept[i] = left.activeRuns;
  });
  line.clear();
  Json hosts = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    hosts.push_back({{"name", names[i]}, {"freed_bytes", freed[i]}, {"in_use_bytes", inUse[i]}, {"active_runs", kept[i]}, {"error", errors[i]}});
    if (!errors[i].empty() || arguments.json) continue;
    const std::string runs = kept[i] == 0 ? "" : strCat("; ", kept[i], kept[i] == 1 ? " run goes on there" : " runs go on there");
    const char* const until = jobEnded[i] ? ": its job, which used them, has been ended; clean again" : kept[i] == 0 ? ": a supervisor that has nothing to do ends after a minute; clean again then" : "";
    const std::string stays = inUse[i] == 0 ? "" : strCat("; ", bytesText(inUse[i]), " are in use and stay", until);
    std::cout << names[i] << ": freed " << bytesText(freed[i]) << runs << stays << '\n';
  }
  if (arguments.json) std::cout << dumped(Json{{"hosts", hosts}}, 2) << '\n';
  std::cout.flush();
  refuseHostErrors(errors);
}

}  // namespace

void addHostsDeployCommands(CLI::App& hosts, Shared&) {
  auto deploying = std::make_shared<DeployArguments>();
  CLI::App* command = hosts.add_subcommand("deploy", "Puts our programs on hosts, and LibTorch where it is missing; runs do it too.");
  command->add_option("names", deploying->names, "hosts; default: all")->type_name("HOST");
  command->add_option("--datasets", deploying->datasets, "ids of data sets that shall be there")->type_name("ID,...")->delimiter(',')->allow_extra_args(false);
  command->add_flag("--json", deploying->json, "print one JSON document and nothing else");
  command->callback([deploying] { deployAll(*deploying); });

  auto cleaning = std::make_shared<CleanArguments>();
  command = hosts.add_subcommand("clean", "Removes old versions of our programs and partial uploads from hosts; files in use stay.");
  command->add_option("names", cleaning->names, "hosts; default: all")->type_name("HOST");
  command->add_flag("--spools", cleaning->spools, "also the records of ended runs: those that no desktop has fetched are lost");
  command->add_flag("--versions", cleaning->versions, "also the version that would be used now");
  command->add_flag("--json", cleaning->json, "print one JSON document and nothing else");
  command->callback([cleaning] { cleanAll(*cleaning); });
}

}  // namespace paceline::cli
