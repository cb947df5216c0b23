#include "engine/algorithms/context/worker_context.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/algorithms/context/statistics.h"
#include "engine/algorithms/context/worker_phase.h"
#include "engine/core/base/error.h"
#include "engine/core/record/state_archive.h"

namespace paceline {

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
  lastStep_ = setup_.objective.gradient(gradient_);
  if (setup_.pacer.virtualTime()) lastStep_.fetchSeconds = 0;
  const double took = setup_.pacer.stretch(setup_.clock.now() - stepBegan_);
  lastStep_.computeSeconds = std::max(0.0, took - lastStep_.fetchSeconds);
  record_.fetch += lastStep_.fetchSeconds;
  record_.compute += lastStep_.computeSeconds;
  record_.localSteps += 1;
  record_.samples += static_cast<std::int64_t>(lastStep_.samples);
  samplesTotal_ += static_cast<std::int64_t>(lastStep_.samples);
  lossSum_ += lastStep_.loss * static_cast<double>(lastStep_.samples);
  addWeightDecay(setup_.optimizer, blocks(), parameters(), gradient_);
  return gradient_;
}

double WorkerContext::rehearse() {
  setup_.objective.rehearse(gradient_);
  const double began = setup_.clock.now();
  setup_.objective.rehearse(gradient_);
  return setup_.pacer.expected(setup_.clock.now() - began);
}

double WorkerContext::stepSeconds() const { return setup_.clock.now() - stepBegan_; }

void WorkerContext::aggregateMean(std::span<Real> data) {
  PACELINE_CHECK(setup_.aggregator != nullptr, "an algorithm aggregates that did not declare it");
  const Phase phase(*this, Phase::kExchange);
  setup_.aggregator->mean(setup_.transport, ++aggregations_, data);
}

// A count fits Real exactly: no round trains 2^24 samples on one worker.
void WorkerContext::agreeOnSamples() {
  Real trained = static_cast<Real>(samplesTotal_ - samplesAgreed_);
  aggregateMean({&trained, 1});
  globalSamples_ += std::llround(static_cast<double>(trained) * world());
  samplesAgreed_ = samplesTotal_;
}

void WorkerContext::pushPull(std::span<const Real> values, std::span<Real> into, std::span<const double> extra) {
  PACELINE_CHECK(!shards_.empty() && values.size() == gradient_.size() && into.size() == values.size(),
                 "pushPull needs servers and whole vectors");
  const Phase phase(*this, Phase::kExchange);
  const auto trained = static_cast<double>(samplesTotal_ - samplesAgreed_);
  samplesAgreed_ = samplesTotal_;
  for (std::size_t s = 0; s < shards_.size(); ++s) {
    Message push;
    push.kind = MessageKind::kPush;
    push.shard = static_cast<std::int32_t>(s);
    push.round = round_;
    push.version = versions_[s];
    push.scalars = {record_.learningRate, trained};
    push.scalars.insert(push.scalars.end(), extra.begin(), extra.end());
    push.dense = Dense::borrowed(values.subspan(shards_[s].offset, shards_[s].size));
    setup_.transport.send(shards_[s].server, std::move(push));
  }
  double staleness = 0;
  std::vector<bool> answered(shards_.size());
  for (std::size_t left = shards_.size(); left > 0; --left) {
    const Message reply = setup_.transport.receive();
    const auto s = static_cast<std::size_t>(reply.shard);
    if (reply.kind != MessageKind::kReply || s >= shards_.size() || answered[s] || reply.from != shards_[s].server ||
        reply.dense.values().size() != shards_[s].size || reply.scalars.size() != 2) {
      setup_.transport.settle();
      throw Error(Errc::kFormat, strCat("node ", reply.from, " answered a push with message kind ", static_cast<int>(reply.kind),
                                        ", shard ", reply.shard, ", ", reply.dense.values().size(), " values"));
    }
    answered[s] = true;
    std::copy(reply.dense.values().begin(), reply.dense.values().end(),
              into.begin() + static_cast<std::ptrdiff_t>(shards_[s].offset));
    versions_[s] = reply.version;
    staleness += reply.scalars[0];
    if (s == 0) globalSamples_ = static_cast<std::int64_t>(reply.scalars[1]);  // each shard counts; they differ by what is under way
  }
  record_.staleness += staleness / static_cast<double>(shards_.size());
}

// The places in the shard at which layers end; where a message has no room for all, neighbours are taken together.
std::vector<double> WorkerContext::layerEnds(const ShardRange& shard) const {
  std::set<std::size_t> ends{shard.size};
  for (const Block& block : blocks()) {
    const std::size_t end = block.offset + block.size;
    if (end > shard.offset && end < shard.offset + shard.size) ends.insert(end - shard.offset);
  }
  const std::size_t together = (ends.size() + kMaxScalars - 1) / kMaxScalars;
  std::vector<double> kept;
  std::size_t left = ends.size();
  for (const std::size_t end : ends)
    if (--left % together == 0) kept.push_back(static_cast<double>(end));
  return kept;
}

void WorkerContext::initServers(std::span<const Real> values, bool withLayers) {
  if (setup_.rank != 0) return;
  const Phase phase(*this, Phase::kExchange);
  for (std::size_t s = 0; s < shards_.size(); ++s) {
    Message init;
    init.kind = MessageKind::kInit;
    init.shard = static_cast<std::int32_t>(s);
    if (withLayers) init.scalars = layerEnds(shards_[s]);
    init.dense = Dense::copied(values.subspan(shards_[s].offset, shards_[s].size));
    setup_.transport.send(shards_[s].server, std::move(init));
  }
}

std::vector<double> WorkerContext::ask(std::vector<double> question) {
  PACELINE_CHECK(!setup_.servers.empty(), "an algorithm asks a server that the run does not have");
  const Phase phase(*this, Phase::kQuery);
  const int server = setup_.servers.front();
  Message message;
  message.kind = MessageKind::kAsk;
  message.round = round_;
  message.scalars = std::move(question);
  setup_.transport.send(server, std::move(message));
  Message answer = setup_.transport.receiveFrom(server);
  if (answer.kind != MessageKind::kAnswer || answer.scalars.empty())
    throw Error(Errc::kFormat, strCat("node ", server, " answered a question with message kind ", static_cast<int>(answer.kind)));
  return std::move(answer.scalars);
}

// Between rounds; times and traffic begin anew.
void WorkerContext::state(Archive& archive) {
  rng_.state(archive, "random");
  momentum_.state(archive);
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

}  // namespace paceline
