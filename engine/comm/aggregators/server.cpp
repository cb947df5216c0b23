// Parameter-server aggregation: every worker pushes each shard to the server that owns it; when a shard's contributions are all in,
// its server sums them in rank order, divides by their number and sends everybody the result. What else it can make of them: combining.h.
// A worker that is lost is waited for no longer: what it sent of a shard counts, and the others' mean is of those whose contribution is there.
// Li et al. 2014, "Scaling Distributed Machine Learning with the Parameter Server".
#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/aggregators/combining.h"
#include "engine/comm/transport/message.h"
#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"

namespace paceline::aggregators {
namespace {

class ServerWorker final : public Aggregator, public ShardedMean, public Combiner, public Gatherer {
 public:
  explicit ServerWorker(const AggregatorSetup& setup) : workers_(setup.workers.size()), rank_(static_cast<std::size_t>(setup.rank)), servers_(setup.servers), shares_(setup.serverShares) {}

  ShardedMean* sharded() override { return this; }
  Combiner* combiner() override { return this; }
  Gatherer* gatherer() override { return this; }

  void mean(Transport& transport, std::int64_t round, std::span<Real> data) override {
    for (std::size_t s = 0; s < shards(data.size()).size(); ++s) sendShard(transport, round, s, data, nullptr);
    takeAll(transport, round, data);
  }

  void combine(Transport& transport, std::int64_t round, std::span<Real> data, const CombineFields& how, bool contributes) override {
    sendAll(transport, round, data, how, contributes);
    takeAll(transport, round, data);
  }

  std::vector<double> distances(Transport& transport, std::int64_t round, std::span<Real> data) override {
    sendAll(transport, round, data, {.how = Combining::kDistances}, true);
    std::vector<Dense> parts(shards(data.size()).size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Message reply = transport.receiveWanted([this](const Message& message) { return message.kind != MessageKind::kReduced || message.round != underWay_; });
      const auto s = static_cast<std::size_t>(reply.shard);
      if (reply.kind != MessageKind::kReduced || reply.round != round || s >= parts.size() || !parts[s].empty() || reply.dense.values().size() != workers_ * workers_) refuse(transport, reply, round);
      parts[s] = reply.dense;
    }
    std::vector<double> sum(workers_ * workers_);
    for (const Dense& part : parts)  // in the order of the shards: the same bits everywhere
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(part.values()[i]);
    return sum;
  }

  std::vector<Payloads> gather(Transport& transport, std::int64_t round, std::span<const ShardRange> parts, Payloads own) override {
    for (std::size_t s = 0; s < parts.size(); ++s) {
      Message message = messageOf(MessageKind::kReduce, CombineFields{.how = Combining::kEach});
      message.shard = static_cast<std::int32_t>(s);
      message.round = round;
      message.packed = own[s];
      transport.send(parts[s].server, std::move(message));
    }
    std::vector<Payloads> all(workers_, Payloads(parts.size()));
    all[rank_] = std::move(own);
    for (std::size_t left = (workers_ - 1) * parts.size(); left > 0; --left) {
      Message message = transport.receiveWanted([round](const Message& each) { return each.kind == MessageKind::kReduced && each.round == round; });
      const auto s = static_cast<std::size_t>(message.shard), rank = static_cast<std::size_t>(message.version);
      if (s >= parts.size() || rank >= workers_ || message.from != parts[s].server || !all[rank][s].empty()) refuse(transport, message, round);
      all[rank][s] = std::move(message.packed);
    }
    return all;
  }

  int contributors(int world) const override { return contributors_ > 0 ? contributors_ : world; }

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
    if (!ours) refuse(transport, reply, round);
    answered[s] = true;
    contributors_ = static_cast<int>(reply.version);
    return s;
  }

 private:
  [[noreturn]] static void refuse(Transport& transport, const Message& reply, std::int64_t round) {
    transport.settle();
    throw Error(Errc::kFormat, strCat("node ", reply.from, " sent a ", kindName(reply.kind), " of round ", reply.round, ", shard ",
                                      reply.shard, ", ", reply.dense.values().size(), " values, where the mean of round ", round,
                                      " was due"));
  }

  void sendAll(Transport& transport, std::int64_t round, std::span<Real> data, const CombineFields& how, bool contributes) {
    const std::vector<ShardRange>& cut = shards(data.size());
    for (std::size_t s = 0; s < cut.size(); ++s) {
      Message message = messageOf(MessageKind::kReduce, how);
      message.shard = static_cast<std::int32_t>(s);
      message.round = round;
      message.priority = pushPriority(s, cut.size());
      if (contributes) message.dense = Dense::borrowed(data.subspan(cut[s].offset, cut[s].size));
      transport.send(cut[s].server, std::move(message));
    }
  }

  void takeAll(Transport& transport, std::int64_t round, std::span<Real> data) {
    std::vector<bool> answered(shards(data.size()).size());
    for (std::size_t i = 0; i < answered.size(); ++i) {
      const Message reply = transport.receiveWanted([this](const Message& message) { return message.kind != MessageKind::kReduced || message.round != underWay_; });
      const ShardRange& range = shards(data.size())[shardOf(transport, reply, round, data.size(), answered)];
      copyValues(reply.dense.values(), data.subspan(range.offset, range.size));
    }
  }

  std::size_t workers_, rank_;
  std::vector<int> servers_;
  std::vector<double> shares_;
  std::map<std::size_t, std::vector<ShardRange>> cuts_;  // by the vector's size
  std::optional<std::int64_t> underWay_;
  int contributors_ = 0;  // to the newest mean; 0: all
};

// One shard at its server.
class ServerSum final : public ServerAlgorithm {
 public:
  explicit ServerSum(const AggregatorSetup& setup) : workers_(setup.workers), gone_(setup.workers.size()) {}

  void onMessage(Message message, Outbox& out) override {
    const std::size_t rank = rankOf(message);
    const auto [found, isNew] = rounds_.try_emplace(message.round);  // a worker may be a round ahead of the others
    Round& round = found->second;
    round.parts.resize(workers_.size());
    round.here.resize(workers_.size());
    const std::size_t size = message.dense.values().size();
    if (round.here[rank]) refuse(message, "sent its contribution twice");
    const CombineFields how = message.scalars.empty() ? CombineFields{} : fieldsOf<CombineFields>(message);
    if (size == 0 && message.scalars.empty()) refuse(message, "contributes 0 values");
    if ((how.how == Combining::kEach) == message.packed.empty()) refuse(message, "sends no vector that is to be read so");
    if (size > 0 && round.size > 0 && size != round.size) refuse(message, strCat("contributes ", size, " values"));
    if (!isNew && how != round.how) refuse(message, "wants its contribution combined as the others do not");
    round.how = how;
    round.shard = message.shard;
    round.size = std::max(round.size, size);
    round.here[rank] = true;
    ++round.arrived;
    if (how.how == Combining::kEach) {
      passOn(message, rank, out);
      for (std::size_t lost = 0; isNew && lost < gone_.size(); ++lost)
        if (gone_[lost]) tellNothingComes(message.round, round, lost, out);
    } else {
      round.parts[rank] = std::move(message.dense);
    }
    if (isWhole(round)) close(message.round, out);
  }

  void left(int node, Outbox& out) override {
    const std::optional<std::size_t> rank = workers_.placeOf(node);
    if (!rank || gone_[*rank]) return;
    gone_[*rank] = true;
    ++lost_;
    std::vector<std::int64_t> whole;
    for (auto& [number, round] : rounds_) {
      if (round.how.how == Combining::kEach && !round.here[*rank]) tellNothingComes(number, round, *rank, out);
      if (isWhole(round)) whole.push_back(number);
    }
    for (const std::int64_t number : whole) close(number, out);
  }

  void joined(int node, int) override {
    if (const std::optional<std::size_t> rank = workers_.placeOf(node); rank && gone_[*rank]) gone_[*rank] = false, --lost_;
  }

  void owed(Archive& archive) override {
    archive.number("finished", finished_);
    archiveFlags(archive, "gone", gone_);
    lost_ = countOf(gone_);
    archiveVectors(archive, "kept", kept_);
    std::vector<double> numbers;
    for (const auto& [number, round] : rounds_) numbers.push_back(static_cast<double>(number));
    archive.numbers("rounds", numbers);
    for (const double number : numbers) {
      ArchiveScope scope(archive, strCat("round ", static_cast<std::int64_t>(number)));
      roundState(scope, rounds_[static_cast<std::int64_t>(number)]);
    }
  }

 private:
  struct Round {
    std::vector<Dense> parts;  // by rank; empty: it does not contribute
    std::vector<bool> here;    // by rank
    std::size_t arrived = 0;   // so many are
    CombineFields how;
    std::int32_t shard = 0;
    std::size_t size = 0;
  };

  static std::size_t countOf(const std::vector<bool>& flags) { return static_cast<std::size_t>(std::ranges::count(flags, true)); }

  static void archiveFlags(Archive& archive, std::string_view name, std::vector<bool>& flags) {
    std::vector<double> numbers(flags.begin(), flags.end());
    archive.numbers(name, numbers);
    flags.assign(numbers.begin(), numbers.end());
  }

  static void archiveVectors(Archive& archive, std::string_view name, std::vector<Dense>& vectors) {
    auto count = static_cast<std::int64_t>(vectors.size());
    archive.number(name, count);
    vectors.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < vectors.size(); ++i) archiveDense(archive, strCat(name, ' ', i), vectors[i]);
  }

  static void roundState(Archive& archive, Round& round) {
    std::int64_t shard = round.shard, size = static_cast<std::int64_t>(round.size);
    Message how{.kind = MessageKind::kReduce, .scalars = encodeFields(round.how)};
    archive.number("shard", shard);
    archive.number("size", size);
    archive.numbers("how", how.scalars);
    round.shard = static_cast<std::int32_t>(shard), round.size = static_cast<std::size_t>(size), round.how = fieldsOf<CombineFields>(how);
    archiveFlags(archive, "here", round.here);
    round.arrived = countOf(round.here);
    archiveVectors(archive, "parts", round.parts);
  }

  bool isWhole(const Round& round) const {
    if (round.arrived + lost_ < gone_.size()) return false;  // some are both
    for (std::size_t rank = 0; rank < gone_.size(); ++rank)
      if (!round.here[rank] && !gone_[rank]) return false;
    return true;
  }

  void close(std::int64_t number, Outbox& out) {
    Round round = std::move(rounds_.at(number));
    rounds_.erase(number);
    finished_ = number;
    if (round.how.how == Combining::kEach) return;
    const std::int64_t contributors = std::ranges::count_if(round.parts, [](const Dense& part) { return !part.empty(); });
    const Dense result = resultOf(number, round);
    round.parts.clear();  // contributions are let go before their senders hear of it
    // All answers share one buffer, which goes when the last is sent.
    Message answer{.kind = MessageKind::kReduced, .shard = round.shard, .round = number, .dense = result, .priority = shardPriority(static_cast<std::size_t>(round.shard))};
    if (lost_ > 0) answer.version = contributors;
    for (const int worker : workers_) out.send(worker, answer);
  }

  void passOn(const Message& message, std::size_t rank, Outbox& out) const {
    for (const int worker : workers_)
      if (worker != message.from) out.send(worker, {.kind = MessageKind::kReduced, .shard = message.shard, .round = message.round, .version = static_cast<std::int64_t>(rank), .packed = message.packed});
  }

  // Instead of a vector that the others wait for.
  void tellNothingComes(std::int64_t number, const Round& round, std::size_t rank, Outbox& out) const {
    for (const int worker : workers_) out.send(worker, {.kind = MessageKind::kReduced, .shard = round.shard, .round = number, .version = static_cast<std::int64_t>(rank)});
  }

  Dense resultOf(std::int64_t number, const Round& round) {
    const std::vector<Dense> kept = std::exchange(kept_, {});
    if (round.how.how == Combining::kDistances) {
      if (std::ranges::any_of(round.parts, &Dense::empty)) refuse(number, round, "the distances of contributions that are not there are wanted");
      kept_ = round.parts;
      return distancesOf(kept_);
    }
    std::vector<Dense> parts;
    const bool ofKept = round.how.how == Combining::kKept;
    if (!ofKept) std::ranges::copy_if(round.parts, std::back_inserter(parts), [](const Dense& part) { return !part.empty(); });
    for (const int rank : round.how.numbers)
      if (ofKept && rank >= 0 && static_cast<std::size_t>(rank) < kept.size()) parts.push_back(kept[static_cast<std::size_t>(rank)]);
    if (parts.empty()) refuse(number, round, "the mean of nothing is wanted");
    return combined(parts, round.how);
  }

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
  [[noreturn]] static void refuse(std::int64_t number, const Round& round, const std::string& why) {
    throw Error(Errc::kFormat, strCat("round ", number, ", shard ", round.shard, ": ", why));
  }

  NodeList workers_;
  std::vector<bool> gone_;  // by rank
  std::size_t lost_ = 0;    // so many are
  std::map<std::int64_t, Round> rounds_;
  std::vector<Dense> kept_;  // whose distances were told last
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
