#include "engine/algorithms/context/worker_context.h"

#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"

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
