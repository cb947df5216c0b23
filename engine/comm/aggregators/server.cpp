// Parameter-server aggregation: every worker pushes each shard to the server that owns it; when a shard's contributions are all in,
// its server sums them in rank order, divides by their number and sends everybody the result.
// Li et al. 2014, "Scaling Distributed Machine Learning with the Parameter Server".
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/transport/message.h"
#include "engine/core/base/error.h"

namespace paceline::aggregators {
namespace {

class ServerWorker final : public Aggregator, public ShardedMean {
 public:
  explicit ServerWorker(const AggregatorSetup& setup) : servers_(setup.servers), shares_(setup.serverShares) {}

  ShardedMean* sharded() override { return this; }

  void mean(Transport& transport, std::int64_t round, std::span<Real> data) override {
    const std::size_t count = shards(data.size()).size();
    for (std::size_t s = 0; s < count; ++s) sendShard(transport, round, s, data, nullptr);
    std::vector<bool> answered(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Message reply = transport.receiveWanted([this](const Message& message) { return message.kind != MessageKind::kReduced || message.round != underWay_; });
      const ShardRange& range = shards(data.size())[shardOf(transport, reply, round, data.size(), answered)];
      copyValues(reply.dense.values(), data.subspan(range.offset, range.size));
    }
  }

  void begin(std::int64_t round) override { underWay_ = round; }
  void end() override { underWay_.reset(); }

  const std::vector<ShardRange>& shards(std::size_t size) override {
    const auto [found, isNew] = cuts_.try_emplace(size);
    if (isNew) found->second = shardsOf(size, servers_, shares_);
    return found->second;
  }

  void useShards(std::vector<ShardRange> shards) override {
    if (!shards.empty()) cuts_[shards.back().offset + shards.back().size] = std::move(shards);
  }

  // Nothing is copied: shard s is overwritten by the server's answer for s, which holds our own contribution to s, so the server has
  // read all of it. An exchange that ends in an exception is settled by Transport where it was lent.
  void sendShard(Transport& transport, std::int64_t round, std::size_t shard, std::span<Real> data, const std::shared_ptr<const void>& owner) override {
    const std::vector<ShardRange>& cut = shards(data.size());
    const ShardRange& range = cut.at(shard);
    const bool beside = underWay_ && *underWay_ != round;  // servers take the exchanges of a shard in order, so it overtakes none of the one that is under way
    const std::int32_t priority = beside ? 0 : pushPriority(shard, cut.size());
    transport.send(range.server, {.kind = MessageKind::kReduce,
                                  .shard = static_cast<std::int32_t>(shard),
                                  .round = round,
                                  .dense = Dense::shared(data.subspan(range.offset, range.size), owner),
                                  .priority = priority});
  }

  std::size_t shardOf(Transport& transport, const Message& reply, std::int64_t round, std::size_t size, std::vector<bool>& answered) override {
    const auto s = static_cast<std::size_t>(reply.shard);
    const std::vector<ShardRange>& cut = shards(size);
    const bool ours = reply.kind == MessageKind::kReduced && reply.round == round && s < cut.size() && !answered[s] && reply.from == cut[s].server &&
                      reply.dense.values().size() == cut[s].size;
    if (!ours) {
      transport.settle();
      throw Error(Errc::kFormat, strCat("node ", reply.from, " sent a ", kindName(reply.kind), " of round ", reply.round, ", shard ",
                                        reply.shard, ", ", reply.dense.values().size(), " values, where the mean of round ", round,
                                        " was due"));
    }
    answered[s] = true;
    return s;
  }

 private:
  std::vector<int> servers_;
  std::vector<double> shares_;
  std::map<std::size_t, std::vector<ShardRange>> cuts_;  // by the vector's size
  std::optional<std::int64_t> underWay_;
};

// One shard at its server.
class ServerSum final : public ServerAlgorithm {
 public:
  explicit ServerSum(const AggregatorSetup& setup) : workers_(setup.workers) {}

  void onMessage(Message message, Outbox& out) override {
    const std::size_t rank = rankOf(message);
    Round& round = rounds_[message.round];  // a worker may be a round ahead of the others
    round.parts.resize(workers_.size());
    const std::size_t size = message.dense.values().size();
    if (!round.parts[rank].empty()) refuse(message, "sent its contribution twice");
    if (size == 0 || (round.count > 0 && size != round.size)) refuse(message, strCat("contributes ", size, " values"));
    round.size = size;
    round.parts[rank] = std::move(message.dense);
    if (++round.count < workers_.size()) return;
    const Dense mean = Dense::sum(round.parts, Real(1) / static_cast<Real>(workers_.size()));
    finished_ = message.round;
    rounds_.erase(message.round);  // contributions are let go before their senders hear of it
    answer(message, mean, out);
  }

 private:
  struct Round {
    std::vector<Dense> parts;  // by rank
    std::size_t count = 0, size = 0;
  };

  std::size_t rankOf(const Message& message) const {
    const std::optional<std::size_t> rank = workers_.placeOf(message.from);
    if (!rank) refuse(message, "is not a worker");
    if (message.kind != MessageKind::kReduce) refuse(message, strCat("sent a ", kindName(message.kind)));
    if (message.round <= finished_) refuse(message, strCat("is late, round ", finished_, " is done"));
    return *rank;
  }

  [[noreturn]] static void refuse(const Message& message, const std::string& why) {
    throw Error(Errc::kFormat, strCat("round ", message.round, ", shard ", message.shard, ": node ", message.from, " ", why));
  }

  // All answers share one buffer, which goes when the last is sent.
  void answer(const Message& last, const Dense& mean, Outbox& out) const {
    for (const int worker : workers_) out.send(worker, {.kind = MessageKind::kReduced, .shard = last.shard, .round = last.round, .dense = mean, .priority = shardPriority(static_cast<std::size_t>(last.shard))});
  }

  NodeList workers_;
  std::map<std::int64_t, Round> rounds_;
  std::int64_t finished_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace

AggregatorDef server() {
  AggregatorDef def;
  def.id = "server";
  def.title = "Parameter server";
  def.summary = "Workers push shards to one or more servers, which return the mean.";
  def.reference = "Li et al. 2014, Scaling Distributed Machine Learning with the Parameter Server, OSDI";
  def.makeWorker = [](const AggregatorSetup& setup) { return std::make_unique<ServerWorker>(setup); };
  def.makeServer = [](const AggregatorSetup& setup) { return std::make_unique<ServerSum>(setup); };
  // Push and answer, whatever the world and the number of servers; each worker sends every element once.
  def.cost = [](int, int, std::size_t elements) { return AggregationCost{.steps = elements == 0 ? 0 : 2, .elementsSent = elements}; };
  return def;
}

}  // namespace paceline::aggregators
