// The nets of ESync and MXNet-G beyond the model contract: published sizes and costs, normalisation, starting values.
#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/spec/catalog.h"
#include "engine/nn/model.h"
#include "engine/nn/models/layers.h"

namespace paceline::tests {
namespace {

std::shared_ptr<Net> freshNet(const std::string& id, const Shape& shape, int classes = 10) {
  const ModelDef* def = findModel(id);
  PACELINE_CHECK(def != nullptr, strCat("model ", id));
  return def->make(completed(def->params, {}, "/model/params"), shape, classes);
}

torch::Tensor randomPictures(int count, const Shape& shape) {
  torch::manual_seed(11);
  return torch::rand({count, shape.channels, shape.height, shape.width});
}

std::int64_t sizeOf(const std::vector<torch::Tensor>& tensors) {
  std::int64_t count = 0;
  for (const torch::Tensor& tensor : tensors) count += tensor.is_floating_point() ? tensor.numel() : 0;
  return count;
}

std::int64_t counted = 0;  // multiply-adds

// Of every convolution and dense layer that runs while it lives: one for each output and each weight that the output sees.
class Counter {
 public:
  Counter() {
    counted = 0;
    handle_ = at::addThreadLocalCallback(at::RecordFunctionCallback(nullptr, &Counter::count).needsInputs(true).needsOutputs(true));
  }
  ~Counter() { at::removeCallback(handle_); }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

 private:
  static void count(const at::RecordFunction& function, at::ObserverContext*) {
    const std::string name = function.name();
    if (name != "aten::conv2d" && name != "aten::addmm") return;
    const torch::Tensor second = function.inputs()[1].toTensor(), output = function.outputs()[0].toTensor();
    counted += output.numel() * (name == "aten::addmm" ? second.size(1) : second.numel() / second.size(0));
  }
  at::CallbackHandle handle_;
};

std::int64_t multiplyAdds(Net& net, const Shape& shape) {
  const torch::NoGradGuard noGrad;
  net.eval();
  const Counter counter;
  net.forward(randomPictures(1, shape));
  return counted;
}

TEST(EsyncModels, HaveThePublishedNumberOfRunningStatistics) {
  const Shape fashion{1, 28, 28};
  EXPECT_EQ(sizeOf(freshNet("alexnet", {1, 224, 224})->buffers()), 0);
  EXPECT_EQ(sizeOf(freshNet("resnet18_v1", fashion)->buffers()), 9600);
  EXPECT_EQ(sizeOf(freshNet("resnet50_v1", fashion)->buffers()), 53120);
  EXPECT_EQ(sizeOf(freshNet("resnet50_v2", fashion)->buffers()), 45570);
  EXPECT_EQ(sizeOf(freshNet("mobilenet_v1", fashion)->buffers()), 21888);
  EXPECT_EQ(sizeOf(freshNet("mobilenet_v2", fashion)->buffers()), 34176);
  EXPECT_EQ(sizeOf(freshNet("inception_v3", {1, 299, 299})->buffers()), 34432);
}

// Two for every channel that is normalised, channels by hand.
TEST(MxnetgModels, NormaliseTheChannelsOfTheirDescription) {
  EXPECT_EQ(sizeOf(freshNet("inception_bn_small", {3, 28, 28})->buffers()),
            2 * (96 + 64 + 80 + 80 + 160 + 160 + 160 + 144 + 96 + 336 + 336));
  EXPECT_EQ(sizeOf(freshNet("conv3", {3, 28, 28})->buffers()), 2 * (32 + 32 + 64));
  EXPECT_EQ(sizeOf(freshNet("resnet20_v2", {3, 32, 32})->buffers()),
            2 * (3 + 3 * 32 + (16 + 32) + 2 * 64 + (32 + 64) + 2 * 128 + 64));
  EXPECT_EQ(sizeOf(freshNet("resnet164", {3, 32, 32})->buffers()),
            2 * (3 + (48 + 17 * 96) + (128 + 17 * 192) + (256 + 17 * 384) + 256));
}

// As ImageNet classifiers they have the sizes that Gluon's and torchvision's tables list.
TEST(EsyncModels, HaveThePublishedSizesOnImageNet) {
  const Shape image{3, 224, 224};
  EXPECT_EQ(sizeOf(freshNet("alexnet", image, 1000)->parameters()), 61100840);
  EXPECT_EQ(sizeOf(freshNet("resnet18_v1", image, 1000)->parameters()), 11689512);
  EXPECT_EQ(sizeOf(freshNet("resnet50_v1", image, 1000)->parameters()), 25575912);
  EXPECT_EQ(sizeOf(freshNet("mobilenet_v1", image, 1000)->parameters()), 4231976);
  EXPECT_EQ(sizeOf(freshNet("mobilenet_v2", image, 1000)->parameters()), 3504960);
  EXPECT_EQ(sizeOf(freshNet("inception_v3", {3, 299, 299}, 1000)->parameters()), 23834568);
}

// Sizes do not tell where a stride is; costs do.
TEST(EsyncModels, CostThePublishedMultiplyAddsOnImageNet) {
  const auto cost = [](const std::string& id, const Shape& image) { return multiplyAdds(*freshNet(id, image, 1000), image); };
  const Shape image{3, 224, 224};
  // 55, 27 and three times 13 pixels a side, then the dense layers
  EXPECT_EQ(cost("alexnet", image), 64 * 363 * 55 * 55 + 192 * 1600 * 27 * 27 + (384 * 1728 + 256 * 3456 + 256 * 2304) * 13 * 13 +
                                        9216 * 4096 + 4096 * 4096 + 4096 * 1000);
  EXPECT_EQ(cost("resnet18_v1", image), 1814073344);
  EXPECT_EQ(cost("resnet50_v1", image), 3857973248);  // "3.8 billion" of the paper: the stride is on the first 1x1
  EXPECT_EQ(cost("resnet50_v2", image), 4089184256);  // with the stride on the 3x3
  EXPECT_EQ(cost("mobilenet_v1", image), 568740352);  // "569 million" of the paper
  // "300 million" of the paper, and the first bottleneck's 1x1 from 32 to 32 channels, which Gluon keeps
  EXPECT_EQ(cost("mobilenet_v2", image), 300774272 + 32 * 32 * 112 * 112);
  EXPECT_NEAR(static_cast<double>(cost("inception_v3", {3, 299, 299})), 5.71e9, 0.005e9);
}

// 28x28 goes through the ImageNet stem: its first convolutions see 14, the blocks 7, 4, 2 and 1 pixels a side.
TEST(EsyncModels, ShrinkSmallImagesAsTheImageNetStemDoes) {
  const Shape fashion{1, 28, 28};
  const std::int64_t stem = 64 * 49 * 14 * 14, first = 4 * 64 * 576 * 7 * 7;
  const auto stage = [](std::int64_t channels, std::int64_t pixels) {  // two blocks, the first from half the channels with a shortcut
    return (channels * channels * 9 * 7 / 2 + channels * channels / 2) * pixels;
  };
  EXPECT_EQ(multiplyAdds(*freshNet("resnet18_v1", fashion), fashion), stem + first + stage(128, 16) + stage(256, 4) + stage(512, 1) + 5120);
}

TEST(EsyncModels, NormaliseWithGluonsConstants) {
  const auto check = [](const std::string& id, const Shape& shape, double eps) {
    int norms = 0;
    const std::shared_ptr<Net> net = freshNet(id, shape);
    for (const auto& module : net->modules(false)) {
      if (const auto* norm = module->as<torch::nn::BatchNorm2d>()) {
        EXPECT_EQ(norm->options.eps(), eps) << id;
        EXPECT_EQ(norm->options.momentum(), 0.1) << id;
        ++norms;
      } else if (const auto* fixed = module->as<layers::FixedScaleNorm>()) {
        EXPECT_EQ(fixed->eps, eps) << id;
        ++norms;
      }
    }
    EXPECT_GT(norms, 0) << id;
  };
  for (const char* id : {"resnet18_v1", "resnet50_v1", "resnet50_v2", "mobilenet_v1", "mobilenet_v2"}) check(id, {1, 28, 28}, 1e-5);
  check("inception_v3", {1, 299, 299}, 1e-3);
  for (const char* id : {"inception_bn_small", "conv3"}) check(id, {3, 28, 28}, 1e-3);
  for (const char* id : {"resnet20_v2", "resnet164"}) check(id, {3, 32, 32}, 2e-5);
}

TEST(FixedScaleNorm, IsBatchNormalisationWhoseGammaIsOne) {
  layers::FixedScaleNorm fixed(5, 1e-3);
  torch::nn::BatchNorm2d free = layers::batchNorm(5, 1e-3);
  const torch::Tensor x = randomPictures(4, {5, 6, 7}), weights = torch::rand({4, 5, 6, 7}), bias = torch::rand(5);
  {
    const torch::NoGradGuard noGrad;
    fixed.bias.copy_(bias);
    free->bias.copy_(bias);
  }
  const torch::Tensor a = fixed.forward(x), b = free(x);
  EXPECT_TRUE(torch::allclose(a, b));
  (a * weights).sum().backward();
  (b * weights).sum().backward();
  EXPECT_TRUE(torch::allclose(fixed.bias.grad(), free->bias.grad()));
  EXPECT_TRUE(torch::allclose(fixed.mean, free->running_mean));
  EXPECT_TRUE(torch::allclose(fixed.variance, free->running_var));
  fixed.eval();
  free->eval();
  EXPECT_TRUE(torch::allclose(fixed.forward(x), free(x)));
}

// Whatever scale and offset the pixels come in, training sees the same.
TEST(ResNet50V2, NormalisesItsInputFirst) {
  const torch::NoGradGuard noGrad;
  const torch::Tensor x = randomPictures(4, {1, 28, 28});
  const auto second = freshNet("resnet50_v2", {1, 28, 28}), first = freshNet("resnet50_v1", {1, 28, 28});
  EXPECT_TRUE(torch::allclose(second->forward(x), second->forward(x * 2 + 3), 1e-2, 1e-2));
  EXPECT_FALSE(torch::allclose(first->forward(x), first->forward(x * 2 + 3), 1e-2, 1e-2));
}

TEST(MobileNetV2, AddsItsInputWhereTheShapeStays) {
  const auto net = freshNet("mobilenet_v2", {1, 28, 28});
  int added = 0;
  for (const auto& item : net->named_modules()) added += item.key().ends_with("body");
  EXPECT_EQ(added, 17);
  EXPECT_EQ(net->named_parameters().find("scores.bias"), nullptr);
}

// MXNet counts the fans of a depthwise weight [channels, 1, 3, 3] from its shape: in 1*9, out channels*9.
TEST(Initialise, DepthwiseFansAreThoseOfMxnet) {
  const auto net = freshNet("mobilenet_v1", {1, 28, 28});
  initialise(*net, "xavier", 1);
  const double reach = std::sqrt(3.0 / ((9 + 512 * 9) / 2.0));
  double most = 0;
  for (const auto& item : net->named_parameters())
    if (item.value().dim() == 4 && item.value().size(1) == 1 && item.value().size(0) == 512)
      most = std::max(most, item.value().abs().max().item<double>());
  EXPECT_LE(most, reach * (1 + 1e-6));
  EXPECT_GT(most, 0.99 * reach);
}

}  // namespace
}  // namespace paceline::tests
