#include "tests/torture/trial.h"

#include <algorithm>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

template <class T>
const T& oneOf(Rng& rng, const std::vector<T>& all) { return all[rng.below(all.size())]; }

constexpr std::uint64_t kFirstWithRestarts = 30'000, kFirstWithDivided = 40'000;  // trials of lower seeds are as they were reported

bool chance(Rng& rng, double share) { return rng.uniform() < share; }

Json nodesOf(Rng& rng, int workers, int servers) {
  Json nodes = Json::array();
  for (int i = 0; i < servers; ++i) nodes.push_back({{"id", strCat("s", i)}, {"role", "server"}, {"threads", 1 + rng.below(2)}});
  for (int i = 0; i < workers; ++i) {
    Json emulate = {{"slowdown", chance(rng, 0.5) ? 1.0 : rng.uniform(1, 4)}};
    if (chance(rng, 0.5)) emulate["jitter"] = 0.4;
    if (chance(rng, 0.15)) emulate["bandwidth_mbps"] = rng.uniform(50, 500);
    if (chance(rng, 0.15)) emulate["latency_ms"] = rng.uniform(0.1, 2);
    nodes.push_back({{"id", strCat("w", i)}, {"emulate", emulate}});
  }
  return nodes;
}

void takeMethod(Rng& rng, Json& document, const Catalog& catalog) {
  const AlgorithmEntry& method = oneOf(rng, catalog.algorithms);
  document["algorithm"] = {{"id", method.id}, {"params", Json::object()}};
  int workers = method.topology == Topology::kStandalone ? 1 : static_cast<int>(2 + rng.below(4)), servers = method.needsServer ? static_cast<int>(1 + rng.below(2)) : 0;
  if (method.topology == Topology::kAggregated) {
    std::vector<AggregationEntry> fitting;
    for (const AggregationEntry& entry : catalog.aggregations)
      if (entry.needsServer || !method.combines) fitting.push_back(entry);
    const bool byServer = chance(rng, 0.6);  // where most can happen
    const AggregationEntry& aggregation = byServer ? *findEntry(catalog.aggregations, "server") : oneOf(rng, fitting);
    document["aggregation"] = {{"id", aggregation.id}};
    if (aggregation.needsServer && servers == 0) servers = static_cast<int>(1 + rng.below(2));
  }
  if (method.topology == Topology::kDecentralised) {
    workers = std::max(workers, 3) + (method.oneWay ? 1 : 0);
    document["topology"] = {{"id", "ring"}, {"params", {{"every", 2}}}};
  }
  if (!method.needsTwoMore.param.empty()) workers = 5;
  document["nodes"] = nodesOf(rng, workers, servers);
  if (method.groups) document["groups"] = {{"w0"}, Json::array()};
  for (int i = 1; method.groups && i < workers; ++i) document["groups"][chance(rng, 0.5) ? 0 : 1].push_back(strCat("w", i));
  if (method.groups && document["groups"][1].empty()) document["groups"].erase(1);
  if (method.densePushes && chance(rng, 0.2)) document["wire"]["format"] = chance(rng, 0.5) ? "fp16" : "int8";
  if (chance(rng, 0.3)) document["wire"]["overlap"] = false;
  if (chance(rng, 0.15)) document["nodes"].push_back({{"id", "e0"}, {"role", "evaluator"}});
}

std::int64_t workersIn(const Json& nodes) {
  return std::ranges::count_if(nodes, [](const Json& node) { return node.value("role", "worker") == "worker"; });
}

void takeBlows(Rng& rng, Trial& trial, std::int64_t rounds) {
  if (chance(rng, 0.2)) return;
  const Json& nodes = trial.document["nodes"];
  const std::size_t count = chance(rng, 0.2) ? 2 : 1;
  for (std::size_t i = 0; i < count; ++i) {
    Blow blow{.harm = static_cast<Harm>(1 + rng.below(6)), .victim = nodes[rng.below(nodes.size())]["id"], .round = static_cast<std::int64_t>(1 + rng.below(static_cast<std::uint64_t>(rounds) * 3 / 4))};
    if (chance(rng, 0.5) && workersIn(nodes) > 1) blow.victim = strCat("w", 1 + rng.below(static_cast<std::uint64_t>(workersIn(nodes) - 1)));  // most of what can be survived
    bool there = false, again = false;
    for (const Json& node : nodes) there = there || node["id"] == blow.victim;
    for (const Blow& other : trial.blows) again = again || other.victim == blow.victim;
    if (!there || again) continue;
    if (blow.harm == Harm::kVanish && (blow.victim == "w0" || blow.victim.front() != 'w')) blow.harm = Harm::kKill;
    trial.blows.push_back(blow);
  }
}

}  // namespace

const char* harmName(Harm harm) {
  constexpr const char* kNames[] = {"nothing", "kill", "freeze", "pause", "cut off", "spoil", "vanish"};
  return kNames[static_cast<int>(harm)];
}

std::string Trial::text() const {
  const Json& nodes = document["nodes"];
  int workers = 0, servers = 0;
  for (const Json& node : nodes) (node.value("role", "worker") == "server" ? servers : workers) += node.value("role", "worker") != "evaluator";
  std::string text = strCat("seed ", seed, ": ", document["algorithm"]["id"].get<std::string>(), document.contains("aggregation") ? strCat(" by ", document["aggregation"]["id"].get<std::string>()) : "", ", ", workers, " workers, ", servers,
                            " servers, ", document["protection"].get<std::string>());
  if (document.contains("checkpoint")) text += ", checkpoints";
  if (document["worker_restarts"] > 0) text += ", restarts";
  if (document.contains("lost_data")) text += ", divided data";
  for (const Blow& blow : blows) text += strCat("; ", harmName(blow.harm), " ", blow.victim, " in round ", blow.round);
  return text;
}

Trial trialOf(std::uint64_t seed, const Catalog& catalog) {
  Rng rng = Rng::stream(seed, "torture");
  Trial trial;
  trial.seed = seed;
  const auto rounds = static_cast<std::int64_t>(60 + rng.below(240));
  trial.document = {{"paceline", 1},
                    {"name", strCat("torture ", seed)},
                    {"seed", seed % 1000},
                    {"model", {{"id", chance(rng, 0.7) ? "logistic" : "mlp"}}},
                    {"dataset", {{"id", "synthetic"}, {"params", {{"train_count", 600}, {"test_count", 100}}}}},
                    {"batch_size", 8},
                    {"node_silent_s", 3},
                    {"worker_restarts", 0},
                    {"evaluate", {{"every_rounds", 10 + rng.below(60)}}},
                    {"stop", {{"rounds", rounds}}}};
  takeMethod(rng, trial.document, catalog);
  trial.document["protection"] = oneOf(rng, std::vector<std::string>{"plain", "plain", "curve", "aes_gcm"});
  if (chance(rng, 0.15)) trial.document["checkpoint"] = {{"every_rounds", 20 + rng.below(40)}};
  takeBlows(rng, trial, rounds);
  const RunSpec spec = parseRunSpec(trial.document.dump()).spec;
  const AlgorithmEntry& method = *findEntry(catalog.algorithms, spec.algorithm.id);
  const AggregationEntry* aggregation = findEntry(catalog.aggregations, spec.aggregation.id);
  const bool goesOn = whyNotWithoutAWorker(spec, method, aggregation).empty();
  for (Blow& blow : trial.blows) {
    if (blow.harm == Harm::kVanish && !goesOn) blow.harm = Harm::kKill;
    if (blow.harm == Harm::kSpoil && trial.document["protection"] == "plain") blow.harm = Harm::kCut;  // private sockets of one host change no byte, and nobody would notice
  }
  Rng more = Rng::stream(seed, "torture restarts");
  if (seed >= kFirstWithDivided && goesOn && method.topology != Topology::kDecentralised && chance(more, 0.5)) trial.document["lost_data"] = "divided";
  if (seed >= kFirstWithRestarts && whyNotAgain(spec, method, aggregation).empty() && chance(more, 0.7)) {
    trial.document["worker_restarts"] = 1 + more.below(2);
    const auto steps = std::ranges::find(method.params, "local_steps", &ParamSpec::name);
    const double roundSeconds = more.uniform(0.01, 0.04), most = steps == method.params.end() ? 1 : static_cast<double>(std::get<std::int64_t>(steps->fallback));
    for (Json& node : trial.document["nodes"])
      if (node.value("role", "worker") == "worker") node["emulate"]["step_s"] = roundSeconds / most;  // it must not be over before somebody is back
  }
  for (const Blow& blow : trial.blows)
    for (Json& node : trial.document["nodes"])
      if (blow.harm == Harm::kVanish && node["id"] == blow.victim) node["emulate"]["lost_after_rounds"] = blow.round;
  return trial;
}

}  // namespace paceline::tests
