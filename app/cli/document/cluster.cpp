// paceline cluster import: a cluster as other systems' files describe it, into a document.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/document/experiment_file.h"
#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/interop/cluster_files.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

struct ImportArguments {
  std::string spec, groups, dataSharding, nodeList, eclHosts, output;
};

struct ExportArguments {
  std::string spec, nodeList, eclHosts;
};

std::optional<interop::NamedText> fileAt(const std::string& path) {
  if (path.empty()) return std::nullopt;
  return interop::NamedText{.path = path, .text = readTextFile(path)};
}

bool isWorker(const OrderedJson& node) { return !node.contains("role") || node["role"] == "worker"; }

std::string textAt(const OrderedJson& node, const char* key, const std::string& fallback) {
  return node.contains(key) && node[key].is_string() ? node[key].get<std::string>() : fallback;
}

std::vector<interop::ClusterWorker> workersOf(const OrderedJson& nodes) {
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  std::vector<interop::ClusterWorker> workers;
  for (const OrderedJson& node : nodes) {
    if (!isWorker(node)) continue;
    interop::ClusterWorker& worker = workers.emplace_back();
    worker.id = textAt(node, "id", "");
    worker.host = textAt(node, "host", "local");
    if (const hosts::HostEntry* entry = book.find(worker.host)) worker.address = entry->address;
  }
  if (workers.empty()) throw Error(Errc::kSpec, "/nodes: there are no workers");
  return workers;
}

void put(OrderedJson& document, const interop::MxnetCluster& cluster) {
  if (!cluster.groups.empty()) worker::runOf(document)["groups"] = cluster.groups;
  std::size_t worker = 0;
  for (OrderedJson& node : worker::nodesOf(document))
    if (!cluster.shares.empty() && isWorker(node)) node["share"] = cluster.shares[worker++];
}

// The host with this address; nullopt: this computer, or none that is known.
std::optional<std::string> hostAt(const std::string& address) {
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  for (const hosts::HostEntry& entry : book.entries())
    if (entry.name != "local" && (entry.address == address || entry.dataAddress == address)) return entry.name;
  return std::nullopt;
}

// The list's workers take the place of the document's: one of the same id stays as it is, others are new. Servers stay.
void put(OrderedJson& document, const interop::EclCluster& cluster) {
  OrderedJson& nodes = worker::nodesOf(document);
  OrderedJson next = OrderedJson::array();
  for (const OrderedJson& node : nodes)
    if (!isWorker(node)) next.push_back(node);
  for (const interop::EclWorker& worker : cluster.workers) {
    OrderedJson made = {{"id", worker.id}};
    for (const OrderedJson& node : nodes)
      if (isWorker(node) && textAt(node, "id", "") == worker.id) made = node;
    const bool here = worker.address.empty() || worker.address == "localhost" || worker.address.starts_with("127.");
    if (const auto host = here ? std::nullopt : hostAt(worker.address)) made["host"] = *host;
    else if (!here) std::cerr << "no host of the book has the address " << worker.address << ": worker " << worker.id << " is left where the spec has it\n";
    made.erase("share");
    next.push_back(std::move(made));
  }
  nodes = std::move(next);
  OrderedJson& run = worker::runOf(document);
  run["edges"] = OrderedJson::array();
  for (const Edge& edge : cluster.edges) run["edges"].push_back({edge.a, edge.b, {{"every", edge.every}, {"offset", edge.offset}}});
  run.erase("topology");
}

void refuseProblems(const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  for (std::size_t i = 0; problems.size() > 1 && i < problems.size(); ++i) std::cerr << problems[i] << '\n';
  throw Error(Errc::kFormat, problems.size() == 1 ? problems.front() : strCat(problems.size(), " bad places; nothing was imported"));
}

void importCluster(const ImportArguments& arguments) {
  const bool mxnet = !arguments.groups.empty() || !arguments.dataSharding.empty();
  if (!mxnet && arguments.nodeList.empty()) throw Error(Errc::kUsage, "give at least one of --groups, --data-sharding and --node-list");
  if (arguments.nodeList.empty() && !arguments.eclHosts.empty()) throw Error(Errc::kUsage, "--ecl-hosts needs --node-list");
  try {
    const std::string given = readTextFile(arguments.spec);
    OrderedJson document = worker::documentOf(given);
    if (!arguments.nodeList.empty()) {
      const interop::EclCluster ecl = interop::readEclFiles(*fileAt(arguments.nodeList), fileAt(arguments.eclHosts));
      refuseProblems(ecl.problems);
      put(document, ecl);
      for (const std::string& note : ecl.notes) std::cerr << note << '\n';
    }
    const interop::MxnetCluster cluster = interop::readMxnetFiles(fileAt(arguments.groups), fileAt(arguments.dataSharding), workersOf(worker::nodesOf(document)));
    refuseProblems(cluster.problems);
    put(document, cluster);
    const std::string text = worker::textOf(document);
    const Experiment experiment = readExperiment({.path = arguments.spec, .assignments = {}, .text = text, .name = {}}, worker::describeLocal());
    refuseErrors(experiment);
    for (const std::string& note : cluster.notes) std::cerr << note << '\n';
    for (const Finding& finding : experiment.findings)
      if (!finding.error) std::cerr << findingLine(arguments.spec, finding) << '\n';
    sayCommentsLost(arguments.spec, given);
    writeOutput(arguments.output, text);
  } catch (const Error& error) {
    if (error.code() == Errc::kSpec && !std::string_view(error.what()).starts_with(arguments.spec))
      throw Error(Errc::kSpec, strCat(arguments.spec, ": ", error.what()));
    throw;
  }
}

void exportCluster(const ExportArguments& arguments) {
  if (arguments.nodeList.empty() && arguments.eclHosts.empty()) throw Error(Errc::kUsage, "give at least one of --node-list and --ecl-hosts");
  const Experiment experiment = readExperiment({.path = arguments.spec, .assignments = {}, .text = readTextFile(arguments.spec), .name = {}}, worker::describeLocal());
  refuseErrors(experiment);
  const RunSpec& spec = experiment.points.front().spec;
  const hosts::HostRegistry book = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
  const auto addressOf = [&](const std::string& host) {
    const hosts::HostEntry* entry = book.find(host);
    return entry == nullptr || host == "local" ? std::string("127.0.0.1") : entry->dataAddress.empty() ? entry->address : entry->dataAddress;
  };
  if (!arguments.nodeList.empty()) writeOutput(arguments.nodeList, interop::eclNodeList(spec));
  if (!arguments.eclHosts.empty()) writeOutput(arguments.eclHosts, interop::eclHosts(spec, addressOf));
}

}  // namespace

void addClusterCommand(CLI::App& app, Shared&) {
  CLI::App* cluster = app.add_subcommand("cluster", "A cluster as other systems' files describe it.");
  cluster->require_subcommand(1);
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* import = cluster->add_subcommand("import", "Writes a spec or suite with the groups and shares of MXNet-G's files, or the workers and edges of ECL's.");
  import->add_option("spec", arguments->spec, "a run or a suite of runs")->required()->type_name("SPEC.json");
  import->add_option("--groups", arguments->groups, "MXNet-G's groups: a line for each, of worker ids or addresses")->type_name("FILE");
  import->add_option("--data-sharding", arguments->dataSharding, "MXNet-G's data_sharding: \"begin end\" for each worker")->type_name("FILE");
  import->add_option("--node-list", arguments->nodeList, "ECL's node_list.json: pairs of nodes and the times of their exchanges")->type_name("FILE");
  import->add_option("--ecl-hosts", arguments->eclHosts, "ECL's hosts.json: the workers' order and addresses")->type_name("FILE");
  import->add_option("-o,--output", arguments->output, "where to write; default: standard output")->type_name("FILE");
  import->callback([arguments] { importCluster(*arguments); });
  auto out = std::make_shared<ExportArguments>();
  CLI::App* exporter = cluster->add_subcommand("export", "Writes a decentralised run's workers and edges as ECL's files.");
  exporter->add_option("spec", out->spec, "a run, or a suite: its first run")->required()->type_name("SPEC.json");
  exporter->add_option("--node-list", out->nodeList, "where to write node_list.json")->type_name("FILE");
  exporter->add_option("--ecl-hosts", out->eclHosts, "where to write hosts.json")->type_name("FILE");
  exporter->callback([out] { exportCluster(*out); });
}

}  // namespace paceline::cli
