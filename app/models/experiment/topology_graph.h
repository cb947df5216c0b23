// The edges of a decentralised run as a picture: places of the workers, pairs, times of exchange; pure. And from an ECL node list.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/models/experiment/experiment_draft.h"
#include "engine/core/spec/catalog.h"

namespace paceline::experiment {

struct GraphEdge {
  int a = 0, b = 0;   // indices into nodes, a < b; a pair once however often it is listed
  std::string text;   // "w0 – w1: every 8 steps from step 4"
};

struct TopologyGraph {
  std::vector<std::string> nodes;                  // workers in rank order
  std::vector<std::pair<double, double>> places;   // of each, in the unit square, y down: a grid for a torus, else a circle
  std::vector<GraphEdge> edges;
  std::string problem;  // why the edges cannot be told; then there are none
  std::string summary;  // "6 workers, 6 edges; 2 neighbours each; at most 3 edges apart; spectral gap 0.33"
};

// 1 less the second largest absolute eigenvalue of the matrix with Metropolis weights, when all edges exchange at once: by so much of itself the workers' disagreement
// shrinks in a step at least (Xiao & Boyd 2004). Power iteration; of a graph so large that it has not ended, `whole` is false and the gap is smaller.
struct SpectralGap {
  double value = 0;
  bool whole = true;
};
SpectralGap spectralGap(std::size_t nodes, const std::vector<GraphEdge>& edges);

std::vector<std::string> workersOf(const RunSpec& spec);  // ids, by rank

// The run's edges with the preset's parameters completed by the catalogue's entries. Throws Error{kSpec}.
std::vector<Edge> presetEdges(const RunSpec& spec, const std::vector<CatalogEntry>& topologies);

// `topologies`: the catalogue's, which complete the preset's parameters.
TopologyGraph topologyGraph(const RunSpec& spec, const std::vector<CatalogEntry>& topologies);

// The list with an edge between two workers, its times as those of the last one; or without those between them.
std::vector<Edge> withEdgeToggled(std::vector<Edge> edges, const std::string& a, const std::string& b);

// Takes the workers and edges of an ECL node_list.json into a draft. GUI thread; reads the file, which is small. "" or the problems, a line each; then
// nothing is changed. Workers that the document has keep their settings, others are copies of its first one; its workers that the file does not
// name go.
QString importNodeList(ExperimentDraft& draft, const QString& path);

}  // namespace paceline::experiment
