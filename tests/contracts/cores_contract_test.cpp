// On any number of threads every method's simulation is the same to the byte, and each objective is used as it may be: by one thread at a time, at
// parameters that nobody changes meanwhile.
#include <atomic>
#include <iomanip>
#include <thread>

#include <gtest/gtest.h>

#include "engine/runtime/compute_threads.h"
#include "tests/support/clusters.h"

namespace paceline::tests {
namespace {

const QuadraticProblem kProblem{.size = 12, .statistics = 3, .spread = 0.02};

class Watched final : public Objective {
 public:
  Watched(std::unique_ptr<Objective> below, int rank, std::int64_t failsAt) : below_(std::move(below)), rank_(rank), failsAt_(failsAt) {}
  std::span<Real> parameters() override { return below_->parameters(); }
  StepStats gradient(std::span<Real> out, const StepWatch& watch) override {
    EXPECT_FALSE(busy_.exchange(true)) << "two threads at once";
    const std::vector<Real> before(parameters().begin(), parameters().end());
    const int turns = static_cast<int>((step_ * 7 + rank_ * 13) % 5);  // others overtake it, not always the same ones
    for (int i = 0; i < turns; ++i) std::this_thread::yield();
    EXPECT_TRUE(std::ranges::equal(before, parameters())) << "parameters changed during the step";
    if (++step_ == failsAt_) throw Error(Errc::kData, strCat("w", rank_, " has no batch ", step_));
    const StepStats stats = below_->gradient(out, watch);
    busy_ = false;
    return stats;
  }
  StepStats warmUpStep(std::span<Real> out) override { return below_->warmUpStep(out); }
  Evaluation evaluate(Cores* cores) override {
    std::vector<Evaluation> parts(3);
    inParts(cores, parts.size(), [&](std::size_t i) { parts[i] = below_->evaluate(); });
    return parts.back();
  }
  std::span<const Block> blocks() const override { return below_->blocks(); }
  void state(Archive& archive) override { below_->state(archive); }

 private:
  std::unique_ptr<Objective> below_;
  int rank_;
  std::int64_t failsAt_, step_ = 0;
  std::atomic<bool> busy_ = false;
};

ObjectiveFactory watched(std::int64_t failsAt = 0) {
  return [failsAt](const RunSpec& spec, int rank) { return std::make_unique<Watched>(quadratic(kProblem)(spec, rank), rank, rank == 1 ? failsAt : 0); };
}

// Events, parameters at the end, and what was thrown, as one text.
std::string storyOf(const RunSpec& spec, Cores* cores, std::int64_t failsAt = 0) {
  std::string story;
  try {
    SimOptions options;
    options.onEvent = [&](int node, const Event& event, std::atomic<bool>&) { story += strCat(node, ' ', toLine(event), '\n'); };
    options.cores = cores;
    const SimResult result = runInSim(spec, watched(failsAt), options);
    for (const std::vector<Real>& parameters : result.parameters)
      for (const Real value : parameters) story += strCat(std::hexfloat, value, ' ');
  } catch (const Error& error) {
    story += error.what();
  }
  return story;
}

void expectOneStory(const RunSpec& spec, const std::string& name) {
  const std::string alone = storyOf(spec, nullptr);
  for (const int threads : {1, 2, 4}) {
    ComputeThreads cores(threads);
    EXPECT_EQ(storyOf(spec, &cores), alone) << name << " on " << threads << " threads";
  }
}

void forEach(const std::function<void(const RunSpec&, const std::string&)>& check) {
  for (const AlgorithmDef& def : algorithms()) forEachCluster(def, check);
}

TEST(CoresContract, TheSameBytesOnAnyNumberOfThreads) { forEach(expectOneStory); }

TEST(CoresContract, TheSameBytesOnSlowLinksAndWithJitter) {
  forEach([](const RunSpec& given, const std::string& name) {
    RunSpec spec = given;
    double mbps = 0.05;
    for (NodeSpec& node : spec.nodes) node.emulate.bandwidthMbps = mbps, node.emulate.latencyMs = 100 * mbps, node.emulate.jitter = 0.2, mbps += 0.01;
    expectOneStory(spec, name);
  });
}

TEST(CoresContract, TheSameBytesWithoutOverlap) {
  forEach([](const RunSpec& given, const std::string& name) {
    RunSpec spec = given;
    spec.wire.overlap = false;
    expectOneStory(spec, name);
  });
}

TEST(CoresContract, AStepThatFailsIsTheSameErrorAtTheSameTime) {
  forEach([](const RunSpec& spec, const std::string& name) {
    if (spec.workers().size() < 2) return;
    ComputeThreads one(1);
    const std::string alone = storyOf(spec, &one, 3);
    EXPECT_NE(alone.find("w1 has no batch 3"), std::string::npos) << name;
    for (const int threads : {2, 4}) {
      ComputeThreads cores(threads);
      EXPECT_EQ(storyOf(spec, &cores, 3), alone) << name << " on " << threads << " threads";
    }
  });
}

}  // namespace
}  // namespace paceline::tests
