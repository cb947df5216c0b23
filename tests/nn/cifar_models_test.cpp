// The nets of DGS, ps_pytorch and ECL beyond the model contract: published sizes, layouts, normalisation and dropout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/core/base/error.h"
#include "engine/nn/model.h"
#include "engine/nn/models/residual.h"
#include "engine/nn/models/layers.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<Net> built(const std::string& id, const Shape& shape = {3, 32, 32},
                           const std::map<std::string, ParamValue>& given = {}) {
  const ModelDef* def = findModel(id);
  PACELINE_CHECK(def != nullptr, strCat("model ", id));
  std::vector<Finding> findings;
  const Params params = completeParams(def->params, Params(given), "/model/params", findings);
  PACELINE_CHECK(findings.empty(), strCat("parameters of ", id));
  std::shared_ptr<Net> net = def->make(params, shape, 10);
  initialise(*net, params.text("init"), 7);
  return net;
}

std::int64_t parametersOf(Net& net) {
  std::int64_t count = 0;
  for (const torch::Tensor& parameter : net.parameters()) count += parameter.numel();
  return count;
}

torch::Tensor pictures(int count, const Shape& shape = {3, 32, 32}) {
  torch::manual_seed(11);
  return torch::rand({count, shape.channels, shape.height, shape.width});
}

torch::Tensor scored(Net& net, const torch::Tensor& images) {
  const torch::NoGradGuard noGrad;
  return net.forward(images);
}

// Convolutions and dense layers that are not shortcuts.
int layersOf(Net& net) {
  int count = 0;
  for (const auto& item : net.named_parameters())
    count += item.value().dim() > 1 && item.key().find("shortcut") == std::string::npos;
  return count;
}

TEST(CifarModels, HaveAsManyLayersAsTheirNamesSay) {
  for (const int layers : {18, 34, 50, 101, 152, 20, 32, 56, 110}) EXPECT_EQ(layersOf(*built(strCat("resnet", layers))), layers);
  for (const int layers : {11, 13, 16, 19}) EXPECT_EQ(layersOf(*built(strCat("vgg", layers))), layers);
  for (const int layers : {121, 169}) EXPECT_EQ(layersOf(*built(strCat("densenet", layers, "_gn"))), layers);
  EXPECT_EQ(layersOf(*built("resnet32_gn")), 34);  // as its summary says
  EXPECT_THAT(findModel("resnet32_gn")->summary, HasSubstr("ResNet-34"));
}

TEST(CifarModels, HaveThePublishedNumberOfTensors) {
  EXPECT_EQ(built("resnet18")->parameters().size(), 62U);
  EXPECT_EQ(built("resnet32_gn")->parameters().size(), 110U);
  EXPECT_EQ(built("densenet121_gn")->parameters().size(), 364U);
  EXPECT_EQ(built("densenet169_gn")->parameters().size(), 508U);
}

TEST(CifarModels, HaveThePublishedSizesAtOtherShapesToo) {
  const Shape fashion{1, 28, 28}, cifar{3, 32, 32};
  EXPECT_EQ(parametersOf(*built("resnet32_gn", fashion)), 21283530);
  EXPECT_EQ(parametersOf(*built("logistic", cifar)), 30730);
  EXPECT_EQ(parametersOf(*built("lenet5", fashion)),
            62006 - 2 * 150 - 120 * 16 * (25 - 16));  // one channel, 4x4 before the dense layers
  EXPECT_EQ(parametersOf(*built("resnet18", fashion)), 11173962 - 2 * 9 * 64);
}

TEST(SmallResNet, ProjectionAddsTwoConvolutionsWithTheirNorms) {
  EXPECT_EQ(parametersOf(*built("resnet20", {3, 32, 32}, {{"shortcut", std::string("projection")}})),
            269722 + 16 * 32 + 2 * 32 + 32 * 64 + 2 * 64);
  EXPECT_EQ(parametersOf(*built("resnet20", {3, 32, 32}, {{"norm", std::string("group")}})), 269722);
}

TEST(SmallResNet, IdentityShortcutTakesEverySecondPixelAndAddsZeroChannels) {
  const torch::Tensor x = torch::arange(18, torch::kFloat).view({1, 2, 3, 3});
  const torch::Tensor expected =
      torch::tensor({0, 2, 6, 8, 9, 11, 15, 17, 0, 0, 0, 0, 0, 0, 0, 0}, torch::kFloat).view({1, 4, 2, 2});
  EXPECT_TRUE(torch::equal(residual::paddedShortcut(x, 4, 2), expected));
  EXPECT_TRUE(torch::equal(residual::paddedShortcut(x, 2, 1), x));
}

TEST(SmallResNet, BlockWhosePathIsZeroIsItsShortcut) {
  const residual::Layout layout{.norm = layers::groupNorms(16), .widths = {16, 32}, .depths = {1, 1}, .padded = true};
  residual::Block block(16, 32, 2, layout);
  const torch::NoGradGuard noGrad;
  for (torch::Tensor& parameter : block.parameters()) parameter.zero_();
  const torch::Tensor x = torch::rand({2, 16, 7, 7}) - 0.5;
  EXPECT_TRUE(torch::equal(block.forward(x), residual::paddedShortcut(x, 32, 2).relu()));
}

// The nets with their 3x3 convolutions in the published order, poolings written out.
TEST(Vgg, PoolsAfterEveryStage) {
  for (const auto& [depth, pooled] :
       std::map<int, std::set<int>>{{11, {1, 2, 4, 6, 8}}, {16, {2, 4, 7, 10, 13}}, {19, {2, 4, 8, 12, 16}}}) {
    layers::VggFeatures features(depth, 3, nullptr);
    const torch::NoGradGuard noGrad;
    const auto weights = features.named_parameters();
    const torch::Tensor images = pictures(2);
    torch::Tensor x = images;
    for (int i = 1; i <= depth - 3; ++i) {
      x = torch::conv2d(x, weights[strCat("conv", i, ".weight")], weights[strCat("conv", i, ".bias")], 1, 1).relu();
      if (pooled.contains(i)) x = torch::max_pool2d(x, 2);
    }
    EXPECT_EQ(x.sizes(), (std::vector<std::int64_t>{2, 512, 1, 1}));
    EXPECT_TRUE(torch::equal(features.forward(images), x)) << depth;
  }
}

TEST(Vgg, OfEclCountsGroupsFromTheInputChannels) {
  layers::VggFeatures features(11, 3, [](int from, int to) { return layers::groupNorm(to, from, 32); });
  std::vector<std::int64_t> groups;
  for (const auto& module : features.modules(false))
    if (const auto* norm = module->as<torch::nn::GroupNorm>()) groups.push_back(norm->options.num_groups());
  EXPECT_THAT(groups, ElementsAre(1, 2, 4, 8, 8, 16, 16, 16));
}

TEST(GroupNorm, NumberOfGroupsIsRoundedUpAndMustDivide) {
  EXPECT_EQ(layers::groupNorm(64, 64, 40).get<torch::nn::GroupNorm>()->options.num_groups(), 2);
  try {
    built("resnet20", {3, 32, 32}, {{"norm", std::string("group")}, {"group_channels", std::int64_t{24}}});
    FAIL() << "24 channels a group make 3 groups of 64";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kSpec);
    EXPECT_STREQ(error.what(), "group_channels: 24 makes 3 groups, which do not divide 64 channels");
  }
}

void expectEachPictureAlone(const std::string& id, Net& net) {
  const torch::Tensor images = pictures(4);
  const torch::Tensor together = scored(net, images);
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(torch::allclose(scored(net, images.slice(0, i, i + 1)), together.slice(0, i, i + 1), 1e-4, 1e-5))
        << id << ", picture " << i;
}

TEST(GroupNorm, ScoresOfAPictureDoNotDependOnItsBatch) {
  const std::map<std::string, ParamValue> kept{{"drop_rate", 0.0}, {"last_drop_rate", 0.0}};  // in training mode
  for (const char* id : {"resnet32_gn", "densenet121_gn"}) expectEachPictureAlone(id, *built(id, {3, 32, 32}, kept));
  for (const char* id : {"resnet20", "resnet50"})
    expectEachPictureAlone(id, *built(id, {3, 32, 32}, {{"norm", std::string("group")}}));
}

TEST(BatchNorm, ScoresOfAPictureDependOnItsBatchInTrainingOnly) {
  const auto net = built("resnet20");
  const torch::Tensor images = pictures(4);
  EXPECT_FALSE(torch::allclose(scored(*net, images.slice(0, 0, 2)), scored(*net, images).slice(0, 0, 2), 1e-2, 1e-2));
  net->eval();
  expectEachPictureAlone("resnet20", *net);
}

TEST(Dropout, DrawsOtherMasksEveryTimeAndTheSameAfterReseeding) {
  for (const char* id : {"vgg11", "vgg11_bn", "resnet32_gn", "densenet121_gn"}) {
    ASSERT_TRUE(findModel(id)->random) << id;
    const auto net = built(id);
    const torch::Tensor images = pictures(2);
    stepGenerator().set_current_seed(5);
    const torch::Tensor first = scored(*net, images), second = scored(*net, images);
    stepGenerator().set_current_seed(5);
    EXPECT_TRUE(torch::equal(scored(*net, images), first)) << id;
    EXPECT_FALSE(torch::equal(first, second)) << id;
    net->eval();
    EXPECT_TRUE(torch::equal(scored(*net, images), scored(*net, images))) << id;
  }
}

// A model that draws says so, or its runs would not repeat.
TEST(Dropout, ModelsThatDoNotSaySoDrawNothing) {
  for (const char* id : {"resnet18", "resnet20", "alexnet_cifar", "lenet5", "davidnet"}) {
    const auto net = built(id);
    const torch::Tensor images = pictures(2);
    const auto seed = [] { torch::manual_seed(5), stepGenerator().set_current_seed(5); };
    const auto drawn = [] { return torch::cat({torch::rand({4}), torch::empty({4}).uniform_(0, 1, stepGenerator())}); };
    seed();
    const torch::Tensor expected = drawn();
    seed();
    scored(*net, images);
    EXPECT_TRUE(torch::equal(drawn(), expected)) << id;
    EXPECT_FALSE(findModel(id)->random) << id;
  }
}

TEST(DavidNet, ScoresAreAnEighthOfItsDenseLayer) {
  const auto net = built("davidnet");
  net->eval();
  const torch::Tensor images = pictures(2), scores = scored(*net, images);
  const torch::NoGradGuard noGrad;
  // With the identity as dense layer the scores are the first ten pooled maps, an eighth of them: not negative, and they give
  // `scores`.
  torch::Tensor dense = net->named_parameters()["dense.weight"];
  const torch::Tensor weight = dense.clone();
  torch::Tensor pooled = torch::zeros({2, 512});
  for (int from = 0; from < 512; from += 10) {
    dense.zero_();
    const int count = std::min(10, 512 - from);
    for (int i = 0; i < count; ++i) dense[i][from + i] = 8;
    pooled.slice(1, from, from + count) = net->forward(images).slice(1, 0, count);
  }
  EXPECT_GE(pooled.min().item<float>(), 0);
  EXPECT_TRUE(torch::allclose(scores, pooled.matmul(weight.t()) / 8, 1e-4, 1e-6));
}

TEST(CifarModels, StartAsPublished) {
  const auto initOf = [](const std::string& id) { return std::get<std::string>(findModel(id)->params.back().fallback); };
  for (const char* id : {"resnet18", "alexnet_cifar", "lenet5", "davidnet", "resnet32_gn", "densenet121_gn", "vgg11_gn"})
    EXPECT_EQ(initOf(id), "torch") << id;
  for (const char* id : {"vgg11", "vgg19_bn", "resnet20"}) EXPECT_EQ(initOf(id), "he") << id;
  EXPECT_EQ(initOf("lenet"), "xavier");
}

}  // namespace
}  // namespace paceline::tests
