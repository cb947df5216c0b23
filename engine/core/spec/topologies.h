// Who exchanges with whom in a decentralised run: presets over the workers in rank order, or the document's own edges. Pure functions.
//
// An edge [a, b, {every, offset}] is begun by a: it falls due when a has begun its local step offset + n * every (counted from 0), n = 0, 1, ...
// So a pair that is listed once exchanges once in `every` steps. Listed from both ends it exchanges at either end's times, twice in
// `every` steps, as the published ECL program does. Presets list a pair once, from its lower rank, unless `both_ends` is set.
#pragma once

#include <vector>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

// "edges" first: what the document lists.
const std::vector<CatalogEntry>& topologies();

// The run's edges; of a preset in the order (lower rank, higher rank), each pair's second listing behind its first. Throws Error{kSpec}
// for an unknown preset, parameters out of bounds, a world that it does not fit or joins in more than a million pairs, a worker that is not known.
std::vector<Edge> edgesOf(const RunSpec& spec);
// Throws what edgesOf() would throw of a preset, without making its edges.
void checkPreset(const RunSpec& spec);

// Rows of a torus that says none: the largest divisor of the world up to its root.
int squarestRows(int world);

// Ranks of the workers that no path of the document's edges joins with the first one.
std::vector<int> apartFromFirst(const RunSpec& spec);

// Whether an edge is an arrow from the end that lists it, to methods that send one way (AlgorithmEntry::oneWay): edges of the document and of the directed
// preset; on all others both ends send.
bool hasArrows(const RunSpec& spec);
// Of the document's edges as arrows: ranks to which no path leads from the first worker; backwards: from which none leads to it.
std::vector<int> apartFromFirst(const RunSpec& spec, bool backwards);

// By rank: whether the worker is on the side of the first one. Two sides, such that pairs of the two join all that the run's pairs join; of a graph that has
// no circle of odd length every pair is such, of others as many as one pass finds.
std::vector<bool> activeWorkers(const RunSpec& spec);

// One end's view of a pair of workers.
struct Neighbour {
  struct Slot {
    int every = 1, offset = 0;
    int begunBy = 0;  // rank of the end that lists it
    bool operator==(const Slot&) const = default;
  };
  int rank = 0;             // the other end's
  int degree = 0;           // how many neighbours the other end has
  std::vector<Slot> slots;  // when the pair exchanges: once per listing of it, the lower rank's listings first
  bool operator==(const Neighbour&) const = default;
};

// The neighbours of one worker in rank order, of edges that join workers of the spec. Throws like edgesOf().
std::vector<Neighbour> neighboursOf(const RunSpec& spec, int rank);
// The largest number of neighbours that a worker of the run has.
int largestDegree(const RunSpec& spec);

}  // namespace paceline
