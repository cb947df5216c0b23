// One training step of three models against Python's torch, on the same weights and images: fixtures/make_python_fixture.py wrote what
// Python computes, and says where weights and images come from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/core/base/error.h"
#include "engine/nn/batch_tensors.h"
#include "engine/nn/flat_model.h"
#include "engine/nn/learner.h"
#include "engine/nn/model.h"
#include "engine/nn/torch_objective.h"

namespace paceline::tests {
namespace {

using nlohmann::json;

const json& fixture() {
  static const json document = json::parse(std::ifstream(PACELINE_SOURCE_DIR "/tests/nn/fixtures/python_torch.json"));
  return document;
}

std::uint32_t mixed(std::uint32_t block, std::uint32_t place) {  // murmur3's finaliser
  std::uint32_t x = place + block * 0x9E3779B1U;
  x = (x ^ x >> 16) * 0x85EBCA6BU;
  x = (x ^ x >> 13) * 0xC2B2AE35U;
  return x ^ x >> 16;
}

// One tensor of the fixture: its values before the step by place in row-major order, and where such a place lies in the flat vector.
class Tensor {
 public:
  Tensor(const json& entry, std::size_t block, bool channelsLast)
      : entry_(entry), block_(static_cast<std::uint32_t>(block)), shape_(entry.at("shape").get<std::vector<std::size_t>>()),
        channelsLast_(channelsLast && shape_.size() == 4) {
    const std::string kind = entry.at("kind");
    middle_ = kind == "gamma" || kind == "variance" ? 1.0F : 0.0F;
    if (kind != "weight" || shape_.size() < 2) return;
    std::size_t k = 0;
    while (std::size_t{1} << 2 * k < size() / shape_[0]) ++k;  // 4^k covers the fan in
    scale_ = std::ldexp(1.0F, 2 - static_cast<int>(k));
  }
  std::size_t size() const {
    std::size_t product = 1;
    for (const std::size_t side : shape_) product *= side;
    return product;
  }
  float value(std::size_t place) const {
    const float uniform = static_cast<float>(mixed(block_, static_cast<std::uint32_t>(place)) >> 8) * 0x1p-24F - 0.5F;
    return uniform * scale_ + middle_;
  }
  std::size_t stored(std::size_t place) const {  // [out, in, height, width] -> [out, height, width, in]
    if (!channelsLast_) return place;
    const std::size_t area = shape_[2] * shape_[3], in = place / area % shape_[1];
    return (place / area / shape_[1] * area + place % area) * shape_[1] + in;
  }
  bool trainable() const { return entry_.contains("gradient"); }
  // |got - want| at the fixture's places and of the whole norm, in units of the size of the tensor's elements.
  double farthest(const char* what, std::span<const Real> flat) const {
    const double norm = entry_.at(strCat(what, "_norm"));
    const double usual = norm / std::sqrt(static_cast<double>(size()));
    double squares = 0;
    for (const Real x : flat) squares += double{x} * x;
    double worst = std::abs(std::sqrt(squares) - norm) / norm;  // NaN where one element is NaN
    for (std::size_t i = 0; i < entry_.at("places").size(); ++i) {
      const double want = entry_.at(what).at(i), got = flat[stored(entry_.at("places").at(i))];
      worst = std::max(worst, std::abs(got - want) / (usual + std::abs(want)));
    }
    return worst;
  }

 private:
  const json& entry_;
  std::uint32_t block_;
  std::vector<std::size_t> shape_;
  bool channelsLast_;
  float scale_ = 0.5F, middle_ = 0;
};

std::shared_ptr<const datasets::Dataset> images() {
  datasets::Dataset set;
  set.stored = set.shape = Shape{1, 28, 28};
  set.classes = fixture().at("classes");
  const std::size_t count = fixture().at("batch");
  for (std::uint32_t i = 0; i < count * 784; ++i) set.train.pixels.push_back(static_cast<std::uint8_t>(mixed(5000, i) & 255));
  for (std::uint32_t i = 0; i < count; ++i) set.train.labels.push_back(static_cast<std::uint16_t>(mixed(5001, i) % 10));
  set.test = set.train;
  return std::make_shared<const datasets::Dataset>(std::move(set));
}

class PythonFixture : public ::testing::TestWithParam<std::size_t> {
 protected:
  PythonFixture() { useThreads(1); }
  const json& wanted() const { return fixture().at("cases").at(GetParam()); }
  Choice choice() const { return {.id = wanted().at("model"), .params = {}}; }
  const ModelDef& def() const { return *findModel(choice().id); }
  // What is apart by `off`, which the fixture bounds; the test's record keeps the farthest.
  void expectNear(double off, const std::string& what) {
    const double bound = choice().id == "resnet18_v1" ? 2e-4 : 1e-5;
    EXPECT_LT(off, bound) << what;
    farthest_ = std::max(farthest_, off);
    RecordProperty("farthest", strCat(farthest_));
  }
  std::vector<Tensor> tensors(bool channelsLast) const {
    std::vector<Tensor> all;
    for (const json& entry : wanted().at("blocks")) all.emplace_back(entry, all.size(), channelsLast);
    return all;
  }
  std::span<const Real> of(const Block& block, std::span<const Real> flat) const { return flat.subspan(block.offset, block.size); }
  double farthest_ = 0;
};

TEST_P(PythonFixture, OneStepEqualsPythons) {
  const std::shared_ptr<const datasets::Dataset> data = images();
  Learner learner(choice(), 1, data, data->train.count());
  const std::vector<Tensor> all = tensors(def().convolutional);
  ASSERT_EQ(learner.blocks().size(), all.size());
  const std::span<Real> parameters = learner.parameters();
  for (std::size_t b = 0; b < all.size(); ++b) {
    const Block& block = learner.blocks()[b];
    ASSERT_EQ(block.size, all[b].size()) << block.name;
    ASSERT_EQ(block.trainable, all[b].trainable()) << block.name;
    for (std::size_t i = 0; i < block.size; ++i) parameters[block.offset + all[b].stored(i)] = all[b].value(i);
  }

  std::vector<std::uint32_t> samples(data->train.count());
  for (std::uint32_t i = 0; i < samples.size(); ++i) samples[i] = i;
  std::vector<Real> gradient(parameters.size());
  const StepStats stats = learner.gradient(samples, gradient);
  expectNear(std::abs(stats.loss - wanted().at("loss").get<double>()), "loss");
  const float rate = fixture().at("rate");
  for (std::size_t i = 0; i < gradient.size(); ++i) parameters[i] -= rate * gradient[i];

  for (std::size_t b = 0; b < all.size(); ++b) {
    const Block& block = learner.blocks()[b];
    if (block.trainable) expectNear(all[b].farthest("gradient", of(block, gradient)), strCat("gradient of ", block.name));
    expectNear(all[b].farthest("after", of(block, parameters)), strCat(block.name, " after the step"));
  }
  const Evaluation evaluation = learner.evaluate();
  expectNear(std::abs(evaluation.loss - wanted().at("loss_after").get<double>()), "loss after the step");
  EXPECT_EQ(evaluation.correct, wanted().at("correct_after").get<std::uint64_t>());
}

TEST_P(PythonFixture, ScoresInBothModesEqualPythons) {
  const std::shared_ptr<const datasets::Dataset> data = images();
  const std::shared_ptr<Net> net = builtModel(def(), choice(), data->shape, data->classes, 1);
  const torch::NoGradGuard noGrad;
  const std::vector<Tensor> all = tensors(false);
  std::size_t next = 0;
  const auto set = [&](torch::Tensor& tensor) {
    std::vector<float> values(static_cast<std::size_t>(tensor.numel()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = all.at(next).value(i);
    tensor.copy_(torch::from_blob(values.data(), tensor.sizes(), torch::kFloat));
    ++next;
  };
  for (auto& item : net->named_parameters()) set(item.value());
  for (auto& item : net->named_buffers())
    if (item.value().is_floating_point()) set(item.value());
  ASSERT_EQ(next, all.size());

  std::vector<float> pixels;
  for (const std::uint8_t byte : data->train.pixels) pixels.push_back(static_cast<float>(byte) / 255);
  const torch::Tensor batch = torch::from_blob(pixels.data(), {static_cast<std::int64_t>(data->train.count()), 1, 28, 28}, torch::kFloat);
  for (const char* mode : {"evaluating", "training"}) {  // in this order: training changes the statistics
    net->train(std::string_view(mode) == "training");
    const torch::Tensor scores = net->forward(batch.clone()).contiguous();
    const json& want = wanted().at(strCat("scores_", mode));
    ASSERT_EQ(scores.numel(), static_cast<std::int64_t>(want.size()));
    for (std::size_t i = 0; i < want.size(); ++i)
      expectNear(std::abs(scores.data_ptr<float>()[i] - want.at(i).get<double>()), strCat(mode, ", score ", i));
  }
}

// What happens on CUDA, on the CPU: the network in a vector of its own, gradients gathered there.
TEST_P(PythonFixture, ANetworkBesideItsHostVectorTrainsTheSame) {
  const std::shared_ptr<const datasets::Dataset> data = images();
  const auto trained = [&](bool staged) {
    FlatModel model(builtModel(def(), choice(), data->shape, data->classes, 1), def().convolutional, {.device = torch::kCPU, .staged = staged});
    GradientSink sink(model);
    BatchBuffer room(*data, data->train.count(), {.channelsLast = def().convolutional});
    std::vector<std::uint32_t> samples(data->train.count());
    std::iota(samples.begin(), samples.end(), 0U);
    const std::size_t count = trainBatch(*data, samples, 1, 0, def().convolutional, room.inputs(), room.targets());
    const BatchTensors batch = tensorsOf(room.first(count), *data, def().convolutional);
    std::vector<Real> gradient(model.values().size(), std::nanf(""));
    std::vector<std::size_t> announced;
    const std::function<void(std::size_t)> ready = [&](std::size_t block) {
      if (model.blocks()[block].trainable) {
        EXPECT_TRUE(std::isfinite(gradient[model.blocks()[block].offset]));
      }
      announced.push_back(block);
    };
    for (int step = 0; step < 3; ++step) {
      model.valuesToNet();
      sink.open(gradient, ready);
      torch::cross_entropy_loss(model.net().forward(batch.inputs), batch.targets).backward();
      model.statisticsFromNet();
      sink.close();
      for (std::size_t i = 0; i < gradient.size(); ++i) model.values()[i] -= 0.01F * gradient[i];
    }
    EXPECT_EQ(announced.size(), 3 * model.blocks().size());
    EXPECT_EQ(announced.front(), model.blocks().size() - 1);
    EXPECT_EQ(announced.back(), 0U);
    return std::vector<Real>(model.values().begin(), model.values().end());
  };
  EXPECT_EQ(trained(true), trained(false));
}

INSTANTIATE_TEST_SUITE_P(Every, PythonFixture, ::testing::Range(std::size_t{0}, fixture().at("cases").size()),
                         [](const auto& info) { return fixture().at("cases").at(info.param).at("model").template get<std::string>(); });

}  // namespace
}  // namespace paceline::tests
