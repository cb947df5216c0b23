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

}  // namespace
}  // namespace paceline::tests
