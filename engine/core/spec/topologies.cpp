#include "engine/core/spec/topologies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline {
namespace {

using Pair = std::pair<int, int>;  // ranks, the lower one first
using Pairs = std::set<Pair>;      // in the order of their exchanges' offsets

void join(Pairs& pairs, int a, int b) {
  if (a != b) pairs.insert(std::minmax(a, b));
}

Pairs circle(int world, int reach) {  // everybody with the `reach` workers ahead of it
  Pairs pairs;
  for (int rank = 0; rank < world; ++rank)
    for (int ahead = 1; ahead <= reach; ++ahead) join(pairs, rank, (rank + ahead) % world);
  return pairs;
}

double allPairs(int world) { return 0.5 * world * (world - 1.0); }

Pairs complete(int world) {
  Pairs pairs;
  for (int a = 0; a < world; ++a)
    for (int b = a + 1; b < world; ++b) pairs.emplace_hint(pairs.end(), a, b);
  return pairs;
}

Pairs star(int world, const Params&) {
  Pairs pairs;
  for (int rank = 1; rank < world; ++rank) join(pairs, 0, rank);
  return pairs;
}

int torusRows(int world, const Params& params) {
  int rows = static_cast<int>(params.integer("rows"));
  if (rows == 0) rows = squarestRows(world);
  if (world % rows != 0) throw Error(Errc::kSpec, strCat("Rows must divide the number of workers, which is ", world, "; it is ", rows, "."));
  return rows;
}

Pairs torus(int world, const Params& params) {
  const int rows = torusRows(world, params), columns = world / rows;
  Pairs pairs;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      join(pairs, row * columns + column, row * columns + (column + 1) % columns);
      join(pairs, row * columns + column, (row + 1) % rows * columns + column);
    }
  return pairs;
}

// A random tree (so it is connected), then random further pairs until the mean number of neighbours is reached.
Pairs randomGraph(int world, const Params& params) {
  Rng rng = Rng::stream(static_cast<std::uint64_t>(params.integer("graph_seed")), "topology");
  std::vector<int> order(static_cast<std::size_t>(world));
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(std::span(order));
  Pairs pairs;
  for (std::size_t i = 1; i < order.size(); ++i) join(pairs, order[i], order[rng.below(i)]);
  const double all = allPairs(world);
  const auto wanted = static_cast<std::size_t>(std::min(all, std::round(0.5 * params.real("mean_degree") * world)));
  if (static_cast<double>(wanted) > all / 2) {  // nearly complete: drawing until a missing pair comes would take long
    std::vector<Pair> missing;
    for (const Pair& pair : complete(world))
      if (!pairs.contains(pair)) missing.push_back(pair);
    rng.shuffle(std::span(missing));
    for (std::size_t i = 0; pairs.size() < wanted; ++i) pairs.insert(missing[i]);
  }
  while (pairs.size() < wanted) {
    const auto a = static_cast<int>(rng.below(static_cast<std::uint64_t>(world)));
    join(pairs, a, static_cast<int>(rng.below(static_cast<std::uint64_t>(world))));
  }
  return pairs;
}

struct RankEdge {
  int a = 0, b = 0;
  Neighbour::Slot slot;
};

// Where b stands in a's list of neighbours: behind a first, nearest first, then ahead of it.
std::size_t placeOf(int b, int a, const std::vector<int>& neighbours, int world) {
  const auto key = [&](int other) {
    const int behind = (a - other + world) % world;
    return behind <= world / 2 ? Pair(0, behind) : Pair(1, world - behind);
  };
  return static_cast<std::size_t>(std::count_if(neighbours.begin(), neighbours.end(), [&](int other) { return key(other) < key(b); }));
}

int hopsOf(int world) {  // 1, 2, 4 ... ahead, below the world
  int hops = 0;
  while ((1 << hops) < world) ++hops;
  return hops;
}

// One send after the other: the h-th hop of everybody falls due together.
std::vector<RankEdge> exponential(int world, int every) {
  const int hops = hopsOf(world);
  std::vector<RankEdge> edges;
  for (int rank = 0; rank < world; ++rank)
    for (int hop = 0; hop < hops; ++hop)
      edges.push_back({.a = rank, .b = (rank + (1 << hop)) % world, .slot = {.every = hops * every, .offset = hop * every, .begunBy = rank}});
  return edges;
}

// Each end begins exchanges of its own. A worker's begin at its rank and are spread over the interval; a pair's two never fall together.
std::vector<RankEdge> fromBothEnds(const Pairs& pairs, int world, int every) {
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(world));
  for (const auto& [a, b] : pairs) {
    neighbours[static_cast<std::size_t>(a)].push_back(b);
    neighbours[static_cast<std::size_t>(b)].push_back(a);
  }
  const auto slotOf = [&](int from, int to) {
    const auto& own = neighbours[static_cast<std::size_t>(from)];
    const std::size_t ahead = placeOf(to, from, own, world) * static_cast<std::size_t>(every) / own.size();
    return static_cast<int>((static_cast<std::size_t>(from) + ahead) % static_cast<std::size_t>(every));
  };
  std::vector<RankEdge> edges;
  for (const auto& [a, b] : pairs) {
    const int first = slotOf(a, b);
    const int second = slotOf(b, a);
    edges.push_back({.a = a, .b = b, .slot = {.every = every, .offset = first, .begunBy = a}});
    edges.push_back({.a = b, .b = a, .slot = {.every = every, .offset = second == first ? (second + 1) % every : second, .begunBy = b}});
  }
  return edges;
}

using PairsOf = Pairs (*)(int world, const Params& params);
using EdgesOf = std::vector<RankEdge> (*)(int world, int every);
using CountOf = double (*)(int world, const Params& params);  // of its pairs, at most; throws what PairsOf would
struct Preset : CatalogEntry {
  PairsOf pairs;
  CountOf count;
  EdgesOf arrows = nullptr;  // in place of pairs
};
const std::vector<Preset>& presets();

constexpr double kMaxPairs = 1e6;

struct FittingPreset {
  const Preset& preset;
  Params params;
  int world = 0;
};

FittingPreset fittingPreset(const RunSpec& spec) {
  const Preset* preset = findEntry(presets(), spec.topology.id);
  if (preset == nullptr) throw Error(Errc::kSpec, strCat("topology \"", spec.topology.id, "\" is not known"));
  FittingPreset fitting{.preset = *preset, .params = completed(preset->params, spec.topology.params, "/topology/params"), .world = static_cast<int>(spec.workers().size())};
  if (const double pairs = preset->count(fitting.world, fitting.params); pairs > kMaxPairs)
    throw Error(Errc::kSpec, strCat("Topology \"", preset->id, "\" joins ", static_cast<std::int64_t>(pairs), " pairs of ", fitting.world, " workers; at most ",
                                    static_cast<std::int64_t>(kMaxPairs), " are allowed."));
  return fitting;
}

std::vector<RankEdge> presetEdges(const RunSpec& spec) {
  const auto [preset, params, world] = fittingPreset(spec);
  const int every = static_cast<int>(params.integer("every"));
  if (preset.arrows != nullptr) return preset.arrows(world, every);
  const Pairs pairs = preset.pairs(world, params);
  if (params.boolean("both_ends")) return fromBothEnds(pairs, world, every);
  const bool spread = params.boolean("spread");
  std::vector<RankEdge> edges;
  for (const auto& [a, b] : pairs)
    edges.push_back({.a = a, .b = b, .slot = {.every = every, .offset = spread ? static_cast<int>(edges.size()) % every : 0, .begunBy = a}});
  return edges;
}

std::vector<RankEdge> listedEdges(const RunSpec& spec) {
  std::map<std::string_view, int> ranks;
  const std::vector<int> workers = spec.workers();
  for (std::size_t rank = 0; rank < workers.size(); ++rank) ranks[spec.nodes[static_cast<std::size_t>(workers[rank])].id] = static_cast<int>(rank);
  const auto rankOf = [&](const std::string& id) {
    const auto found = ranks.find(id);
    if (found == ranks.end()) throw Error(Errc::kSpec, strCat("edges: \"", id, "\" is no worker of the run"));
    return found->second;
  };
  std::vector<RankEdge> edges;
  for (const Edge& edge : spec.edges)
    edges.push_back({.a = rankOf(edge.a), .b = rankOf(edge.b), .slot = {.every = edge.every, .offset = edge.offset, .begunBy = rankOf(edge.a)}});
  return edges;
}

std::vector<RankEdge> rankEdges(const RunSpec& spec) { return spec.listsEdges() ? listedEdges(spec) : presetEdges(spec); }

using Ranks = std::vector<std::vector<int>>;  // by rank: its neighbours, each once

Ranks neighboursByRank(const std::vector<RankEdge>& edges, std::size_t world) {
  Pairs pairs;
  for (const RankEdge& edge : edges) join(pairs, edge.a, edge.b);
  Ranks neighbours(world);
  for (const auto& [a, b] : pairs) {
    neighbours[static_cast<std::size_t>(a)].push_back(b);
    neighbours[static_cast<std::size_t>(b)].push_back(a);
  }
  return neighbours;
}

std::vector<int> degreesOf(const std::vector<RankEdge>& edges, std::size_t world) {
  std::vector<int> degrees;
  for (const std::vector<int>& neighbours : neighboursByRank(edges, world)) degrees.push_back(static_cast<int>(neighbours.size()));
  return degrees;
}

// Nearest first.
std::vector<int> reachedFrom(int first, const Ranks& neighbours) {
  std::vector<bool> known(neighbours.size());
  known[static_cast<std::size_t>(first)] = true;
  std::vector<int> reached = {first};
  for (std::size_t next = 0; next < reached.size(); ++next)
    for (const int other : neighbours[static_cast<std::size_t>(reached[next])])
      if (!known[static_cast<std::size_t>(other)]) known[static_cast<std::size_t>(other)] = true, reached.push_back(other);
  return reached;
}

std::vector<int> notReached(const Ranks& neighbours) {  // from the first
  std::vector<bool> known(neighbours.size());
  for (const int rank : neighbours.empty() ? std::vector<int>{} : reachedFrom(0, neighbours)) known[static_cast<std::size_t>(rank)] = true;
  std::vector<int> apart;
  for (std::size_t rank = 0; rank < known.size(); ++rank)
    if (!known[rank]) apart.push_back(static_cast<int>(rank));
  return apart;
}

Preset preset(std::string id, std::string title, std::string summary, PairsOf pairs, CountOf count, std::vector<ParamSpec> params = {}) {
  params.push_back(integerParam({"every", "Exchange every"}, 8, 1, 1e6, "Local steps between two exchanges of a pair of neighbours (K in the papers)."));
  params.push_back(advanced(booleanParam({"spread", "Spread exchanges"}, true,
                                "The pairs' exchanges are spread over the interval, pair after pair; false: all pairs exchange at the same step.")));
  params.push_back(advanced(booleanParam({"both_ends", "Both ends begin"}, false,
                                "Each end of a pair begins exchanges of its own, so that a pair has two in every interval at unequal distances, "
                                "as the published ECL program does; slower for PDMM than one at equal distances.")));
  return {{.id = std::move(id), .title = std::move(title), .summary = std::move(summary), .reference = "", .params = std::move(params)}, pairs, count};
}

Preset exponentialPreset() {
  Preset preset;
  preset.id = "exponential";
  preset.title = "Directed exponential";
  preset.summary = "Each worker with those 1, 2, 4 ... ahead of it, one after the other; methods that send one way send ahead alone.";
  preset.params = {integerParam({"every", "Send every"}, 1, 1, 1e6, "Local steps between two sends of a worker. A send goes to one neighbour, so each of three neighbours ahead gets one in 3 x every steps.")};
  preset.count = [](int world, const Params&) { return 1.0 * world * hopsOf(world); };
  preset.arrows = exponential;
  return preset;
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      preset("ring", "Ring", "Each worker with the next one, the last with the first.", [](int world, const Params&) { return circle(world, 1); },
             [](int world, const Params&) { return 1.0 * world; }),
      preset("double_ring", "Double ring", "Each worker with the next two: four neighbours each from five workers on.",
             [](int world, const Params&) { return circle(world, 2); }, [](int world, const Params&) { return 2.0 * world; }),
      preset("random", "Random", "A random connected graph: a random tree and random further pairs.", randomGraph,
             [](int world, const Params& params) { return std::min(allPairs(world), std::max(1.0 * world, 0.5 * params.real("mean_degree") * world)); },
             {realParam({"mean_degree", "Mean neighbours"}, 3, 1, 1e4, "Neighbours per worker on average; never fewer than a tree has."),
              advanced(integerParam("graph_seed", 1, 0, 1e15, "Another seed gives another graph; the run's own seed does not change it."))}),
      preset("complete", "Complete", "Each worker with every other.", [](int world, const Params&) { return complete(world); },
             [](int world, const Params&) { return allPairs(world); }),
      preset("star", "Star", "The first worker with every other.", star, [](int world, const Params&) { return 1.0 * world; }),
      preset("torus", "Torus", "A grid of workers whose rows and columns close to rings.", torus,
             [](int world, const Params& params) { return (torusRows(world, params), 2.0 * world); },
             {integerParam("rows", 0, 0, 1e6, "Rows of the grid; must divide the number of workers; 0: as square as possible.")}),
      exponentialPreset(),
  };
  return all;
}

}  // namespace

const std::vector<CatalogEntry>& topologies() {
  static const std::vector<CatalogEntry> all = [] {
    std::vector<CatalogEntry> entries = {{.id = kListedEdges, .title = "Edges", .summary = "The edges that the document lists.", .reference = "", .params = {}}};
    entries.insert(entries.end(), presets().begin(), presets().end());
    return entries;
  }();
  return all;
}

int squarestRows(int world) {
  int rows = std::max(1, static_cast<int>(std::sqrt(world)));
  while (world % rows != 0) --rows;
  return rows;
}

void checkPreset(const RunSpec& spec) { (void)fittingPreset(spec); }

std::vector<Edge> edgesOf(const RunSpec& spec) {
  if (spec.listsEdges()) return spec.edges;
  const std::vector<int> workers = spec.workers();
  const auto idOf = [&](int rank) { return spec.nodes[static_cast<std::size_t>(workers[static_cast<std::size_t>(rank)])].id; };
  std::vector<Edge> edges;
  for (const RankEdge& edge : presetEdges(spec))
    edges.push_back({.a = idOf(edge.a), .b = idOf(edge.b), .every = edge.slot.every, .offset = edge.slot.offset});
  return edges;
}

std::vector<int> apartFromFirst(const RunSpec& spec) { return notReached(neighboursByRank(listedEdges(spec), spec.workers().size())); }

std::vector<int> apartFromFirst(const RunSpec& spec, bool backwards) {
  Ranks next(spec.workers().size());
  for (const RankEdge& edge : listedEdges(spec)) next[static_cast<std::size_t>(backwards ? edge.b : edge.a)].push_back(backwards ? edge.a : edge.b);
  return notReached(next);
}

bool hasArrows(const RunSpec& spec) {
  const Preset* preset = findEntry(presets(), spec.topology.id);
  return spec.listsEdges() || (preset != nullptr && preset->arrows != nullptr);
}

// Nearest to the first worker first, each goes to the side that fewer of its neighbours have: one of them at least is across then.
std::vector<bool> activeWorkers(const RunSpec& spec) {
  const Ranks neighbours = neighboursByRank(rankEdges(spec), spec.workers().size());
  std::vector<int> side(neighbours.size());  // 1: active, -1: passive, 0: not yet known
  for (std::size_t first = 0; first < side.size(); ++first) {
    if (side[first] != 0) continue;
    for (const int rank : reachedFrom(static_cast<int>(first), neighbours)) {
      int sum = 0;
      for (const int other : neighbours[static_cast<std::size_t>(rank)]) sum += side[static_cast<std::size_t>(other)];
      side[static_cast<std::size_t>(rank)] = sum > 0 ? -1 : 1;
    }
  }
  std::vector<bool> active;
  for (const int each : side) active.push_back(each > 0);
  return active;
}

std::vector<Neighbour> neighboursOf(const RunSpec& spec, int rank) {
  const std::vector<RankEdge> edges = rankEdges(spec);
  const std::vector<int> degrees = degreesOf(edges, spec.workers().size());
  std::map<int, Neighbour> found;
  for (const bool lowerBegins : {true, false})
    for (const RankEdge& edge : edges) {
      if ((edge.a != rank && edge.b != rank) || edge.a == edge.b || (edge.a < edge.b) != lowerBegins) continue;
      const int other = edge.a == rank ? edge.b : edge.a;
      Neighbour& neighbour = found[other];
      neighbour.rank = other;
      neighbour.degree = degrees[static_cast<std::size_t>(other)];
      neighbour.slots.push_back(edge.slot);
    }
  std::vector<Neighbour> neighbours;
  for (auto& [other, neighbour] : found) neighbours.push_back(std::move(neighbour));
  return neighbours;
}

int largestDegree(const RunSpec& spec) {
  const std::vector<int> degrees = degreesOf(rankEdges(spec), spec.workers().size());
  return degrees.empty() ? 0 : *std::max_element(degrees.begin(), degrees.end());
}

}  // namespace paceline
