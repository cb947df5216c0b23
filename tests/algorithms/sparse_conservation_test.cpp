// E14 and E15: with integer gradients nothing is lost, doubled or rounded away, at any density, in any world, at every instant.
#include <cmath>

#include "engine/comm/transport/layers.h"
#include "engine/comm/codecs/sparse_codec.h"
#include "tests/algorithms/sparse_world.h"

namespace paceline::tests {
namespace {

using Numbers = std::vector<double>;

// A random world: layers, statistics, workers of unequal speed, servers, densities, answers, precision of values.
struct Drawn {
  SparseWorld world;
  std::vector<std::size_t> layers;
  std::size_t statistics = 0, elements = 0;
  std::int64_t reach = 8;
  std::uint64_t seed = 0;

  std::size_t all() const { return statistics + elements; }
};

Drawn draw(const std::string& algorithm, std::uint64_t seed) {
  Rng rng = Rng::stream(seed, algorithm);
  Drawn drawn;
  drawn.seed = seed;
  for (std::size_t layer = 0, count = 1 + rng.below(4); layer < count; ++layer) drawn.layers.push_back(1 + rng.below(rng.below(3) == 0 ? 300 : 30));
  drawn.statistics = rng.below(2) * 5;
  for (const std::size_t size : drawn.layers) drawn.elements += size;
  SparseWorld& world = drawn.world;
  world.algorithm = algorithm;
  world.workers = 1 + static_cast<int>(rng.below(4));
  world.servers = 1 + static_cast<int>(rng.below(3));
  world.rounds = 2 + static_cast<int>(rng.below(8));
  for (int rank = 0; rank < world.workers; ++rank) world.slowdowns.push_back(1 + static_cast<double>(rng.below(5)) / 2);
  world.params.set("learning_rate", 1.0);
  world.params.set("kept_fraction", std::max(1e-6, rng.uniform() * rng.uniform()));
  world.params.set("down_fraction", std::max(1e-6, rng.uniform() * rng.uniform()));
  world.params.set("dense_below", static_cast<std::int64_t>(rng.below(20)));
  world.params.set("answer", std::string(rng.below(4) == 0 ? "whole" : "difference"));
  world.params.set("resync_every", static_cast<std::int64_t>(rng.below(5)));
  const bool half = rng.below(2) == 0;
  world.params.set("values", std::string(half ? "fp16" : "fp32"));
  drawn.reach = half && rng.below(2) == 0 ? 300'000 : 8;  // the larger ones do not fit fp16's 11 bits
  world.objective = [layers = drawn.layers, statistics = drawn.statistics, reach = drawn.reach, seed](int rank) {
    return std::make_unique<IntegerLayers>(layers, statistics, reach, seed, rank);
  };
  return drawn;
}

std::vector<ShardRange> shardsOfWorld(const Drawn& drawn) {
  std::vector<int> servers;
  for (int i = 0; i < drawn.world.servers; ++i) servers.push_back(drawn.world.workers + i);
  return shardsOf(drawn.all(), servers);
}

// Adds a message's entries, or nothing where it carries none, at the shard's places.
void addEntries(const Message& message, const ShardRange& shard, Numbers& sum) {
  codecs::SparseVector entries;
  codecs::unpackSparse(message.packed, shard.size, "it", entries);
  for (std::size_t i = 0; i < entries.indices.size(); ++i) sum[shard.offset + entries.indices[i]] += static_cast<double>(entries.values[i]);
}

// Checks one world; returns how many instants it looked at.
class Conservation {
 public:
  Conservation(Drawn drawn, std::string residual) : drawn_(std::move(drawn)), residual_(std::move(residual)), shards_(shardsOfWorld(drawn_)) {
    const auto workers = static_cast<std::size_t>(drawn_.world.workers);
    gradients_.assign(workers, Numbers(drawn_.all()));
    pushed_ = gradients_;
    IntegerLayers start(drawn_.layers, drawn_.statistics, drawn_.reach, drawn_.seed, 0);
    values_.assign(start.parameters().begin(), start.parameters().end());
    replica_.assign(workers, values_);
  }

  int run() {
    drawn_.world.afterMessage = [this](const Exchange& exchange) { afterMessage(exchange); };
    drawn_.world.afterRound = [this](int rank, WorkerAlgorithm& half, Objective& objective, const RoundRecord& record) {
      afterRound(static_cast<std::size_t>(rank), half, objective, record);
    };
    drawn_.world.run();
    return instants_;
  }

 private:
  // The server: its values are the start minus all that was pushed, its replica of a worker what that worker was sent.
  void afterMessage(const Exchange& exchange) {
    if (exchange.question.kind != MessageKind::kPush) return;
    ++instants_;
    const auto rank = static_cast<std::size_t>(exchange.question.from);
    const ShardRange& shard = shards_.at(static_cast<std::size_t>(exchange.question.shard));
    Numbers pushed(drawn_.all());
    addEntries(exchange.question, shard, pushed);
    for (std::size_t i = 0; i < pushed.size(); ++i) pushed_[rank][i] += pushed[i], values_[i] -= pushed[i];
    const Message& answer = exchange.answers.at(0);
    const auto at = static_cast<std::ptrdiff_t>(shard.offset), end = static_cast<std::ptrdiff_t>(shard.offset + shard.size);
    if (answer.packed.empty()) std::copy(values_.begin() + at, values_.begin() + end, replica_[rank].begin() + at);
    else addEntries(answer, shard, replica_[rank]);

    auto state = SavedState::of(exchange.half);
    EXPECT_EQ(state["values"], Numbers(values_.begin() + at, values_.begin() + end)) << "seed " << drawn_.seed;
    for (std::size_t r = 0; r < replica_.size(); ++r) {
      const Numbers& kept = state[strCat("replica ", r)];
      if (kept.empty()) continue;  // whole answers need none
      EXPECT_EQ(kept, Numbers(replica_[r].begin() + at, replica_[r].begin() + end)) << "seed " << drawn_.seed << ", worker " << r;
    }
    if (!answer.packed.empty()) expectTop(answer, shard, rank);
  }

  // An answer leaves nothing out that is larger than what it sends, layer by layer.
  void expectTop(const Message& answer, const ShardRange& shard, std::size_t rank) const {
    Numbers sent(drawn_.all());
    addEntries(answer, shard, sent);
    std::size_t offset = drawn_.statistics;
    for (const std::size_t size : drawn_.layers) {
      double least = std::numeric_limits<double>::infinity(), left = 0;
      for (std::size_t i = std::max(offset, shard.offset); i < std::min(offset + size, shard.offset + shard.size); ++i) {
        const double pending = values_[i] - replica_[rank][i];
        if (sent[i] != 0) least = std::min(least, std::abs(sent[i] + pending));
        else left = std::max(left, std::abs(pending));
      }
      EXPECT_LE(left, least) << "seed " << drawn_.seed;
      offset += size;
    }
  }

  // The worker: what it has pushed and what waits are all its gradients; its parameters are the server's replica, statistics its own.
  void afterRound(std::size_t rank, WorkerAlgorithm& half, Objective& objective, const RoundRecord& record) {
    ++instants_;
    const IntegerLayers source(drawn_.layers, drawn_.statistics, drawn_.reach, drawn_.seed, static_cast<int>(rank));
    const std::vector<std::int64_t> g = source.at(record.round - 1);
    for (std::size_t i = 0; i < g.size(); ++i) gradients_[rank][i] += static_cast<double>(g[i]);
    Numbers whole = SavedState::of(half, StateSizes{.parameters = g.size()})[residual_];
    ASSERT_EQ(whole.size(), g.size());
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] += pushed_[rank][i];
    EXPECT_EQ(whole, gradients_[rank]) << "seed " << drawn_.seed << ", worker " << rank << " in round " << record.round;

    const std::span<const Real> w = objective.parameters();
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double expected = i < drawn_.statistics ? 1000 * (static_cast<double>(rank) + 1) : replica_[rank][i];
      ASSERT_EQ(static_cast<double>(w[i]), expected) << "seed " << drawn_.seed << ", worker " << rank << ", element " << i;
    }
  }

  Drawn drawn_;
  std::string residual_;
  std::vector<ShardRange> shards_;
  Numbers values_;                                     // the server's, from what was pushed
  std::vector<Numbers> gradients_, pushed_, replica_;  // by rank: sums; what the worker has, from what it was sent
  int instants_ = 0;
};

void expectConserved(const std::string& algorithm, const std::string& residual, const std::map<std::string, ParamValue>& fixed, int least) {
  int instants = 0;
  for (std::uint64_t seed = 1; instants < least && !::testing::Test::HasFailure(); ++seed) {
    Drawn drawn = draw(algorithm, seed);
    for (const auto& [name, value] : fixed) drawn.world.params.set(name, value);
    instants += Conservation(std::move(drawn), residual).run();
  }
}

TEST(GradientDropping, SentPlusResidualIsTheSumOfGradientsAtEveryInstant) { expectConserved("gradient_dropping", "residual", {}, 5000); }

TEST(Dgc, WithoutMomentumSentPlusResidualIsTheSumOfGradients) {
  expectConserved("dgc", "residual", {{"momentum", 0.0}, {"warm_up_rounds", std::int64_t{2}}}, 5000);
}

TEST(Dgs, WithoutMomentumSentPlusResidualIsTheSumOfGradients) { expectConserved("dgs", "velocity", {{"momentum", 0.0}}, 5000); }

}  // namespace
}  // namespace paceline::tests
