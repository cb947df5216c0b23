// The order of a server: what is recorded says it all in few bytes, and what is repeated comes in it, whatever the links and paces are then.
#include "engine/runtime/replay.h"

#include <gtest/gtest.h>

#include "engine/core/base/rng.h"
#include "engine/runtime/books/order_book.h"
#include "engine/runtime/setup.h"
#include "tests/support/clusters.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

Message of(int node, std::int32_t shard, MessageKind kind = MessageKind::kPush) { return {.kind = kind, .from = node, .shard = shard}; }

// A real server's book, and what a reader makes of its records.
class Order : public testing::Test {
 protected:
  Order() : world_(std::vector<Emulate>(3)) {}
  OrderBook book(bool ordered = true) {
    run_.emplace(NodeRun{.spec = spec_, .node = 2, .wire = world_.wire(2), .clock = world_.clock(2), .emit = [this](const Event& event) { events_.push_back(event); }});
    return {*run_, ordered};
  }
  Replay read() {
    ReplayReader reader(spec_);
    for (const Event& event : events_) reader.take("s0", parseEvent(toLine(event)));
    return reader.finished();
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Event& event : events_) sum += toLine(event).size();
    return sum;
  }

  const RunSpec spec_ = clusterOf("asgd", 2, 1);
  sim::SimWorld world_;
  std::optional<NodeRun> run_;
  std::vector<Event> events_;
};

TEST_F(Order, OfManyShardsInOneOrderIsToldOnce) {
  OrderBook book = this->book();
  Rng rng = Rng::stream(1, "order");
  ServerReplay::Steps expected;
  for (int push = 0; push < 1000; ++push) {
    const int node = static_cast<int>(rng.below(2));
    expected.push_back({.node = node});
    for (const std::int32_t shard : {15, 3, 7, 0}) book.handed(of(node, shard));  // the first of all is not the first that comes
  }
  book.finish();
  const Replay replay = read();
  for (const std::int32_t shard : {0, 3, 7, 15}) EXPECT_EQ(replay.servers.at(2).of(shard), expected) << shard;
  EXPECT_LT(bytes(), 3 * 1000U);
}

TEST_F(Order, OfShardsThatDifferIsToldOfEach) {
  OrderBook book = this->book();
  Rng rng = Rng::stream(2, "order");
  std::map<std::int32_t, ServerReplay::Steps> expected;
  for (int push = 0; push < 3000; ++push) {
    const auto shard = static_cast<std::int32_t>(rng.below(3));
    const int node = static_cast<int>(rng.below(2));
    expected[shard].push_back({.node = node});
    book.handed(of(node, shard));
    if (push == 1700) {
      book.lost(1);
      for (auto& [each, steps] : expected) steps.push_back({.node = 1, .lost = true});
    }
  }
  book.finish();
  const Replay replay = read();
  for (const auto& [shard, steps] : expected) EXPECT_EQ(replay.servers.at(2).of(shard), steps) << shard;
}

TEST_F(Order, OfAnAggregationIsWhoWasLostBehindHowMuch) {
  OrderBook book = this->book(false);
  for (int round = 0; round < 5; ++round)
    for (const std::int32_t shard : {0, 1}) book.handed(of(0, shard, MessageKind::kReduce)), book.handed(of(1, shard, MessageKind::kReduce));
  book.handed(of(1, 0, MessageKind::kReduce));  // it is lost in the midst of a vector
  book.lost(1);
  book.finish();
  const Replay replay = read();
  EXPECT_EQ(replay.servers.at(2).of(0), (ServerReplay::Steps{{.node = 1, .lost = true, .contributions = 6}}));
  EXPECT_EQ(replay.servers.at(2).of(1), (ServerReplay::Steps{{.node = 1, .lost = true, .contributions = 5}}));
}

TEST_F(Order, AnswersAreKeptToTheLastBit) {
  OrderBook book = this->book();
  std::vector<std::vector<double>> expected;
  for (int i = 0; i < 600; ++i) {
    expected.push_back({0.1 * i, 1.0 / (3 + i)});
    book.answered(0, {.kind = MessageKind::kAnswer, .scalars = expected.back()});
  }
  book.finish();
  EXPECT_EQ(read().servers.at(2).answers.at(0), expected);
}

TEST(Replay, RefusesAnOrderThatIsNone) {
  const RunSpec spec = clusterOf("asgd", 2, 1);
  const auto refusal = [&](const std::string& node, const Event& event) -> std::string {
    try {
      ReplayReader reader(spec);
      reader.take(node, event);
      (void)reader.finished();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("s0", OrderRecord{.nodes = "0 x"}), "\"x\" is no step of a server's order");
  EXPECT_EQ(refusal("s0", OrderRecord{.nodes = "0:3"}), "\"0:3\" is no step of a server's order");
  EXPECT_EQ(refusal("s0", OrderRecord{.nodes = "0 7"}), "the order of s0 names node 7, the document has 3");
  EXPECT_EQ(refusal("s0", OrderRecord{.place = 5, .nodes = "0"}), "of the order of s0, shard 0, places 0 to 5 are missing");
  EXPECT_EQ(refusal("s9", OrderRecord{.nodes = "0"}), "the run's records name node \"s9\", which its document does not have");
  EXPECT_EQ(refusal("s0", AnswerRecord{.peer = "w0", .place = 2, .answers = "[[1]]"}), "of the answers of s0 to w0 numbers 0 to 2 are missing");
}

// Real time is anybody's order; here one virtual world's order is repeated in another world, of other paces and links.
class Repeated {
 public:
  Repeated(const std::string& id, int workers, int servers, const QuadraticProblem& problem = {}) : spec_(clusterOf(id, workers, servers)), objectives_(quadratic(problem)) {
    slowRates(spec_, *findAlgorithm(id));
    for (std::size_t node = 0; node < spec_.nodes.size(); ++node) spec_.nodes[node].emulate.slowdown = 1.0 + 0.37 * static_cast<double>(node), spec_.nodes[node].emulate.jitter = 0.4;
  }

  // As real servers record it: by a wire that writes down what it hands to them.
  SimResult record(const std::function<void(RunSpec&)>& change = {}) {
    RunSpec spec = spec_;
    if (change) change(spec);
    SimOptions options;
    options.server = [this](const NodeRun& run) {
      const std::string id = run.spec.nodes[static_cast<std::size_t>(run.node)].id;
      const NodeRun real{.spec = run.spec, .node = run.node, .wire = run.wire, .clock = run.clock, .emit = [this, id](const Event& event) { events_.emplace_back(id, event); }};
      OrderBook book(real, findAlgorithm(run.spec.algorithm.id)->topology == Topology::kServer);
      Listening wire(run.wire, book);
      runServer({.spec = run.spec, .node = run.node, .wire = wire, .clock = run.clock, .emit = run.emit, .nominalStepSeconds = run.nominalStepSeconds});
      book.finish();
    };
    SimResult result = runInSim(spec, objectives_, options);
    for (const RoundRecord& round : result.rounds(0)) events_.emplace_back("w0", round);
    for (const NodeSpec& node : spec.nodes) events_.emplace_back(node.id, MetricRecord{.name = kWarmUpMetric, .value = kNominalStepSeconds * node.emulate.slowdown});
    return result;
  }

  SimResult repeat() {
    ReplayReader reader(spec_);
    for (const auto& [node, event] : events_) reader.take(node, event);
    replay_ = reader.finished();
    RunSpec other = spec_;
    other.stop = {};
    other.stop.rounds = replay_.rounds;
    for (std::size_t node = 0; node < other.nodes.size(); ++node) {
      Emulate& emulate = other.nodes[node].emulate;
      emulate = {};
      emulate.slowdown = 3.0 - 0.2 * static_cast<double>(node), emulate.latencyMs = 5.0 * static_cast<double>(node % 3);
    }
    SimOptions options;
    options.replay = &replay_;
    return runInSim(other, objectives_, options);
  }

 private:
  class Listening final : public LayerWire {
   public:
    Listening(Wire& below, OrderBook& book) : LayerWire(below), book_(book) {}
    void send(int to, Message message) override {
      if (message.kind == MessageKind::kAnswer) book_.answered(to, message);
      below_.send(to, std::move(message));
    }
    std::optional<Message> receive(double timeoutSeconds) override {
      std::optional<Message> message = below_.receive(timeoutSeconds);
      if (message && message->kind == MessageKind::kLost) book_.lost(message->from);
      else if (message && !isControl(message->kind)) book_.handed(*message);
      return message;
    }

   private:
    OrderBook& book_;
  };

  RunSpec spec_;
  ObjectiveFactory objectives_;
  std::vector<std::pair<std::string, Event>> events_;
  Replay replay_;
};

void expectTheSame(const SimResult& was, const SimResult& again, int workers, const std::string& name) {
  EXPECT_EQ(was.parameters[0], again.parameters[0]) << name;
  for (int node = 0; node < workers; ++node) {
    const std::vector<RoundRecord> rounds = was.rounds(node), repeated = again.rounds(node);
    ASSERT_GE(repeated.size(), rounds.size()) << name << " w" << node;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      EXPECT_EQ(rounds[i].loss, repeated[i].loss) << name << " w" << node << " round " << i + 1;
      EXPECT_EQ(rounds[i].localSteps, repeated[i].localSteps) << name;
      EXPECT_EQ(rounds[i].staleness, repeated[i].staleness) << name;
    }
  }
}

TEST(Replay, RepeatsEveryMethodWithServersInAWorldOfOtherPaces) {
  for (const AlgorithmDef& def : algorithms()) {
    if (!def.makeServer) continue;
    for (const int servers : {1, 2}) {
      Repeated run(def.id, 4, servers);
      const SimResult was = run.record();
      expectTheSame(was, run.repeat(), 4, strCat(def.id, ", ", servers, " servers"));
    }
  }
}

TEST(Replay, RepeatsALoss) {
  for (const AlgorithmDef& def : algorithms()) {
    RunSpec spec = clusterOf(def.id, 4, 2);
    if (def.topology == Topology::kDecentralised || def.topology == Topology::kStandalone || !partsOf(spec).goesOn) continue;
    SCOPED_TRACE(def.id);
    Repeated run(def.id, 4, 2);
    const SimResult was = run.record([](RunSpec& changed) { changed.nodes[2].emulate.lostAfterRounds = 4; });
    expectTheSame(was, run.repeat(), 4, def.id);
  }
}

// FedNova's workers agree on few numbers before their first round: that vector has fewer shards than the model, and some of no other vector.
TEST(Replay, RepeatsALossWhereVectorsHaveOtherShards) {
  Repeated run("fednova", 4, 2, {.size = 60'000});
  const SimResult was = run.record([](RunSpec& changed) { changed.nodes[2].emulate.lostAfterRounds = 4; });
  expectTheSame(was, run.repeat(), 4, "fednova");
}

}  // namespace
}  // namespace paceline::tests
