// What validation says about the split of the data and about a model's place in a data set of chosen shape.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/spec/suite.h"
#include "tests/core/sample.h"

namespace paceline::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Catalog catalogWithSplits() {
  Catalog catalog = sample::catalog();
  const auto add = [&](const char* id, std::vector<ParamSpec> params = {}) -> PartitionEntry& {
    return catalog.partitions.emplace_back(sample::entry<PartitionEntry>(id, std::move(params)));
  };
  add("contiguous");
  PartitionEntry& shared = add("shared");
  shared.disjoint = shared.shares = false;
  add("ratio", {textParam("path", "", "File.")}).sizesFrom = "path";
  add("dirichlet", {limited(integerParam("min_samples", 10, 1, 1e9, "Fewest."), Limit::kSamplesPerWorker)}).even = false;
  PartitionEntry& classes = add("classes_per_worker", {limited(integerParam("k", 8, 1, 65535, "Classes."), Limit::kClasses),
                                                       choiceParam("variant", "even", {"even", "published"}, "Whose.")});
  classes.even = false;
  classes.ignoresShares = {.param = "variant", .values = {"published"}};
  catalog.datasets[0].params = {integerParam("train_count", 1000, 1, 1e6, "Pictures."), integerParam("classes", 10, 2, 1000, "Kinds."),
                                integerParam("channels", 1, 1, 4, "Channels."), integerParam("height", 28, 1, 512, "Height."),
                                integerParam("width", 28, 1, 512, "Width."), integerParam("resize", 0, 0, 512, "Side; 0: as it is.")};
  catalog.models.push_back(sample::entry<ModelEntry>("alexnet"));
  catalog.models.back().minimumSide = 63;
  return catalog;
}

std::vector<Finding> found(const std::vector<std::string>& assignments, const Catalog& catalog = catalogWithSplits()) {
  std::string text = sample::kSmallest;
  for (const std::string& assignment : assignments) text = withOverride(text, assignment);
  return validate(parseRunSpec(text).spec, catalog).findings;
}

Finding warning(const std::string& pointer, const std::string& message) { return {pointer, message, false}; }

const std::string kHalves = "/nodes/1/share=0.5", kOtherHalf = "/nodes/2/share=0.5";

TEST(ValidateSplit, AWorkerHasNoMoreClassesThanThereAre) {
  EXPECT_THAT(found({"/partition/id=classes_per_worker", "/partition/params/k=10"}), IsEmpty());
  EXPECT_THAT(found({"/partition/id=classes_per_worker", "/partition/params/k=12"}),
              ElementsAre(Finding{"/partition/params/k", "K must be at most 10, the classes of data set \"synthetic\"; it is 12."}));
  EXPECT_THAT(found({"/partition/id=classes_per_worker", "/partition/params/k=12", "/dataset/params/classes=12"}), IsEmpty());
  EXPECT_THAT(found({"/partition/id=classes_per_worker", "/dataset/params/classes=4"}),
              ElementsAre(Finding{"/partition/params/k", "K must be at most 4, the classes of data set \"synthetic\"; it is 8."}));
}

TEST(ValidateSplit, ClassesThatOnlyTheFilesKnowAreNotJudged) {
  Catalog catalog = catalogWithSplits();
  catalog.datasets[0].params.clear();
  catalog.datasets[0].classes = 0, catalog.datasets[0].trainCount = 0;
  EXPECT_THAT(found({"/partition/id=classes_per_worker", "/partition/params/k=5000", "/batch_size=1000000"}, catalog), IsEmpty());
}

TEST(ValidateSplit, SharesThatAPartitionIgnoresAreAWarning) {
  EXPECT_THAT(found({"/partition/id=shared", kHalves, kOtherHalf}), ElementsAre(warning("/nodes/1/share", "partition \"shared\" does not use shares")));
  EXPECT_THAT(found({"/partition/id=classes_per_worker", "/partition/params/variant=published", kHalves, kOtherHalf}),
              ElementsAre(warning("/nodes/1/share", "partition \"classes_per_worker\" with variant \"published\" does not use shares")));
  for (const char* uses : {"iid", "contiguous", "by_class", "dirichlet", "classes_per_worker", "ratio"})
    EXPECT_THAT(found({std::string("/partition/id=") + uses, kHalves, kOtherHalf}), IsEmpty()) << uses;
}

TEST(ValidateSplit, ARatioIsSaidOnce) {
  EXPECT_THAT(found({"/partition/id=ratio"}), ElementsAre(warning("/partition/id", "partition \"ratio\" divides evenly: no worker has a share and no file is given")));
  EXPECT_THAT(found({"/partition/id=ratio", "/partition/params/path=/data/sharding"}), IsEmpty());
  EXPECT_THAT(found({"/partition/id=ratio", "/partition/params/path=/data/sharding", kHalves, kOtherHalf}),
              ElementsAre(Finding{"/partition/params/path", "the sizes come from a file or from the nodes' shares, not from both; worker \"w0\" has a share"}));
}

TEST(ValidateSplit, AMinimumMustBeThere) {
  EXPECT_THAT(found({"/partition/id=dirichlet", "/partition/params/min_samples=500"}), IsEmpty());
  EXPECT_THAT(found({"/partition/id=dirichlet", "/partition/params/min_samples=501"}),
              ElementsAre(Finding{"/partition/params/min_samples", "Min samples must be at most 500, the 1000 samples of data set \"synthetic\" divided by 2 workers; it is 501."}));
}

TEST(ValidateSplit, TheSetsOwnCountDecides) {
  EXPECT_THAT(found({"/dataset/params/train_count=1"}), ElementsAre(Finding{"/nodes/1", "worker \"w0\" would get none of the 1 samples of \"synthetic\""},
                                                                    Finding{"/nodes/2", "worker \"w1\" would get none of the 1 samples of \"synthetic\""}));
  EXPECT_THAT(found({"/dataset/params/train_count=100"}),
              ElementsAre(warning("/batch_size", "Batch size is 64, more than the 50 samples of the smallest share: batches will have 50 there.")));
  EXPECT_THAT(found({"/dataset/params/train_count=128"}), IsEmpty());
  EXPECT_THAT(found({"/dataset/params/train_count=100", "/partition/id=shared"}), IsEmpty());
}

TEST(ValidateDeciding, WhatIsHeldOutNeedsEvaluationsAndASample) {
  EXPECT_THAT(found({"/evaluate/validation=0.1"}), IsEmpty());
  EXPECT_THAT(found({"/evaluate/validation=0.0001"}), ElementsAre(Finding{"/evaluate/validation", "0.0001 of the 1000 training samples of data set \"synthetic\" is less than one of them"}));
  EXPECT_THAT(found({"/evaluate/validation=0.1", "/evaluate/every_rounds=0"}), ElementsAre(Finding{"/evaluate/validation", "holds samples out for evaluations, and there are none", false}));
  EXPECT_EQ(parseRunSpec(withOverride(sample::kSmallest, "/evaluate/validation=0.95")).findings.at(0).pointer, "/evaluate/validation");
}

TEST(ValidateDeciding, PatienceNeedsEvaluations) {
  EXPECT_THAT(found({"/stop/patience=3"}), IsEmpty());
  EXPECT_THAT(found({"/stop/patience=3", "/evaluate/every_rounds=0"}), ElementsAre(Finding{"/stop/patience", "needs evaluations, but evaluate.every_rounds is 0", false}));
  EXPECT_THAT(found({"/stop/patience=3", "/stop/rounds=null", "/evaluate/every_rounds=0"}),
              ElementsAre(Finding{"/stop/patience", "needs evaluations, but evaluate.every_rounds is 0: the run would never end"}));
}

TEST(ValidateShape, AResizeMakesAModelFit) {
  EXPECT_THAT(found({"/model/id=lenet", "/dataset/params/height=64", "/dataset/params/width=64"}),
              ElementsAre(Finding{"/model/id", "model \"lenet\" takes 1x28x28, 1x32x32; data set \"synthetic\" has 1x64x64; set /dataset/params/resize to 28"}));
  EXPECT_THAT(found({"/model/id=lenet", "/dataset/params/height=64", "/dataset/params/width=64", "/dataset/params/resize=28"}), IsEmpty());
  EXPECT_THAT(found({"/model/id=lenet", "/dataset/params/channels=3"}),  // no size makes one channel of three
              ElementsAre(Finding{"/model/id", "model \"lenet\" takes 1x28x28, 1x32x32; data set \"synthetic\" has 3x28x28"}));
}

TEST(ValidateShape, AModelHasASmallestSide) {
  EXPECT_THAT(found({"/model/id=alexnet"}),
              ElementsAre(Finding{"/model/id", "model \"alexnet\" takes images of at least 63 pixels a side; data set \"synthetic\" has 1x28x28; set "
                                               "/dataset/params/resize to 63"}));
  EXPECT_THAT(found({"/model/id=alexnet", "/dataset/params/resize=63"}), IsEmpty());
  EXPECT_THAT(found({"/model/id=alexnet", "/dataset/params/height=63", "/dataset/params/width=224"}), IsEmpty());
}

}  // namespace
}  // namespace paceline::tests
