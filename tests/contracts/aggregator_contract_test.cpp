// What every registered aggregator promises, in virtual time: the exact mean, the same bits everywhere, the documented traffic and steps.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/transport/layers.h"
#include "engine/comm/sim/sim_world.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "tests/comm/fakes.h"

namespace paceline::tests {
namespace {

constexpr int kRounds = 2;
constexpr double kLatencySeconds = 1;  // with free bandwidth, time counts the message rounds

struct Outcome {
  std::vector<std::vector<Real>> data;    // by rank, after the last round
  std::vector<std::size_t> elementsSent;  // by rank, per round
  double seconds = 0;                     // first round, slowest rank (ranks may begin the next one apart)
};

using Values = std::function<Real(int rank, std::int64_t round, std::size_t i)>;

// Small integers: their sums are exact in any order.
Real integers(int rank, std::int64_t round, std::size_t i) {
  return static_cast<Real>(static_cast<int>((i * 7 + static_cast<std::size_t>(rank) * 13 + static_cast<std::size_t>(round) * 5) % 101) - 50);
}

// Values whose sums depend on the order.
Real anything(int rank, std::int64_t round, std::size_t i) {
  return static_cast<Real>(Rng::stream(i, "contribution", static_cast<std::uint64_t>(rank * 100 + round)).uniform(-1, 1));
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

void serve(const aggregators::AggregatorDef& def, const aggregators::AggregatorSetup& setup, Wire& wire, Clock& clock) {
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

Outcome aggregate(const aggregators::AggregatorDef& def, int world, int servers, std::size_t size, const Values& values = integers) {
  aggregators::AggregatorSetup setup;
  std::vector<int> nodes;
  for (int i = 0; i < world; ++i) nodes.push_back(servers + i);
  setup.workers = std::move(nodes);  // servers come first: ranks are not node indices
  for (int i = 0; i < servers; ++i) setup.servers.push_back(i);
  Emulate link;
  link.latencyMs = kLatencySeconds * 1e3;
  sim::SimWorld sim(std::vector<Emulate>(static_cast<std::size_t>(world + servers), link));
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
      aggregators::AggregatorSetup own = setup;
      own.rank = rank;
      const auto aggregator = def.makeWorker(own);
      std::vector<Real>& data = outcome.data[static_cast<std::size_t>(rank)];
      data.resize(size);
      for (std::int64_t round = 1; round <= kRounds; ++round) {
        for (std::size_t i = 0; i < size; ++i) data[i] = values(rank, round, i);
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
  const aggregators::AggregatorDef& def() const { return *aggregators::findAggregator(std::get<0>(GetParam())); }
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
        for (int rank = 0; rank < world(); ++rank) expected[i] += integers(rank, kRounds, i);
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
        const aggregators::AggregationCost cost = def().cost(rank, world(), size);
        EXPECT_EQ(outcome.elementsSent[static_cast<std::size_t>(rank)], cost.elementsSent)
            << "rank " << rank << ", " << size << " elements, " << servers << " servers";
        steps = std::max(steps, cost.steps);
      }
      if (size >= static_cast<std::size_t>(world()))
        EXPECT_NEAR(outcome.seconds, steps * kLatencySeconds, 1e-9) << size << " elements, " << servers << " servers";
      else  // parts without elements are not sent
        EXPECT_LE(outcome.seconds, steps * kLatencySeconds + 1e-9) << size << " elements, " << servers << " servers";
    }
}

std::vector<std::string> ids() {
  std::vector<std::string> result;
  for (const aggregators::AggregatorDef& def : aggregators::aggregators()) result.push_back(def.id);
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, AggregatorContract, testing::Combine(testing::ValuesIn(ids()), testing::Range(1, 10)),
                         [](const auto& info) { return strCat(std::get<0>(info.param), "_", std::get<1>(info.param)); });

TEST_P(AggregatorContract, IsWithinRoundingOfTheSumInRankOrder) {
  constexpr std::size_t kSize = 1000;
  const Outcome outcome = aggregate(def(), world(), serverCounts().front(), kSize, anything);
  for (const auto& data : outcome.data) EXPECT_TRUE(sameBits(data, outcome.data.front()));
  for (std::size_t i = 0; i < kSize; ++i) {
    double sum = 0, magnitude = 0;
    for (int rank = 0; rank < world(); ++rank) {
      sum += static_cast<double>(anything(rank, kRounds, i));
      magnitude += std::abs(static_cast<double>(anything(rank, kRounds, i)));
    }
    const double bound = world() * static_cast<double>(std::numeric_limits<Real>::epsilon()) * magnitude / world();
    EXPECT_NEAR(static_cast<double>(outcome.data[0][i]), sum / world(), bound) << i;
  }
}

TEST(Aggregators, CutLongVectorsIntoPieces) {
  const std::size_t size = 5 * kShardBytes / sizeof(Real) + 3;  // the simulator, as every wire, refuses longer messages than a shard
  for (const aggregators::AggregatorDef& def : aggregators::aggregators())
    for (const int world : {2, 3, 6}) {
      const Outcome outcome = aggregate(def, world, def.needsServer ? 1 : 0, size);
      for (const auto& data : outcome.data) EXPECT_TRUE(sameBits(data, outcome.data.front())) << def.id;
      for (std::size_t i = 0; i < size; i += 997) {
        Real sum = 0;
        for (int rank = 0; rank < world; ++rank) sum += integers(rank, kRounds, i);
        ASSERT_EQ(outcome.data[0][i], sum * (Real(1) / static_cast<Real>(world))) << def.id << ' ' << i;
      }
    }
}

TEST(Aggregators, HaveTheDocumentedOnes) {
  for (const char* id : {"server", "ring", "butterfly", "binary_blocks", "tree"}) EXPECT_TRUE(aggregators::findAggregator(id)) << id;
  EXPECT_FALSE(aggregators::findAggregator("carousel"));
}

// What the methods' papers say, for vectors that divide evenly. The contract checks that it is what they send.
TEST(Aggregators, CostTheirClosedForms) {
  struct Form {
    const char* id;
    int rank, world, steps;
    std::size_t sent;  // of 840 elements
  };
  const Form forms[] = {{"server", 3, 8, 2, 840},        {"ring", 3, 8, 14, 1470},         {"butterfly", 3, 8, 6, 1470},
                        {"binary_blocks", 3, 8, 6, 1470}, {"butterfly", 1, 5, 6, 840},      {"butterfly", 0, 5, 6, 840 + 1260},
                        {"butterfly", 4, 5, 6, 1260},     {"binary_blocks", 4, 5, 4, 840},  {"binary_blocks", 0, 5, 4, 1260 + 210},
                        {"binary_blocks", 6, 7, 4, 840},  {"binary_blocks", 4, 7, 4, 1680}, {"binary_blocks", 3, 7, 4, 1470},
                        {"tree", 0, 8, 6, 2520},          {"tree", 7, 8, 6, 840},           {"tree", 4, 7, 4, 840 * 3}};
  for (const Form& form : forms) {
    const aggregators::AggregationCost cost = aggregators::findAggregator(form.id)->cost(form.rank, form.world, 840);
    EXPECT_EQ(cost.steps, form.steps) << form.id << ' ' << form.world;
    EXPECT_EQ(cost.elementsSent, form.sent) << form.id << " rank " << form.rank << " of " << form.world;
  }
}

// Chunk c of a ring is summed in the order c, c + 1, ...: a sum made in that order has its bits, the server's (in rank order) has those of
// chunk 0, and with two ranks all methods have the same.
TEST(Aggregators, RingHasTheBitsOfItsDocumentedOrder) {
  constexpr int kWorld = 5;
  constexpr std::size_t kSize = 1000;
  const Outcome ring = aggregate(*aggregators::findAggregator("ring"), kWorld, 0, kSize, anything);
  const Outcome server = aggregate(*aggregators::findAggregator("server"), kWorld, 1, kSize, anything);
  std::vector<Real> expected(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    const int first = static_cast<int>(i / (kSize / kWorld));
    expected[i] = anything(first, kRounds, i);
    for (int k = 1; k < kWorld; ++k) expected[i] += anything((first + k) % kWorld, kRounds, i);
    expected[i] *= Real(1) / static_cast<Real>(kWorld);
  }
  EXPECT_TRUE(sameBits(ring.data[0], expected));
  EXPECT_FALSE(sameBits(ring.data[0], server.data[0]));  // the values do depend on the order
  EXPECT_TRUE(std::equal(expected.begin(), expected.begin() + kSize / kWorld, server.data[0].begin()));
}

TEST(Aggregators, OfTwoHaveTheSameBits) {
  const Outcome server = aggregate(*aggregators::findAggregator("server"), 2, 1, 1000, anything);
  for (const aggregators::AggregatorDef& def : aggregators::aggregators())
    EXPECT_EQ(aggregate(def, 2, def.needsServer ? 1 : 0, 1000, anything).data, server.data) << def.id;
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
  std::unique_ptr<ServerAlgorithm> half = aggregators::findAggregator("server")->makeServer({.rank = 0, .workers = {7, 8}, .servers = {0}});
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

// A worker goes by the newest answer: what it adds up by it is of as many again once a lost one has been replaced.
TEST_F(ServerHalf, HowManyContributedIsWhatTheNewestAnswerSays) {
  FakeClock clock;
  FakeWire wire(clock, 7);
  Transport transport(wire, clock);
  const auto worker = aggregators::findAggregator("server")->makeWorker({.rank = 0, .workers = {7, 8}, .servers = {0}});
  aggregators::ShardedMean* mean = worker->sharded();
  ASSERT_NE(mean, nullptr);
  const auto contributorsAfter = [&](std::int64_t round, std::int64_t told) {
    std::vector<bool> answered(1);
    Message reply{.kind = MessageKind::kReduced, .from = 0, .round = round, .version = told};
    reply.dense = Dense::copied(std::vector<Real>{1});
    EXPECT_EQ(mean->shardOf(transport, reply, round, 1, answered), 0U);
    return worker->contributors(2);
  };
  EXPECT_EQ(contributorsAfter(1, 0), 2);
  EXPECT_EQ(contributorsAfter(2, 1), 1);
  EXPECT_EQ(contributorsAfter(3, 0), 2);
}

TEST_F(ServerHalf, AnswersShareOneBuffer) {
  half->onMessage(from(7, 1, {4, 6}), *this);
  half->onMessage(from(8, 1, {2, 2}), *this);
  EXPECT_EQ(sent[0].second.dense.values().data(), sent[1].second.dense.values().data());
}

TEST_F(ServerHalf, WaitsForNobodyWhoIsLost) {
  half->onMessage(from(7, 1, {4}), *this);
  half->left(8, *this);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].first, 7);
  EXPECT_EQ(sent[0].second.dense.values()[0], Real(4));
  EXPECT_EQ(sent[0].second.version, 1);  // contribution
  half->onMessage(from(7, 2, {6}), *this);
  ASSERT_EQ(sent.size(), 4u);
  EXPECT_EQ(sent[2].second.dense.values()[0], Real(6));
}

// This shard's part of its last push came; a shard's that did not is the mean of the others.
TEST_F(ServerHalf, CountsWhatALostOneHadSent) {
  half->onMessage(from(8, 1, {2}), *this);
  half->left(8, *this);
  EXPECT_TRUE(sent.empty());
  half->onMessage(from(7, 1, {4}), *this);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].second.dense.values()[0], Real(3));
  EXPECT_EQ(sent[0].second.version, 2);
}

TEST_F(ServerHalf, ClosesEachRoundThatAwaitedOnlyTheLost) {
  half = aggregators::findAggregator("server")->makeServer({.rank = 0, .workers = {7, 8, 9}, .servers = {0}});
  for (const int node : {7, 8})
    for (const std::int64_t round : {1, 2}) half->onMessage(from(node, round, {Real(node * round)}), *this);
  half->left(9, *this);
  ASSERT_EQ(sent.size(), 6u);
  EXPECT_EQ(sent[0].second.round, 1);
  EXPECT_EQ(sent[0].second.dense.values()[0], Real(7.5));
  EXPECT_EQ(sent[3].second.round, 2);
  EXPECT_EQ(sent[3].second.dense.values()[0], Real(15));
}

TEST_F(ServerHalf, WithoutAnyContributionThereIsNoMean) {
  Message none = messageOf(MessageKind::kReduce, aggregators::CombineFields{});
  none.from = 7, none.round = 1;
  half->onMessage(std::move(none), *this);
  try {
    half->left(8, *this);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "round 1, shard 0: the mean of nothing is wanted");
  }
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
}  // namespace paceline::tests
