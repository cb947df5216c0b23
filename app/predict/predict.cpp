#include "app/predict/predict.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "storage/summary/table_text.h"

namespace paceline::predict {
namespace {

constexpr std::int64_t kRoundsShown = 24;  // that are simulated, about
constexpr double kReached = 0.5;           // of the benchmark's speed. Measured over predicted samples/s: lenet 1.1 to 1.4, resnet18_v1 1.1, lenet5 0.6, inception_bn_small 2.6, mobilenet_v2 0.26
// What small networks' rounds take beside their arithmetic: `paceline run` of `paceline new` (batches of 32, two workers and a server, 2 CPUs), then `paceline export --format csv`,
// least (5 %) and median, while others kept the CPUs busy. logistic: batch, computing and update 100 to 160 us, exchange 0.1 to 0.9 ms; mlp, 0.94 MB each way: exchange 3.1 to
// 14 ms; lenet, 1.7 MB each way: exchange up to 14 ms.
constexpr double kStepOverhead = 1.7e-4;   // s
constexpr double kMessageMs = 0.3;         // one way, to another process
constexpr double kMessageMbps = 2500;
constexpr int kOften = 100;                // rounds between evaluations that are simulated; rarer ones are added to the time

std::string nameOf(const store::RunRow& run) { return run.name.empty() ? run.id : run.name; }

bool saysSteps(const NodeSpec& node) { return node.emulate.stepSeconds || !node.emulate.steps.empty(); }

// GFLOP/s of one CPU; 0: not measured.
double speedOf(const Known& known, const std::string& host) {
  for (const HostSpeed& each : known.hosts)
    if (each.name == host && each.cpus > 0) return each.speed / each.cpus;
  return 0;
}

// The measured worker whose step tells what one on this node takes, and how many times as long that is; nullptr: none.
struct Same {
  const NodeSpec* node = nullptr;
  double factor = 1;
  bool bySpeed = false;
};
Same sameAs(const NodeSpec& node, const Known& known) {
  Same best;
  if (!known.like) return best;
  const RunSpec& measured = known.like->measured.spec;
  for (const NodeSpec& each : known.like->run.spec.nodes) {
    const int at = measured.nodeIndex(each.id);
    if (each.role != Role::kWorker || saysSteps(each) || at < 0 || each.device != node.device || each.threads != node.threads) continue;
    const NodeSpec& its = measured.nodes[static_cast<std::size_t>(at)];
    if (its.emulate.steps.empty()) continue;
    const double slower = node.emulate.slowdown / each.emulate.slowdown;
    if (each.host == node.host && (best.node == nullptr || best.bySpeed || each.id == node.id)) best = {&its, slower, false};
    const double here = speedOf(known, node.host), there = speedOf(known, each.host);
    if (best.node == nullptr && node.device == "cpu" && here > 0 && there > 0) best = {&its, slower * there / here, true};
  }
  return best;
}

// Threads of workers for each CPU of a host, where there are more than CPUs; else 1.
double crowdOn(const std::string& host, const RunSpec& spec, const Known& known) {
  int threads = 0;
  for (const NodeSpec& node : spec.nodes)
    if (node.role == Role::kWorker && node.host == host && node.device == "cpu") threads += node.threads;
  for (const HostSpeed& each : known.hosts)
    if (each.name == host && each.cpus > 0) return std::max(1.0, static_cast<double>(threads) / each.cpus);
  return 1;
}

// Of a step that ran nowhere: a forward pass is 2 operations for each multiplication, backward twice that, at a share of the speed that the host's benchmark reaches.
std::optional<double> guessedStep(const NodeSpec& node, const RunSpec& spec, const Known& known) {
  const double speed = speedOf(known, node.host);
  if (node.device != "cpu" || speed <= 0 || known.work <= 0) return std::nullopt;
  const double operations = 6 * known.work * static_cast<double>(spec.batchSize);
  return node.emulate.slowdown * crowdOn(node.host, spec, known) * (operations / (kReached * speed * 1e9 * node.threads) + kStepOverhead);
}

std::string stepOf(const NodeSpec& node, const RunSpec& spec) {
  return strCat("how long a step of ", spec.model.id, " with batches of ", spec.batchSize, " takes on host ", node.host, node.device == "cpu" ? "" : strCat(" (", node.device, ")"));
}

// Whether any of them is a guess.
bool setSteps(RunSpec& spec, const Known& known, Timed& made) {
  std::set<std::string> scaled;
  bool emulated = false, taken = false, guessed = false;
  for (NodeSpec& node : spec.nodes) {
    if (node.role != Role::kWorker) continue;
    if (saysSteps(node)) {
      emulated = true;
      continue;
    }
    const Same same = sameAs(node, known);
    if (const std::optional<double> guess = same.node == nullptr ? guessedStep(node, spec, known) : std::nullopt) {
      node.emulate.steps = {*guess}, node.emulate.slowdown = 1;
      guessed = true;
      continue;
    }
    if (same.node == nullptr)
      throw Error(Errc::kUnsupported, strCat("Nobody knows ", stepOf(node, spec), ": run it there once, or emulate a step time for ", node.id));
    node.emulate.steps = same.node->emulate.steps;
    for (double& step : node.emulate.steps) step *= same.factor;
    node.emulate.slowdown = 1, node.emulate.jitter = 0;
    if (!node.emulate.fetchSeconds) node.emulate.fetchSeconds = same.node->emulate.fetchSeconds;
    if (!node.emulate.evaluateSeconds) node.emulate.evaluateSeconds = same.node->emulate.evaluateSeconds;
    if (same.bySpeed) scaled.insert(node.host);
    taken = true;
  }
  if (taken) made.sources.push_back(strCat("step times as measured in run \"", nameOf(known.like->run.data.run), "\""));
  if (!scaled.empty()) made.sources.push_back(strCat("on ", listed(std::vector<std::string>(scaled.begin(), scaled.end())), " as the hosts' measured speeds say"));
  if (guessed) made.sources.push_back("step times from the hosts' measured speeds and the network's multiplications: true to a factor of about 4 on hosts that nobody else uses, until it ran there once");
  if (emulated) made.sources.push_back(taken || guessed ? "elsewhere step times as the document emulates them" : "step times as the document emulates them");
  return guessed;
}

bool emulatesLinks(const RunSpec& spec) {
  return std::ranges::any_of(spec.nodes, [](const NodeSpec& node) { return node.emulate.bandwidthMbps || node.emulate.latencyMs > 0; });
}

// A worker's narrowest way to or from another host of the run.
bool setMeasuredLinks(RunSpec& spec, const Known& known) {
  bool any = false;
  const std::vector<std::string> hosts = spec.hosts();
  const std::set<std::string> all(hosts.begin(), hosts.end());
  for (NodeSpec& node : spec.nodes) {
    if (node.role != Role::kWorker) continue;
    for (const check::LinkMeasure& link : known.links) {
      const bool its = (link.from == node.host && all.contains(link.to)) || (link.to == node.host && all.contains(link.from));
      if (!its || !link.reachable || link.from == link.to || !(link.mbps > 0)) continue;
      node.emulate.bandwidthMbps = std::min(node.emulate.bandwidthMbps.value_or(link.mbps), link.mbps);
      node.emulate.latencyMs = std::max(node.emulate.latencyMs, link.latencyMs);
      any = true;
    }
  }
  return any;
}

bool sameHosts(const RunSpec& a, const RunSpec& b) {
  const std::vector<std::string> first = a.hosts(), second = b.hosts();
  return std::set<std::string>(first.begin(), first.end()) == std::set<std::string>(second.begin(), second.end());
}

// Beside steps that are guessed exchanges are as well: a small network's rounds take longer than its steps.
void setLeastMessages(RunSpec& spec, Timed& made) {
  for (NodeSpec& node : spec.nodes)
    if (node.role != Role::kEvaluator) node.emulate.latencyMs = kMessageMs;
  for (NodeSpec& node : spec.nodes)
    if (node.role == Role::kWorker) node.emulate.bandwidthMbps = kMessageMbps;
  made.sources.push_back(strCat("messages of ", summary::fixedText(kMessageMs, 1), " ms each at ", summary::fixedText(kMessageMbps / 1e3, 1), " Gbit/s: no link was measured"));
}

void setLinks(RunSpec& spec, const Known& known, bool guessed, Timed& made) {
  if (emulatesLinks(spec)) return made.sources.push_back("links as the document emulates them");
  if (spec.hosts().size() > 1 && setMeasuredLinks(spec, known)) return made.sources.push_back("links between hosts as measured");
  const bool like = known.like && !emulatesLinks(known.like->run.spec) && sameHosts(spec, known.like->run.spec);
  if (!like && guessed) return setLeastMessages(spec, made);
  if (!like) return made.sources.push_back("messages as if they took no time: no link was measured");
  const auto worker = std::ranges::find(known.like->measured.spec.nodes, Role::kWorker, &NodeSpec::role);
  for (NodeSpec& node : spec.nodes)
    if (node.role == Role::kWorker) node.emulate.bandwidthMbps = worker->emulate.bandwidthMbps, node.emulate.latencyMs = worker->emulate.latencyMs;
  made.sources.push_back(strCat("exchanges as fast as in run \"", nameOf(known.like->run.data.run), "\""));
}

void setServers(RunSpec& spec, const Known& known) {
  if (!known.like) return;
  const std::vector<NodeSpec>& measured = known.like->measured.spec.nodes;
  const auto server = std::ranges::find_if(measured, [](const NodeSpec& node) { return node.role == Role::kServer && node.emulate.serveMbps; });
  if (server == measured.end()) return;
  for (NodeSpec& node : spec.nodes)
    if (node.role == Role::kServer && !node.emulate.serveMbps) node.emulate.serveMbps = server->emulate.serveMbps;
}

std::vector<Block> blocksOf(const RunSpec& spec, const Catalog& catalog) {
  const DatasetEntry* data = findEntry(catalog.datasets, spec.dataset.id);
  if (data == nullptr) throw Error(Errc::kSpec, unknownId("data set", spec.dataset.id, catalog.datasets));
  return paceline::blocksOf(spec.model, shapeOf(data->shape, spec.dataset.params), classesOf(data->classes, spec.dataset.params), catalog);
}

double parametersOf(const RunSpec& spec, const Catalog& catalog) {
  double count = 0;
  for (const Block& block : blocksOf(spec, catalog)) count += static_cast<double>(block.size);
  return count;
}

Known withWork(Known known, const RunSpec& spec, const Catalog& catalog) {
  double dense = 0;  // what each value of a dense layer multiplies once; some of those are not counted
  for (const Block& block : blocksOf(spec, catalog)) known.work += block.work, dense += block.trainable ? static_cast<double>(block.size) : 0;
  if (known.work <= 0) known.work = dense;
  return known;
}

void setEnds(Prediction& made, const RunSpec& spec) {
  const auto sooner = [&made](double seconds) { made.seconds = std::min(made.seconds.value_or(seconds), seconds); };
  if (spec.stop.seconds) sooner(*spec.stop.seconds);
  if (spec.stop.rounds) sooner(static_cast<double>(*spec.stop.rounds) * made.roundSeconds);
  if (spec.stop.samples && made.samplesPerSecond > 0) sooner(static_cast<double>(*spec.stop.samples) / made.samplesPerSecond);
  if (made.target && made.samplesPerSecond > 0) made.targetSeconds = made.target->samples / made.samplesPerSecond;
  if (made.targetSeconds && spec.stop.accuracy) sooner(*made.targetSeconds);
}

// Whose rounds stop rules count.
const NodeSpec& coordinatorOf(const RunSpec& spec) {
  const int named = spec.evaluatorNode();
  const bool worker = named >= 0 && spec.nodes[static_cast<std::size_t>(named)].role == Role::kWorker;
  return spec.nodes[static_cast<std::size_t>(worker ? named : spec.workers().front())];
}

// Out of the document, which is simulated for so many rounds only; what they cost a round.
double takeRareEvaluations(RunSpec& spec) {
  const int every = spec.evaluate.everyRounds;
  const std::optional<double> takes = coordinatorOf(spec).emulate.evaluateSeconds;
  if (every == 0 || (takes && every <= kOften)) return 0;
  spec.evaluate.everyRounds = 0;
  return spec.evaluators().empty() ? takes.value_or(0) / every : 0;
}

double roundSeconds(const RunSpec& spec, const std::vector<store::RoundRow>& rounds) {
  const std::string& coordinator = coordinatorOf(spec).id;
  double seconds = 0;
  int count = 0;
  for (const store::RoundRow& row : rounds)
    if (row.node == coordinator) seconds += row.record.total, ++count;
  return count > 0 ? seconds / count : 0;
}

}  // namespace

Timed timed(const RunSpec& spec, const Known& known) {
  Timed made{.spec = spec};
  const bool guessed = setSteps(made.spec, known, made);
  setLinks(made.spec, known, guessed, made);
  setServers(made.spec, known);
  return made;
}

Prediction predicted(const RunSpec& spec, const Known& known, const Catalog& catalog, const why::Simulator& simulate) {
  const AlgorithmEntry* method = findEntry(catalog.algorithms, spec.algorithm.id);
  if (method != nullptr && method->trafficByValue)
    throw Error(Errc::kUnsupported, strCat(method->title.empty() ? method->id : method->title, " sends what its values say, so only a run shows how much that is"));
  Timed times = timed(spec, withWork(known, spec, catalog));
  const double evaluating = takeRareEvaluations(times.spec);
  const RunSpec brief = why::shortened(times.spec, spec.stop.rounds.value_or(kRoundsShown));
  Prediction made{.target = known.target, .sources = std::move(times.sources)};
  made.lanes.run.specText = toJsonText(brief);
  made.lanes.rounds = simulate(brief);
  const std::vector<store::RoundRow>& rounds = made.lanes.rounds;
  if (rounds.empty()) throw Error(Errc::kUnsupported, "The simulated run closed no round");
  int rank = 0;
  for (const NodeSpec& node : brief.nodes)
    made.lanes.nodes.push_back({.run = {}, .id = node.id, .role = roleName(node.role), .host = node.host, .device = node.device, .rank = node.role == Role::kWorker ? rank++ : -1});
  made.samplesPerSecond = why::samplesPerSecond(rounds);
  made.roundSeconds = roundSeconds(spec, rounds);
  if (made.roundSeconds > 0 && (method == nullptr || method->synchronous)) made.samplesPerSecond *= made.roundSeconds / (made.roundSeconds + evaluating);
  made.roundSeconds += evaluating;
  for (const store::RoundRow& row : rounds) made.bytesPerRound += static_cast<double>(row.record.bytesSent + row.record.bytesReceived) / static_cast<double>(rounds.size());
  const double bytes = parametersOf(spec, catalog) * sizeof(Real);
  made.workerBytes = bytes * (2 + (spec.optimizer.momentum > 0 || spec.optimizer.hasMoments() ? 1 : 0) + (spec.optimizer.adaptive() ? 1 : 0));
  if (const std::size_t servers = spec.servers().size()) made.serverBytes = 2 * bytes / static_cast<double>(servers);
  setEnds(made, spec);
  return made;
}

std::string keptText(const Prediction& prediction) {
  return dumped(Json{{"samples_per_s", prediction.samplesPerSecond}, {"round_s", prediction.roundSeconds}, {"bytes_per_round", prediction.bytesPerRound}, {"by", prediction.sources}});
}

std::optional<Kept> keptOf(const store::RunRow& run) {
  const Json versions = jsonOrNull(run.versions);
  if (!versions.is_object() || !versions.contains("predicted") || !versions["predicted"].is_object()) return std::nullopt;
  const Json& kept = versions["predicted"];
  const auto number = [&kept](const char* key) { return kept.contains(key) && kept[key].is_number() ? kept[key].get<double>() : 0; };
  Kept read{.samplesPerSecond = number("samples_per_s"), .roundSeconds = number("round_s"), .bytesPerRound = number("bytes_per_round")};
  if (kept.contains("by") && kept["by"].is_array())
    for (const Json& each : kept["by"])
      if (each.is_string()) read.sources.push_back(each.get<std::string>());
  return read.samplesPerSecond > 0 ? std::optional(read) : std::nullopt;
}

}  // namespace paceline::predict
