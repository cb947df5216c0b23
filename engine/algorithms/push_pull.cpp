#include "engine/algorithms/push_pull.h"

#include <algorithm>
#include <utility>

#include "engine/algorithms/statistics.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

class PushPullWorker final : public WorkerAlgorithm {
 public:
  explicit PushPullWorker(const Params& params) : rate_(params.real("learning_rate")) {}

  void start(WorkerContext& ctx) override {
    if (hasStatistics(ctx.blocks())) own_.resize(ctx.parameters().size());
  }

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradient();
    ctx.learningRate(rate_);
    if (!own_.empty()) copyStatistics(ctx.blocks(), ctx.parameters(), own_);
    ctx.pushPull(g, ctx.parameters());
    if (!own_.empty()) copyStatistics(ctx.blocks(), own_, ctx.parameters());
  }

 private:
  double rate_;
  std::vector<Real> own_;  // statistics in their places; empty when the model has none
};

}  // namespace

std::unique_ptr<WorkerAlgorithm> makePushPullWorker(const Params& params) { return std::make_unique<PushPullWorker>(params); }

void PushServer::onMessage(Message message, Outbox& out) {
  switch (message.kind) {
    case MessageKind::kInit:
      return onInit(message);
    case MessageKind::kPush:
      return onPush(message, out);
    default:
      throw Error(Errc::kFormat,
                  strCat("node ", message.from, " sent message kind ", static_cast<int>(message.kind), " to a parameter server"));
  }
}

void PushServer::onInit(const Message& message) {
  values_ = Dense::copied(message.dense.values());
  version_ = 0;
  for (std::size_t rank = 0; rank < workers_.size(); ++rank) stepped(rank, {}, values_);
}

void PushServer::onPush(const Message& message, Outbox& out) {
  const auto worker = std::find(workers_.begin(), workers_.end(), message.from);
  const std::span<const Real> g = message.dense.values();
  const std::size_t size = values_.values().size();
  if (worker == workers_.end() || message.scalars.size() != 2 || !(message.scalars[1] >= 0 && message.scalars[1] < 1e15) ||
      g.size() != size)
    throw Error(Errc::kFormat, strCat("node ", message.from, " pushed ", g.size(), " values and ", message.scalars.size(),
                                      " scalars to shard ", message.shard, ", which has ", size, " values and expects a rate and a count of samples"));
  const auto rank = static_cast<std::size_t>(worker - workers_.begin());
  std::shared_ptr<Real[]> memory = std::make_shared_for_overwrite<Real[]>(size);
  const std::span<Real> next(memory.get(), size);
  step(rank, static_cast<Real>(message.scalars[0]), values_.values(), g, next);
  const Dense before = std::exchange(values_, Dense::shared(next, std::move(memory)));
  stepped(rank, before, values_);
  const double staleness = static_cast<double>(version_ - message.version);
  ++version_;
  samples_ += static_cast<std::int64_t>(message.scalars[1]);

  Message reply;
  reply.kind = MessageKind::kReply;
  reply.shard = message.shard;
  reply.round = message.round;
  reply.version = version_;
  reply.scalars = {staleness, static_cast<double>(samples_)};
  reply.dense = values_;
  out.send(message.from, std::move(reply));
}

}  // namespace paceline
