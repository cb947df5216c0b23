// Models that draw random numbers in training (dropout): a step's draws follow from its place, whatever else computes in the process.
#include <gtest/gtest.h>

#include "engine/core/record/state_table.h"
#include "engine/nn/learner.h"
#include "tests/nn/small_set.h"

namespace paceline::tests {
namespace {

constexpr const char* kModel = "vgg11";
constexpr int kSide = 32;

RunSpec dropoutSpec(int workers = 1) {
  RunSpec spec = specOf(kModel, workers, 16, 4);
  spec.dataset.params.set("channels", std::int64_t{3});
  spec.dataset.params.set("height", std::int64_t{kSide});
  spec.dataset.params.set("width", std::int64_t{kSide});
  spec.batchSize = 4;
  return spec;
}

std::vector<Real> gradientOf(Objective& objective) {
  std::vector<Real> gradient(objective.parameters().size());
  objective.gradient(gradient);
  return gradient;
}

TEST(Dropout, DrawsWhatTheBatchsSeedSays) {
  const auto data = loadDataset(dropoutSpec());
  Learner learner({.id = kModel, .params = {}}, 3, data, 4);
  BatchLoader batches(data, BatchStream(firstSamples(4), {.batchSize = 4}), learner.loading(0));
  Batch batch = batches.front();
  std::vector<Real> first(learner.parameters().size()), other(first.size()), again(first.size());
  learner.gradient(batch, first);
  ++batch.seed;
  learner.gradient(batch, other);
  --batch.seed;
  learner.gradient(batch, again);
  EXPECT_NE(first, other);
  EXPECT_EQ(first, again);
}

TEST(Dropout, AResumedObjectiveDrawsOn) {
  const RunSpec spec = dropoutSpec();
  const auto data = loadDataset(spec);
  const auto whole = makeTorchObjective(spec, 0, data);
  gradientOf(*whole);
  StateTable table;
  StateWriter writer(table);
  whole->state(writer);
  const auto second = gradientOf(*whole), third = gradientOf(*whole);
  const auto resumed = makeTorchObjective(spec, 0, data);
  gradientOf(*resumed);
  gradientOf(*resumed);
  StateReader reader(table);
  resumed->state(reader);
  EXPECT_EQ(gradientOf(*resumed), second);
  EXPECT_EQ(gradientOf(*resumed), third);
}

TEST(Dropout, WorkersOfOneProcessDoNotDisturbEachOther) {
  const RunSpec spec = dropoutSpec(2);
  const auto data = loadDataset(spec);
  const auto alone = makeTorchObjective(spec, 1, data);
  const auto first = gradientOf(*alone), second = gradientOf(*alone);
  const auto zero = makeTorchObjective(spec, 0, data), one = makeTorchObjective(spec, 1, data);
  EXPECT_NE(gradientOf(*zero), first);
  EXPECT_EQ(gradientOf(*one), first);
  zero->evaluate();
  gradientOf(*zero);
  EXPECT_EQ(gradientOf(*one), second);
}

TEST(Dropout, AWarmUpStepIsTheStepThatFollows) {
  const RunSpec spec = dropoutSpec();
  const auto objective = makeTorchObjective(spec, 0, loadDataset(spec));
  std::vector<Real> warm(objective->parameters().size());
  objective->warmUpStep(warm);
  EXPECT_EQ(gradientOf(*objective), warm);
}

}  // namespace
}  // namespace paceline::tests
