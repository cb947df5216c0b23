#include "app/models/experiment/topology_file.h"

#include <QFile>
#include <QStringList>
#include <algorithm>

#include "app/cluster/interop/cluster_files.h"

namespace paceline::experiment {
namespace {

constexpr qint64 kMostBytes = 64 << 20;
constexpr std::size_t kShownProblems = 5;

std::vector<NodeSpec> nodesWith(const RunSpec& spec, const std::vector<interop::EclWorker>& workers) {
  std::vector<NodeSpec> nodes;
  NodeSpec pattern;
  if (const std::vector<int> own = spec.workers(); !own.empty()) pattern = spec.nodes[static_cast<std::size_t>(own.front())];
  pattern.share.reset();
  for (const NodeSpec& node : spec.nodes)
    if (node.role != Role::kWorker) nodes.push_back(node);
  for (const interop::EclWorker& worker : workers) {
    const int known = spec.nodeIndex(worker.id);
    nodes.push_back(known >= 0 ? spec.nodes[static_cast<std::size_t>(known)] : pattern);
    nodes.back().id = worker.id, nodes.back().role = Role::kWorker, nodes.back().share.reset();  // other workers, other shares
  }
  return nodes;
}

}  // namespace

QString importNodeList(ExperimentDraft& draft, const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return path + ": cannot be read: " + file.errorString();
  if (file.size() > kMostBytes) return path + QString(": is %1 bytes long; a node list has at most %2").arg(file.size()).arg(kMostBytes);
  const interop::EclCluster cluster = interop::readEclFiles({.path = path.toStdString(), .text = file.readAll().toStdString()}, std::nullopt);
  QStringList problems;
  for (const std::string& problem : cluster.problems)
    if (problems.size() < static_cast<qsizetype>(kShownProblems)) problems << QString::fromStdString(problem);
  if (cluster.problems.size() > kShownProblems) problems << QString("and %1 more").arg(cluster.problems.size() - kShownProblems);
  if (!problems.isEmpty()) return problems.join('\n');
  draft.edit([&cluster](RunSpec& spec) {
    spec.nodes = nodesWith(spec, cluster.workers);
    spec.topology = {.id = "edges", .params = {}};
    spec.edges = cluster.edges;
    if (spec.evaluatorNode() < 0) spec.evaluate.on.clear();
  });
  return {};
}

}  // namespace paceline::experiment
