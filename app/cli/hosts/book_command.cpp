// paceline hosts add | import | remove: edits the host list. paceline hosts place: which node of a spec runs where.
#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/document/experiment_file.h"
#include "app/cli/hosts/parts.h"
#include "app/cluster/check/judge.h"
#include "app/cluster/interop/host_import.h"
#include "app/cluster/run/placement.h"
#include "app/cluster/slurm/host.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

struct AddArguments {
  hosts::HostEntry entry;
  std::vector<std::string> env;
  bool replace = false;
  int count = 0;  // 0: one, of the name itself
  std::string partition, time;
  int nodes = 0;  // of one job of Slurm; 0: one host with a job of its own
};

struct ImportArguments {
  std::string path, format = "auto";
  hosts::HostEntry model;
  bool dryRun = false;
};

// Files are named by their whole path: the list is read from other folders too.
std::string absolutePath(const std::string& option, const std::string& path) {
  if (path.empty()) return path;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw Error(Errc::kFile, strCat(option, " ", path, ": there is no such file"));
  return std::filesystem::absolute(path, error).lexically_normal().string();
}

void addCommonOptions(CLI::App& command, hosts::HostEntry& entry) {
  command.add_option("--user", entry.user, hosts::fieldHelp("user"))->type_name("U");
  command.add_option("--identity", entry.identity, hosts::fieldHelp("identity"))->type_name("FILE");
  command.add_option("--jump", entry.jump, hosts::fieldHelp("jump"))->type_name("NAME");
  command.add_flag("--accept-new-key", entry.acceptNewKey, hosts::fieldHelp("accept_new_key"));
}

void putEnvironment(hosts::HostEntry& entry, const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) throw Error(Errc::kUsage, strCat("--env \"", quotable(assignment), "\" is not NAME=VALUE"));
    entry.env[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
}

// The entry itself, or so many with "{n}" as their number.
std::vector<hosts::HostEntry> numbered(const hosts::HostEntry& entry, int count) {
  if (count == 0) return {entry};
  std::vector<hosts::HostEntry> all;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    hosts::HostEntry& each = all.emplace_back(entry);
    each.name += number;
    for (std::string* text : {&each.command, &each.address, &each.dataAddress})
      for (std::size_t at = text->find("{n}"); at != std::string::npos; at = text->find("{n}", at + number.size())) text->replace(at, 3, number);
  }
  return all;
}

void addHost(const AddArguments& arguments) {
  hosts::HostEntry entry = arguments.entry;
  putEnvironment(entry, arguments.env);
  if (entry.kind.empty()) entry.kind = entry.name == "local" ? "local" : entry.command.empty() ? "ssh" : "exec";
  if (entry.kind == "ssh" && entry.address.empty()) entry.address = entry.name;  // an alias of ~/.ssh/config, or a name of the network
  if (!entry.slurm.empty() && entry.kind != "slurm") throw Error(Errc::kUsage, "--slurm is for hosts of --kind slurm");
  if ((arguments.nodes > 0 || !arguments.partition.empty() || !arguments.time.empty()) && entry.kind != "slurm") throw Error(Errc::kUsage, "--nodes, --partition and --time are for hosts of --kind slurm");
  if (arguments.nodes > 0 && arguments.count > 0) throw Error(Errc::kUsage, "--nodes are those of one job, --count makes hosts of their own: one of them");
  if (!arguments.partition.empty()) entry.slurm.push_back("--partition=" + arguments.partition);
  if (!arguments.time.empty()) entry.slurm.push_back("--time=" + arguments.time);
  slurm::checkSlurmOptions(entry);
  entry.identity = absolutePath("--identity", entry.identity);
  entry.knownHosts = entry.knownHosts.empty() ? "" : std::filesystem::absolute(entry.knownHosts).lexically_normal().string();  // may be made by the first connection
  hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  std::vector<std::string> names;
  bool known = false;
  for (const hosts::HostEntry& each : arguments.nodes > 0 ? slurm::nodesOfJob(entry, arguments.nodes) : numbered(entry, arguments.count)) {
    if (!each.address.empty() && each.kind != "local")
      if (const std::string wrong = interop::addressProblem(each.address); !wrong.empty()) throw Error(Errc::kUsage, strCat("--address: ", wrong));
    const bool there = book.find(each.name) != nullptr;
    if (there && !arguments.replace && each.name != "local") throw Error(Errc::kHost, strCat("host \"", each.name, "\" is there already; --replace writes it anew"));
    known = known || there;
    book.put(each);
    names.push_back(each.name);
  }
  book.save();
  std::cout << (known ? "replaced " : "added ") << listed(names) << "; check it: paceline hosts check " << names.front() << '\n';
}

void importFile(const ImportArguments& arguments) {
  const interop::HostFormat format = interop::hostFormatNamed(arguments.format);
  const interop::HostImport import = interop::readHosts(readTextFile(arguments.path), arguments.path, format);
  for (std::size_t i = 0; import.problems.size() > 1 && i < import.problems.size(); ++i) std::cerr << import.problems[i] << '\n';
  if (import.problems.size() > 1) throw Error(Errc::kFormat, strCat(arguments.path, " has ", import.problems.size(), " bad lines; nothing was imported"));
  if (!import.problems.empty()) throw Error(Errc::kFormat, import.problems.front());
  hosts::HostEntry model = arguments.model;
  model.identity = absolutePath("--identity", model.identity);
  hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  const interop::HostAdditions additions = interop::additionsTo(book, import.hosts, model);
  for (const hosts::HostEntry& entry : additions.entries) book.put(entry);
  if (!arguments.dryRun && !additions.entries.empty()) book.save();
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < additions.entries.size(); ++i)
    rows.push_back({additions.entries[i].name, additions.entries[i].address, additions.entries[i].user, std::to_string(additions.slots[i])});
  if (!rows.empty()) std::cout << tableText({"name", "address", "user", "slots"}, rows);
  std::cout << (arguments.dryRun ? "would add " : "added ") << rows.size() << (rows.size() == 1 ? " host" : " hosts") << ", read as " << interop::hostFormatName(import.format);
  if (!additions.knownAlready.empty()) std::cout << "; " << additions.knownAlready.size() << " known already: " << listed(additions.knownAlready);
  std::cout << '\n';
}

void removeHosts(const std::vector<std::string>& names) {
  hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  for (const std::string& name : chosenHosts(book, names)) book.remove(name);
  book.save();
  for (const std::string& name : names) hosts::forgetFacts(name);
  std::cout << "removed " << listed(names) << "; their files stay there (paceline hosts clean removes them, before)\n";
}

struct PlaceArguments {
  std::string spec, hosts, output;
  bool bySpeed = false;
};

// What the last check measured.
void addMeasured(run::PlacementHost& host, bool bySpeed) {
  const auto facts = hosts::loadFacts(host.name);
  if (!facts) return;
  host.speed = facts->speed;
  host.cpus = static_cast<int>(check::wholeIn(jsonOrNull(facts->probe), "cpus", 1e6));
  if (bySpeed && !facts->speedLoad.empty())
    std::cerr << "paceline: the speed of \"" << host.name << "\" was measured while " << facts->speedLoad << ", so its share may be too small; paceline hosts check " << host.name
              << " --only speed measures it again\n";
}

void place(const PlaceArguments& arguments) {
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  std::vector<run::PlacementHost> hosts = run::parsePlacementHosts(arguments.hosts);
  for (run::PlacementHost& host : hosts) {
    book.require(host.name);
    addMeasured(host, arguments.bySpeed);
  }
  const std::string text = readTextFile(arguments.spec);
  sayCommentsLost(arguments.spec, text);
  try {
    writeOutput(arguments.output, run::placedDocument(text, hosts, arguments.bySpeed));
  } catch (const Error& error) {
    if (error.code() == Errc::kSpec) throw Error(Errc::kSpec, strCat(arguments.spec, ": ", error.what()));
    throw;
  }
}

}  // namespace

void addHostsBookCommands(CLI::App& hosts, Shared&) {
  auto adding = std::make_shared<AddArguments>();
  adding->entry.kind = "";
  CLI::App* add = hosts.add_subcommand("add", "Adds a host behind SSH, a node that Slurm gives, or whatever a command gives a shell on (a container, a pod).");
  hosts::HostEntry& entry = adding->entry;
  add->add_option("name", entry.name, hosts::fieldHelp("name"))->required()->type_name("NAME");
  add->add_option("--address", entry.address, hosts::fieldHelp("address"))->type_name("A");
  add->add_option("--port", entry.port, hosts::fieldHelp("port"))->type_name("P")->check(CLI::Range(1, 65535));
  addCommonOptions(*add, entry);
  add->add_option("--known-hosts", entry.knownHosts, hosts::fieldHelp("known_hosts"))->type_name("FILE");
  add->add_option("--kind", entry.kind, hosts::fieldHelp("kind"))->type_name("KIND")->check(CLI::IsMember({"ssh", "slurm", "exec", "local"}));
  add->add_option("--data-address", entry.dataAddress, hosts::fieldHelp("data_address"))->type_name("IP");
  add->add_option("--libraries", entry.libraries, hosts::fieldHelp("libraries"))->type_name("DIR");
  add->add_option("--env", adding->env, hosts::fieldHelp("env"))->type_name("NAME=VALUE")->allow_extra_args(false);
  add->add_option("--slurm", entry.slurm, hosts::fieldHelp("slurm"))->type_name("OPTION")->allow_extra_args(false);
  add->add_option("--nodes", adding->nodes, "for slurm: NAME0 and on, the nodes of one job: they start together")->type_name("N")->check(CLI::Range(1, 10000));
  add->add_option("--partition", adding->partition, "for slurm: the same as --slurm=--partition=P")->type_name("P");
  add->add_option("--time", adding->time, "for slurm: how long the job may take, the same as --slurm=--time=T")->type_name("T");
  add->add_option("--command", entry.command, hosts::fieldHelp("command"))->type_name("COMMAND");
  add->add_option("--count", adding->count, "adds so many, NAME0 and on; {n} in --command, --address and --data-address is the number of each")->type_name("N")->check(CLI::Range(1, 10000));
  add->add_flag("--replace", adding->replace, "write an entry of this name anew");
  add->callback([adding] { addHost(*adding); });

  auto importing = std::make_shared<ImportArguments>();
  CLI::App* import = hosts.add_subcommand("import", "Adds the hosts of a file: a plain list, an MPI hostfile, ECL's hosts.json, MXNet-G's or ps_pytorch's hosts, ~/.ssh/config.");
  import->add_option("file", importing->path, "the file")->required()->type_name("FILE");
  import->add_option("--format", importing->format, "auto, list, mpi, ecl, mxnet, ps_pytorch, ssh_config")->capture_default_str()->check(
      CLI::IsMember(std::vector<std::string>(std::begin(interop::kHostFormats), std::end(interop::kHostFormats))));
  addCommonOptions(*import, importing->model);
  import->add_flag("--dry-run", importing->dryRun, "print the additions without making them");
  import->callback([importing] { importFile(*importing); });

  auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* remove = hosts.add_subcommand("remove", "Takes hosts off the list; nothing is deleted on them.");
  remove->add_option("names", *names, "hosts")->required()->type_name("HOST");
  remove->callback([names] { removeHosts(*names); });
}

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
