// gradient_dropping, dgc and dgs against what they must equal where everything is kept, their formulas, and their servers' bounds.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/comm/codecs/sparse_codec.h"
#include "tests/algorithms/sparse_world.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

constexpr double kTolerance = sizeof(Real) == 8 ? 1e-12 : 2e-5;
constexpr QuadraticProblem kWithStatistics{.size = 12, .statistics = 4};

void expectClose(const std::vector<Real>& a, const std::vector<Real>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(static_cast<double>(a[i]), static_cast<double>(b[i]), kTolerance) << "element " << i;
}

// Everything kept, both ways.
RunSpec keepingAll(const std::string& algorithm, int workers) {
  RunSpec spec = clusterOf(algorithm, workers, 2);
  Params& params = spec.algorithm.params;
  params.set("learning_rate", 0.03);
  spec.stop.rounds = 60;
  spec.wire.overlap = false;  // which parts of a dense vector arrive when is another order of updates
  if (algorithm == "asgd" || algorithm == "standalone") return spec;
  params.set("kept_fraction", 1.0);
  params.set("down_fraction", 1.0);
  params.set("dense_below", std::int64_t{0});
  params.set("values", std::string("fp32"));
  if (algorithm == "dgc") params.set("warm_up_rounds", std::int64_t{0});
  return spec;
}

RunSpec unequal(RunSpec spec) {
  spec.nodes[0].emulate.slowdown = 1.5;
  if (spec.workers().size() > 1) spec.nodes[1].emulate.slowdown = 4.2;
  return spec;
}

// E14: the same pushes in the same order, so the same bits.
TEST(GradientDropping, KeepingAllWithWholeAnswersIsAsgdBitForBit) {
  for (const int workers : {1, 3, 5}) {
    RunSpec spec = keepingAll("gradient_dropping", workers);
    spec.algorithm.params.set("answer", std::string("whole"));
    const SimResult asgd = runInSim(unequal(keepingAll("asgd", workers)), quadratic(kWithStatistics));
    EXPECT_EQ(runInSim(unequal(spec), quadratic(kWithStatistics)).parameters, asgd.parameters) << workers << " workers";
  }
}

TEST(GradientDropping, KeepingAllBothWaysIsAsgd) {
  const SimResult sparse = runInSim(unequal(keepingAll("gradient_dropping", 4)), quadratic(kWithStatistics));
  const SimResult asgd = runInSim(unequal(keepingAll("asgd", 4)), quadratic(kWithStatistics));
  for (std::size_t rank = 0; rank < 4; ++rank) expectClose(sparse.parameters[rank], asgd.parameters[rank]);
}

// E11.
TEST(Dgs, KeepingAllWithoutMomentumIsAsgd) {
  RunSpec spec = keepingAll("dgs", 4);
  spec.algorithm.params.set("momentum", 0.0);
  const SimResult sparse = runInSim(unequal(spec), quadratic(kWithStatistics));
  const SimResult asgd = runInSim(unequal(keepingAll("asgd", 4)), quadratic(kWithStatistics));
  for (std::size_t rank = 0; rank < 4; ++rank) expectClose(sparse.parameters[rank], asgd.parameters[rank]);
}

RunSpec momentumSgd(double momentum) {
  RunSpec alone = keepingAll("standalone", 1);
  alone.nodes.resize(1);
  alone.optimizer.momentum = momentum;
  return alone;
}

// E12.
TEST(Dgs, KeepingAllIsMomentumSgd) {
  for (const double momentum : {0.0, 0.5, 0.9}) {
    RunSpec spec = keepingAll("dgs", 1);
    spec.algorithm.params.set("momentum", momentum);
    expectClose(runInSim(spec, quadratic(kWithStatistics)).parameters[0], runInSim(momentumSgd(momentum), quadratic(kWithStatistics)).parameters[0]);
  }
}

// E13, and its trap: masking clears all of the velocity when everything is sent.
TEST(Dgc, KeepingAllIsMomentumSgdWithoutMaskingAndPlainSgdWithIt) {
  for (const double momentum : {0.5, 0.9}) {
    RunSpec spec = keepingAll("dgc", 1);
    spec.algorithm.params.set("momentum", momentum);
    spec.algorithm.params.set("factor_masking", false);
    const SimResult unmasked = runInSim(spec, quadratic(kWithStatistics));
    expectClose(unmasked.parameters[0], runInSim(momentumSgd(momentum), quadratic(kWithStatistics)).parameters[0]);
    spec.algorithm.params.set("factor_masking", true);
    const SimResult masked = runInSim(spec, quadratic(kWithStatistics));
    expectClose(masked.parameters[0], runInSim(momentumSgd(0), quadratic(kWithStatistics)).parameters[0]);
    EXPECT_NE(masked.parameters[0], unmasked.parameters[0]);
  }
}

// Everything below looks into the halves.
SparseWorld integers(const std::string& algorithm, std::vector<std::size_t> layers, std::size_t statistics = 0) {
  SparseWorld world;
  world.algorithm = algorithm;
  world.params.set("learning_rate", 1.0);
  world.params.set("dense_below", std::int64_t{0});
  world.params.set("values", std::string("fp32"));
  world.objective = [layers = std::move(layers), statistics](int rank) { return std::make_unique<IntegerLayers>(layers, statistics, 50, 3, rank); };
  return world;
}

std::vector<double> pushedBy(const Message& push, std::size_t count) {
  codecs::SparseVector entries;
  codecs::unpackSparse(push.packed, count, "it", entries);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < entries.indices.size(); ++i) values[entries.indices[i]] = static_cast<double>(entries.values[i]);
  return values;
}

// The k largest by absolute value, ties in front: by sorting.
std::vector<bool> topOf(const std::vector<double>& values, std::size_t k) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::abs(values[a]) > std::abs(values[b]); });
  std::vector<bool> top(values.size());
  for (std::size_t i = 0; i < k; ++i) top[order[i]] = true;
  return top;
}

// SAMomentum as published: u = m * u + lr * g; send the top; keep u where sent, divide it by m elsewhere. Momentum 1/2 divides exactly.
TEST(Dgs, IsThePublishedFormulaWithoutItsDivision) {
  SparseWorld world = integers("dgs", {100});
  world.workers = 1;
  world.rounds = 20;
  world.params.set("momentum", 0.5);
  world.params.set("kept_fraction", 0.07);
  std::vector<double> u(100);
  int pushes = 0;
  world.afterMessage = [&](const Exchange& exchange) {
    if (exchange.question.kind != MessageKind::kPush) return;
    const std::vector<std::int64_t> g = IntegerLayers({100}, 0, 50, 3, 0).at(pushes++);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = 0.5 * u[i] + static_cast<double>(g[i]);
    const std::vector<bool> sent = topOf(u, 7);
    std::vector<double> expected(100);
    for (std::size_t i = 0; i < u.size(); ++i)
      if (sent[i]) expected[i] = u[i];
      else u[i] /= 0.5;
    EXPECT_EQ(pushedBy(exchange.question, 100), expected) << "push " << pushes;
  };
  world.run();
  EXPECT_EQ(pushes, 20);
}

// DGC written down from the paper: velocity, accumulated velocity, masks. Momentum 1/2 keeps every number exact.
TEST(Dgc, FollowsThePaperWithMaskingAndWithout) {
  for (const bool masking : {true, false}) {
    SparseWorld world = integers("dgc", {60, 40});
    world.workers = 1;
    world.rounds = 12;
    world.params.set("momentum", 0.5);
    world.params.set("factor_masking", masking);
    world.params.set("kept_fraction", 0.1);
    world.params.set("warm_up_rounds", std::int64_t{0});
    std::vector<double> u(100), v(100);
    int pushes = 0;
    world.afterMessage = [&](const Exchange& exchange) {
      if (exchange.question.kind != MessageKind::kPush) return;
      const std::vector<std::int64_t> g = IntegerLayers({60, 40}, 0, 50, 3, 0).at(pushes++);
      for (std::size_t i = 0; i < 100; ++i) v[i] += u[i] = 0.5 * u[i] + static_cast<double>(g[i]);
      const std::vector<bool> first = topOf({v.begin(), v.begin() + 60}, 6), second = topOf({v.begin() + 60, v.end()}, 4);
      std::vector<double> expected(100);
      for (std::size_t i = 0; i < 100; ++i) {
        if (i < 60 ? !first[i] : !second[i - 60]) continue;
        expected[i] = std::exchange(v[i], 0);
        if (masking) u[i] = 0;
      }
      EXPECT_EQ(pushedBy(exchange.question, 100), expected) << "push " << pushes;
    };
    world.run();
    EXPECT_EQ(pushes, 12);
  }
}

// |g| of a worker is cut to the threshold over the root of the number of workers, before it piles up.
TEST(Dgc, ClipsLocallyByTheRootOfTheWorkers) {
  for (const int workers : {1, 4}) {
    SparseWorld world = integers("dgc", {200});
    world.workers = workers;
    world.rounds = 1;
    world.params.set("kept_fraction", 1.0);
    world.params.set("clip_norm", 10.0);
    world.params.set("warm_up_rounds", std::int64_t{0});
    int pushes = 0;
    world.afterMessage = [&](const Exchange& exchange) {
      if (exchange.question.kind != MessageKind::kPush) return;
      const std::vector<double> sent = pushedBy(exchange.question, 200);
      EXPECT_NEAR(std::sqrt(std::inner_product(sent.begin(), sent.end(), sent.begin(), 0.0)), 10 / std::sqrt(workers), 1e-4);
      ++pushes;
    };
    world.run();
    EXPECT_EQ(pushes, workers);
  }
}

std::vector<double> keptByRound(SparseWorld world) {
  std::vector<double> kept;
  world.workers = 1;
  world.objective = [](int rank) { return std::make_unique<IntegerLayers>(std::vector<std::size_t>{64'000}, 7, 1'000'000, 3, rank); };
  world.afterRound = [&](int, WorkerAlgorithm&, Objective&, const RoundRecord& record) { kept.push_back(record.kept.value_or(-1)); };
  world.run();
  return kept;
}

TEST(Dgc, WarmsUpByAQuarterAStage) {
  SparseWorld world = integers("dgc", {});
  world.rounds = 11;
  world.params.set("warm_up_rounds", std::int64_t{2});
  EXPECT_EQ(keptByRound(world), (std::vector<double>{0.25, 0.25, 0.0625, 0.0625, 0.015625, 0.015625, 0.00390625, 0.00390625, 0.001, 0.001, 0.001}));
  world.params.set("warm_up_rounds", std::int64_t{0});
  EXPECT_EQ(keptByRound(world), std::vector<double>(11, 0.001));
}

// 1 % of the start's rate: 640, 64 and 6 of 64 000, whatever floating-point numbers the rates are.
TEST(Dgs, KeptPartFollowsTheRateExactlyOrStays) {
  SparseWorld world = integers("dgs", {});
  world.rounds = 6;
  world.params.set("learning_rate", 0.1);
  world.factor = [](std::int64_t round) { return std::pow(0.1, static_cast<double>((round - 1) / 2)); };
  EXPECT_EQ(keptByRound(world), (std::vector<double>{0.01, 0.01, 0.001, 0.001, 6.0 / 64'000, 6.0 / 64'000}));
  world.params.set("fraction_follows", std::string("nothing"));
  EXPECT_EQ(keptByRound(world), std::vector<double>(6, 0.01));
}

TEST(SparseServer, EveryNthAnswerIsWhole) {
  SparseWorld world = integers("gradient_dropping", {50}, 4);
  world.rounds = 10;
  world.workers = 3;
  world.slowdowns = {1, 2, 1.5};
  world.params.set("resync_every", std::int64_t{4});
  std::map<int, int> exchanges;
  world.afterMessage = [&](const Exchange& exchange) {
    if (exchange.question.kind != MessageKind::kPush) return;
    EXPECT_EQ(exchange.answers.at(0).packed.empty(), ++exchanges[exchange.question.from] % 4 == 0);
  };
  world.run();
  EXPECT_EQ(exchanges, (std::map<int, int>{{0, 10}, {1, 10}, {2, 10}}));
}

// More layers than a message has scalars: neighbours share their part, and everything still arrives.
TEST(SparseServer, MoreLayersThanAMessageHasScalars) {
  constexpr std::size_t kShards = 16, kLayers = kMaxScalars + 77, kElements = 3 * kLayers;  // of a shard
  SparseWorld world = integers("dgs", std::vector<std::size_t>(kShards * kLayers, 3));
  world.rounds = 3;
  world.params.set("momentum", 0.0);
  int pushes = 0;
  world.afterMessage = [&](const Exchange& exchange) {
    auto state = SavedState::of(exchange.half);
    EXPECT_LE(state["layer ends"].size(), kMaxScalars);
    EXPECT_GT(state["layer ends"].size(), kMaxScalars / 2);
    EXPECT_EQ(state["layer ends"].back(), static_cast<double>(kElements));
    if (exchange.question.kind != MessageKind::kPush) return;
    ++pushes;
    codecs::SparseVector answer;
    codecs::unpackSparse(exchange.answers.at(0).packed, kElements, "it", answer);
    EXPECT_EQ(answer.indices.size(), state["layer ends"].size());  // one of each: 1 % of 6 rounded up to one
  };
  world.run();
  EXPECT_EQ(pushes, 6 * static_cast<int>(kShards));
}

// What a worker lacks comes down in the end when nobody pushes any more.
TEST(SparseServer, WhatIsPendingArrives) {
  SparseWorld world = integers("gradient_dropping", {500});
  world.workers = 2;
  world.rounds = 60;
  world.params.set("kept_fraction", 1.0);
  world.params.set("down_fraction", 0.05);
  world.factor = [](std::int64_t round) { return round <= 30 ? 1.0 : 0.0; };  // then only empty pushes
  std::map<std::string, std::vector<double>> last;
  world.afterMessage = [&](const Exchange& exchange) { last = SavedState::of(exchange.half); };
  world.run();
  EXPECT_EQ(last["replica 0"], last["values"]);
  EXPECT_EQ(last["replica 1"], last["values"]);
}

class Unheard final : public Outbox {
 public:
  void send(int, Message) override {}
  double now() const override { return 0; }
};

// A half of two workers, nodes 5 and 6, and what it says to a message.
class Hostile {
 public:
  Hostile() {
    std::vector<Finding> findings;
    params_ = completeParams(findAlgorithm("dgs")->params, {}, "", findings);
    half_ = findAlgorithm("dgs")->makeServer({.params = params_, .workers = {5, 6}});
  }
  std::string refusal(Message message) {
    try {
      half_->onMessage(std::move(message), out_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kFormat);
      return error.what();
    }
    return "";
  }
  std::string init(std::vector<double> layerEnds) {
    const std::vector<Real> values(10);
    return refusal({.kind = MessageKind::kInit, .from = 5, .scalars = std::move(layerEnds), .dense = Dense::copied(values)});
  }
  std::string push(int from, std::vector<double> scalars, std::size_t count = 10) {
    codecs::SparseVector entries{.indices = {1, 3}, .values = {1, -2}};
    return refusal({.kind = MessageKind::kPush,
                    .from = from,
                    .scalars = std::move(scalars),
                    .packed = codecs::packSparse({.begin = 0, .count = count}, entries.indices, entries.values, codecs::SparseValues::kReal)});
  }

 private:
  Params params_;
  Unheard out_;
  std::unique_ptr<ServerAlgorithm> half_;
};

TEST(SparseServer, RefusesWhatDoesNotFitAndNamesItsPeer) {
  Hostile server;
  for (const std::vector<double>& ends : {std::vector<double>{}, {9}, {11}, {5, 5, 10}, {7, 3, 10}, {0, 10}, {2.5, 10}, {std::nan(""), 10}})
    EXPECT_THAT(server.init(ends), HasSubstr("node 5"));
  EXPECT_EQ(server.init({4, 10}), "");
  EXPECT_EQ(server.push(6, {1, 4}), "");
  EXPECT_THAT(server.push(9, {1, 4}), HasSubstr("node 9 pushed"));
  EXPECT_THAT(server.push(5, {1}), HasSubstr("node 5 sent a malformed push of 1 numbers: {1}"));
  EXPECT_THAT(server.push(5, {std::nan(""), 4}), HasSubstr("node 5"));
  EXPECT_THAT(server.push(5, {1, -4}), HasSubstr("node 5"));
  EXPECT_THAT(server.push(5, {1, 4}, 11), HasSubstr("node 5 sent a malformed sparse vector: it stands for 11 elements"));
  EXPECT_THAT(server.refusal({.kind = MessageKind::kPush, .from = 6, .scalars = {1, 4}}), HasSubstr("node 6 sent a malformed sparse vector"));
  EXPECT_THAT(server.refusal({.kind = MessageKind::kAsk, .from = 6, .scalars = {1}}), HasSubstr("node 6"));
}

TEST(SparseMethods, DivergenceNamesTheWorkerAndTheLayer) {
  for (const char* algorithm : {"gradient_dropping", "dgc", "dgs"}) {
    RunSpec spec = clusterOf(algorithm, 2, 1);
    spec.algorithm.params.set("learning_rate", 1e30);
    spec.stop.rounds = 50;
    try {
      runInSim(spec, quadratic());
      ADD_FAILURE() << algorithm;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::AnyOf(HasSubstr("has not sent of \"head\" has the value"), HasSubstr("has not sent of \"tail\" has the value"),
                                                 HasSubstr("a worker lacks at the server has the value")))
          << algorithm;
    }
  }
}

TEST(SparseMethods, KeptFractionOfZeroOrAboveOneIsRefused) {
  for (const char* algorithm : {"gradient_dropping", "dgc", "dgs"})
    for (const char* name : {"kept_fraction", "down_fraction"})
      for (const double bad : {0.0, -0.5, 1.01}) {
        std::vector<Finding> findings;
        completeParams(findAlgorithm(algorithm)->params, Params({{name, bad}}), "/algorithm/params", findings);
        EXPECT_TRUE(hasErrors(findings)) << algorithm << ' ' << name << ' ' << bad;
      }
}

// What is sparse learns: three of a hundred entries up and down, fp16, five unequal workers.
TEST(SparseMethods, ConvergeWhereLittleIsKept) {
  for (const char* algorithm : {"gradient_dropping", "dgc", "dgs"}) {
    RunSpec spec = clusterOf(algorithm, 5, 2);
    spec.nodes[4].emulate.slowdown = 3;
    Params& params = spec.algorithm.params;
    params.set("learning_rate", 0.01);
    params.set("kept_fraction", 0.03);
    params.set("down_fraction", 0.03);
    params.set("dense_below", std::int64_t{0});
    params.set("values", std::string("fp16"));
    if (std::string(algorithm) != "gradient_dropping") params.set("momentum", 0.3);
    spec.stop.rounds = 1500;
    spec.evaluate.everyRounds = 100;
    const SimResult result = runInSim(spec, quadratic({.size = 200, .spread = 0.02}));
    const std::vector<EvaluationRecord> evaluations = result.evaluations(0);
    EXPECT_LT(evaluations.back().loss, evaluations.front().loss / 1000) << algorithm;
    EXPECT_EQ(evaluations.back().accuracy, 1) << algorithm;
  }
}

}  // namespace
}  // namespace paceline::tests
