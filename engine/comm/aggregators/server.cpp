// Parameter-server aggregation: every worker pushes each shard to the server that owns it; when a shard's contributions are all in,
// its server sums them in rank order, divides by their number and sends everybody the result.
// Li et al. 2014, "Scaling Distributed Machine Learning with the Parameter Server".
#include <algorithm>
#include <limits>
#include <map>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/transport/message.h"
#include "engine/core/base/error.h"

namespace paceline::aggregators {
namespace {

class ServerWorker final : public Aggregator {
 public:
  explicit ServerWorker(const AggregatorSetup& setup) : servers_(setup.servers), shares_(setup.serverShares) {}

  void mean(Transport& transport, std::int64_t round, std::span<Real> data) override {
    if (size_ != data.size()) {
      shards_ = shardsOf(data.size(), servers_, shares_);
      size_ = data.size();
    }
    // Borrowing is safe: shard s is overwritten below by the server's answer for s, which holds our own contribution to s, so the
    // server had received all of it. An exchange that ends in an exception is settled by Transport.
    for (std::size_t s = 0; s < shards_.size(); ++s)
      transport.send(shards_[s].server, {.kind = MessageKind::kReduce,
                                         .shard = static_cast<std::int32_t>(s),
                                         .round = round,
                                         .dense = Dense::borrowed(data.subspan(shards_[s].offset, shards_[s].size))});
    std::vector<bool> have(shards_.size());
    for (std::size_t i = 0; i < shards_.size(); ++i) take(transport, transport.receive(), round, data, have);
  }

 private:
  void take(Transport& transport, const Message& reply, std::int64_t round, std::span<Real> data, std::vector<bool>& have) const {
    const auto s = static_cast<std::size_t>(reply.shard);
    const bool ours = reply.kind == MessageKind::kReduced && reply.round == round && s < shards_.size() && !have[s] &&
                      reply.from == shards_[s].server && reply.dense.values().size() == shards_[s].size;
    if (!ours) {
      transport.settle();
      throw Error(Errc::kFormat, strCat("node ", reply.from, " sent a ", kindName(reply.kind), " of round ", reply.round, ", shard ",
                                        reply.shard, ", ", reply.dense.values().size(), " values, where the mean of round ", round,
                                        " was due"));
    }
    have[s] = true;
    std::copy(reply.dense.values().begin(), reply.dense.values().end(), data.begin() + static_cast<std::ptrdiff_t>(shards_[s].offset));
  }

  std::vector<int> servers_;
  std::vector<double> shares_;
  std::vector<ShardRange> shards_;
  std::size_t size_ = 0;
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
    answer(message, round, out);
    finished_ = message.round;
    rounds_.erase(message.round);
  }

 private:
  struct Round {
    std::vector<Dense> parts;  // by rank
    std::size_t count = 0, size = 0;
  };

  std::size_t rankOf(const Message& message) const {
    const auto found = std::find(workers_.begin(), workers_.end(), message.from);
    if (found == workers_.end()) refuse(message, "is not a worker");
    if (message.kind != MessageKind::kReduce) refuse(message, strCat("sent a ", kindName(message.kind)));
    if (message.round <= finished_) refuse(message, strCat("is late, round ", finished_, " is done"));
    return static_cast<std::size_t>(found - workers_.begin());
  }

  [[noreturn]] static void refuse(const Message& message, const std::string& why) {
    throw Error(Errc::kFormat, strCat("round ", message.round, ", shard ", message.shard, ": node ", message.from, " ", why));
  }

  // All answers share one buffer, which ZeroMQ's thread frees when the last is sent.
  void answer(const Message& last, const Round& round, Outbox& out) const {
    const Dense mean = Dense::sum(round.parts, Real(1) / static_cast<Real>(workers_.size()));
    for (const int worker : workers_) out.send(worker, {.kind = MessageKind::kReduced, .shard = last.shard, .round = last.round, .dense = mean});
  }

  std::vector<int> workers_;
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
