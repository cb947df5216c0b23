// paceline hosts list | export: the host list with the last measurements.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/hosts/parts.h"
#include "app/cli/terminal_prompts.h"
#include "app/cluster/check/judge.h"
#include "app/cluster/hosts/access.h"
#include "app/cluster/interop/host_import.h"
#include "app/cluster/slurm/host.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

constexpr double kManyCpus = 1e6;

struct ListArguments {
  std::vector<std::string> names;
  bool json = false, disk = false;
};

struct Listed {  // one host
  hosts::HostEntry entry;
  std::optional<hosts::HostFacts> facts;
  Json probe = Json::object();
  std::optional<deploy::HostDisk> disk;
  std::string problem;  // of asking it
};

// This computer is asked each time: it costs milliseconds.
Json probeOf(const hosts::HostEntry& entry, const std::optional<hosts::HostFacts>& facts) {
  std::string text = facts ? facts->probe : "";
  if (entry.name == "local") text = slurm::said(*hosts::localHost(), {hosts::localProgram("paceline-agent"), "probe"});
  Json probe = jsonOrNull(text);
  return probe.is_object() ? probe : Json::object();
}

std::vector<Listed> rowsOf(const hosts::HostRegistry& book, const ListArguments& arguments) {
  std::vector<Listed> all;
  const std::vector<std::string> names = chosenHosts(book, arguments.names);
  for (const std::string& name : names) {
    Listed& one = all.emplace_back(Listed{.entry = book.require(name), .facts = hosts::loadFacts(name), .disk = {}, .problem = ""});
    one.probe = probeOf(one.entry, one.facts);
  }
  if (!arguments.disk) return all;
  TerminalPrompts prompts;
  HostsLine line(::isatty(STDERR_FILENO) == 1 && !arguments.json);
  const std::vector<std::string> errors = onEachHost(names, [&](std::size_t i, const std::string& name) {
    line.tell(name, "asked");
    all[i].disk = deploy::diskOf(*hosts::openHost(book, name, prompts));
    line.tell(name, "");
  });
  for (std::size_t i = 0; i < all.size(); ++i) all[i].problem = errors[i];
  return all;
}

Json diskJson(const deploy::HostDisk& disk) {
  Json versions = Json::array();
  for (const deploy::InstalledVersion& version : disk.versions)
    versions.push_back({{"id", version.id}, {"paceline", version.paceline}, {"created_utc", version.createdUtc}, {"bytes", version.bytes}, {"current", version.current}, {"in_use", version.inUse}});
  return {{"versions", versions}, {"partial_bytes", disk.partialBytes}, {"spool_bytes", disk.spoolBytes}, {"spools", disk.spools}, {"active_runs", disk.activeRuns}};
}

Json hostJson(const Listed& one) {
  const hosts::HostEntry& entry = one.entry;
  Json json = {{"name", entry.name}, {"kind", entry.kind}, {"address", entry.address}, {"port", entry.port}, {"user", entry.user}, {"identity", entry.identity}, {"known_hosts", entry.knownHosts},
               {"jump", entry.jump}, {"accept_new_key", entry.acceptNewKey}, {"data_address", entry.dataAddress}, {"libraries", entry.libraries}, {"env", entry.env}, {"slurm", entry.slurm}, {"job", entry.job}, {"job_nodes", entry.jobNodes}, {"job_node", entry.jobNode}, {"command", entry.command},
               {"checked_utc", nullptr}, {"state", "not checked"}, {"speed_gflops", nullptr}, {"speed_utc", nullptr}, {"speed_load", nullptr}, {"disk", nullptr}};
  if (one.facts) {
    json["checked_utc"] = one.facts->checkedUtc;
    json["state"] = worstWord(one.facts->lines);
    if (one.facts->speed > 0) json["speed_gflops"] = jsonNumber(one.facts->speed);
    if (!one.facts->speedUtc.empty()) json["speed_utc"] = one.facts->speedUtc;
    if (!one.facts->speedLoad.empty()) json["speed_load"] = one.facts->speedLoad;
  }
  if (one.disk) json["disk"] = diskJson(*one.disk);
  if (!one.problem.empty()) json["error"] = one.problem;
  for (const auto& [key, value] : one.probe.items())
    if (!json.contains(key)) json[key] = value;
  return json;
}

std::string numberText(const Json& probe, const char* key, const auto& text) { return probe.contains(key) && probe[key].is_number() ? text(probe[key].get<double>()) : "-"; }

std::string addressText(const hosts::HostEntry& entry) {
  if (entry.name == "local") return "this computer";
  if (entry.kind == "exec") return entry.command;
  if (entry.address.empty()) return entry.kind == "slurm" ? "this computer's Slurm" : "this computer";
  return strCat(entry.user.empty() ? "" : entry.user + "@", entry.address, entry.port == 0 ? "" : strCat(":", entry.port));
}

std::string gpusText(const Json& probe) {
  if (!probe.contains("gpus") || !probe["gpus"].is_array()) return "-";
  return std::to_string(probe["gpus"].size());
}

std::string speedCell(const std::optional<hosts::HostFacts>& facts) {
  if (!facts || facts->speed <= 0) return "-";
  return strCat(facts->speedLoad.empty() ? "" : "at least ", significant(facts->speed));
}

std::string hostsTable(const std::vector<Listed>& all, bool disk) {
  std::vector<std::string> header = {"name", "kind", "address", "over", "state", "CPUs", "memory", "GPUs", "GFLOP/s", "last checked"};
  if (disk) header.insert(header.end(), {"programs", "versions", "spools", "active runs"});
  std::vector<std::vector<std::string>> rows;
  for (const Listed& one : all) {
    std::vector<std::string> row = {one.entry.name, one.entry.kind, addressText(one.entry), one.entry.jump.empty() ? "-" : one.entry.jump,
                                    one.facts ? worstWord(one.facts->lines) : "not checked", numberText(one.probe, "cpus", [](double n) { return decimals(n, 0); }),
                                    numberText(one.probe, "memory_total_bytes", [](double n) { return bytesText(static_cast<std::int64_t>(n)); }), gpusText(one.probe),
                                    speedCell(one.facts), one.facts ? one.facts->checkedUtc : "-"};
    if (disk && one.disk) {
      std::int64_t programs = one.disk->partialBytes;
      for (const deploy::InstalledVersion& version : one.disk->versions) programs += version.bytes;
      row.insert(row.end(), {bytesText(programs), std::to_string(one.disk->versions.size()), bytesText(one.disk->spoolBytes), std::to_string(one.disk->activeRuns)});
    } else if (disk) {
      row.insert(row.end(), 4, "?");
    }
    rows.push_back(std::move(row));
  }
  return tableText(header, rows);
}

void list(const ListArguments& arguments) {
  const std::vector<Listed> all = rowsOf(hosts::HostRegistry::load(hosts::HostRegistry::defaultPath()), arguments);
  if (arguments.json) {
    Json hosts = Json::array();
    for (const Listed& one : all) hosts.push_back(hostJson(one));
    std::cout << dumped(Json{{"hosts", hosts}}, 2) << '\n';
  } else {
    std::cout << hostsTable(all, arguments.disk);
  }
  std::cout.flush();
  std::vector<std::string> errors;
  for (const Listed& one : all) errors.push_back(one.problem);
  refuseHostErrors(errors);
}

struct ExportArguments {
  std::vector<std::string> names;
  std::string format = "list", output;
};

void exportHosts(const ExportArguments& arguments) {
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  std::vector<hosts::HostEntry> entries;
  std::vector<int> slots;
  for (const std::string& name : chosenHosts(book, arguments.names)) {
    const hosts::HostEntry& entry = book.require(name);
    if (entry.kind != "ssh") continue;  // has no address for other tools
    entries.push_back(entry);
    const Json probe = probeOf(entry, hosts::loadFacts(name));
    slots.push_back(arguments.format == "mpi" ? std::max(1, static_cast<int>(check::wholeIn(probe, "cpus", kManyCpus))) : 0);
  }
  writeOutput(arguments.output, interop::hostListText(entries, slots));
}

}  // namespace

void addHostsListCommands(CLI::App& hosts, Shared&) {
  auto listing = std::make_shared<ListArguments>();
  CLI::App* command = hosts.add_subcommand("list", "Lists hosts with the results of their last check.");
  command->add_option("names", listing->names, "hosts; default: all")->type_name("HOST");
  command->add_flag("--disk", listing->disk, "ask the hosts for the disk space of our programs and spools");
  command->add_flag("--json", listing->json, "print one JSON document and nothing else");
  command->callback([listing] { list(*listing); });

  auto exporting = std::make_shared<ExportArguments>();
  command = hosts.add_subcommand("export", "Writes addresses, one a line, or an MPI hostfile with a slot for each CPU.");
  command->add_option("names", exporting->names, "hosts; default: all")->type_name("HOST");
  command->add_option("--format", exporting->format, "list or mpi")->capture_default_str()->check(CLI::IsMember({"list", "mpi"}));
  command->add_option("-o,--output", exporting->output, "where to write; default: standard output")->type_name("FILE");
  command->callback([exporting] { exportHosts(*exporting); });
}

}  // namespace paceline::cli
