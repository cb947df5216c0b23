// paceline cluster import: a cluster as other systems' files describe it, into a document.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/experiment_file.h"
#include "app/cluster/host_book.h"
#include "app/cluster/mxnet_files.h"
#include "app/cluster/run_controller.h"
#include "app/cluster/spec_document.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

struct ImportArguments {
  std::string spec, groups, dataSharding, output;
};

std::optional<NamedText> fileAt(const std::string& path) {
  if (path.empty()) return std::nullopt;
  return NamedText{.path = path, .text = readTextFile(path)};
}

bool isWorker(const OrderedJson& node) { return !node.contains("role") || node["role"] == "worker"; }

std::string textAt(const OrderedJson& node, const char* key, const std::string& fallback) {
  return node.contains(key) && node[key].is_string() ? node[key].get<std::string>() : fallback;
}

std::vector<ClusterWorker> workersOf(const OrderedJson& nodes) {
  const HostBook book = HostBook::load(HostBook::defaultPath());
  std::vector<ClusterWorker> workers;
  for (const OrderedJson& node : nodes) {
    if (!isWorker(node)) continue;
    ClusterWorker& worker = workers.emplace_back();
    worker.id = textAt(node, "id", "");
    worker.host = textAt(node, "host", "local");
    if (const HostEntry* entry = book.find(worker.host)) worker.address = entry->address;
  }
  if (workers.empty()) throw Error(Errc::kSpec, "/nodes: there are no workers");
  return workers;
}

void put(OrderedJson& document, const MxnetCluster& cluster) {
  if (!cluster.groups.empty()) runOf(document)["groups"] = cluster.groups;
  std::size_t worker = 0;
  for (OrderedJson& node : nodesOf(document))
    if (!cluster.shares.empty() && isWorker(node)) node["share"] = cluster.shares[worker++];
}

void refuseProblems(const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  for (std::size_t i = 0; problems.size() > 1 && i < problems.size(); ++i) std::cerr << problems[i] << '\n';
  throw Error(Errc::kFormat, problems.size() == 1 ? problems.front() : strCat(problems.size(), " bad places; nothing was imported"));
}

void importCluster(const ImportArguments& arguments) {
  if (arguments.groups.empty() && arguments.dataSharding.empty()) throw Error(Errc::kUsage, "give at least one of --groups and --data-sharding");
  try {
    OrderedJson document = documentOf(readTextFile(arguments.spec));
    const MxnetCluster cluster = readMxnetFiles(fileAt(arguments.groups), fileAt(arguments.dataSharding), workersOf(nodesOf(document)));
    refuseProblems(cluster.problems);
    put(document, cluster);
    const std::string text = textOf(document);
    const Experiment experiment = readExperiment({.path = arguments.spec, .assignments = {}, .text = text, .name = {}}, describeLocal());
    refuseErrors(experiment);
    for (const std::string& note : cluster.notes) std::cerr << note << '\n';
    for (const Finding& finding : experiment.findings)
      if (!finding.error) std::cerr << findingLine(arguments.spec, finding) << '\n';
    writeOutput(arguments.output, text);
  } catch (const Error& error) {
    if (error.code() == Errc::kSpec && !std::string_view(error.what()).starts_with(arguments.spec))
      throw Error(Errc::kSpec, strCat(arguments.spec, ": ", error.what()));
    throw;
  }
}

}  // namespace

void addClusterCommand(CLI::App& app, Shared&) {
  CLI::App* cluster = app.add_subcommand("cluster", "A cluster as other systems' files describe it.");
  cluster->require_subcommand(1);
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* import = cluster->add_subcommand("import", "Writes a spec or suite with the groups and shares of MXNet-G's files.");
  import->add_option("spec", arguments->spec, "a run or a suite of runs")->required()->type_name("SPEC.json");
  import->add_option("--groups", arguments->groups, "MXNet-G's groups: a line for each, of worker ids or addresses")->type_name("FILE");
  import->add_option("--data-sharding", arguments->dataSharding, "MXNet-G's data_sharding: \"begin end\" for each worker")->type_name("FILE");
  import->add_option("-o,--output", arguments->output, "where to write; default: standard output")->type_name("FILE");
  import->callback([arguments] { importCluster(*arguments); });
}

}  // namespace paceline
