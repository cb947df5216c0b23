#include "engine/nn/torch_objective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/core/base/error.h"
#include "engine/core/record/kernels.h"
#include "engine/core/record/state_table.h"
#include "engine/data/partitioners/partitioner.h"
#include "tests/bench/bare_loop.h"
#include "tests/nn/small_set.h"

namespace paceline::tests {
namespace {

std::vector<Real> copyOf(std::span<const Real> values) { return {values.begin(), values.end()}; }

void train(Objective& objective, int steps, Real rate = 0.05F) {
  std::vector<Real> gradient(objective.parameters().size());
  for (int i = 0; i < steps; ++i) {
    objective.gradient(gradient);
    for (std::size_t j = 0; j < gradient.size(); ++j) objective.parameters()[j] -= rate * gradient[j];
  }
}

struct Refusal {
  Errc code = Errc::kUsage;
  std::string message = "nothing thrown";
};

Refusal refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {};
}

TEST(TorchObjective, WorkersStartFromIdenticalParameters) {
  const RunSpec spec = specOf("lenet", 3);
  const auto data = loadDataset(spec);
  const auto first = copyOf(makeTorchObjective(spec, 0, data)->parameters());
  EXPECT_EQ(first, copyOf(makeTorchObjective(spec, 2, data)->parameters()));
  RunSpec other = spec;
  other.seed = 4;
  EXPECT_NE(first, copyOf(makeTorchObjective(other, 0, data)->parameters()));
}

TEST(TorchObjective, ParametersAreAlignedToACacheLine) {
  const RunSpec spec = specOf("lenet");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(makeTorchObjective(spec, 0, loadDataset(spec))->parameters().data()) % 64, 0U);
}

TEST(TorchObjective, TrainsToTheSameBitsTwice) {
  for (const char* model : {"mlp", "lenet"}) {
    const RunSpec spec = specOf(model, 2);
    const auto data = loadDataset(spec);
    const auto once = makeTorchObjective(spec, 1, data), again = makeTorchObjective(spec, 1, data);
    train(*once, 15);
    train(*again, 15);
    EXPECT_EQ(copyOf(once->parameters()), copyOf(again->parameters())) << model;
  }
}

TEST(TorchObjective, RanksSeeDifferentBatches) {
  const RunSpec spec = specOf("logistic", 2);
  const auto data = loadDataset(spec);
  std::vector<Real> a(7850), b(7850);
  makeTorchObjective(spec, 0, data)->gradient(a);
  makeTorchObjective(spec, 1, data)->gradient(b);
  EXPECT_NE(a, b);
}

TEST(TorchObjective, CountsTheSamplesOfEachBatch) {
  RunSpec spec = specOf("logistic", 2, 100);
  const auto objective = makeTorchObjective(spec, 0, loadDataset(spec));  // 50 samples
  std::vector<Real> gradient(7850);
  EXPECT_EQ(objective->gradient(gradient).samples, 32U);
  EXPECT_EQ(objective->gradient(gradient).samples, 18U);
  EXPECT_EQ(objective->gradient(gradient).samples, 32U);
}

TEST(TorchObjective, AShareSaysHowManySamples) {
  RunSpec spec = specOf("logistic", 2, 100);
  spec.nodes[0].share = 0.9;
  spec.nodes[1].share = 0.1;
  std::vector<Real> gradient(7850);
  EXPECT_EQ(makeTorchObjective(spec, 1, loadDataset(spec))->gradient(gradient).samples, 10U);
}

TEST(TorchObjective, CountsTheLabelsOfItsShare) {
  RunSpec spec = specOf("logistic", 2);
  spec.partition = {.id = "by_class", .params = {}};
  const auto data = loadDataset(spec);
  const std::vector<std::int64_t> first = makeTorchObjective(spec, 0, data)->labelCounts(), second = makeTorchObjective(spec, 1, data)->labelCounts();
  ASSERT_EQ(first.size(), static_cast<std::size_t>(data->classes));
  std::vector<std::int64_t> all(first.size());
  for (const std::uint16_t label : data->train.labels) ++all[label];
  for (std::size_t c = 0; c < all.size(); ++c) EXPECT_EQ(first[c] + second[c], all[c]) << c;
  EXPECT_GT(first.front(), 0);
  EXPECT_EQ(first.back(), 0);
  EXPECT_EQ(second.front(), 0);
}

// 60 samples of its own in two batches; 90 without the third worker in three.
TEST(TorchObjective, ItsDividedDataAreItsNextEpochsAndGoOnFromACheckpoint) {
  RunSpec spec = specOf("logistic", 3, 180);
  spec.lostData = "divided";
  const auto data = loadDataset(spec);
  auto sizes = [gradient = std::vector<Real>(7850)](Objective& objective, int steps) mutable {
    std::vector<std::uint64_t> found;
    for (int i = 0; i < steps; ++i) found.push_back(objective.gradient(gradient).samples);
    return found;
  };
  const auto whole = makeTorchObjective(spec, 0, data);
  EXPECT_EQ(whole->divideDataOf({}), std::nullopt);
  EXPECT_THAT(sizes(*whole, 1), testing::ElementsAre(32));
  EXPECT_EQ(whole->divideDataOf({2}), 1U);
  EXPECT_EQ(whole->divideDataOf({2}), std::nullopt);
  EXPECT_THAT(sizes(*whole, 5), testing::ElementsAre(28, 32, 32, 26, 32));
  EXPECT_EQ(whole->divideDataOf({}), 3U);
  StateTable table;
  StateWriter writer(table);
  whole->state(writer);
  std::vector<Real> expected(7850), gradient(7850);
  for (const auto size : {32U, 26U, 32U, 28U, 32U}) EXPECT_EQ(whole->gradient(expected).samples, size);
  const auto resumed = makeTorchObjective(spec, 0, data);
  StateReader reader(table);
  resumed->state(reader);
  reader.finish();
  for (const auto size : {32U, 26U, 32U, 28U, 32U}) EXPECT_EQ(resumed->gradient(gradient).samples, size);
  EXPECT_EQ(gradient, expected);
  EXPECT_EQ(resumed->dividesDataOf(), std::vector<int>());
  const auto other = makeTorchObjective(spec, 0, data);  // one that a replay has told all before
  EXPECT_EQ(other->divideDataOf({2}, 1), 1U);
  EXPECT_EQ(other->divideDataOf({}, 3), 3U);
  StateReader again(table);
  other->state(again);
  for (const auto size : {32U, 26U, 32U, 28U, 32U}) EXPECT_EQ(other->gradient(gradient).samples, size);
  EXPECT_EQ(gradient, expected);
  spec.lostData = "left";
  EXPECT_EQ(makeTorchObjective(spec, 0, data)->divideDataOf({2}), std::nullopt);
}

TEST(TorchObjective, ACheckpointsListOfDividedDataThatIsNoneIsRefused) {
  RunSpec spec = specOf("logistic", 3, 180);
  spec.lostData = "divided";
  const auto data = loadDataset(spec);
  for (const std::vector<double>& list : {std::vector<double>{1}, {1, 2, 0}, {1, 1, 7}, {-1, 0}, {1, 3, 0, 1, 2}}) {
    StateTable table;
    table.put("divided", ElementType::kDouble, list.data(), list.size() * sizeof(double));
    const std::int64_t zero = 0;
    for (const char* name : {"epoch", "cursor"}) table.put(name, ElementType::kInteger, &zero, sizeof zero);
    StateReader reader(table);
    EXPECT_EQ(refusal([&] { makeTorchObjective(spec, 0, data)->state(reader); }).code, Errc::kFormat) << list.size();
  }
}

TEST(TorchObjective, AWarmUpStepDrawsNothing) {
  const RunSpec spec = specOf("mlp");
  const auto data = loadDataset(spec);
  const auto plain = makeTorchObjective(spec, 0, data), warming = makeTorchObjective(spec, 0, data);
  std::vector<Real> expected(plain->parameters().size()), warm(expected.size()), got(expected.size());
  for (int i = 0; i < 12; ++i) {  // past the end of an epoch
    plain->gradient(expected);
    EXPECT_GT(warming->warmUpStep(warm).computeSeconds, 0);
    warming->gradient(got);
    EXPECT_EQ(warm, expected);
    EXPECT_EQ(got, expected);
  }
}

TEST(TorchObjective, LearnsTheSyntheticSet) {
  RunSpec spec = specOf("lenet", 1, 2000, 253);
  const auto objective = makeTorchObjective(spec, 0, loadDataset(spec));
  const Evaluation before = objective->evaluate();
  train(*objective, 120);
  const Evaluation after = objective->evaluate();
  EXPECT_LT(before.accuracy(), 0.4);
  EXPECT_GT(after.accuracy(), 0.8);
  EXPECT_LT(after.loss, before.loss);
}

TEST(TorchObjective, RefusesADeviceThatIsNotHere) {
  RunSpec spec = specOf("logistic");
  spec.nodes[0].device = "cuda:99";
  const Refusal refused = refusal([&] { makeTorchObjective(spec, 0, loadDataset(specOf("logistic"))); });
  EXPECT_EQ(refused.code, Errc::kUnsupported);
  EXPECT_THAT(refused.message, ::testing::StartsWith("device \"cuda:99\" is not here; have cpu"));
}

TEST(TorchObjective, NamesWhatIsNotKnown) {
  const auto data = loadDataset(specOf("logistic"));
  EXPECT_THAT(refusal([&] { makeTorchObjective(specOf("vgg_7"), 0, data); }).message,
              ::testing::StartsWith("model \"vgg_7\" is not known; have logistic, mlp, lenet, "));
  RunSpec spec = specOf("logistic");
  spec.partition.id = "by_klass";
  EXPECT_THAT(refusal([&] { makeTorchObjective(spec, 0, data); }).message,
              ::testing::StartsWith("partition \"by_klass\" is not known; have iid, contiguous, by_class, "));
  spec.dataset.id = "cifar";
  EXPECT_THAT(refusal([&] { loadDataset(spec); }).message, ::testing::StartsWith("dataset \"cifar\" is not known; have cifar10, cifar100, "));
  spec = specOf("logistic");
  spec.model.params.set("init", std::string("ones"));
  EXPECT_EQ(refusal([&] { makeTorchObjective(spec, 0, data); }).message,
            "/model/params/init: \"ones\" is not known; have xavier, he, torch");
}

TEST(TorchObjective, RefusesImagesThatTheModelDoesNotTake) {
  datasets::Dataset tiny = *loadDataset(specOf("lenet", 1, 10, 10));
  tiny.shape = {1, 14, 56};
  const Refusal refused = refusal([&] { makeTorchObjective(specOf("lenet"), 0, std::make_shared<const datasets::Dataset>(tiny)); });
  EXPECT_EQ(refused.code, Errc::kSpec);
  EXPECT_EQ(refused.message, "model \"lenet\" takes 1x28x28, 1x32x32, 3x32x32 images, the data set has 1x14x56");
}

TEST(TorchObjective, RefusesToNormaliseOverOneSample) {
  RunSpec spec = specOf("resnet18_v1");
  spec.batchSize = 1;
  EXPECT_EQ(refusal([&] { makeTorchObjective(spec, 0, loadDataset(spec)); }).message,
            "batch_size: model \"resnet18_v1\" normalises over the batch and needs 2 samples, worker \"w0\" has 1");
}

TEST(TorchRuntime, DescribesItself) {
  EXPECT_THAT(computeDevices().front(), "cpu");
  EXPECT_THAT(torchVersion(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+.*"));
  EXPECT_NO_THROW(checkTorchVersion());
}

TEST(TorchRuntime, SaysWithWhichKernelsAndPrecisionItComputes) {
  EXPECT_THAT(kernelsInUse(2), ::testing::MatchesRegex(".*ATEN_CPU_CAPABILITY=[a-z0-9]+ .*\\(LibTorch .*, 2 threads\\)"));
  EXPECT_FALSE(kernelVariables(kernelsInUse(1)).contains(kOneDnnPrecisionVariable));
  ::setenv(kOneDnnPrecisionVariable, "BF16", 1);
  const Variables chosen = kernelVariables(kernelsInUse(1));
  ::unsetenv(kOneDnnPrecisionVariable);
  EXPECT_EQ(chosen.at(kOneDnnPrecisionVariable), "BF16");
}

TEST(TorchRuntime, ReadsTheLoadedVersionFromTheBuildSettings) {
  EXPECT_EQ(torchVersionIn("BLAS_INFO=mkl, TORCH_VERSION=2.15.0, USE_CUDA=1, "), "2.15.0");
  EXPECT_EQ(torchVersionIn("TORCH_VERSION=1.13.0\n"), "1.13.0");
  EXPECT_EQ(torchVersionIn("BLAS_INFO=mkl"), "");
}

TEST(TorchRuntime, OneReleaseIsMajorAndMinor) {
  EXPECT_TRUE(sameTorchRelease("1.13.0", "1.13.1"));
  EXPECT_TRUE(sameTorchRelease("2.15.0+cu132", "2.15.0"));
  EXPECT_FALSE(sameTorchRelease("2.15.0", "2.1.0"));
  EXPECT_FALSE(sameTorchRelease("2.13.0", "1.13.0"));
}

TEST(BareLoop, TrainsDenseConvolutionalAndNormalisedModels) {
  for (const char* model : {"logistic", "lenet", "resnet18_v1"}) {
    RunSpec spec = specOf(model, 1, 32, 10);
    spec.batchSize = 4;
    EXPECT_GT(bench::bareLoopSamplesPerSecond(spec, loadDataset(spec), 0.01), 0) << model;
  }
}

// What is held out is judged as a test set of the same samples is.
TEST(TorchObjective, AValidationIsATestOnTheSamplesThatAreHeldOut) {
  for (const char* model : {"logistic", "lenet"}) {
    RunSpec spec = specOf(model, 2);
    spec.evaluate.validation = 0.25;
    const auto data = loadDataset(spec);
    const std::vector<std::uint32_t> held = partitioners::heldOut(spec, data->train.labels.size());
    auto heldSet = std::make_shared<datasets::Dataset>(*data);
    heldSet->test.pixels.clear(), heldSet->test.labels.clear();
    const std::size_t bytes = data->train.pixels.size() / data->train.labels.size();
    for (const std::uint32_t sample : held) {
      heldSet->test.labels.push_back(data->train.labels[sample]);
      heldSet->test.pixels.insert(heldSet->test.pixels.end(), data->train.pixels.begin() + static_cast<std::ptrdiff_t>(sample * bytes), data->train.pixels.begin() + static_cast<std::ptrdiff_t>((sample + 1) * bytes));
    }
    const auto objective = makeTorchObjective(spec, 0, data);
    train(*objective, 5);
    const Evaluation evaluation = objective->evaluate();
    ASSERT_TRUE(evaluation.validation);
    const auto judge = makeEvaluationObjective(spec, 1, heldSet);
    std::ranges::copy(objective->parameters(), judge->parameters().begin());
    const Evaluation onHeld = judge->evaluate();
    EXPECT_EQ(onHeld.total, held.size());
    EXPECT_EQ(evaluation.validation->accuracy, onHeld.accuracy()) << model;
    EXPECT_EQ(evaluation.validation->loss, onHeld.loss) << model;
    spec.evaluate.validation = 0;
    const auto plain = makeTorchObjective(spec, 0, data);
    std::ranges::copy(objective->parameters(), plain->parameters().begin());
    EXPECT_EQ(plain->evaluate().correct, evaluation.correct);  // the test set stays what it is
    EXPECT_FALSE(plain->evaluate().validation);
  }
}

}  // namespace
}  // namespace paceline::tests
