// How an exchange overlaps with the steps around it: shards leave as the backward pass makes their blocks final, and are waited for where the next
// forward pass reads them. Wait-free backpropagation (Zhang et al. 2017, "Poseidon") and priorities (Jayarajan et al. 2019, P3; Peng et al. 2019, ByteScheduler).
// Nothing is computed in another order than without, so synchronous methods end with the same bits.
#include "engine/algorithms/context/phase.h"
#include "engine/algorithms/context/worker_context.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

double squaredDistance(std::span<const Real> a, std::span<const Real> b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow(static_cast<double>(a[i] - b[i]), 2);
  return squares;
}

}  // namespace

// Of a step a third is the forward pass and two thirds are the backward pass, each divided as the blocks' multiplications are: used where the step is
// emulated or simulated.
void WorkerContext::planStep() {
  const std::span<const Block> all = blocks();
  const bool known = std::ranges::any_of(all, [](const Block& block) { return block.work > 0; });
  const auto weight = [known](const Block& block) { return !block.trainable ? 0.0 : known ? block.work : static_cast<double>(block.size); };
  double total = 0, done = 0;
  for (const Block& block : all) total += weight(block);
  for (const Block& block : all) {
    before_.push_back(total > 0 ? done / total / 3 : 0);
    after_.push_back(total > 0 ? 1 - 2 * done / total / 3 : 1);
    done += weight(block);
  }
}

std::span<Real> WorkerContext::gradientFor(const PushOptions& push) {
  if (!setup_.overlap || setup_.optimizer.clipNorm) return gradient();
  return computed([this, push](std::uint64_t samples) { beginPush(gradient_.span(), push, static_cast<std::int64_t>(samples)); });
}

std::span<Real> WorkerContext::gradientForMean() {
  if (!setup_.overlap || setup_.optimizer.clipNorm || !setup_.aggregator->sharded()) return computed({});
  return computed([this](std::uint64_t) { beginMean(gradient_); });
}

// The parameters travel in the gradient's memory, which nobody needs once the step is taken.
void WorkerContext::stepToMean(double rate, const std::string& distance) {
  if (setup_.overlap && !setup_.optimizer.clipNorm && setup_.aggregator->sharded()) {
    computed([&](std::uint64_t) {
      beginMean(gradient_);
      exchange_.before = static_cast<Real>(rate);
      direction_.begin();
      exchange_.distance = distance;
      exchange_.squares.resize(exchange_.shards.size());
    });
    exchange_.taken = true;
    return;
  }
  const std::span<Real> own = gradient();
  applyGradient(rate, own);
  const std::span<Real> w = parameters();
  copyValues<Real>(w, own);
  aggregateMean(w);
  if (!isHollow(w)) record(distance, std::sqrt(squaredDistance(own, w)));
}

// One step. Where parts of it wait for shards or send some, that time is no compute.
std::span<Real> WorkerContext::computed(const std::function<void(std::uint64_t samples)>& begin) {
  PACELINE_CHECK(exchange_.taken, "a gradient that was made for an exchange goes there");
  const std::span<const Block> all = blocks();
  if (exchange_.shards.size() < 2) land();  // nothing of it comes earlier than the rest
  const bool inParts = begin || exchange_.shards.open(), emulates = setup_.pacer.emulates();
  if (exchange_.shards.open()) {
    std::swap(gradient_, other_);
    if (gradient_.empty()) gradient_ = SendVector::zeros(other_.span());
  }
  gradient_.renew();
  stepBegan_ = setup_.clock.now();
  double apart = setup_.pacer.fetch();
  record_.fetch += apart;
  setup_.pacer.begin();
  const auto reach = [&](double share) {
    const double measured = setup_.pacer.virtualTime() ? 0 : setup_.clock.now() - stepBegan_ - apart - setup_.pacer.slept();
    return setup_.pacer.reach(measured, share);
  };
  const auto aside = [&](const auto& work) {
    const double began = setup_.clock.now();
    work();
    apart += setup_.clock.now() - began;
  };
  StepStats step;
  std::uint64_t samples = 0;
  std::unique_ptr<Cores::Task> computing;  // in virtual time, while nothing of the step is needed
  const auto finish = [&] {
    if (computing) std::exchange(computing, nullptr)->finish();
  };
  std::size_t left = all.size();  // blocks that are not given; the last first
  const auto needed = [&](std::size_t block) {
    if (emulates) reach(before_[block]);
    aside([&] { waitFor(all[block]); });
  };
  const auto ready = [&](std::size_t block) {
    PACELINE_CHECK(block + 1 == left, "blocks are announced last first");
    if (emulates) reach(after_[block]);
    finish();
    aside([&] {
      if (left == all.size()) {
        land();
        begin(samples);
        exchange_.taken = false;
      }
      --left;
      norms_.take(block, gradient_.span());
      giveBlock(all[block]);
    });
  };
  if (setup_.pacer.virtualTime()) {
    std::size_t block = 0;
    for (; exchange_.shards.open() && block < all.size(); ++block) needed(block);
    land();  // from here on the parameters are what they are
    const auto compute = [&] {
      step = setup_.objective.gradient(gradient_);
      samples = step.samples;
    };
    if (setup_.cores) computing = setup_.cores->begin(compute);
    else compute();
    for (; inParts && block < all.size(); ++block) needed(block);
  } else if (!inParts) {
    step = setup_.objective.gradient(gradient_);
  } else {
    StepWatch watch{.begins = [&samples](std::uint64_t count) { samples = count; }, .needed = needed, .ready = {}};
    if (begin) watch.ready = ready;
    step = setup_.objective.gradient(gradient_, watch);
  }
  while (begin && left > 0) ready(left - 1);
  const double took = reach(1);
  finish();
  if (!begin) land();
  if (setup_.pacer.virtualTime()) step.fetchSeconds = 0;
  record_.fetch += step.fetchSeconds;
  record_.compute += std::max(0.0, took - step.fetchSeconds);
  record_.localSteps += 1;
  record_.samples += static_cast<std::int64_t>(step.samples);
  samplesTotal_ += static_cast<std::int64_t>(step.samples);
  lossSum_ += step.loss * static_cast<double>(step.samples);
  if (!std::isfinite(step.loss) && !std::exchange(diverged_, true) && setup_.diverged) setup_.diverged(round_, step.loss);
  for (std::size_t block = 0; !begin && block < all.size(); ++block) norms_.take(block, gradient_.span());
  norms_.endStep();
  if (!begin) addWeightDecay(setup_.optimizer, all, setup_.objective.parameters(), gradient_);
  return gradient_;
}

void WorkerContext::waitFor(const Block& block) {
  if (!block.trainable && !averages()) return;  // the worker's own
  while (exchange_.shards.open() && !exchange_.shards.areBack(block.offset, block.size)) landOne();
}

void WorkerContext::beginMean(std::span<Real> data) {
  aggregators::ShardedMean& mean = *setup_.aggregator->sharded();
  exchange_ = {.kind = Exchange::Kind::kMean, .values = data, .owner = ownerOf(data), .mean = data, .number = ++aggregations_};
  exchange_.shards.begin(mean.shards(data.size()));
  exchange_.answered.resize(exchange_.shards.size());
  mean.begin(exchange_.number);
}

void WorkerContext::beginPush(std::span<const Real> values, const PushOptions& push, std::int64_t samples) {
  exchange_ = {.kind = Exchange::Kind::kPush,
               .values = values,
               .owner = ownerOf(values),
               .fields = {.rate = push.scale.value_or(record_.learningRate),
                          .samples = samplesTotal_ + samples - samplesAgreed_,
                          .extra = {push.extra.begin(), push.extra.end()}}};
  exchange_.shards.begin(shards_);
  samplesAgreed_ = samplesTotal_ + samples;
}

std::shared_ptr<const void> WorkerContext::ownerOf(std::span<const Real> values) const {
  if (values.data() == gradient_.data()) return gradient_.owner();
  return values.data() == other_.data() ? other_.owner() : nullptr;
}

// A block's gradient is final. A mean carries averaged statistics in the places for them; one of parameters carries the block as its step leaves it.
void WorkerContext::giveBlock(const Block& block) {
  const std::span<const Block> one(&block, 1);
  const std::span<Real> w = setup_.objective.parameters();
  addWeightDecay(setup_.optimizer, one, w, gradient_);
  if (exchange_.before) {
    if (block.trainable) direction_.turnPart(gradient_, w, block.offset, block.size, block.decays);
    addScaledTrainable(one, w, -*exchange_.before, gradient_.span());
    copyValues<Real>(w.subspan(block.offset, block.size), gradient_.span().subspan(block.offset, block.size));
  } else if (exchange_.kind == Exchange::Kind::kMean && averages()) {
    copyStatistics(one, w, gradient_);
  }
  give(block.offset, block.size);
}

void WorkerContext::give(std::size_t offset, std::size_t size) {
  exchange_.shards.give(offset, size, [this](std::size_t shard) {
    const Phase phase(*this, Phase::kExchange);
    exchangeBegins();
    if (exchange_.kind == Exchange::Kind::kPush) sendPush(shard);
    else setup_.aggregator->sharded()->sendShard(setup_.transport, exchange_.number, shard, exchange_.mean, exchange_.owner);
  });
}

void WorkerContext::land(const std::function<bool()>& unless) {
  while (exchange_.shards.open())
    if (!landOne(unless)) return;
}

void WorkerContext::abandon() {
  if (!exchange_.shards.open()) return;
  setup_.transport.settle();
  exchange_.shards.begin({});
  exchange_.owner.reset();
  held_.reset();
}

bool WorkerContext::landOne(const std::function<bool()>& unless) {
  const double began = setup_.clock.now();
  {
    const Phase phase(*this, Phase::kExchange);
    const MessageKind kind = exchange_.kind == Exchange::Kind::kMean ? MessageKind::kReduced : MessageKind::kReply;
    const std::optional<Message> reply = unless ? setup_.transport.receiveKind(kind, unless) : setup_.transport.receive();
    if (!reply) return false;
    try {
      takeShard(*reply);
    } catch (const Error&) {
      setup_.transport.settle();
      throw;
    }
  }
  if (!inRound_ && held_) {  // behind its last round
    const double waited = setup_.clock.now() - began;
    held_->record.wait += waited;
    held_->record.total += waited;
    tellWait(held_->record);
  }
  if (!exchange_.shards.open()) landed();
  return true;
}

void WorkerContext::takeShard(const Message& reply) {
  if (exchange_.kind == Exchange::Kind::kMean) {
    const std::size_t s = setup_.aggregator->sharded()->shardOf(setup_.transport, reply, exchange_.number, exchange_.mean.size(), exchange_.answered);
    exchange_.shards.back(s);
    const ShardRange& range = exchange_.shards[s];
    if (exchange_.before) return takeMean(s, reply.dense.values());
    if (exchange_.rate && !direction_.turns()) return stepWhere(range, reply.dense.values());
    const std::span<Real> mean = exchange_.mean.subspan(range.offset, range.size);
    copyValues(reply.dense.values(), mean);
    if (exchange_.rate) stepWhere(range, mean);
    return;
  }
  const std::size_t s = takeReply(reply, 0);
  if (exchange_.shards.isBack(s)) throw Error(Errc::kFormat, strCat("node ", reply.from, " answered a push to shard ", s, " twice"));
  exchange_.shards.back(s);
  const auto told = fieldsOf<ReplyFields>(reply);
  exchange_.staleness += told.staleness / static_cast<double>(exchange_.shards.size());
  if (s == 0) globalSamples_ = told.samples;  // each shard counts; they differ by what is under way
}

void WorkerContext::takeMean(std::size_t shard, std::span<const Real> mean) {
  const ShardRange& range = exchange_.shards[shard];
  const std::span<Real> w = setup_.objective.parameters().subspan(range.offset, range.size);
  if (!isHollow(w)) exchange_.squares[shard] = squaredDistance(exchange_.mean.subspan(range.offset, range.size), mean);
  copyValues(mean, w);
}

// The step that applyGradient() asked for, where the mean is back: `mean` of the range; where the optimizer turns it it lies in the exchange's.
void WorkerContext::stepWhere(const ShardRange& range, std::span<const Real> mean) {
  const std::span<Real> w = setup_.objective.parameters();
  for (const Block& block : blocks()) {
    const std::size_t from = std::max(block.offset, range.offset), to = std::min(block.offset + block.size, range.offset + range.size);
    if (from >= to) continue;
    const std::span<const Real> part = mean.subspan(from - range.offset, to - from);
    if (block.trainable) {
      direction_.turnPart(exchange_.mean, w, from, to - from, block.decays);
      addScaled(w.subspan(from, to - from), -*exchange_.rate, part);
    } else if (averages()) {
      copyValues<Real>(part, w.subspan(from, to - from));
    }
  }
}

void WorkerContext::landed() {
  exchangeEnds();
  exchange_.owner.reset();
  if (exchange_.kind == Exchange::Kind::kMean) setup_.aggregator->sharded()->end();
  if (exchange_.before && !isHollow(setup_.objective.parameters()))
    (held_ ? held_->metrics : metrics_)[exchange_.distance] = std::sqrt(std::accumulate(exchange_.squares.begin(), exchange_.squares.end(), 0.0));
  if (inRound_ && !held_) {
    record_.staleness += exchange_.staleness;
    exchange_.staleness = 0;
    return;
  }
  if (!held_) return;  // its round is closed and not held yet: whenLanded() finds it complete
  Held whole = std::move(*std::exchange(held_, std::nullopt));
  complete(whole.record, whole.metrics);
  whole.emit(std::move(whole.record), whole.metrics);
}

void WorkerContext::complete(RoundRecord& record, Metrics& metrics) {
  record.staleness += std::exchange(exchange_.staleness, 0.0);
  const Traffic now = setup_.meter.traffic();
  record.bytesReceived = now.bytesReceived - receivedBefore_.bytesReceived;
  record.messagesReceived = now.messagesReceived - receivedBefore_.messagesReceived;
  receivedBefore_ = now;
  if (record.exchangeBegan) record.exchangeEnded = exchangeEnded_;
  norms_.end(setup_.objective.parameters(), metrics);
  norms_.begin(setup_.objective.parameters());
}

void WorkerContext::whenLanded(RoundRecord record, Emit emit) {
  if (exchange_.shards.open()) {
    held_ = Held{.record = std::move(record), .metrics = metrics_, .emit = std::move(emit)};
    return;
  }
  if (incomplete_) complete(record, metrics_);
  emit(std::move(record), metrics_);
}

WorkerContext::~WorkerContext() {
  if (!exchange_.shards.open()) return;
  try {
    setup_.transport.settle();  // what is under way is lent from here
  } catch (const std::exception&) {
    // Its worker fails with another reason.
  }
}

}  // namespace paceline
