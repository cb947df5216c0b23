#include "engine/algorithms/exchange/push_pull.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/algorithms/asgd.h"
#include "engine/core/base/error.h"
#include "engine/core/base/vec.h"
#include "engine/core/record/reasons.h"
#include "engine/core/record/state_table.h"

namespace paceline::exchange {
namespace {

bool allFinite(std::span<const Real> values) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits kExponent = std::bit_cast<Bits>(std::numeric_limits<Real>::infinity());
  if (isHollow(values)) return true;
  unsigned wrong = 0;  // without a branch, so that it vectorises
  for (const Real value : values) wrong |= (std::bit_cast<Bits>(value) & kExponent) == kExponent ? 1U : 0U;
  return wrong == 0;
}

}  // namespace

void PushPullWorker::round(WorkerContext& ctx) {
  ctx.learningRate(rate_);
  const PushOptions push{.extra = extra_};
  ctx.pushPull(ctx.gradientFor(push), push);
}

AlgorithmDef pushDef(std::string id, std::vector<ParamSpec> own, std::string rateHelp) {
  AlgorithmDef def;
  def.id = std::move(id);
  def.topology = Topology::kServer;
  def.synchronous = false;
  def.serverHoldsParameters = true;
  def.survivesLoss = true;
  def.overlaps = true;
  def.params = std::move(own);
  def.params.insert(def.params.begin(), realParam("learning_rate", 0.032, 0, std::nullopt, std::move(rateHelp)));
  def.makeWorker = [](const Params& params) { return std::make_unique<PushPullWorker>(params); };
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<PushServer>(setup); };
  return def;
}

PushServer::PushServer(const ServerSetup& setup, std::size_t extras, std::unique_ptr<SparseAnswers> sparse)
    : workers_(setup.workers),
      extras_(extras),
      direction_(setup.optimizer),
      sparse_(std::move(sparse)),
      owed_(setup.workers.size()) {}

void PushServer::onMessage(Message message, Outbox& out) {
  switch (message.kind) {
    case MessageKind::kInit: return onInit(message);
    case MessageKind::kPush: return onPush(std::move(message), out);
    case MessageKind::kAsk: return asked(std::move(message), out);
    case MessageKind::kPull: return pulled(std::move(message), out);
    default: throw Error(Errc::kFormat, strCat("node ", message.from, " sent message kind ", static_cast<int>(message.kind), " to a parameter server"));
  }
}

void PushServer::pushed(Push push, Outbox& out) {
  descend({&push, 1});
  answer(push.rank, out);
}

void PushServer::asked(Message question, Outbox&) {
  throw Error(Errc::kFormat, strCat("node ", question.from, " asked a parameter server that has no answers"));
}

void PushServer::pulled(Message pull, Outbox&) {
  throw Error(Errc::kFormat, strCat("node ", pull.from, " pulled from a parameter server that only answers pushes"));
}

void PushServer::left(int node, Outbox& out) {
  if (const std::optional<std::size_t> rank = rankOf(node)) lost(*rank, out);
}

void PushServer::joined(int node, int like) {
  const std::optional<std::size_t> rank = rankOf(node), other = rankOf(like);
  if (!rank || !other) return;
  if (sparse_) sparse_->found(*rank, *other);
  owed_[*rank].reset();  // an answer that was held back when it was lost is for nobody
  found(*rank, *other);
}

void PushServer::onInit(const Message& message) {
  if (sparse_) sparse_->start(message);
  shard_ = message.shard;
  setValues(message.dense.values());
  version_ = samples_ = 0;
  started();
}

void PushServer::setValues(std::span<const Real> values) {
  if (isHollow(values)) return void(values_ = Dense::borrowed(values));
  memory_ = newVector<Real>(values.size());
  std::copy(values.begin(), values.end(), memory_.get());
  values_ = Dense::shared({memory_.get(), values.size()}, memory_);
}

void PushServer::onPush(Message message, Outbox& out) {
  const std::optional<std::size_t> rank = rankOf(message.from);
  if (!rank) throw Error(Errc::kFormat, strCat("node ", message.from, " pushed to shard ", message.shard, ", but is no worker"));
  auto fields = fieldsOf<PushFields>(message);
  const std::size_t given = message.dense.values().size(), size = values_.values().size();
  if (fields.extra.size() != extras_ || (!sparse_ && given != size))
    throw Error(Errc::kFormat, strCat("node ", message.from, " pushed ", given, " values and ", fields.extra.size(), " numbers to shard ", message.shard,
                                      ", which expects ", size, " and ", extras_));
  if (owes(*rank) || message.version < 0 || message.version > version_)
    throw Error(Errc::kFormat, strCat("node ", message.from, " pushed to shard ", message.shard, owes(*rank) ? " before it was answered" : " for version ",
                                      owes(*rank) ? "" : strCat(message.version, ", which is at ", version_)));
  Push push{.rank = *rank, .rate = static_cast<Real>(fields.rate), .version = message.version, .extra = std::move(fields.extra)};
  if (sparse_) codecs::unpackSparse(message.packed, size, strCat("node ", message.from), push.entries);
  else push.gradient = std::move(message.dense);
  if (!std::isfinite(push.rate) || !allFinite(push.gradient.values()))
    throw Error(Errc::kData, strCat("worker ", *rank, " (node ", message.from, ") pushed a gradient to shard ", message.shard,
                                    " that is not finite: ", kDiverged));
  samples_ += fields.samples;
  owed_[*rank] = Owed{.round = message.round, .staleness = static_cast<double>(stalenessOf(push))};
  pushed(std::move(push), out);
}

void PushServer::update(std::span<const Push> pushes, const Formula& formula) {
  for (const Push& push : pushes) owed_[push.rank]->staleness = static_cast<double>(stalenessOf(push));
  ++version_;
  const std::size_t size = values_.values().size();
  if (isHollow(values_.values())) return;
  std::shared_ptr<Real[]> memory = newVector<Real>(size);
  const std::span<Real> next(memory.get(), size);
  formula(values_.values(), next);
  memory_ = std::move(memory);
  values_ = Dense::shared(next, memory_);
}

// In place: sparse answers and parameters() copy the values.
void PushServer::subtract(const codecs::SparseVector& entries, Real scale) {
  for (std::size_t i = 0; i < entries.indices.size(); ++i) memory_[static_cast<std::ptrdiff_t>(entries.indices[i])] -= scale * entries.values[i];
}

void PushServer::descend(std::span<const Push> pushes, Real scale) {
  const Real rate = pushes.front().rate;
  if (sparse_) {
    owed_[pushes.front().rank]->staleness = static_cast<double>(stalenessOf(pushes.front()));
    subtract(pushes.front().entries, rate * scale);
    ++version_;
    return;
  }
  update(pushes, [&](std::span<const Real> w, std::span<Real> next) {
    if (!direction_.turns() && scale == 1 && pushes.size() == 1) return asgdStep(w, pushes.front().gradient.values(), rate, next);
    std::vector<const Real*> gradients;
    for (const Push& push : pushes) gradients.push_back(push.gradient.values().data());
    sumOf<Real>(gradients, scale, next);
    direction_.turn(next, w);
    asgdStep(w, next, rate, next);
  });
}

void PushServer::answer(std::size_t rank, Outbox& out) {
  PACELINE_CHECK(owes(rank), strCat("an answer that worker ", rank, " waits for"));
  Message reply = messageOf(MessageKind::kReply, ReplyFields{.staleness = owed_[rank]->staleness, .samples = samples_});
  reply.shard = shard_;
  reply.round = owed_[rank]->round;
  reply.version = version_;
  reply.priority = shardPriority(static_cast<std::size_t>(shard_));
  if (sparse_) sparse_->fill(reply, rank, values_);
  else reply.dense = values_;
  owed_[rank].reset();
  out.send(workers_[rank], std::move(reply));
}

void PushServer::owed(Archive& archive) {
  std::vector<double> owed;  // rank, round, staleness
  for (std::size_t rank = 0; rank < owed_.size(); ++rank)
    if (owes(rank)) owed.insert(owed.end(), {static_cast<double>(rank), static_cast<double>(owed_[rank]->round), owed_[rank]->staleness});
  archive.numbers("owed", owed);
  for (std::size_t i = 0; archive.loading() && i + 2 < owed.size(); i += 3) owed_.at(static_cast<std::size_t>(owed[i])) = Owed{.round = static_cast<std::int64_t>(owed[i + 1]), .staleness = owed[i + 2]};
}

void PushServer::archivePushes(Archive& archive, std::string_view name, std::vector<Push>& pushes) {
  std::int64_t count = static_cast<std::int64_t>(pushes.size());
  archive.number(name, count);
  if (archive.loading()) pushes.assign(static_cast<std::size_t>(count), {});
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    Push& push = pushes[i];
    ArchiveScope scope(archive, strCat(name, ' ', i));
    std::vector<double> numbers{static_cast<double>(push.rank), static_cast<double>(push.rate), static_cast<double>(push.version)};
    numbers.insert(numbers.end(), push.extra.begin(), push.extra.end());
    scope.numbers("numbers", numbers);
    archiveDense(scope, "gradient", push.gradient);
    if (!archive.loading() || numbers.size() < 3) continue;
    push.rank = static_cast<std::size_t>(numbers[0]), push.rate = static_cast<Real>(numbers[1]), push.version = static_cast<std::int64_t>(numbers[2]);
    push.extra.assign(numbers.begin() + 3, numbers.end());
  }
}

void PushServer::state(Archive& archive) {
  std::int64_t shard = shard_;
  archive.number("shard", shard);
  shard_ = static_cast<std::int32_t>(shard);
  archiveDense(archive, "values", values_);
  if (archive.loading()) setValues(values_.values());
  archive.number("version", version_);
  archive.number("samples", samples_);
  direction_.state(archive, values_.values().size());
  if (sparse_) sparse_->state(archive, values_.values().size());
}

}  // namespace paceline::exchange
