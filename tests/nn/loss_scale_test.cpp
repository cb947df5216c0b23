// A loss that is multiplied before the backward pass, its gradients divided after it: the same bits, and another pass where they do not fit.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/nn/flat_model.h"
#include "engine/nn/precision.h"

namespace paceline::tests {
namespace {

std::vector<Real> gradientOf(LossScale* scale, double start = 1) {
  const ModelDef& def = *findModel("lenet");
  const std::shared_ptr<Net> net = builtModel(def, {.id = "lenet", .params = {}}, {1, 28, 28}, 10, 3);
  FlatModel model(net, false, {.device = torch::kCPU, .staged = true});
  GradientSink sink(model);
  model.valuesToNet();
  std::vector<Real> out(model.values().size());
  sink.open(out, {});
  const torch::Tensor images = torch::linspace(0, 1, 4 * 28 * 28).reshape({4, 1, 28, 28});
  const torch::Tensor loss = net->loss(net->forward(images), torch::tensor({1, 2, 3, 4}, torch::kLong)) * start;
  if (!scale) {
    loss.backward();
  } else {
    do {
      sink.again();
      (loss * scale->factor()).backward({}, /*retain_graph=*/true);
    } while (!scale->taken(sink.scaleBy(1 / scale->factor() / start)));
  }
  sink.close();
  return out;
}

TEST(LossScale, ChangesNoBit) {
  LossScale scale;
  EXPECT_EQ(gradientOf(&scale), gradientOf(nullptr));
  EXPECT_EQ(scale.factor(), 65536);
}

TEST(LossScale, IsHalvedUntilTheGradientFits) {
  LossScale scale;
  const double huge = std::ldexp(1.0, 119);  // times 2^16 times a gradient of some tenths: more than 2^128
  EXPECT_EQ(gradientOf(&scale, huge), gradientOf(nullptr));
  EXPECT_LT(scale.factor(), 65536);
  EXPECT_GE(scale.factor(), 1);
}

TEST(LossScale, DoublesAfterTwoThousandStepsInARowAndEndsAtOne) {
  LossScale scale;
  for (int step = 0; step < 1999; ++step) EXPECT_TRUE(scale.taken(true));
  EXPECT_EQ(scale.factor(), 65536);
  EXPECT_TRUE(scale.taken(true));
  EXPECT_EQ(scale.factor(), 131072);
  for (int halvings = 0; halvings < 17; ++halvings) EXPECT_FALSE(scale.taken(false));
  EXPECT_EQ(scale.factor(), 1);
  EXPECT_TRUE(scale.taken(false)) << "the gradient itself is not finite: training has diverged";
}

}  // namespace
}  // namespace paceline::tests
