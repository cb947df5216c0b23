#include "engine/runtime/setup.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/base/error.h"
#include "engine/core/record/dates.h"
#include "engine/core/record/reasons.h"
#include "engine/core/spec/topologies.h"
#include "engine/runtime/compute_threads.h"
#include "engine/runtime/kept_weights.h"
#include "engine/runtime/schedule.h"

namespace paceline {
namespace {

Choice completedSchedule(const Choice& choice) {
  const CatalogEntry* found = findEntry(schedules(), choice.id);
  if (found == nullptr) throw Error(Errc::kSpec, strCat("learning_rate_schedule \"", choice.id, "\" is not known"));
  return {.id = choice.id, .params = completed(found->params, choice.params, "/learning_rate_schedule/params")};
}

const aggregators::AggregatorDef* aggregatorOf(const RunSpec& spec, const AlgorithmDef& algorithm) {
  if (algorithm.topology != Topology::kAggregated) return nullptr;
  const aggregators::AggregatorDef* def = aggregators::findAggregator(spec.aggregation.id);
  if (!def) throw Error(Errc::kSpec, strCat("aggregation \"", spec.aggregation.id, "\" is not known"));
  return def;
}

std::vector<double> serverSharesOf(const RunSpec& spec) {
  std::vector<double> shares;
  for (const int server : spec.servers())
    if (const std::optional<double>& share = spec.nodes[static_cast<std::size_t>(server)].share) shares.push_back(*share);
  if (!shares.empty() && shares.size() != spec.servers().size()) throw Error(Errc::kSpec, "nodes: all servers have a share or none has");
  return shares;
}

std::vector<int> clientsOf(const RunSpec& spec) {
  std::vector<int> clients;
  for (std::size_t node = 0; node < spec.nodes.size(); ++node)
    if (spec.nodes[node].role != Role::kServer) clients.push_back(static_cast<int>(node));
  return clients;
}

std::vector<std::vector<int>> groupsOf(const RunSpec& spec) {
  const std::vector<int> workers = spec.workers();
  std::vector<std::vector<int>> groups;
  for (const std::vector<std::string>& ids : spec.groups) {
    std::vector<int>& group = groups.emplace_back();
    for (const std::string& id : ids) {
      const auto found = std::find(workers.begin(), workers.end(), spec.nodeIndex(id));
      if (found == workers.end()) throw Error(Errc::kSpec, strCat("groups: \"", id, "\" is no worker"));
      group.push_back(static_cast<int>(found - workers.begin()));
    }
  }
  return groups;
}

std::vector<int> hubsOf(const RunSpec& spec, const RunParts& parts) {
  std::vector<int> hubs = spec.evaluators();
  hubs.push_back(parts.coordinator);
  std::ranges::sort(hubs);
  return hubs;
}

}  // namespace

RunParts partsOf(const RunSpec& spec) {
  const AlgorithmDef* algorithm = findAlgorithm(spec.algorithm.id);
  if (!algorithm) throw Error(Errc::kSpec, strCat("algorithm \"", spec.algorithm.id, "\" is not known"));
  RunParts parts{.algorithm = *algorithm,
                 .params = completed(algorithm->params, spec.algorithm.params, "/algorithm/params"),
                 .aggregator = aggregatorOf(spec, *algorithm),
                 .schedule = completedSchedule(spec.learningRateSchedule),
                 .workers = spec.workers(),
                 .clients = clientsOf(spec),
                 .servers = spec.servers(),
                 .serverShares = serverSharesOf(spec),
                 .groups = groupsOf(spec)};
  parts.synchronous = sharesRounds(*algorithm, parts.params);
  parts.goesOn = whyNotWithoutAWorker(spec, *algorithm, parts.aggregator).empty();
  parts.renews = spec.workerRestarts > 0 && whyNotAgain(spec, *algorithm, parts.aggregator).empty();
  if (parts.workers.empty()) throw Error(Errc::kSpec, "nodes: a run needs a worker");
  parts.coordinator = spec.evaluatorNode() >= 0 ? spec.evaluatorNode() : parts.workers.front();
  if (algorithm->topology == Topology::kStandalone && parts.workers.size() > 1)
    throw Error(Errc::kSpec, strCat("algorithm \"", algorithm->id, "\" runs on one worker, the spec has ", parts.workers.size()));
  if (algorithm->topology == Topology::kDecentralised && parts.workers.size() > 1 && edgesOf(spec).empty())
    throw Error(Errc::kSpec, strCat("algorithm \"", algorithm->id, "\" needs edges between its workers, or a topology that makes them"));
  parts.hubs = hubsOf(spec, parts);
  const bool markers = algorithm->topology == Topology::kDecentralised && spec.checkpointEveryRounds > 0;  // to all, before a snapshot
  parts.workersMeet = markers || (parts.aggregator != nullptr && !parts.aggregator->needsServer);
  const bool needsServer = algorithm->makeServer || (parts.aggregator && parts.aggregator->needsServer);
  if (needsServer && parts.servers.empty())
    throw Error(Errc::kSpec, strCat("algorithm \"", algorithm->id, "\" needs a server, the spec has none"));
  return parts;
}

void requireRenewable(const RunParts& parts, int node) {
  if (!parts.renews || node < 0 || node == parts.coordinator || !parts.workers.contains(node))
    throw Error(Errc::kFormat, strCat("node ", node, " says that another process has taken its place, and no run goes on without it"));
}

int rankOf(const RunParts& parts, int worker) {
  if (const std::optional<std::size_t> rank = parts.workers.placeOf(worker)) return static_cast<int>(*rank);
  throw Error(Errc::kSpec, strCat("node ", worker, " is no worker"));
}

std::shared_ptr<const RunParts> partsOf(const NodeRun& run) { return run.parts ? run.parts : std::make_shared<const RunParts>(partsOf(run.spec)); }

std::vector<int> clientsMetBy(const RunParts& parts, const RunSpec& spec, int worker) {
  std::vector<int> met = parts.workersMeet || worker == parts.coordinator ? parts.clients.nodes() : parts.hubs;
  if (const std::optional<std::size_t> rank = parts.workers.placeOf(worker); rank && parts.algorithm.topology == Topology::kDecentralised)
    for (const int node : exchange::neighbourhoodOf(spec, static_cast<int>(*rank)).nodes) met.push_back(node);
  std::ranges::sort(met);
  met.erase(std::unique(met.begin(), met.end()), met.end());
  std::erase(met, worker);
  return met;
}

std::vector<std::string> endpointsMetBy(const RunSpec& spec, int node, const std::vector<std::string>& endpoints) {
  const RunParts parts = partsOf(spec);
  std::vector<int> peers = parts.workers.contains(node) ? clientsMetBy(parts, spec, node) : parts.clients.nodes();
  if (!parts.servers.contains(node)) peers.insert(peers.end(), parts.servers.begin(), parts.servers.end());
  peers.push_back(node);
  std::vector<std::string> met(endpoints.size());
  for (const int peer : peers) met.at(static_cast<std::size_t>(peer)) = endpoints.at(static_cast<std::size_t>(peer));
  return met;
}

std::vector<int> dispensableTo(const NodeRun& run, const RunParts& parts) {
  const bool alone = parts.algorithm.topology != Topology::kDecentralised && run.node != parts.coordinator && parts.workers.contains(run.node);
  if (!parts.goesOn || alone) return {};
  std::vector<int> others(parts.workers.begin(), parts.workers.end());
  std::erase(others, parts.coordinator);
  std::erase(others, run.node);
  return others;
}

double evaluatedFor(const NodeRun& run, double began) {
  const std::optional<double>& seconds = run.spec.nodes.at(static_cast<std::size_t>(run.node)).emulate.evaluateSeconds;
  const double left = seconds ? began + *seconds - run.clock.now() : 0;
  if (left > 0) run.clock.sleepFor(left);
  return run.clock.now() - began;
}

void tellToleratesLoss(const NodeRun& run, bool tolerates) {
  if (tolerates) emitNotice(run, "note", "should a worker be lost, the run goes on without it", "info", "tolerates_loss");
}

EvaluationRecord evaluated(const NodeRun& run, Objective& objective, std::int64_t round, double t, std::int64_t samples) {
  const double before = run.clock.now();
  const Evaluation result = objective.evaluate(run.cores);
  evaluatedFor(run, before);
  if (run.weights) run.weights->evaluated(result, objective.parameters(), round);
  for (const NamedNumber& metric : result.metrics) run.emit(MetricRecord{.round = round, .t = t, .name = metric.name, .value = metric.value});
  EvaluationRecord record{.round = round, .t = t, .accuracy = result.accuracy(), .loss = result.loss, .samples = samples, .seconds = run.clock.now() - before};
  if (result.validation) record.validationAccuracy = result.validation->accuracy, record.validationLoss = result.validation->loss;
  return record;
}

namespace {

void kept(const NodeRun& run, const std::function<void(KeptWeights&)>& keep) {
  if (!run.weights) return;
  try {
    keep(*run.weights);
  } catch (const Error& error) {
    emitNotice(run, "log", strCat("weights are not kept: ", error.what()), "warn", "weights");
  }
}

}  // namespace

void keepCheckpoint(const NodeRun& run, Objective& objective, std::int64_t round) {
  kept(run, [&](KeptWeights& weights) { weights.checkpoint(objective.blocks(), objective.parameters(), round); });
}

void leaveWeights(const NodeRun& run, Objective& objective) {
  kept(run, [&](KeptWeights& weights) { weights.finish(objective.blocks(), objective.parameters()); });
}

std::string divergedText(std::int64_t round, double loss) { return strCat("in round ", round, " the loss is ", std::isnan(loss) ? "NaN" : "infinite", ": ", kDiverged); }

void emitNotice(const NodeRun& run, const std::string& kind, const std::string& text, const std::string& level, const std::string& reason,
                std::int64_t code) {
  const double time = run.nominalStepSeconds > 0 ? 0 : recordDates().now();
  run.emit(NoticeRecord{.kind = kind, .text = text, .level = level, .reason = reason, .code = code, .unixTime = time});
}

double emitClock(const NodeRun& run, double began) {
  constexpr double kEverySeconds = 60;
  const double before = run.clock.now();
  const bool virtualTime = run.nominalStepSeconds > 0;
  const double date = virtualTime ? before : recordDates().now(), after = run.clock.now();
  run.emit(ClockRecord{.unixTime = date, .t = (before + after) / 2 - began, .error = (after - before) / 2});
  return virtualTime ? std::numeric_limits<double>::infinity() : after - began + kEverySeconds;
}

NodeList countedBy(const NodeRun& run, const RunParts& parts) {
  if (run.nominalStepSeconds > 0) return parts.servers;
  std::vector<int> counted = parts.servers.nodes();
  for (const int client : clientsMetBy(parts, run.spec, run.node)) counted.push_back(client);
  return counted;
}

void emitTraffic(const NodeRun& run, MeteredWire& meter, std::span<const int> nodes, const std::string& with, double t) {
  Traffic sum;
  for (const int node : nodes) {
    const Traffic& one = meter.with(node);
    sum.bytesSent += one.bytesSent;
    sum.bytesReceived += one.bytesReceived;
    sum.messagesSent += one.messagesSent;
    sum.messagesReceived += one.messagesReceived;
  }
  const auto emit = [&](const char* what, std::int64_t value) {
    run.emit(MetricRecord{.round = 0, .t = t, .name = what + with, .value = static_cast<double>(value)});
  };
  emit("bytes_to_", sum.bytesSent);
  emit("bytes_from_", sum.bytesReceived);
  emit("messages_to_", sum.messagesSent);
  emit("messages_from_", sum.messagesReceived);
}

std::unique_ptr<Cores> helpersOf(const NodeRun& run) {
  const int threads = run.spec.nodes.at(static_cast<std::size_t>(run.node)).threads;
  return run.nominalStepSeconds > 0 || threads < 2 ? nullptr : std::make_unique<ComputeThreads>(threads);
}

std::unique_ptr<aggregators::Aggregator> aggregatorOf(const NodeRun& run, const RunParts& parts, int rank, MeteredWire& meter) {
  if (!parts.aggregator) return nullptr;
  const NodeSpec& node = run.spec.nodes.at(static_cast<std::size_t>(run.node));
  return aggregators::makeAggregator(*parts.aggregator, run.nominalStepSeconds > 0 ? "paceline" : run.spec.aggregation.engine,
                        {.rank = rank,
                         .workers = parts.workers,
                         .servers = parts.servers.nodes(),
                         .serverShares = parts.serverShares,
                         .device = node.device,
                         .address = run.address,
                         .book = [&meter](std::int64_t bytes) { meter.book(bytes); }});
}

LayeredWire::LayeredWire(const NodeRun& run, const NodeList& peers) : metered_(inOrder(run), peers) { coded_.emplace(metered_, run.spec.wire); }

// In virtual time the simulator shapes and orders.
Wire& LayeredWire::inOrder(const NodeRun& run) {
  const bool real = run.nominalStepSeconds <= 0;
  const bool serves = run.spec.nodes.at(static_cast<std::size_t>(run.node)).role == Role::kServer;
  Wire* wire = &run.wire;
  if (real) wire = &shaped_.emplace(*wire, run.clock, run.spec.nodes.at(static_cast<std::size_t>(run.node)).emulate);
  if (run.serversReturn && !serves) {
    std::vector<LastingWire::Server> known;
    for (const int server : run.spec.servers()) known.push_back({.node = server, .name = run.spec.nodes[static_cast<std::size_t>(server)].id});
    wire = &lasting_.emplace(*wire, run.clock, known);
  }
  if (real) wire = &ordered_.emplace(*wire, run.clock);
  if (!run.journal || !serves) return *wire;
  std::vector<int> clients = run.spec.workers();
  const std::vector<int> evaluators = run.spec.evaluators();
  clients.insert(clients.end(), evaluators.begin(), evaluators.end());
  return journal_.emplace(*wire, run.clock, *run.journal, clients);
}

}  // namespace paceline
