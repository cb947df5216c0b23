#include "engine/algorithms/context/worker_context.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/algorithms/context/phase.h"
#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"

namespace paceline {

WorkerContext::WorkerContext(const WorkerSetup& setup)
    : setup_(setup),
      rng_(Rng::stream(setup.seed, "worker", static_cast<std::uint64_t>(setup.rank))),
      gradient_(SendVector::zeros(setup.objective.parameters())),
      neighbours_(setup.neighbourhood, setup.rank, setup.seed, setup.objective.parameters()),
      direction_(setup.optimizer),
      sentBefore_(setup.meter.traffic()),
      receivedBefore_(sentBefore_),
      norms_(setup.records, setup.objective.blocks()) {
  if (!setup.servers.empty()) useShards(shardsOf(gradient_.size(), setup.servers, setup.serverShares));
  if (setup.overlap && setup.pacer.emulates()) setup.objective.countWork();
  planStep();
}

double WorkerContext::learningRate(double base) {
  record_.learningRate = base * scheduleFactor_;
  return record_.learningRate;
}

std::span<Real> WorkerContext::gradient() {
  const std::span<Real> g = computed({});
  clip(g);
  return g;
}

void WorkerContext::applyGradient(double rate, std::span<Real> g) {
  if (exchange_.shards.open() && exchange_.kind == Exchange::Kind::kMean && g.data() == exchange_.values.data()) {  // it steps where the mean is back
    exchange_.rate = static_cast<Real>(rate);
    direction_.begin();
    for (std::size_t s = 0; s < exchange_.shards.size(); ++s)
      if (const ShardRange& range = exchange_.shards[s]; exchange_.shards.isBack(s)) stepWhere(range, exchange_.mean.subspan(range.offset, range.size));
    return;
  }
  const std::span<Real> w = parameters();
  direction_.turn(g, w, blocks());
  const int node = setup_.workers[static_cast<std::size_t>(setup_.rank)];
  addScaledTrainable(blocks(), w, -static_cast<Real>(rate), g, setup_.helpers, setup_.helpers ? setup_.nodes[static_cast<std::size_t>(node)].threads : 1);
}

double WorkerContext::warmUpStep() {
  if (setup_.pacer.virtualTime()) return setup_.warmUp.value_or(setup_.pacer.expected(0));
  setup_.objective.warmUpStep(gradient_);
  const double began = setup_.clock.now();
  setup_.objective.warmUpStep(gradient_);
  const double seconds = setup_.pacer.expected(setup_.clock.now() - began);  // without the wait for a batch, which belongs to no device
  if (setup_.warmedUp) setup_.warmedUp(seconds);
  return seconds;
}

double WorkerContext::stepSeconds() const { return setup_.clock.now() - stepBegan_; }

void WorkerContext::aggregateMean(std::span<Real> data, std::int32_t vector) {
  PACELINE_CHECK(setup_.aggregator != nullptr, "an algorithm aggregates that did not declare it");
  if (!exchange_.taken) {
    PACELINE_CHECK(data.data() == exchange_.values.data(), "a gradient that was made for a mean goes there");
    exchange_.taken = true;
    return;
  }
  exchangeWhole(data, vector, isWhole(data), [&](std::int64_t number) { setup_.aggregator->mean(setup_.transport, number, data); });
}

void WorkerContext::aggregateFactor(std::span<Real> data, std::int32_t vector) {
  PACELINE_CHECK(setup_.aggregator != nullptr && exchange_.taken, "a method of factors aggregates, and nothing else is under way");
  exchangeWhole(data, vector, false, [&](std::int64_t number) { setup_.aggregator->mean(setup_.transport, number, data); });
}

void WorkerContext::aggregate(std::span<Real> data, const aggregators::CombineFields& how, bool contributes, std::int32_t vector) {
  aggregators::Combiner* combiner = setup_.aggregator ? setup_.aggregator->combiner() : nullptr;
  PACELINE_CHECK(combiner != nullptr, "a method that combines contributions has a server");
  exchangeWhole(data, vector, isWhole(data), [&](std::int64_t number) { combiner->combine(setup_.transport, number, data, how, contributes); });
}

std::vector<ShardRange> WorkerContext::gatherParts(std::size_t size) const {
  PACELINE_CHECK(setup_.aggregator != nullptr, "an algorithm gathers that did not declare that it aggregates");
  aggregators::ShardedMean* sharded = setup_.aggregator->sharded();
  return sharded ? sharded->shards(size) : aggregators::gatherParts(size);
}

void WorkerContext::recordKept(std::span<const Packed> payloads) {
  std::size_t kept = 0, elements = 0;
  for (const Packed& payload : payloads) kept += codecs::entriesOf(payload);
  for (const Block& block : blocks()) elements += block.trainable ? block.size : 0;
  record_.kept = static_cast<double>(kept) / static_cast<double>(std::max<std::size_t>(1, elements));
}

std::vector<aggregators::Payloads> WorkerContext::gather(std::span<const ShardRange> parts, aggregators::Payloads own) {
  recordKept(own);
  const Phase phase(*this, Phase::kExchange);
  exchangeBegins();
  aggregators::Gatherer* server = setup_.aggregator->gatherer();
  std::vector<aggregators::Payloads> all = server ? server->gather(setup_.transport, ++aggregations_, parts, std::move(own))
                                                  : aggregators::passAround(setup_.transport, setup_.workers, rank(), ++aggregations_, std::move(own));
  exchangeEnds();
  return all;
}

std::vector<double> WorkerContext::distances(std::span<Real> data) {
  aggregators::Combiner* combiner = setup_.aggregator ? setup_.aggregator->combiner() : nullptr;
  PACELINE_CHECK(combiner != nullptr, "a method that combines contributions has a server");
  if (averages() && isWhole(data)) copyStatistics(blocks(), setup_.objective.parameters(), data);
  const Phase phase(*this, Phase::kExchange);
  exchangeBegins();
  std::vector<double> between = combiner->distances(setup_.transport, ++aggregations_, data);
  exchangeEnds();
  return between;
}

void WorkerContext::exchangeWhole(std::span<Real> data, std::int32_t vector, bool isWhole, const Exchanged& by) {
  if (isWhole) land();
  const std::span<Real> w = setup_.objective.parameters();
  const bool carries = averages() && isWhole && data.data() != w.data();
  if (carries) copyStatistics(blocks(), w, data);
  {
    const Phase phase(*this, Phase::kExchange);
    exchangeBegins();
    setup_.transport.nameVector(vector);
    by(++aggregations_);
    setup_.transport.nameVector(0);
    exchangeEnds();
  }
  if (carries) copyStatistics(blocks(), data, w);
}

// A count fits Real exactly: no round trains 2^24 samples on one worker.
void WorkerContext::agreeOnSamples() {
  Real trained = static_cast<Real>(samplesTotal_ - samplesAgreed_);
  aggregateMean({&trained, 1});
  globalSamples_ += std::llround(static_cast<double>(trained) * setup_.aggregator->contributors(world()));
  samplesAgreed_ = samplesTotal_;
}

// Between rounds; times and traffic begin anew.
void WorkerContext::state(Archive& archive) {
  PACELINE_CHECK(!exchange_.shards.open(), "a snapshot while an exchange is under way");
  rng_.state(archive, "random");
  direction_.state(archive, parameters().size());
  ArchiveScope exchanges(archive, "exchanges");
  neighbours_.state(exchanges);
  archive.number("samples", samplesTotal_);
  archive.number("global_samples", globalSamples_);
  archive.number("samples_agreed", samplesAgreed_);
  archive.number("aggregations", aggregations_);
  std::vector<std::uint64_t> versions(versions_.begin(), versions_.end());
  archive.words("versions", versions);
  if (versions.size() != versions_.size() && !setup_.servers.empty())
    for (std::vector<ShardRange>& cut : earlierShardsOf(gradient_.size(), setup_.servers, setup_.serverShares))
      if (cut.size() == versions.size()) {
        useShards(std::move(cut));
        break;
      }
  if (versions.size() != versions_.size())
    throw Error(Errc::kFormat, strCat("the checkpoint is of ", versions.size(), " shards, this run has ", versions_.size()));
  std::copy(versions.begin(), versions.end(), versions_.begin());
}

void WorkerContext::goOn() {
  sentBefore_ = receivedBefore_ = setup_.meter.traffic();
  setup_.transport.restartTimes();
}

void WorkerContext::beginRound(std::int64_t round, double scheduleFactor) {
  record_ = RoundRecord{};
  metrics_.clear();
  lossSum_ = 0;
  round_ = round;
  scheduleFactor_ = scheduleFactor;
  inRound_ = true;
  norms_.plan(round);
  if (!exchange_.shards.open()) norms_.begin(setup_.objective.parameters());
  setup_.transport.beginWaits();
  roundBegan_ = setup_.clock.now();
}

void WorkerContext::exchangeBegins() {
  if (!record_.exchangeBegan) record_.exchangeBegan = setup_.clock.now();
}

void WorkerContext::tellWait(RoundRecord& record) const {
  const Transport::Wait& longest = setup_.transport.longestWait();
  if (longest.node < 0 || longest.node >= static_cast<int>(setup_.nodes.size())) return;
  record.longestWaitFor = setup_.nodes[static_cast<std::size_t>(longest.node)].id;
  record.longestWait = longest.seconds;
}

RoundRecord WorkerContext::endRound() {
  RoundRecord& r = record_;
  r.round = round_;
  r.total = setup_.clock.now() - roundBegan_;
  r.update = std::max(0.0, r.total - (r.fetch + r.compute + r.send + r.wait + r.receive + r.query));
  r.loss = r.samples > 0 ? lossSum_ / static_cast<double>(r.samples) : std::numeric_limits<double>::quiet_NaN();
  const Traffic now = setup_.meter.traffic();
  r.bytesSent = now.bytesSent - sentBefore_.bytesSent;
  r.messagesSent = now.messagesSent - sentBefore_.messagesSent;
  sentBefore_ = now;
  tellWait(r);
  incomplete_ = exchange_.shards.open();
  if (!incomplete_) complete(r, metrics_);
  inRound_ = false;
  return r;
}

// Exchanges with servers and neighbours.
void WorkerContext::useShards(std::vector<ShardRange> shards) {
  shards_ = std::move(shards);
  versions_.assign(shards_.size(), 0);
  if (aggregators::ShardedMean* mean = setup_.aggregator ? setup_.aggregator->sharded() : nullptr) mean->useShards(shards_);
}

void WorkerContext::sendPush(std::size_t shard) {
  Message push = messageOf(MessageKind::kPush, exchange_.fields);
  push.shard = static_cast<std::int32_t>(shard);
  push.round = round_;
  push.version = versions_[shard];
  push.priority = shardPriority(shard);
  if (exchange_.payloads.empty()) push.dense = Dense::shared(exchange_.values.subspan(shards_[shard].offset, shards_[shard].size), exchange_.owner);
  else push.packed = std::move(exchange_.payloads[shard]);
  setup_.transport.send(shards_[shard].server, std::move(push));
}

void WorkerContext::pushPull(std::span<const Real> values, const PushOptions& options) {
  PACELINE_CHECK(!shards_.empty() && values.size() == gradient_.size(), "pushPull needs servers and a whole vector");
  if (!exchange_.taken) {
    PACELINE_CHECK(values.data() == exchange_.values.data(), "a gradient that was made for a push goes there");
    exchange_.taken = true;
    return;
  }
  land();
  std::vector<Packed> payloads;
  if (options.compressor) {
    payloads = options.compressor->compress(values, shards_, {});
    recordKept(payloads);
  }
  beginPush(values, options, 0);
  exchange_.payloads = std::move(payloads);
  give(0, values.size());
  const bool lasting = options.compressor || values.data() == gradient_.data() || values.data() == other_.data();
  if (!setup_.overlap || !lasting) land();
}

// Shards that have moved on meanwhile set the version that the others are asked for again; they have the one before their newest too.
std::int64_t WorkerContext::pull(std::int64_t atLeast) {
  PACELINE_CHECK(!shards_.empty(), "pull needs servers");
  land();
  const std::int64_t before = versions_[0];
  {
    const Phase phase(*this, Phase::kExchange);
    exchangeBegins();
    for (std::int64_t wanted = atLeast; std::any_of(versions_.begin(), versions_.end(), [&](std::int64_t v) { return v != wanted; });) {
      std::size_t asked = 0;
      for (std::size_t s = 0; s < shards_.size(); ++s) {
        if (versions_[s] == wanted) continue;
        setup_.transport.send(shards_[s].server,
                              {.kind = MessageKind::kPull, .shard = static_cast<std::int32_t>(s), .round = round_, .version = wanted});
        ++asked;
      }
      for (; asked > 0; --asked) takeReply(setup_.transport.receive(), wanted);
      wanted = *std::max_element(versions_.begin(), versions_.end());
    }
    exchangeEnds();
  }
  record_.staleness += static_cast<double>(versions_[0] - before);
  return versions_[0];
}

std::size_t WorkerContext::takeReply(const Message& reply, std::int64_t atLeast) {
  const auto s = static_cast<std::size_t>(reply.shard);
  const bool whole = reply.packed.empty();
  if (reply.kind != MessageKind::kReply || s >= shards_.size() || reply.from != shards_[s].server || reply.version < atLeast ||
      (whole && reply.dense.values().size() != shards_[s].size))
    throw Error(Errc::kFormat, strCat("node ", reply.from, " answered with message kind ", static_cast<int>(reply.kind), ", shard ", reply.shard,
                                      ", version ", reply.version, ", ", reply.dense.values().size(), " values"));
  const std::span<Real> w = setup_.objective.parameters(), shard = w.subspan(shards_[s].offset, shards_[s].size);
  const auto eachOwn = [&](const auto& see) {  // local statistics in the shard
    if (isHollow(w)) return;
    for (const Block& block : blocks()) {
      const std::size_t from = std::max(block.offset, shards_[s].offset), to = std::min(block.offset + block.size, shards_[s].offset + shards_[s].size);
      if (!averages() && !block.trainable && from < to) see(w.subspan(from, to - from));
    }
  };
  own_.clear();
  eachOwn([this](std::span<Real> part) { own_.insert(own_.end(), part.begin(), part.end()); });
  if (whole) {
    copyValues(reply.dense.values(), shard);
  } else {
    codecs::unpackSparse(reply.packed, shard.size(), strCat("node ", reply.from), difference_);
    for (std::size_t i = 0; i < difference_.indices.size(); ++i) shard[difference_.indices[i]] += difference_.values[i];
  }
  auto kept = own_.cbegin();
  eachOwn([&kept](std::span<Real> part) {
    std::copy_n(kept, part.size(), part.begin());
    kept += static_cast<std::ptrdiff_t>(part.size());
  });
  versions_[s] = reply.version;
  return s;
}

// Where a message has no room for all layers, neighbours are taken together.
LayerFields WorkerContext::layersOf(const ShardRange& shard) const {
  std::set<std::size_t> ends{shard.size};
  for (const Block& block : blocks()) {
    const std::size_t end = block.offset + block.size;
    if (end > shard.offset && end < shard.offset + shard.size) ends.insert(end - shard.offset);
  }
  const std::size_t together = (ends.size() + kMaxScalars - 1) / kMaxScalars;
  LayerFields kept;
  std::size_t left = ends.size();
  for (const std::size_t end : ends)
    if (--left % together == 0) kept.ends.push_back(static_cast<double>(end));
  return kept;
}

void WorkerContext::initServers(std::span<const Real> values, bool withLayers) {
  if (setup_.rank != 0) return;
  const Phase phase(*this, Phase::kExchange);
  for (std::size_t s = 0; s < shards_.size(); ++s) {
    Message init = messageOf(MessageKind::kInit, withLayers ? layersOf(shards_[s]) : LayerFields{});
    init.shard = static_cast<std::int32_t>(s);
    init.dense = Dense::copied(values.subspan(shards_[s].offset, shards_[s].size));
    setup_.transport.send(shards_[s].server, std::move(init));
  }
}

Message WorkerContext::askServer(Message question) {
  PACELINE_CHECK(!setup_.servers.empty(), "an algorithm asks a server that the run does not have");
  const Phase phase(*this, Phase::kQuery);
  const int server = setup_.servers.front();
  question.round = round_;
  setup_.transport.send(server, std::move(question));
  Message answer = setup_.transport.receiveFrom(server);
  if (answer.kind != MessageKind::kAnswer)
    throw Error(Errc::kFormat, strCat("node ", server, " answered a question with message kind ", static_cast<int>(answer.kind)));
  return answer;
}

void WorkerContext::exchange(const exchange::ExchangePlan& plan, const exchange::NeighbourExchange::Compose& compose, const exchange::NeighbourExchange::Crossed& crossed) {
  const Phase phase(*this, Phase::kExchange);
  exchangeBegins();
  neighbours_.exchange(setup_.transport, plan, round_, compose, crossed);
  exchangeEnds();
}

void WorkerContext::push(double number, const exchange::NeighbourExchange::Compose& compose, const exchange::NeighbourExchange::Came& came) {
  const Phase phase(*this, Phase::kExchange);
  exchangeBegins();
  neighbours_.push(setup_.transport, round_, number, compose, came);
  exchangeEnds();
}

}  // namespace paceline
