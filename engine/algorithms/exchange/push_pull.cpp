#include "engine/algorithms/exchange/push_pull.h"

#include <algorithm>
#include <utility>

#include "engine/algorithms/asgd.h"
#include "engine/algorithms/context/statistics.h"
#include "engine/core/base/error.h"
#include "engine/core/base/vec.h"

namespace paceline::exchange {

void PushPullWorker::round(WorkerContext& ctx) {
  const std::span<Real> g = ctx.gradient();
  ctx.learningRate(rate_);
  const bool statistics = hasStatistics(ctx.blocks());
  if (statistics) own_.resize(ctx.parameters().size()), copyStatistics(ctx.blocks(), ctx.parameters(), own_);
  ctx.pushPull(g, ctx.parameters(), extra_);
  if (statistics) copyStatistics(ctx.blocks(), own_, ctx.parameters());
}

std::unique_ptr<WorkerAlgorithm> makePushPullWorker(const Params& params) { return std::make_unique<PushPullWorker>(params); }

PushServer::PushServer(const ServerSetup& setup, std::size_t extras)
    : workers_(setup.workers), extras_(extras), plain_(setup.optimizer.momentum == 0), momentum_(setup.optimizer), owed_(setup.workers.size()) {}

void PushServer::onMessage(Message message, Outbox& out) {
  switch (message.kind) {
    case MessageKind::kInit:
      return onInit(message);
    case MessageKind::kPush:
      return onPush(std::move(message), out);
    case MessageKind::kAsk:
      return asked(std::move(message), out);
    case MessageKind::kPull:
      return pulled(std::move(message), out);
    default:
      throw Error(Errc::kFormat,
                  strCat("node ", message.from, " sent message kind ", static_cast<int>(message.kind), " to a parameter server"));
  }
}

void PushServer::asked(Message question, Outbox&) {
  throw Error(Errc::kFormat, strCat("node ", question.from, " asked a parameter server that has no answers"));
}

void PushServer::pulled(Message pull, Outbox&) {
  throw Error(Errc::kFormat, strCat("node ", pull.from, " pulled from a parameter server that only answers pushes"));
}

std::optional<std::size_t> PushServer::rankOf(int node) const {
  const auto worker = std::find(workers_.begin(), workers_.end(), node);
  if (worker == workers_.end()) return std::nullopt;
  return static_cast<std::size_t>(worker - workers_.begin());
}

void PushServer::onInit(const Message& message) {
  shard_ = message.shard;
  values_ = Dense::copied(message.dense.values());
  version_ = 0;
  started();
}

void PushServer::onPush(Message message, Outbox& out) {
  const std::optional<std::size_t> rank = rankOf(message.from);
  const std::vector<double>& s = message.scalars;
  const std::size_t given = message.dense.values().size(), size = values_.values().size();
  if (!rank || s.size() != 2 + extras_ || !(s[1] >= 0 && s[1] < 1e15) || given != size)
    throw Error(Errc::kFormat, strCat("node ", message.from, " pushed ", given, " values and ", s.size(), " scalars to shard ", message.shard,
                                      ", which has ", size, " values and expects a rate, a count of samples and ", extras_, " more"));
  if (owes(*rank) || message.version < 0 || message.version > version_)
    throw Error(Errc::kFormat, strCat("node ", message.from, " pushed to shard ", message.shard, owes(*rank) ? " before it was answered" : " for version ",
                                      owes(*rank) ? "" : strCat(message.version, ", which is at ", version_)));
  samples_ += static_cast<std::int64_t>(s[1]);
  owed_[*rank] = Owed{.round = message.round};
  pushed({.rank = *rank,
          .rate = static_cast<Real>(s[0]),
          .version = message.version,
          .gradient = std::move(message.dense),
          .extra = {s.begin() + 2, s.end()}},
         out);
}

void PushServer::update(std::span<const Push> pushes, const Formula& formula) {
  for (const Push& push : pushes) owed_[push.rank]->staleness = static_cast<double>(stalenessOf(push));
  const std::size_t size = values_.values().size();
  std::shared_ptr<Real[]> memory = std::make_shared_for_overwrite<Real[]>(size);
  const std::span<Real> next(memory.get(), size);
  formula(values_.values(), next);
  values_ = Dense::shared(next, std::move(memory));
  ++version_;
}

void PushServer::descend(std::span<const Push> pushes, Real scale) {
  const Real rate = pushes.front().rate;
  update(pushes, [&](std::span<const Real> w, std::span<Real> next) {
    if (plain_ && scale == 1 && pushes.size() == 1) return asgdStep(w, pushes.front().gradient.values(), rate, next);
    std::vector<const Real*> gradients;
    for (const Push& push : pushes) gradients.push_back(push.gradient.values().data());
    sumOf<Real>(gradients, scale, next);
    momentum_.turn(next);
    asgdStep(w, next, rate, next);
  });
}

void PushServer::answer(std::size_t rank, Outbox& out) {
  PACELINE_CHECK(owes(rank), strCat("an answer that worker ", rank, " waits for"));
  Message reply;
  reply.kind = MessageKind::kReply;
  reply.shard = shard_;
  reply.round = owed_[rank]->round;
  reply.version = version_;
  reply.scalars = {owed_[rank]->staleness, static_cast<double>(samples_)};
  reply.dense = values_;
  owed_[rank].reset();
  out.send(workers_[rank], std::move(reply));
}

void PushServer::state(Archive& archive) {
  std::int64_t shard = shard_;
  archive.number("shard", shard);
  shard_ = static_cast<std::int32_t>(shard);
  archiveDense(archive, "values", values_);
  archive.number("version", version_);
  archive.number("samples", samples_);
  momentum_.state(archive);
}

void archiveDense(Archive& archive, std::string_view name, Dense& values) {
  std::vector<Real> copy(values.values().begin(), values.values().end());
  archive.reals(name, copy);
  if (archive.loading()) values = Dense::copied(copy);
}

}  // namespace paceline::exchange
