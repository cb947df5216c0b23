// What was measured of a run as the `emulate` of its document.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/why/why.h"
#include "engine/core/base/rng.h"
#include "storage/summary/table_text.h"

namespace paceline::why {
namespace {

constexpr int kQuantiles = 16;       // of a worker's steps in the document
constexpr int kFits = 8;             // of the links
constexpr double kLeastBrought = 0.1, kMostBrought = 4;  // s of a round by a second of a link
constexpr double kMostLink = 10;     // rounds that an exchange may take
constexpr double kCloseEnough = 0.01;
constexpr double kSmallBytes = 64 << 10;  // of a round: below, an exchange is latency
constexpr const char* kOwnEngine = "paceline";  // the simulator's; a document of another one may have no emulated link

struct Measured {
  std::vector<double> steps{};
  double fetched = 0, evaluated = 0, exchanged = 0, bytes = 0;  // s in all; least s of an exchange; bytes of a round
  std::int64_t steppedTimes = 0, evaluations = 0, rounds = 0;
};

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// The middles of equal parts of the sorted values, moved so that their mean is that of all.
std::vector<double> quantilesOf(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<double> some;
  const double mean = meanOf(values);
  const auto count = std::min<std::size_t>(kQuantiles, values.size());
  for (std::size_t i = 0; i < count; ++i) some.push_back(values[(2 * i + 1) * values.size() / (2 * count)]);
  const double factor = meanOf(some) > 0 ? mean / meanOf(some) : 1;
  for (double& value : some) value = std::max(1e-9, value * factor);
  if (!some.empty() && some.back() - some.front() < 1e-6 * some.back()) some.resize(1);
  return some;
}

std::map<std::string, Measured> measuredOf(const Explained& run) {
  std::map<std::string, Measured> nodes;
  for (const store::RoundRow& row : run.data.rounds) {
    const RoundRecord& r = row.record;
    Measured& node = nodes[row.node];
    if (r.localSteps > 0) node.steps.push_back((r.compute + r.update) / static_cast<double>(r.localSteps));
    node.fetched += r.fetch, node.steppedTimes += r.localSteps;
    if (r.evaluate > 0) node.evaluated += r.evaluate, ++node.evaluations;
    const double exchange = r.send + r.wait + r.receive + r.query;
    node.exchanged = node.rounds == 0 ? exchange : std::min(node.exchanged, exchange);
    node.bytes += static_cast<double>(r.bytesSent + r.bytesReceived), ++node.rounds;
  }
  for (const store::EvaluationRow& row : run.data.evaluations) {
    const int index = run.spec.nodeIndex(row.node);
    if (index < 0 || run.spec.nodes[static_cast<std::size_t>(index)].role != Role::kEvaluator) continue;
    nodes[row.node].evaluated += row.record.seconds, ++nodes[row.node].evaluations;
  }
  return nodes;
}

// Of what a server took in; on the wire it was smaller where the document has another format than fp32.
std::map<std::string, double> serverRates(const Explained& run) {
  const double values = run.spec.wire.format == "int8" ? 4 : run.spec.wire.format == "fp16" ? 2 : 1;
  std::map<std::string, std::pair<double, double>> busy;  // s, bytes
  for (const store::BusyRow& row : run.data.busy) busy[row.node].first += row.record.busy, busy[row.node].second += static_cast<double>(row.record.bytesReceived) * values;
  std::map<std::string, double> rates;
  for (const NodeSpec& node : run.spec.nodes)
    if (const auto one = busy.find(node.id); node.role == Role::kServer && one != busy.end() && one->second.first > 0 && one->second.second > 0)
      rates[node.id] = one->second.second * 8 / 1e6 / one->second.first * node.threads;
  return rates;
}

bool emulatesLinks(const RunSpec& spec) {
  return std::ranges::any_of(spec.nodes, [](const NodeSpec& node) { return node.emulate.bandwidthMbps || node.emulate.latencyMs > 0; });
}

// s of an exchange. A worker that never comes last has waited for others in every round; its link is taken for as fast as the fastest.
double leastExchange(const std::map<std::string, Measured>& nodes) {
  double least = 0;
  for (const auto& [id, node] : nodes)
    if (node.rounds > 0 && (least == 0 || node.exchanged < least)) least = node.exchanged;
  return least;
}

// Every worker's link, so that its exchange alone takes so long.
void setLinks(RunSpec& spec, const std::map<std::string, Measured>& nodes, double seconds) {
  for (NodeSpec& node : spec.nodes) {
    if (node.role != Role::kWorker || !nodes.contains(node.id)) continue;
    const Measured& its = nodes.at(node.id);
    const double bytes = its.rounds == 0 ? 0 : its.bytes / static_cast<double>(its.rounds);
    node.emulate.bandwidthMbps.reset(), node.emulate.latencyMs = 0;
    if (seconds <= 1e-9 || bytes <= 0) continue;
    if (bytes < kSmallBytes) node.emulate.latencyMs = seconds * 1e3;
    else node.emulate.bandwidthMbps = bytes * 8 / 1e6 / seconds;
  }
}

// The workers' exchanges as long as the run's rounds say: the server's handling and queues are in them already. Of what a link takes longer a part may be hidden behind steps and behind
// the other way, so the next try goes by what the last one brought.
void fitLinks(RunSpec& spec, const Explained& run, const std::map<std::string, Measured>& nodes, const Simulator& simulate) {
  double samples = 0;
  std::int64_t rounds = 0;
  for (const store::RoundRow& row : run.data.rounds) samples += static_cast<double>(row.record.samples), rounds = std::max(rounds, row.record.round);
  const double perRound = samples / static_cast<double>(std::max<std::int64_t>(1, rounds)), wanted = perRound / samplesPerSecond(run.data.rounds);  // s of a round
  double seconds = 0, before = 0, tookBefore = 0, brought = 1;
  for (int fit = 0; fit < kFits; ++fit) {
    const double took = perRound / samplesPerSecond(simulate(spec));
    if (std::abs(took / wanted - 1) < kCloseEnough) return;
    if (seconds != before) brought = std::clamp((took - tookBefore) / (seconds - before), kLeastBrought, kMostBrought);
    before = seconds, tookBefore = took;
    seconds = std::clamp(seconds + (wanted - took) / brought, 0.0, kMostLink * wanted);
    setLinks(spec, nodes, seconds);
  }
}

std::string stepNote(const std::string& id, const Measured& node) {
  const auto [least, most] = std::ranges::minmax(node.steps);
  return strCat(id, ": a step takes ", summary::fixedText(meanOf(node.steps) * 1e3, 2), " ms (", summary::fixedText(least * 1e3, 2), " to ", summary::fixedText(most * 1e3, 2), ", ", node.steps.size(), " rounds)");
}

void setTimes(NodeSpec& node, const Measured& its) {
  node.emulate.slowdown = 1, node.emulate.jitter = 0, node.emulate.stepSeconds.reset();
  node.emulate.steps = quantilesOf(its.steps);
  node.emulate.fetchSeconds.reset(), node.emulate.evaluateSeconds.reset();
  if (const double fetch = its.fetched / static_cast<double>(std::max<std::int64_t>(1, its.steppedTimes)); fetch > 1e-9) node.emulate.fetchSeconds = fetch;
  if (its.evaluations > 0 && its.evaluated > 0) node.emulate.evaluateSeconds = its.evaluated / static_cast<double>(its.evaluations);
}

}  // namespace

Calibration calibrated(const Explained& run, const Simulator& simulate, int draw) {
  Calibration made{.spec = run.spec};
  made.spec.aggregation.engine = kOwnEngine;
  std::map<std::string, Measured> nodes = measuredOf(run);
  Rng rng = Rng::stream(static_cast<std::uint64_t>(draw), "calibrate", 0);
  for (NodeSpec& node : made.spec.nodes) {
    const auto found = nodes.find(node.id);
    if (found == nodes.end()) continue;
    Measured& its = found->second;
    if (its.steps.size() > 3) its.steps.erase(its.steps.begin());  // the first is slower: memory, caches, threads
    if (node.role == Role::kWorker && !its.steps.empty()) made.notes.push_back(stepNote(node.id, its));
    if (draw > 0) {
      const std::vector<double> all = its.steps;
      for (double& step : its.steps) step = all[static_cast<std::size_t>(rng.below(all.size()))];
    }
    setTimes(node, its);
    if (node.emulate.evaluateSeconds) made.notes.push_back(strCat(node.id, ": an evaluation takes ", summary::fixedText(*node.emulate.evaluateSeconds, 3), " s"));
    if (node.emulate.fetchSeconds) made.notes.push_back(strCat(node.id, ": a batch takes ", summary::fixedText(*node.emulate.fetchSeconds * 1e3, 2), " ms"));
  }
  for (const auto& [id, rate] : serverRates(run)) {
    made.spec.nodes[static_cast<std::size_t>(made.spec.nodeIndex(id))].emulate.serveMbps = rate;
    made.notes.push_back(strCat(id, ": handles ", summary::fixedText(rate, 0), " Mbit/s of values"));
  }
  if (emulatesLinks(run.spec)) {
    made.notes.push_back("links are as the document emulates them");
    return made;
  }
  setLinks(made.spec, nodes, simulate ? 0 : leastExchange(nodes));
  if (simulate) fitLinks(made.spec, run, nodes, simulate);
  made.notes.push_back("links are as fast as the run's exchanges");
  return made;
}

void takeTimes(const RunSpec& from, RunSpec& into) {
  bool any = false;
  for (NodeSpec& node : into.nodes)
    if (const int index = from.nodeIndex(node.id); index >= 0) node.emulate = from.nodes[static_cast<std::size_t>(index)].emulate, any = true;
  into.aggregation.engine = kOwnEngine;
  if (!any) throw Error(Errc::kSpec, strCat("/nodes: no node of this document was measured in run \"", from.name, "\", which has ", from.nodes.front().id, " to ", from.nodes.back().id));
}

}  // namespace paceline::why
