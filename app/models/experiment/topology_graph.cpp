#include "app/models/experiment/topology_graph.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <numbers>

#include <QStringList>

#include "app/models/words.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/held_files.h"
#undef slots  // Qt's; a Neighbour has a member of that name
#include "app/cluster/interop/cluster_files.h"
#include "engine/core/spec/topologies.h"

namespace paceline::experiment {
namespace {

RunSpec withParameters(const RunSpec& spec, const std::vector<CatalogEntry>& topologies) {
  RunSpec whole = spec;
  std::vector<Finding> findings;
  if (const CatalogEntry* entry = findEntry(topologies, spec.topology.id))
    whole.topology.params = completeParams(entry->params, spec.topology.params, "/topology/params", findings);
  for (const Finding& finding : findings)
    if (finding.error) throw Error(Errc::kSpec, strCat(finding.pointer, ": ", finding.message));
  return whole;
}

// As given, where that fits.
int torusRows(const RunSpec& spec, int world) {
  const auto& values = spec.topology.params.values();
  const auto given = values.find("rows");
  const auto* rows = given == values.end() ? nullptr : std::get_if<std::int64_t>(&given->second);
  return rows && *rows > 0 && world % *rows == 0 ? static_cast<int>(*rows) : squarestRows(world);
}

std::pair<double, double> onCircle(std::size_t index, std::size_t count) {  // the first at the top, clockwise
  const double angle = 2 * std::numbers::pi * static_cast<double>(index) / static_cast<double>(std::max<std::size_t>(1, count));
  return {0.5 + 0.5 * std::sin(angle), 0.5 - 0.5 * std::cos(angle)};
}

std::vector<std::pair<double, double>> placesOf(const RunSpec& spec, std::size_t world) {
  std::vector<std::pair<double, double>> places;
  const bool grid = spec.topology.id == "torus" && world > 1, star = spec.topology.id == "star" && world > 2;
  const auto rows = static_cast<std::size_t>(grid ? torusRows(spec, static_cast<int>(world)) : 1), columns = world / std::max<std::size_t>(1, rows);
  const auto along = [](std::size_t at, std::size_t count) { return count > 1 ? static_cast<double>(at) / static_cast<double>(count - 1) : 0.5; };
  for (std::size_t i = 0; i < world; ++i) {
    if (grid)
      places.emplace_back(along(i % columns, columns), along(i / columns, rows));
    else if (star)
      places.push_back(i == 0 ? std::pair(0.5, 0.5) : onCircle(i - 1, world - 1));
    else
      places.push_back(world == 1 ? std::pair(0.5, 0.5) : onCircle(i, world));
  }
  return places;
}

QString timesOf(const Edge& edge) {
  const QString every = QObject::tr("every %n step(s)", nullptr, edge.every);
  return edge.offset == 0 ? every : QObject::tr("%1 from step %2").arg(every).arg(edge.offset);
}

void addEdges(TopologyGraph& graph, const std::vector<Edge>& edges) {
  std::map<std::string, int> ranks;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) ranks[graph.nodes[i]] = static_cast<int>(i);
  std::map<std::pair<int, int>, std::size_t> known;
  for (const Edge& edge : edges) {
    const auto a = ranks.find(edge.a), b = ranks.find(edge.b);
    if (a == ranks.end() || b == ranks.end() || a == b) continue;  // a finding says so
    const std::pair<int, int> pair = std::minmax(a->second, b->second);
    const auto [place, fresh] = known.try_emplace(pair, graph.edges.size());
    if (fresh)
      graph.edges.push_back({.a = pair.first, .b = pair.second, .text = strCat(edge.a, " – ", edge.b, ": ", timesOf(edge).toStdString())});
    else
      graph.edges[place->second].text += QObject::tr("; begun by %1: %2").arg(qtext(edge.a), timesOf(edge)).toStdString();
  }
}

// Edges between the worker and the one farthest from it; -1: some cannot be reached, `missing` is the first of them.
int farthest(const std::vector<std::vector<int>>& neighbours, int from, int& missing) {
  std::vector<int> distance(neighbours.size(), -1);
  std::vector<int> order = {from};
  distance[static_cast<std::size_t>(from)] = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const int next : neighbours[static_cast<std::size_t>(order[i])])
      if (distance[static_cast<std::size_t>(next)] < 0) {
        distance[static_cast<std::size_t>(next)] = distance[static_cast<std::size_t>(order[i])] + 1;
        order.push_back(next);
      }
  const auto unreached = std::find(distance.begin(), distance.end(), -1);
  if (unreached == distance.end()) return distance[static_cast<std::size_t>(order.back())];
  missing = static_cast<int>(unreached - distance.begin());
  return -1;
}

QString summaryOf(const TopologyGraph& graph) {
  QString text = QObject::tr("%1, %2", "workers, edges").arg(QObject::tr("%n worker(s)", nullptr, static_cast<int>(graph.nodes.size())), QObject::tr("%n edge(s)", nullptr, static_cast<int>(graph.edges.size())));
  if (graph.nodes.size() < 2) return text;
  std::vector<std::vector<int>> neighbours(graph.nodes.size());
  for (const GraphEdge& edge : graph.edges) {
    neighbours[static_cast<std::size_t>(edge.a)].push_back(edge.b);
    neighbours[static_cast<std::size_t>(edge.b)].push_back(edge.a);
  }
  const auto [least, most] = std::minmax_element(neighbours.begin(), neighbours.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  text += least->size() == most->size() ? QObject::tr("; %n neighbour(s) each", nullptr, static_cast<int>(most->size()))
                                        : QObject::tr("; %1 to %n neighbour(s)", nullptr, static_cast<int>(most->size())).arg(least->size());
  int missing = -1, widest = 0;
  for (int from = 0; from < static_cast<int>(graph.nodes.size()); ++from) {
    const int distance = farthest(neighbours, from, missing);
    if (distance < 0) return text + QObject::tr("; not connected: no path from %1 to %2").arg(qtext(graph.nodes[static_cast<std::size_t>(from)]), qtext(graph.nodes[static_cast<std::size_t>(missing)]));
    widest = std::max(widest, distance);
  }
  const SpectralGap gap = spectralGap(graph.nodes.size(), graph.edges);
  char digits[24];
  std::snprintf(digits, sizeof digits, "%.2g", gap.value);
  return text + QObject::tr("; at most %n edge(s) apart", nullptr, widest) + (gap.whole ? QObject::tr("; spectral gap %1") : QObject::tr("; spectral gap below %1")).arg(digits);
}

constexpr std::size_t kShownProblems = 5;
constexpr double kIterationWork = 2e6;  // multiplications of a spectral gap: milliseconds

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

std::vector<std::string> workersOf(const RunSpec& spec) {
  std::vector<std::string> ids;
  for (const int worker : spec.workers()) ids.push_back(spec.nodes[static_cast<std::size_t>(worker)].id);
  return ids;
}

SpectralGap spectralGap(std::size_t nodes, const std::vector<GraphEdge>& edges) {
  if (nodes < 2) return {.value = 1};
  std::vector<int> degree(nodes);
  for (const GraphEdge& edge : edges) ++degree[static_cast<std::size_t>(edge.a)], ++degree[static_cast<std::size_t>(edge.b)];
  // Of what the vector has beside the mean; irregular, so that no eigenvector is missing in it.
  std::vector<double> x(nodes), next(nodes);
  for (std::size_t i = 0; i < nodes; ++i) x[i] = std::sin(1 + 1.7 * static_cast<double>(i)) + 0.3 * std::cos(0.9 * static_cast<double>(i * i % 1009));
  const auto normalise = [](std::vector<double>& of) {
    double mean = 0, squares = 0;
    for (const double value : of) mean += value / static_cast<double>(of.size());
    for (double& value : of) value -= mean, squares += value * value;
    for (double& value : of) value /= squares > 0 ? std::sqrt(squares) : 1;
    return std::sqrt(squares);
  };
  normalise(x);
  double before = 0;
  const auto most = static_cast<int>(std::max(50.0, kIterationWork / static_cast<double>(nodes + edges.size())));
  for (int i = 0; i < most; ++i) {
    next = x;
    for (const GraphEdge& edge : edges) {
      const auto a = static_cast<std::size_t>(edge.a), b = static_cast<std::size_t>(edge.b);
      const double crossing = (x[b] - x[a]) / (1 + std::max(degree[a], degree[b]));
      next[a] += crossing, next[b] -= crossing;
    }
    const double size = normalise(next);
    x.swap(next);
    if (size < 1e-12) return {.value = 1};  // one step is the mean
    if (i > 20 && std::abs(size - before) < 1e-9 * (1 - size)) return {.value = 1 - size};
    before = size;
  }
  return {.value = 1 - before, .whole = false};
}

std::vector<Edge> withEdgeToggled(std::vector<Edge> edges, const std::string& a, const std::string& b) {
  const auto joins = [&](const Edge& edge) { return std::minmax(edge.a, edge.b) == std::minmax(a, b); };
  Edge added = edges.empty() ? Edge() : edges.back();
  if (std::erase_if(edges, joins) > 0) return edges;
  added.a = a, added.b = b;
  edges.push_back(added);
  return edges;
}

std::vector<Edge> presetEdges(const RunSpec& spec, const std::vector<CatalogEntry>& topologies) { return edgesOf(withParameters(spec, topologies)); }

TopologyGraph topologyGraph(const RunSpec& spec, const std::vector<CatalogEntry>& topologies) {
  TopologyGraph graph;
  graph.nodes = workersOf(spec);
  graph.places = placesOf(spec, graph.nodes.size());
  try {
    addEdges(graph, presetEdges(spec, topologies));
    graph.summary = summaryOf(graph).toStdString();
  } catch (const Error& error) {
    graph.problem = error.what();
    graph.summary = QObject::tr("%n worker(s); no edges: %1", nullptr, static_cast<int>(graph.nodes.size())).arg(qtext(graph.problem)).toStdString();
  }
  return graph;
}

QString importNodeList(ExperimentDraft& draft, const QString& path) {
  if (isHeld(path.toStdString())) return path + ": this is the store that is open here, not a node list.";
  const auto text = fileText(path.toStdString());
  if (!text) return path + ": cannot be read: " + std::strerror(errno) + ".";
  const interop::EclCluster cluster = interop::readEclFiles({.path = path.toStdString(), .text = *text}, std::nullopt);
  QStringList problems;
  for (const std::string& problem : cluster.problems)
    if (problems.size() < static_cast<qsizetype>(kShownProblems)) problems << qtext(problem);
  if (cluster.problems.size() > kShownProblems) problems << QString("and %1 more").arg(cluster.problems.size() - kShownProblems);
  if (!problems.isEmpty()) return problems.join('\n');
  draft.edit([&cluster](RunSpec& spec) {
    spec.nodes = nodesWith(spec, cluster.workers);
    spec.topology = {.id = "edges", .params = {}};
    spec.edges = cluster.edges;
    if (spec.evaluatorNode() < 0) spec.evaluate.on.clear();
  }, QObject::tr("reading workers and edges from %1").arg(path));
  return {};
}

}  // namespace paceline::experiment
