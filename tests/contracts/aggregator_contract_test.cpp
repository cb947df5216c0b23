// What every registered aggregator promises, in virtual time: the exact mean, the same bits everywhere, the documented traffic and steps.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>

#include "engine/comm/aggregator.h"
#include "engine/comm/layers.h"
#include "engine/comm/sim_world.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

constexpr int kRounds = 2;
constexpr double kLatencySeconds = 1;  // with free bandwidth, time counts the message rounds

struct Outcome {
  std::vector<std::vector<Real>> data;    // by rank, after the last round
  std::vector<std::size_t> elementsSent;  // by rank, per round
  double seconds = 0;                     // first round, slowest rank (ranks may begin the next one apart)
};

// Small integers: their sums are exact in any order.
Real contribution(int rank, std::int64_t round, std::size_t i) {
  return static_cast<Real>(static_cast<int>((i * 7 + static_cast<std::size_t>(rank) * 13 + static_cast<std::size_t>(round) * 5) % 101) - 50);
}

bool sameBits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0);
}

class SimOutbox final : public Outbox {
 public:
  SimOutbox(Wire& wire, Clock& clock) : wire_(wire), clock_(clock) {}
  void send(int to, Message message) override { wire_.send(to, std::move(message)); }
  double now() const override { return clock_.now(); }

 private:
  Wire& wire_;
  Clock& clock_;
};

void serve(const AggregatorDef& def, const AggregatorSetup& setup, Wire& wire, Clock& clock) {
  SimOutbox out(wire, clock);
  std::map<int, std::unique_ptr<ServerAlgorithm>> shards;
  for (std::size_t gone = 0; gone < setup.workers.size();) {
    Message message = *wire.receive(std::numeric_limits<double>::infinity());
    if (message.kind == MessageKind::kBye) {
      ++gone;
      continue;
    }
    auto& shard = shards[message.shard];
    if (!shard) shard = def.makeServer(setup);
    shard->onMessage(std::move(message), out);
  }
}

Outcome aggregate(const AggregatorDef& def, int world, int servers, std::size_t size) {
  AggregatorSetup setup;
  for (int i = 0; i < world; ++i) setup.workers.push_back(servers + i);  // servers come first: ranks are not node indices
  for (int i = 0; i < servers; ++i) setup.servers.push_back(i);
  Emulate link;
  link.latencyMs = kLatencySeconds * 1e3;
  SimWorld sim(std::vector<Emulate>(static_cast<std::size_t>(world + servers), link));
  const auto count = static_cast<std::size_t>(world);
  Outcome outcome{.data = std::vector<std::vector<Real>>(count), .elementsSent = std::vector<std::size_t>(count), .seconds = 0};
  std::vector<std::function<void()>> bodies;
  for (const int node : setup.servers)
    bodies.push_back([&, node] { serve(def, setup, sim.wire(node), sim.clock(node)); });
  for (int rank = 0; rank < world; ++rank)
    bodies.push_back([&, rank] {
      const int node = setup.workers[static_cast<std::size_t>(rank)];
      MeteredWire meter(sim.wire(node));
      Transport transport(meter, sim.clock(node));
      AggregatorSetup own = setup;
      own.rank = rank;
      const auto aggregator = def.makeWorker(own);
      std::vector<Real>& data = outcome.data[static_cast<std::size_t>(rank)];
      data.resize(size);
      for (std::int64_t round = 1; round <= kRounds; ++round) {
        for (std::size_t i = 0; i < size; ++i) data[i] = contribution(rank, round, i);
        aggregator->mean(transport, round, data);
        if (round == 1) outcome.seconds = std::max(outcome.seconds, sim.clock(node).now());
      }
      const Traffic& traffic = meter.traffic();
      const auto headers = static_cast<std::int64_t>(kHeaderBytes) * traffic.messagesSent;
      outcome.elementsSent[static_cast<std::size_t>(rank)] =
          static_cast<std::size_t>(traffic.bytesSent - headers) / sizeof(Real) / kRounds;
      for (const int server : setup.servers) transport.send(server, {.kind = MessageKind::kBye});
    });
  sim.run(bodies);
  return outcome;
}

class AggregatorContract : public testing::TestWithParam<std::tuple<std::string, int>> {
 protected:
  const AggregatorDef& def() const { return *findAggregator(std::get<0>(GetParam())); }
  std::vector<int> serverCounts() const { return def().needsServer ? std::vector<int>{1, 4} : std::vector<int>{0}; }
  int world() const { return std::get<1>(GetParam()); }
  static constexpr std::size_t kSizes[] = {0, 1, 2, 3, 17, 1000, 10000};
};

TEST_P(AggregatorContract, GivesTheExactMeanInTheSameBitsToAll) {
  for (const int servers : serverCounts())
    for (const std::size_t size : kSizes) {
      const Outcome outcome = aggregate(def(), world(), servers, size);
      std::vector<Real> expected(size);
      for (std::size_t i = 0; i < size; ++i) {
        for (int rank = 0; rank < world(); ++rank) expected[i] += contribution(rank, kRounds, i);
        expected[i] *= Real(1) / static_cast<Real>(world());
      }
      for (const auto& data : outcome.data)
        EXPECT_TRUE(sameBits(data, expected)) << size << " elements, " << servers << " servers";
    }
}

TEST_P(AggregatorContract, CostsWhatItSays) {
  for (const int servers : serverCounts())
    for (const std::size_t size : kSizes) {
      const Outcome outcome = aggregate(def(), world(), servers, size);
      int steps = 0;
      for (int rank = 0; rank < world(); ++rank) {
        const AggregationCost cost = def().cost(rank, world(), size);
        EXPECT_EQ(outcome.elementsSent[static_cast<std::size_t>(rank)], cost.elementsSent)
            << "rank " << rank << ", " << size << " elements, " << servers << " servers";
        steps = std::max(steps, cost.steps);
      }
      EXPECT_NEAR(outcome.seconds, steps * kLatencySeconds, 1e-9) << size << " elements, " << servers << " servers";
    }
}

std::vector<std::string> ids() {
  std::vector<std::string> result;
  for (const AggregatorDef& def : aggregators()) result.push_back(def.id);
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, AggregatorContract, testing::Combine(testing::ValuesIn(ids()), testing::Range(1, 10)),
                         [](const auto& info) { return strCat(std::get<0>(info.param), "_", std::get<1>(info.param)); });

TEST(Aggregators, HaveServerAndRing) {
  EXPECT_TRUE(findAggregator("server"));
  EXPECT_TRUE(findAggregator("ring"));
  EXPECT_FALSE(findAggregator("carousel"));
}

TEST(Aggregators, RingCutsLongChunksIntoPieces) {
  const std::size_t size = 5 * kShardBytes / sizeof(Real) + 3;  // with two ranks each chunk has three pieces
  const Outcome ring = aggregate(*findAggregator("ring"), 2, 0, size), server = aggregate(*findAggregator("server"), 2, 1, size);
  EXPECT_EQ(ring.data, server.data);
}

// The server half alone, message by message.
class ServerHalf : public testing::Test, protected Outbox {
 protected:
  void send(int to, Message message) override { sent.emplace_back(to, std::move(message)); }
  double now() const override { return 0; }
  Message from(int node, std::int64_t round, std::vector<Real> values) {
    Message message;
    message.kind = MessageKind::kReduce;
    message.from = node;
    message.round = round;
    message.dense = Dense::copied(values);
    return message;
  }
  std::string refusal(Message message) {
    try {
      half->onMessage(std::move(message), *this);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::vector<std::pair<int, Message>> sent;
  std::unique_ptr<ServerAlgorithm> half = findAggregator("server")->makeServer({.rank = 0, .workers = {7, 8}, .servers = {0}});
};

TEST_F(ServerHalf, KeepsRoundsApart) {
  half->onMessage(from(7, 2, {10}), *this);
  half->onMessage(from(8, 1, {2}), *this);
  EXPECT_TRUE(sent.empty());
  half->onMessage(from(7, 1, {4}), *this);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].first, 7);
  EXPECT_EQ(sent[1].first, 8);
  EXPECT_EQ(sent[0].second.round, 1);
  EXPECT_EQ(sent[0].second.dense.values()[0], Real(3));
  half->onMessage(from(8, 2, {20}), *this);
  EXPECT_EQ(sent[3].second.dense.values()[0], Real(15));
}

TEST_F(ServerHalf, AnswersShareOneBuffer) {
  half->onMessage(from(7, 1, {4, 6}), *this);
  half->onMessage(from(8, 1, {2, 2}), *this);
  EXPECT_EQ(sent[0].second.dense.values().data(), sent[1].second.dense.values().data());
}

TEST_F(ServerHalf, RefusesWhatCannotBe) {
  half->onMessage(from(7, 1, {4}), *this);
  EXPECT_EQ(refusal(from(7, 1, {4})), "round 1, shard 0: node 7 sent its contribution twice");
  EXPECT_EQ(refusal(from(9, 1, {4})), "round 1, shard 0: node 9 is not a worker");
  EXPECT_EQ(refusal(from(8, 1, {4, 5})), "round 1, shard 0: node 8 contributes 2 values");
  half->onMessage(from(8, 1, {4}), *this);
  EXPECT_EQ(refusal(from(8, 1, {4})), "round 1, shard 0: node 8 is late, round 1 is done");
}

}  // namespace
}  // namespace paceline
