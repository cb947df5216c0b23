// Equivalences on real nets: one step in float from identical parameters, 1e-7.
#include <gtest/gtest.h>

#include "engine/nn/torch_objective.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

// As many samples as all workers' batches: a worker's shard is its batch, the whole set is the stand-alone worker's.
RunSpec oneStep(const std::string& algorithm, const std::string& model, int world, int batch) {
  RunSpec spec = clusterOf(algorithm, world, algorithm == "standalone" ? 0 : 1);
  spec.model.id = model;
  spec.dataset.id = "synthetic";
  spec.dataset.params.set("train_count", std::int64_t{64});
  spec.dataset.params.set("test_count", std::int64_t{10});
  spec.batchSize = batch;
  spec.stop.rounds = 1;
  return spec;
}

std::vector<Real> after(const RunSpec& spec) {
  useThreads(1);
  useDeterministicKernels(true);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(spec);
  return runInSim(spec, [&](const RunSpec& run, int rank) { return makeTorchObjective(run, rank, data); }).parameters[0];
}

void expectClose(const std::vector<Real>& a, const std::vector<Real>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, static_cast<double>(std::abs(a[i] - b[i])));
  EXPECT_LE(worst, 1e-7) << what;
}

TEST(RealNet, SsgdStepEqualsStandaloneStepOnAllBatches) {
  for (const char* model : {"logistic", "mlp", "lenet"}) {
    const std::vector<Real> alone = after(oneStep("standalone", model, 1, 64));
    expectClose(after(oneStep("ssgd", model, 2, 32)), alone, model);
    expectClose(after(oneStep("ssgd", model, 4, 16)), alone, model);
  }
}

TEST(RealNet, EsyncWithOneLocalStepEqualsSsgd) {
  const RunSpec esync = oneStep("esync", "lenet", 4, 16);
  expectClose(after(esync), after(oneStep("ssgd", "lenet", 4, 16)), "lenet");
}

TEST(RealNet, RingEqualsServer) {
  RunSpec ring = oneStep("ssgd", "lenet", 4, 16);
  ring.aggregation.id = "ring";
  expectClose(after(ring), after(oneStep("ssgd", "lenet", 4, 16)), "lenet");
}

// Each worker's evaluations are in three parts.
RunSpec unequal(const std::string& algorithm, const std::string& model, std::int64_t channels, std::int64_t side, int batch, std::int64_t testCount) {
  RunSpec spec = oneStep(algorithm, model, 4, batch);
  for (const auto& [name, value] : {std::pair{"channels", channels}, {"height", side}, {"width", side}, {"test_count", testCount}}) spec.dataset.params.set(name, value);
  for (std::size_t i = 0; i < 4; ++i) spec.nodes[i].emulate.slowdown = 1 + 0.7 * static_cast<double>(i), spec.nodes[i].emulate.jitter = 0.2;
  spec.stop.rounds = 3;
  return spec;
}

std::string linesOn(int threads, const RunSpec& spec) {
  useThreads(1);
  useDeterministicKernels(true);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(spec);
  std::string lines;
  simulate(spec, [&](const RunSpec& run, int rank) { return makeTorchObjective(run, rank, data); }, [&](int node, const Event& event) { lines += strCat(node, ' ', toLine(event), '\n'); },
           {.threads = threads, .onThread = [] { useThreads(1); }});
  return lines;
}

void expectSameBytes(const RunSpec& spec) {
  const std::string alone = linesOn(1, spec);
  EXPECT_NE(alone.find("\"finished\""), std::string::npos);
  for (const int threads : {2, 4}) EXPECT_EQ(linesOn(threads, spec), alone) << spec.algorithm.id << " with " << spec.model.id << " on " << threads << " threads";
}

TEST(RealNet, IsSimulatedToTheSameBytesOnAnyNumberOfThreads) {
  for (const char* algorithm : {"ssgd", "asgd", "esync"}) expectSameBytes(unequal(algorithm, "lenet", 1, 28, 16, 1003));
}

TEST(RealNet, DropoutDrawsTheSameOnAnyNumberOfThreads) {
  RunSpec spec = unequal("asgd", "vgg11", 3, 32, 2, 20);
  spec.stop.rounds = 1;
  expectSameBytes(spec);
}

TEST(RealNet, StatisticsAreTheSameOnAnyNumberOfThreads) {
  for (const char* algorithm : {"ssgd", "asgd"}) expectSameBytes(unequal(algorithm, "resnet20", 3, 32, 4, 40));
}

}  // namespace
}  // namespace paceline::tests
