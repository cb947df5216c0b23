// Workers and servers of one algorithm in virtual time, laid open: after every round and every message a test sees the whole state of
// whoever acted. Header-only. One node runs at a time.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/sim/sim_world.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/core/record/state_table.h"
#include "engine/runtime/node_loop.h"

namespace paceline::tests {

// What an object saves, by name; every number as a double.
struct SavedState {
  template <class T, class... Sizes>
  static std::map<std::string, std::vector<double>> of(T& object, const Sizes&... sizes) {
    StateTable table;
    StateWriter writer(table);
    object.state(writer, sizes...);
    std::map<std::string, std::vector<double>> saved;
    for (const auto& [name, array] : table.arrays) {
      const auto take = [&, &bytes = array.bytes, &into = saved[name]]<class Element>(Element) {
        std::vector<Element> values(bytes.size() / sizeof(Element));
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        into.assign(values.begin(), values.end());
      };
      switch (array.type) {
        case ElementType::kFloat: take(float{}); break;
        case ElementType::kDouble: take(double{}); break;
        case ElementType::kWord: take(std::uint64_t{}); break;
        case ElementType::kInteger: take(std::int64_t{}); break;
      }
    }
    return saved;
  }
};

// Layers of given sizes, in front of them `statistics` untrainable elements. Gradients are integers in [-reach, reach] that depend on
// (seed, rank, step, place) only, so that sums are exact in any order.
class IntegerLayers final : public Objective {
 public:
  IntegerLayers(const std::vector<std::size_t>& layers, std::size_t statistics, std::int64_t reach, std::uint64_t seed, int rank)
      : reach_(reach), seed_(seed), rank_(rank) {
    if (statistics > 0) blocks_.push_back({"statistics", 0, statistics, false});
    std::size_t offset = statistics;
    for (const std::size_t size : layers) {
      blocks_.push_back({strCat("layer ", blocks_.size()), offset, size, true});
      offset += size;
    }
    w_.resize(offset);
    for (std::size_t i = 0; i < offset; ++i) w_[i] = static_cast<Real>(i < statistics ? 1000 * (rank + 1) : i % 13);
  }
  std::span<Real> parameters() override { return w_; }
  StepStats gradient(std::span<Real> out, const StepWatch& = {}) override {
    const std::vector<std::int64_t> g = at(step_++);
    std::copy(g.begin(), g.end(), out.begin());
    return {.loss = 0, .samples = 1, .fetchSeconds = 0, .computeSeconds = 0};
  }
  StepStats warmUpStep(std::span<Real>) override { return {}; }
  Evaluation evaluate(Cores*) override { return {.correct = 0, .total = 1, .loss = 0}; }
  std::span<const Block> blocks() const override { return blocks_; }

  std::vector<std::int64_t> at(std::int64_t step) const {
    Rng rng = Rng::stream(seed_, "gradient", static_cast<std::uint64_t>(rank_) * 1'000'000 + static_cast<std::uint64_t>(step));
    std::vector<std::int64_t> g(w_.size());
    for (const Block& block : blocks_)
      for (std::size_t i = 0; i < block.size && block.trainable; ++i)
        g[block.offset + i] = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(2 * reach_ + 1))) - reach_;
    return g;
  }

 private:
  std::int64_t reach_;
  std::uint64_t seed_;
  int rank_;
  std::int64_t step_ = 0;
  std::vector<Real> w_;
  std::vector<Block> blocks_;
};

struct Exchange {  // one message that a server half has handled
  Message question;
  std::vector<Message> answers;
  ServerAlgorithm& half;
};

struct SparseWorld {
  std::string algorithm;
  Params params = {};
  int workers = 2, servers = 1, rounds = 5;
  std::vector<double> slowdowns = {};                   // by rank; 1 where there is none
  std::function<double(std::int64_t)> factor = {};      // of the rates, by round
  std::function<std::unique_ptr<Objective>(int rank)> objective;
  std::function<void(int rank, WorkerAlgorithm&, Objective&, const RoundRecord&)> afterRound = {};
  std::function<void(const Exchange&)> afterMessage = {};

  void run();

 private:
  struct Kept final : Outbox {
    explicit Kept(Wire& w, Clock& c) : wire(w), clock(c) {}
    void send(int to, Message message) override {
      sent.push_back(message);
      wire.send(to, std::move(message));
    }
    double now() const override { return clock.now(); }
    Wire& wire;
    Clock& clock;
    std::vector<Message> sent;
  };

  Params complete() const {
    std::vector<Finding> findings;
    const Params all = completeParams(findAlgorithm(algorithm)->params, params, "", findings);
    for (const Finding& finding : findings) ADD_FAILURE() << finding.pointer << ' ' << finding.message;
    return all;
  }
  std::vector<int> nodes(int from, int count) const {
    std::vector<int> all;
    for (int i = 0; i < count; ++i) all.push_back(from + i);
    return all;
  }
  void train(sim::SimWorld& world, int rank);
  void serve(sim::SimWorld& world, int node);
};

inline void SparseWorld::train(sim::SimWorld& world, int rank) {
  Clock& clock = world.clock(rank);
  MeteredWire meter(world.wire(rank));
  Transport transport(meter, clock);
  Emulate emulate;
  if (static_cast<std::size_t>(rank) < slowdowns.size()) emulate.slowdown = slowdowns[static_cast<std::size_t>(rank)];
  Pacer pacer(clock, emulate, Rng::stream(1, "pacer", static_cast<std::uint64_t>(rank)), kNominalStepSeconds);
  const std::unique_ptr<Objective> learning = objective(rank);
  WorkerContext ctx({.objective = *learning,
                     .transport = transport,
                     .meter = meter,
                     .clock = clock,
                     .pacer = pacer,
                     .rank = rank,
                     .workers = nodes(0, workers),
                     .servers = nodes(workers, servers)});
  const std::unique_ptr<WorkerAlgorithm> half = findAlgorithm(algorithm)->makeWorker(complete());
  ctx.initServers(ctx.parameters(), true);
  half->start(ctx);
  for (std::int64_t round = 1; round <= rounds; ++round) {
    ctx.beginRound(round, factor ? factor(round) : 1);
    half->round(ctx);
    const RoundRecord record = ctx.endRound();
    if (afterRound) afterRound(rank, *half, *learning, record);
  }
  for (int server = workers; server < workers + servers; ++server) {
    Message bye;
    bye.kind = MessageKind::kBye;
    transport.send(server, std::move(bye));
  }
}

inline void SparseWorld::serve(sim::SimWorld& world, int node) {
  Kept out(world.wire(node), world.clock(node));
  const Params all = complete();
  std::map<std::int32_t, std::unique_ptr<ServerAlgorithm>> halves;
  for (int gone = 0; gone < workers;) {
    std::optional<Message> message = world.wire(node).receive(std::numeric_limits<double>::infinity());
    if (!message) continue;
    if (message->kind == MessageKind::kBye) {
      ++gone;
      continue;
    }
    std::unique_ptr<ServerAlgorithm>& half = halves[message->shard];
    if (!half) half = findAlgorithm(algorithm)->makeServer({.params = all, .workers = nodes(0, workers)});
    out.sent.clear();
    half->onMessage(*message, out);
    if (afterMessage) afterMessage({.question = *message, .answers = out.sent, .half = *half});
  }
}

inline void SparseWorld::run() {
  sim::SimWorld world(std::vector<Emulate>(static_cast<std::size_t>(workers + servers)));
  std::vector<std::function<void()>> bodies;
  for (int node = 0; node < workers + servers; ++node)
    bodies.push_back([this, &world, node] { node < workers ? train(world, node) : serve(world, node); });
  world.run(std::move(bodies));
}

}  // namespace paceline::tests
