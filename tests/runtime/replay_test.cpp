// The order of a server: what is recorded says it all in few bytes, and what is repeated comes in it, whatever the links and paces are then.
#include "engine/runtime/replay.h"

#include <gtest/gtest.h>

#include "engine/core/base/rng.h"
#include "engine/core/record/state_table.h"
#include "engine/runtime/books/order_book.h"
#include "engine/runtime/replayed_order.h"
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
  EXPECT_EQ(replay.servers.at(2).of(0), (ServerReplay::Steps{{.node = 1, .lost = true, .count = 6}}));
  EXPECT_EQ(replay.servers.at(2).of(1), (ServerReplay::Steps{{.node = 1, .lost = true, .count = 5}}));
}

TEST_F(Order, OfAReturnIsItsPlaceAndWhatWasAnsweredBefore) {
  OrderBook book = this->book();
  for (int question = 0; question < 300; ++question) book.answered(1, {.kind = MessageKind::kAnswer, .scalars = {1.0 * question}});
  for (const std::int32_t shard : {0, 1}) book.handed(of(0, shard)), book.handed(of(1, shard));
  book.lost(1);
  for (const std::int32_t shard : {0, 1}) book.handed(of(0, shard));
  book.joined(1);
  for (const std::int32_t shard : {0, 1}) book.handed(of(1, shard));
  book.answered(1, {.kind = MessageKind::kAnswer, .scalars = {7}});
  book.lost(0);
  book.finish();
  events_.push_back(MetricRecord{.round = 3, .name = "takes_part_again_samples.2", .value = 96});
  events_.push_back(MetricRecord{.name = "takes_data_of.w0", .value = 2});
  ReplayReader reader(spec_);
  for (const Event& event : events_) reader.take(std::holds_alternative<MetricRecord>(event) ? "w1" : "s0", parseEvent(toLine(event)));
  reader.take("w0", MetricRecord{.round = 3, .name = "takes_in.w1", .value = 2});
  reader.take("w0", MetricRecord{.round = 5, .name = "takes_in.w1", .value = 3});  // it was lost before it had begun, and said nothing
  const Replay replay = reader.finished();
  const ServerReplay& server = replay.servers.at(2);
  const ServerReplay::Steps expected{{.node = 0}, {.node = 1}, {.node = 1, .lost = true}, {.node = 0}, {.node = 1, .joined = true, .count = 300}, {.node = 1}, {.node = 0, .lost = true}};
  for (const std::int32_t shard : {0, 1}) EXPECT_EQ(server.of(shard), expected);
  EXPECT_EQ(server.answersBefore(1, 1), 300U);
  EXPECT_EQ(server.answersBefore(1, 2), std::nullopt);
  EXPECT_EQ(server.answers.at(1).size(), 301U);
  EXPECT_EQ(replay.lost, std::set<int>{0});
  EXPECT_TRUE(replay.loses(1) && replay.loses(1, 1) && !replay.loses(1, 2) && replay.loses(0));
  EXPECT_EQ(replay.takenIn, (std::map<std::int64_t, std::vector<int>>{{3, {1}}, {5, {1}}}));
  ASSERT_EQ(replay.returns.at(1).size(), 2U);
  EXPECT_EQ(replay.returns.at(1)[1].begins, 5);
  EXPECT_EQ(replay.returns.at(1)[0].begins, 3);
  EXPECT_EQ(replay.returns.at(1)[0].samples, 96);
  EXPECT_TRUE(replay.dividedBy(1).empty());
  EXPECT_EQ(replay.dividedBy(1, 1), (Replay::Divisions{{2, {0}}}));
}

// A book that its server's next process goes on with.
TEST_F(Order, AReturnIsInItsStateToo) {
  OrderBook book = this->book();
  book.handed(of(1, 0));
  book.lost(1), book.joined(1);
  StateTable table;
  StateWriter writer(table);
  book.state(writer);
  OrderBook next(*run_, true);
  StateReader reader(table);
  next.state(reader);
  next.handed(of(1, 0));
  next.finish();
  EXPECT_EQ(read().servers.at(2).of(0), (ServerReplay::Steps{{.node = 1}, {.node = 1, .lost = true}, {.node = 1, .joined = true}, {.node = 1}}));
}

// " 1.4": the message of round 4 of node 1 was handed to its shard.
ReplayedOrder::Deeds writtenTo(std::string& deeds) {
  return {.hand = [&deeds](Message message) { deeds += strCat(" ", message.from, ".", message.round); },
          .leave = [&deeds](std::int32_t, int node) { deeds += strCat(" -", node); },
          .left = [&deeds](int node) { deeds += strCat(" left", node); },
          .join = [&deeds](std::int32_t, int node) { deeds += strCat(" +", node); },
          .joined = [&deeds](int node) { deeds += strCat(" joined", node); }};
}

// What one process was answered is not what the next one gets, and between them it is not heard.
TEST(ReplayedOrder, AnswersAndHearsEachProcessAsThen) {
  ServerReplay then;
  then.shards[0] = {{.node = 1}, {.node = 1, .lost = true}, {.node = 0}, {.node = 1, .joined = true, .count = 2}, {.node = 1}};
  then.answers[1] = {{1}, {2}, {3}};
  std::string deeds;
  ReplayedOrder order(then, true, writtenTo(deeds));
  const auto push = [&](int node, std::int64_t round) { order.take({.kind = MessageKind::kPush, .from = node, .shard = 0, .round = round}); };
  EXPECT_EQ(order.answerTo(1), std::vector<double>{1});
  push(1, 1);
  EXPECT_FALSE(order.answers(1, 2));
  EXPECT_TRUE(order.answers(1, 1) && order.answers(0, 9));
  push(1, 2);  // unheard
  order.takeIn(1);
  EXPECT_EQ(deeds, " 1.1 -1 left1");
  push(0, 1);
  EXPECT_EQ(deeds, " 1.1 -1 left1 0.1 +1 joined1");
  push(1, 3);  // still of the one before
  EXPECT_EQ(order.answerTo(1), std::nullopt);
  order.renewed(1);
  EXPECT_TRUE(order.answers(1, 2));
  EXPECT_EQ(order.answerTo(1), std::vector<double>{3});
  push(1, 2);
  EXPECT_EQ(deeds, " 1.1 -1 left1 0.1 +1 joined1 1.2");
  EXPECT_EQ(order.answerTo(1), std::nullopt);
}

// One shard has come to the return, the other waits for somebody else: what the process before still sends is nobody's.
TEST(ReplayedOrder, HearsNobodyBetweenTheJoinsOfTwoShards) {
  ServerReplay then;
  for (const std::int32_t shard : {0, 1}) then.shards[shard] = {{.node = 1, .lost = true}, {.node = 1, .joined = true}, {.node = 1}};
  then.shards[1].insert(then.shards[1].begin(), {.node = 0});
  std::string deeds;
  ReplayedOrder order(then, true, writtenTo(deeds));
  const auto push = [&](int node, std::int32_t shard, std::int64_t round) { order.take({.kind = MessageKind::kPush, .from = node, .shard = shard, .round = round}); };
  push(1, 0, 7), push(1, 1, 7);
  order.takeIn(1);
  push(1, 0, 8);
  EXPECT_EQ(deeds, " -1 +1");
  push(0, 1, 1);
  EXPECT_EQ(deeds, " -1 +1 0.1 -1 left1 +1 joined1");
  order.renewed(1);
  push(1, 0, 9), push(1, 1, 9);
  EXPECT_EQ(deeds, " -1 +1 0.1 -1 left1 +1 joined1 1.9 1.9");
}

// Sums: it counts whose contributions came, of which process.
TEST(ReplayedOrder, CountsWhatEachProcessContributed) {
  ServerReplay then;
  then.shards[0] = {{.node = 1, .lost = true, .count = 1}, {.node = 1, .joined = true}, {.node = 1, .lost = true, .count = 1}, {.node = 1, .joined = true}, {.node = 1, .lost = true, .count = 2}};
  std::string deeds;
  ReplayedOrder order(then, false, writtenTo(deeds));
  const auto contribute = [&](int node, std::int64_t round) { order.take({.kind = MessageKind::kReduce, .from = node, .shard = 0, .round = round}); };
  contribute(1, 1), contribute(1, 2), contribute(0, 1);
  EXPECT_EQ(deeds, " 1.1 -1 left1 0.1");
  order.takeIn(1);
  EXPECT_EQ(deeds, " 1.1 -1 left1 0.1 +1 joined1 -1 left1") << "the second one was lost before it contributed";
  order.takeIn(1), order.renewed(1);
  contribute(1, 5), contribute(1, 6);
  EXPECT_EQ(deeds, " 1.1 -1 left1 0.1 +1 joined1 -1 left1 +1 joined1 1.5 -1 left1");
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
  EXPECT_EQ(refusal("s0", OrderRecord{.nodes = "+0:x"}), "\"+0:x\" is no step of a server's order");
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
