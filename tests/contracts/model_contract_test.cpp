// What every registered model promises.
#include <ATen/Context.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/core/spec/catalog.h"
#include "engine/data/loader.h"
#include "engine/nn/flat_model.h"
#include "engine/nn/learner.h"
#include "engine/nn/model.h"
#include "engine/nn/models/layers.h"
#include "engine/nn/torch_objective.h"
#include "tests/nn/small_set.h"

namespace paceline::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t kSeed = 3;
constexpr int kClasses = 10;

std::vector<Real> copyOf(std::span<const Real> values) { return {values.begin(), values.end()}; }

// Where the model's parameter count holds.
Shape firstInput(const ModelDef& def) { return def.inputs.empty() ? Shape{1, 28, 28} : def.inputs.front(); }

std::size_t batchOf(const Shape& shape) { return shape.height > 64 ? 2 : 8; }

// Random bytes; the test set is the training set, so that evaluation and training see the same samples.
std::shared_ptr<const datasets::Dataset> noise(const Shape& shape, std::uint32_t count) {
  auto data = std::make_shared<datasets::Dataset>();
  data->stored = data->shape = data->training.output = data->testing.output = shape;
  data->classes = kClasses;
  Rng rng = Rng::stream(kSeed, "noise");
  data->train.pixels.resize(std::size_t{count} * static_cast<std::size_t>(shape.channels * shape.height * shape.width));
  for (std::uint8_t& pixel : data->train.pixels) pixel = static_cast<std::uint8_t>(rng.below(256));
  for (std::uint32_t i = 0; i < count; ++i) data->train.labels.push_back(static_cast<std::uint16_t>(i % kClasses));
  data->test = data->train;
  return data;
}

// One model and one batch. Initialising and stepping are what large models cost, so that a learner serves several checks.
class Trial {
 public:
  explicit Trial(const ModelDef& def)
      : def_(def),
        samples_(batchOf(firstInput(def))),
        data_(noise(firstInput(def), static_cast<std::uint32_t>(samples_))),
        learner_({.id = def.id, .params = {}}, kSeed, data_, samples_),
        batch_(*data_, samples_, learner_.loading(0)),
        gradient_(learner_.parameters().size()) {
    trainBatch(*data_, firstSamples(static_cast<std::uint32_t>(samples_)), kSeed, 0, def.convolutional, batch_.inputs(), batch_.targets());
  }

  void countsAndTiles() {
    std::size_t offset = 0, trainable = 0;
    bool before = true;
    for (const Block& block : learner_.blocks()) {
      EXPECT_EQ(block.offset, offset) << block.name;
      EXPECT_GT(block.size, 0U) << block.name;
      EXPECT_TRUE(before || !block.trainable) << block.name << " comes after running statistics";
      before = block.trainable;
      offset += block.size;
      trainable += block.trainable ? block.size : 0;
    }
    EXPECT_EQ(offset, learner_.parameters().size());
    EXPECT_EQ(static_cast<std::int64_t>(trainable), def_.parameterCount);
  }

  void weightsDecayAndBiasesDoNot() {
    bool some = false;
    for (const Block& block : learner_.blocks()) {
      EXPECT_FALSE(block.decays && block.name.ends_with("bias")) << block.name;
      some = some || (block.trainable && block.decays);
    }
    EXPECT_TRUE(some);
  }

  void gradientsAreFiniteAndReachEveryBlock() {
    std::fill(gradient_.begin(), gradient_.end(), std::nanf(""));
    const StepStats stats = step(gradient_);
    loss_ = stats.loss;
    EXPECT_TRUE(std::isfinite(loss_));
    EXPECT_EQ(stats.samples, samples_);
    EXPECT_GT(stats.computeSeconds, 0);
    EXPECT_TRUE(std::all_of(gradient_.begin(), gradient_.end(), [](Real g) { return std::isfinite(g); }));
    for (const Block& block : learner_.blocks()) {
      const auto from = gradient_.begin() + static_cast<std::ptrdiff_t>(block.offset);
      const bool reached = std::any_of(from, from + static_cast<std::ptrdiff_t>(block.size), [](Real g) { return g != 0; });
      EXPECT_EQ(reached, block.trainable) << block.name;
    }
  }

  // Blocks of nonsense that get their values when the step says that it needs them.
  void blocksMayLandUntilTheForwardPassReadsThem() {
    const std::vector<Real> start = parameters();
    std::vector<Real> expected(gradient_.size()), late(gradient_.size());
    step(expected);
    const std::vector<Real> after = parameters();
    const std::span<Real> w = learner_.parameters();
    std::fill(w.begin(), w.end(), std::nanf(""));
    std::vector<int> needed(learner_.blocks().size());
    std::size_t left = needed.size();
    StepWatch watch;
    watch.needed = [&](std::size_t b) {
      const Block& block = learner_.blocks()[b];
      ++needed[b];
      std::copy_n(start.begin() + static_cast<std::ptrdiff_t>(block.offset), block.size, w.begin() + static_cast<std::ptrdiff_t>(block.offset));
    };
    watch.ready = [&](std::size_t block) { EXPECT_EQ(block, --left); };
    step(late, 1, watch);
    EXPECT_EQ(left, 0U);
    EXPECT_TRUE(std::ranges::all_of(needed, [](int times) { return times == 1; }));
    EXPECT_TRUE(late == expected);
    EXPECT_TRUE(parameters() == after);
    std::ranges::copy(start, w.begin());
  }

  // A step that is taken block by block, as local SGD's last: nothing reads a block whose gradient is final.
  void blocksMayBeWrittenOnceTheirGradientIsFinal() {
    const std::vector<Real> start = parameters();
    std::vector<Real> expected(gradient_.size()), stepped(gradient_.size());
    step(expected);
    const std::span<Real> w = learner_.parameters();
    std::ranges::copy(start, w.begin());
    StepWatch watch;
    watch.ready = [&](std::size_t b) {
      const Block& block = learner_.blocks()[b];
      if (block.trainable) std::ranges::fill(w.subspan(block.offset, block.size), std::nanf(""));
    };
    step(stepped, 1, watch);
    EXPECT_TRUE(stepped == expected);
    std::ranges::copy(start, w.begin());
  }

  void drawsRandomNumbersIfItSaysSo() {
    std::vector<Real> ignored(gradient_.size());
    EXPECT_EQ(step(ignored, 2).loss != loss_, def_.random);
    const double again = def_.random ? step(ignored, 1).loss : loss_;
    EXPECT_EQ(again, loss_);
  }

  // Along the gradient the loss falls, and as fast as the gradient says: by the sum of gradient times movement. In floats a small
  // movement is rounded, so the sum takes the movement that came out.
  void aStepLowersTheLossAsMuchAsItsGradientSays() {
    std::vector<Real> ignored(gradient_.size());
    const std::vector<Real> start = copyOf(learner_.parameters());
    double squared = 0, predicted = 0;
    for (const Real g : gradient_) squared += double{g} * g;
    const auto lossAt = [&](double distance) {
      const std::span<Real> parameters = learner_.parameters();
      for (std::size_t i = 0; i < start.size(); ++i) {
        parameters[i] = static_cast<Real>(start[i] - distance * gradient_[i]);
        predicted += (distance < 0 ? 1 : -1) * double{gradient_[i]} * (double{parameters[i]} - start[i]);
      }
      return step(ignored).loss;
    };
    // Changes the loss by 0.01, or less where that would go so far that the loss bends.
    const double unit = std::min(0.01 / squared, 0.02 / std::sqrt(squared));
    const double behind = lossAt(-unit), ahead = lossAt(unit);
    EXPECT_LT(ahead, loss_);
    EXPECT_NEAR((behind - ahead) / predicted, 1, 0.05);
    loss_ = ahead;
  }

  void evaluationDiffersFromTrainingIfItSaysSo() {
    const bool normalises = !learner_.blocks().back().trainable;  // it has running statistics
    const std::vector<Real> before = copyOf(learner_.parameters());
    const Evaluation evaluation = learner_.evaluate();
    EXPECT_EQ(evaluation.total, samples_);
    EXPECT_LE(evaluation.correct, samples_);
    EXPECT_TRUE(std::isfinite(evaluation.loss));
    EXPECT_EQ(before, copyOf(learner_.parameters()));
    const double difference = std::abs(evaluation.loss - loss_);
    EXPECT_EQ(difference > 1e-3, normalises || def_.random) << difference;
  }

  void trainsOnTheSmallestBatchThatItTakes() {
    const Batch smallest = batch_.first(static_cast<std::size_t>(def_.minimumBatch));
    EXPECT_TRUE(std::isfinite(learner_.gradient(smallest, gradient_).loss));
  }

  std::vector<Real> parameters() { return copyOf(learner_.parameters()); }

 private:
  StepStats step(std::vector<Real>& gradient, std::uint64_t dropoutSeed = 1, const StepWatch& watch = {}) {
    Batch batch = batch_.first(samples_);
    batch.seed = dropoutSeed;
    return learner_.gradient(batch, gradient, watch);
  }

  const ModelDef& def_;
  std::size_t samples_;
  std::shared_ptr<const datasets::Dataset> data_;
  Learner learner_;
  BatchBuffer batch_;
  std::vector<Real> gradient_;  // at the start
  double loss_ = 0;             // in training, at parameters()
};

std::vector<std::int64_t> scoresOf(Net& net, const Shape& shape, int count) {
  const torch::NoGradGuard noGrad;
  net.eval();
  return net.forward(torch::rand({count, shape.channels, shape.height, shape.width})).sizes().vec();
}

class ModelContract : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { useDeterministicKernels(true); }
  void TearDown() override { useDeterministicKernels(false); }
  const ModelDef& def() const { return *findModel(GetParam()); }
};

// Of these only the depth differs from a network that is tried whole, by the same code: they cost minutes.
bool isDeeperSibling(const std::string& id) {
  static const std::set<std::string> kDeeper = {"vgg13_gn", "vgg16_gn", "resnet34", "resnet101", "resnet152"};
  return kDeeper.contains(id);
}

TEST_P(ModelContract, CountsStepsAndEvaluatesAsPromised) {
  std::vector<Real> start;
  {
    const std::shared_ptr<Net> net = builtModel(def(), {.id = def().id, .params = {}}, firstInput(def()), kClasses, kSeed);
    FlatModel flat(net, def().convolutional);
    start = copyOf(flat.values());
    EXPECT_EQ(scoresOf(*net, firstInput(def()), 2), (std::vector<std::int64_t>{2, kClasses}));
  }
  Trial trial(def());
  EXPECT_EQ(trial.parameters(), start) << "equal seeds";
  start = {};
  trial.countsAndTiles();
  if (isDeeperSibling(def().id)) return trial.gradientsAreFiniteAndReachEveryBlock();
  trial.weightsDecayAndBiasesDoNot();
  trial.gradientsAreFiniteAndReachEveryBlock();
  trial.blocksMayLandUntilTheForwardPassReadsThem();
  trial.blocksMayBeWrittenOnceTheirGradientIsFinal();
  trial.drawsRandomNumbersIfItSaysSo();
  trial.aStepLowersTheLossAsMuchAsItsGradientSays();
  trial.evaluationDiffersFromTrainingIfItSaysSo();
  trial.trainsOnTheSmallestBatchThatItTakes();
}

// Every listed input; where none is, the smallest and one that is neither grey nor square.
TEST_P(ModelContract, GivesAScorePerClassForEveryInputThatItTakes) {
  std::vector<Shape> inputs = def().inputs;
  const int least = def().minimumSide;
  if (inputs.empty()) inputs = {Shape{1, least, least}, Shape{3, std::max(least, 24), std::max(least + 5, 40)}};
  const Params params = completed(def().params, {}, "/model/params");
  for (const Shape& shape : inputs) {
    EXPECT_EQ(&modelFor({.id = def().id, .params = {}}, shape), &def());
    EXPECT_EQ(scoresOf(*def().make(params, shape, 7), shape, 2), (std::vector<std::int64_t>{2, 7}))
        << shape.channels << "x" << shape.height << "x" << shape.width;
  }
}

// What a start says of images of this shape; "": the model takes them.
std::string refusalAtStart(const ModelDef& def, const Shape& shape) {
  RunSpec spec = specOf(def.id);
  spec.batchSize = 8;
  try {
    makeTorchObjective(spec, 0, noise(shape, 8));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kSpec);
    return error.what();
  }
}

// What the form says of them.
std::string refusalOfTheForm(const ModelDef& def, const Shape& shape) {
  DatasetEntry data;
  data.id = "synthetic";
  data.shape = shape;
  Catalog catalog;
  catalog.models = modelCatalog();
  catalog.datasets = {data};
  RunSpec spec;
  spec.model.id = def.id;
  spec.dataset.id = data.id;
  const ParsedSpec checked = validate(spec, catalog);
  for (const Finding& finding : checked.findings)
    if (finding.pointer == "/model/id" && finding.error) return finding.message;
  return "";
}

TEST(Models, RefuseImagesThatTheyDoNotTakeInOneSentence) {
  for (const ModelDef& def : models()) {
    const int tooSmall = def.minimumSide - 1;
    if (def.inputs.empty() && tooSmall < 1) continue;  // takes everything
    const Shape wrong = def.inputs.empty() ? Shape{3, 64, tooSmall} : Shape{5, 40, 24};
    const std::string sizes = strCat(wrong.channels, "x", wrong.height, "x", wrong.width);
    for (const std::string& message : {refusalAtStart(def, wrong), refusalOfTheForm(def, wrong)})
      EXPECT_THAT(message, AllOf(HasSubstr(strCat("model \"", def.id, "\" takes ")), HasSubstr(sizes), Not(HasSubstr("\n"))));
  }
}

TEST(Models, DescribeThemselves) {
  for (const ModelEntry& entry : modelCatalog()) {
    EXPECT_THAT(entry.id, ::testing::MatchesRegex("[a-z][a-z0-9_]*"));
    EXPECT_FALSE(entry.title.empty()) << entry.id;
    EXPECT_TRUE(entry.summary.ends_with('.')) << entry.id;
    EXPECT_GE(entry.minimumSide, 1) << entry.id;
    ASSERT_FALSE(entry.params.empty()) << entry.id;
    EXPECT_EQ(entry.params.back().name, "init") << entry.id;
  }
}

TEST(Models, ComputeDeterministicallyWhereTheDocumentAsksForIt) {
  const Shape shape{1, 28, 28};
  const ModelDef& def = modelFor({.id = "lenet", .params = {}}, shape);
  builtModel(def, {.id = "lenet", .params = {}}, shape, kClasses, kSeed);
  EXPECT_FALSE(at::globalContext().deterministicAlgorithms());
  builtModel(def, {.id = "lenet", .params = Params({{"deterministic", true}})}, shape, kClasses, kSeed);
  EXPECT_TRUE(at::globalContext().deterministicAlgorithms());
  useDeterministicKernels(false);
}

TEST(Models, DropWhatLibTorchWouldFromTheSameSeed) {
  const torch::Tensor x = torch::linspace(-1, 1, 4 * 6 * 5 * 5).view({4, 6, 5, 5});
  at::manual_seed(kSeed);
  const torch::Tensor values = torch::dropout(x, 0.3, true), maps = torch::feature_dropout(x, 0.3, true);
  for (const at::MemoryFormat layout : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
    const torch::Tensor same = x.contiguous(layout);
    stepGenerator().set_current_seed(kSeed);
    EXPECT_TRUE(torch::equal(layers::dropped(same, 0.3, true), values));
    EXPECT_TRUE(torch::equal(layers::droppedMaps(same, 0.3, true), maps));
  }
  EXPECT_TRUE(torch::equal(layers::dropped(x, 0.3, false), x));
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const ModelEntry& entry : modelCatalog())
    if (!entry.tokens && std::ranges::none_of(entry.params, &ParamSpec::file)) all.push_back(entry.id);  // the others: characters_test.cpp, script_test.cpp
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, ModelContract, ::testing::ValuesIn(ids()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace paceline::tests
