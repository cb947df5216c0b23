#include "engine/algorithms/context/worker_context.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"

namespace paceline {

// Adds the time until its end to the record's fields of an exchange or a query; outside of phases time counts as local update.
class WorkerContext::Phase {
 public:
  enum Kind { kExchange, kQuery };

  Phase(WorkerContext& ctx, Kind kind)
      : ctx_(ctx),
        kind_(kind),
        began_(ctx.setup_.clock.now()),
        sendBefore_(ctx.setup_.transport.sendSeconds()),
        waitBefore_(ctx.setup_.transport.waitSeconds()) {}

  ~Phase() {
    const double total = ctx_.setup_.clock.now() - began_;
    RoundRecord& record = ctx_.record_;
    if (kind_ == kQuery) {
      record.query += total;
      return;
    }
    const double sent = ctx_.setup_.transport.sendSeconds() - sendBefore_;
    const double waited = ctx_.setup_.transport.waitSeconds() - waitBefore_;
    record.send += sent;
    record.wait += waited;
    record.receive += std::max(0.0, total - sent - waited);
  }

 private:
  WorkerContext& ctx_;
  Kind kind_;
  double began_, sendBefore_, waitBefore_;
};

WorkerContext::WorkerContext(const WorkerSetup& setup)
    : setup_(setup),
      rng_(Rng::stream(setup.seed, "worker", static_cast<std::uint64_t>(setup.rank))),
      gradient_(setup.objective.parameters().size()),
      neighbours_(setup.neighbourhood, setup.rank, setup.seed, gradient_.size()),
      momentum_(setup.optimizer),
      trafficBefore_(setup.meter.traffic()) {
  if (!setup.servers.empty()) shards_ = shardsOf(gradient_.size(), setup.servers, setup.serverShares);
  versions_.resize(shards_.size());
}

double WorkerContext::learningRate(double base) {
  record_.learningRate = base * scheduleFactor_;
  return record_.learningRate;
}

std::span<Real> WorkerContext::gradient() {
  clip(unclippedGradient());
  return gradient_;
}

void WorkerContext::applyGradient(double rate, std::span<Real> g) {
  momentum_.turn(g, blocks());
  addScaledTrainable(blocks(), parameters(), -static_cast<Real>(rate), g);
}

std::span<Real> WorkerContext::unclippedGradient() {
  stepBegan_ = setup_.clock.now();
  StepStats step = setup_.objective.gradient(gradient_);
  if (setup_.pacer.virtualTime()) step.fetchSeconds = 0;
  const double took = setup_.pacer.stretch(setup_.clock.now() - stepBegan_);
  record_.fetch += step.fetchSeconds;
  record_.compute += std::max(0.0, took - step.fetchSeconds);
  record_.localSteps += 1;
  record_.samples += static_cast<std::int64_t>(step.samples);
  samplesTotal_ += static_cast<std::int64_t>(step.samples);
  lossSum_ += step.loss * static_cast<double>(step.samples);
  addWeightDecay(setup_.optimizer, blocks(), parameters(), gradient_);
  return gradient_;
}

double WorkerContext::warmUpStep() {
  setup_.objective.warmUpStep(gradient_);
  const double began = setup_.clock.now();
  setup_.objective.warmUpStep(gradient_);
  return setup_.pacer.expected(setup_.clock.now() - began);
}

double WorkerContext::stepSeconds() const { return setup_.clock.now() - stepBegan_; }

void WorkerContext::aggregateMean(std::span<Real> data) {
  PACELINE_CHECK(setup_.aggregator != nullptr, "an algorithm aggregates that did not declare it");
  const std::span<Real> w = parameters();
  const bool carries = setup_.statistics == Statistics::kAveraged && data.size() == w.size() && data.data() != w.data();
  if (carries) copyStatistics(blocks(), w, data);
  {
    const Phase phase(*this, Phase::kExchange);
    setup_.aggregator->mean(setup_.transport, ++aggregations_, data);
  }
  if (carries) copyStatistics(blocks(), data, w);
}

// A count fits Real exactly: no round trains 2^24 samples on one worker.
void WorkerContext::agreeOnSamples() {
  Real trained = static_cast<Real>(samplesTotal_ - samplesAgreed_);
  aggregateMean({&trained, 1});
  globalSamples_ += std::llround(static_cast<double>(trained) * world());
  samplesAgreed_ = samplesTotal_;
}

// Between rounds; times and traffic begin anew.
void WorkerContext::state(Archive& archive) {
  rng_.state(archive, "random");
  momentum_.state(archive, parameters().size());
  ArchiveScope exchanges(archive, "exchanges");
  neighbours_.state(exchanges);
  archive.number("samples", samplesTotal_);
  archive.number("global_samples", globalSamples_);
  archive.number("samples_agreed", samplesAgreed_);
  archive.number("aggregations", aggregations_);
  std::vector<std::uint64_t> versions(versions_.begin(), versions_.end());
  archive.words("versions", versions);
  if (versions.size() != versions_.size())
    throw Error(Errc::kFormat, strCat("the checkpoint is of ", versions.size(), " shards, this run has ", versions_.size()));
  std::copy(versions.begin(), versions.end(), versions_.begin());
}

void WorkerContext::goOn() {
  trafficBefore_ = setup_.meter.traffic();
  setup_.transport.restartTimes();
}

void WorkerContext::beginRound(std::int64_t round, double scheduleFactor) {
  record_ = RoundRecord{};
  metrics_.clear();
  lossSum_ = 0;
  round_ = round;
  scheduleFactor_ = scheduleFactor;
  roundBegan_ = setup_.clock.now();
}

RoundRecord WorkerContext::endRound() {
  RoundRecord& r = record_;
  r.round = round_;
  r.total = setup_.clock.now() - roundBegan_;
  r.update = std::max(0.0, r.total - (r.fetch + r.compute + r.send + r.wait + r.receive + r.query));
  r.loss = r.samples > 0 ? lossSum_ / static_cast<double>(r.samples) : 0;
  const Traffic now = setup_.meter.traffic();
  r.bytesSent = now.bytesSent - trafficBefore_.bytesSent;
  r.bytesReceived = now.bytesReceived - trafficBefore_.bytesReceived;
  r.messagesSent = now.messagesSent - trafficBefore_.messagesSent;
  r.messagesReceived = now.messagesReceived - trafficBefore_.messagesReceived;
  trafficBefore_ = now;
  return r;
}

// Exchanges with servers and neighbours.
void WorkerContext::keepStatistics() {
  if (setup_.statistics != Statistics::kLocal || !hasStatistics(blocks())) return;
  own_.resize(gradient_.size());
  copyStatistics(blocks(), parameters(), own_);
}

void WorkerContext::restoreStatistics() {
  if (!own_.empty()) copyStatistics(blocks(), own_, parameters());
}

void WorkerContext::sendPush(std::size_t shard, std::span<const Real> values, Packed packed, const PushFields& fields) {
  Message push = messageOf(MessageKind::kPush, fields);
  push.shard = static_cast<std::int32_t>(shard);
  push.round = round_;
  push.version = versions_[shard];
  if (packed.empty()) push.dense = Dense::borrowed(values.subspan(shards_[shard].offset, shards_[shard].size));
  push.packed = std::move(packed);
  setup_.transport.send(shards_[shard].server, std::move(push));
}

void WorkerContext::pushPull(std::span<const Real> values, const PushOptions& options) {
  PACELINE_CHECK(!shards_.empty() && values.size() == gradient_.size(), "pushPull needs servers and a whole vector");
  keepStatistics();
  std::vector<Packed> payloads(shards_.size());
  if (options.compressor) {
    payloads = options.compressor->compress(values, shards_, {});
    std::size_t kept = 0, elements = 0;
    for (const Packed& payload : payloads) kept += codecs::entriesOf(payload);
    for (const Block& block : blocks()) elements += block.trainable ? block.size : 0;
    record_.kept = static_cast<double>(kept) / static_cast<double>(std::max<std::size_t>(1, elements));
  }
  {
    const Phase phase(*this, Phase::kExchange);
    const PushFields fields{.rate = options.scale.value_or(record_.learningRate),
                            .samples = samplesTotal_ - samplesAgreed_,
                            .extra = {options.extra.begin(), options.extra.end()}};
    samplesAgreed_ = samplesTotal_;
    for (std::size_t s = 0; s < shards_.size(); ++s) sendPush(s, values, std::move(payloads[s]), fields);
    double staleness = 0;
    std::vector<bool> answered(shards_.size());
    for (std::size_t left = shards_.size(); left > 0; --left) {
      const Message reply = setup_.transport.receive();
      try {
        const std::size_t s = takeReply(reply, 0);
        if (answered[s]) throw Error(Errc::kFormat, strCat("node ", reply.from, " answered a push to shard ", s, " twice"));
        answered[s] = true;
        const auto told = fieldsOf<ReplyFields>(reply);
        staleness += told.staleness;
        if (s == 0) globalSamples_ = told.samples;  // each shard counts; they differ by what is under way
      } catch (const Error&) {
        setup_.transport.settle();
        throw;
      }
    }
    record_.staleness += staleness / static_cast<double>(shards_.size());
  }
  restoreStatistics();
}

// Shards that have moved on meanwhile set the version that the others are asked for again; they have the one before their newest too.
std::int64_t WorkerContext::pull(std::int64_t atLeast) {
  PACELINE_CHECK(!shards_.empty(), "pull needs servers");
  keepStatistics();
  const std::int64_t before = versions_[0];
  {
    const Phase phase(*this, Phase::kExchange);
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
  }
  restoreStatistics();
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
  const std::span<Real> shard = parameters().subspan(shards_[s].offset, shards_[s].size);
  if (whole) {
    std::copy(reply.dense.values().begin(), reply.dense.values().end(), shard.begin());
  } else {
    codecs::unpackSparse(reply.packed, shard.size(), strCat("node ", reply.from), difference_);
    for (std::size_t i = 0; i < difference_.indices.size(); ++i) shard[difference_.indices[i]] += difference_.values[i];
  }
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
  neighbours_.exchange(setup_.transport, plan, round_, compose, crossed);
}

Pacer::Pacer(Clock& clock, const Emulate& emulate, Rng rng, double nominalSeconds)
    : clock_(clock), emulate_(emulate), rng_(rng), nominal_(nominalSeconds) {}

double Pacer::expected(double measured) const {
  if (virtualTime()) return emulate_.stepSeconds ? *emulate_.stepSeconds : nominal_ * emulate_.slowdown;
  return emulate_.stepSeconds ? std::max(measured, *emulate_.stepSeconds) : measured * emulate_.slowdown;
}

double Pacer::stretch(double measured) {
  double target = expected(measured);
  if (emulate_.jitter > 0) target *= rng_.uniform(1 - emulate_.jitter, 1 + emulate_.jitter);
  if (virtualTime()) {
    clock_.sleepFor(target);
    return target;
  }
  if (target <= measured) return measured;
  const double began = clock_.now();
  clock_.sleepFor(target - measured);
  return measured + (clock_.now() - began);  // what it really took: a sleep may be longer than asked for
}

}  // namespace paceline
