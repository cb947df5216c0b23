// Dirichlet, ratio and shared splits, the split of a document, and the numbers about label counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "engine/core/base/error.h"
#include "engine/data/partitioners/gamma.h"
#include "engine/data/partitioners/partitioner.h"
#include "tests/data/split_requests.h"

namespace paceline::tests {
namespace {

using namespace testing_splits;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

partitioners::PartitionRequest dirichletOf(const Labels& labels, int world, double alpha, std::int64_t minSamples = 1) {
  return request("dirichlet", labels, world, {{"alpha", alpha}, {"min_samples", minSamples}});
}

double distanceOf(const partitioners::Partition& partition, const Labels& labels) { return meanLabelDistance(partitioners::labelCountsOf(partition, labels, 10)); }

std::string refusal(const partitioners::PartitionRequest& asked, const std::string& id) {
  try {
    split(id, asked);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Gamma, LogarithmAndExponentialAreThoseOfTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.7) {
    EXPECT_NEAR(partitioners::portableLog(x), std::log(x), 4e-16 * std::abs(std::log(x)) + 4e-16) << x;
    if (x < 1) {
      EXPECT_NEAR(partitioners::portableExp(700 * -x) / std::exp(700 * -x), 1, 2e-13) << x;  // the argument's rounding to 700 * 2^-53
    }
  }
  EXPECT_EQ(partitioners::portableLog(1), 0);
  EXPECT_EQ(partitioners::portableExp(0), 1);
  EXPECT_EQ(partitioners::portableExp(-800), 0);
}

// Gamma(a, 1) has mean a and variance a; of the logarithm the mean is digamma(a). 200 000 draws: five standard errors are allowed.
TEST(Gamma, DrawsHaveTheMomentsOfTheirShape) {
  constexpr int kDraws = 200000;
  const std::pair<double, double> shapesAndDigammas[] = {{0.1, -10.4237549404110768}, {0.5, -1.9635100260214235}, {1, -0.5772156649015329},
                                                         {2.5, 0.7031566406452432},  {30, 3.3844381445893497}};
  for (const auto& [shape, digamma] : shapesAndDigammas) {
    Rng rng = Rng::stream(3, "gamma");
    double sum = 0, squares = 0, logs = 0, logSquares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double log = partitioners::gammaLog(rng, shape), value = std::exp(log);
      sum += value, squares += value * value, logs += log, logSquares += log * log;
    }
    const double mean = sum / kDraws, variance = squares / kDraws - mean * mean, logMean = logs / kDraws;
    EXPECT_NEAR(mean, shape, 5 * std::sqrt(shape / kDraws)) << shape;
    EXPECT_NEAR(variance, shape, 5 * std::sqrt((2 * shape * shape + 6 * shape) / kDraws)) << shape;  // fourth central moment 3 a^2 + 6 a
    EXPECT_NEAR(logMean, digamma, 5 * std::sqrt((logSquares / kDraws - logMean * logMean) / kDraws)) << shape;
  }
}

// The numbers are those of a Python program with the same steps; others here would be another split for the same seed.
TEST(Gamma, BitsAreTheSameOnEveryMachine) {
  Rng rng = Rng::stream(7, "gamma");
  const std::vector<double> weights = partitioners::dirichletWeights(rng, {0.3, 0.3, 5});
  EXPECT_THAT(weights, ElementsAre(0x1.5cc8704e494a4p-7, 0x1.042c7ea0031e3p-6, 1));
}

// Of Dirichlet(a, ..., a) over N the proportions have mean 1/N and variance (N - 1) / (N^2 (N a + 1)).
TEST(Gamma, ProportionsHaveTheVarianceOfDirichlet) {
  constexpr int kDraws = 50000, kWorld = 4;
  for (const double alpha : {0.05, 0.5, 10.0}) {
    Rng rng = Rng::stream(5, "proportions");
    double sum = 0, squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::vector<double> weights = partitioners::dirichletWeights(rng, std::vector<double>(kWorld, alpha));
      const double first = weights[0] / (weights[0] + weights[1] + weights[2] + weights[3]);
      sum += first, squares += first * first;
    }
    const double expected = 3.0 / (16 * (kWorld * alpha + 1)), mean = sum / kDraws;
    EXPECT_NEAR(mean, 0.25, 5 * std::sqrt(expected / kDraws)) << alpha;
    EXPECT_NEAR(squares / kDraws - mean * mean, expected, 0.05 * expected) << alpha;
  }
}

TEST(Dirichlet, HugeAlphaGivesEveryWorkerItsShareOfEveryClass) {
  const Labels labels = balancedLabels(1000);
  partitioners::PartitionRequest asked = dirichletOf(labels, 4, 1e8);
  for (const Counts& counts : classCounts(split("dirichlet", asked), labels))
    for (int label = 0; label < 10; ++label) EXPECT_NEAR(counts.at(label), 250, 1) << label;
  asked.shares = {0.1, 0.2, 0.3, 0.4};
  const std::vector<Counts> shared = classCounts(split("dirichlet", asked), labels);
  for (std::size_t rank = 0; rank < 4; ++rank)
    for (int label = 0; label < 10; ++label) EXPECT_NEAR(shared[rank].at(label), 100 * (static_cast<double>(rank) + 1), 1) << rank << ' ' << label;
}

TEST(Dirichlet, TinyAlphaGivesEveryClassToOneWorker) {
  const Labels labels = balancedLabels(500);
  const partitioners::Partition partition = split("dirichlet", dirichletOf(labels, 3, 1e-5));
  for (const Counts& counts : classCounts(partition, labels))
    for (const auto& [label, count] : counts) EXPECT_EQ(count, 500) << label;
}

TEST(Dirichlet, SharesAreTheMeanOfTheSizes) {
  const Labels labels = balancedLabels(100);
  double first = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    partitioners::PartitionRequest asked = dirichletOf(labels, 2, 1);
    asked.shares = {0.8, 0.2}, asked.seed = seed;
    first += static_cast<double>(split("dirichlet", asked).indices[0].size()) / 1000 / 400;
  }
  EXPECT_NEAR(first, 0.8, 5 * std::sqrt(0.16 / 3 / 10 / 400));  // of a class p (1 - p) / (N alpha + 1), ten classes, 400 seeds
}

TEST(Dirichlet, LabelDistanceFallsAsAlphaGrows) {
  const Labels labels = balancedLabels(200);
  double before = 1;
  for (const double alpha : {0.01, 0.1, 1.0, 10.0, 100.0, 10000.0}) {
    double mean = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      partitioners::PartitionRequest asked = dirichletOf(labels, 5, alpha);
      asked.seed = seed;
      mean += distanceOf(split("dirichlet", asked), labels) / 20;
    }
    EXPECT_LT(mean, before) << alpha;
    before = mean;
  }
  EXPECT_LT(before, 0.01);
}

TEST(Dirichlet, DrawsAgainUntilEveryWorkerHasEnough) {
  const Labels labels = balancedLabels(50);
  const partitioners::PartitionRequest few = dirichletOf(labels, 8, 0.1, 1), many = dirichletOf(labels, 8, 0.1, 25);
  const auto least = [](const partitioners::Partition& partition) {
    const auto all = sizes(partition);
    return *std::min_element(all.begin(), all.end());
  };
  EXPECT_LT(least(split("dirichlet", few)), 25U);  // else this seed shows nothing
  EXPECT_GE(least(split("dirichlet", many)), 25U);
}

TEST(Dirichlet, SaysWhatCannotBe) {
  const Labels labels = balancedLabels(10);
  EXPECT_EQ(refusal(dirichletOf(labels, 11, 1, 10), "dirichlet"),
            "partition \"dirichlet\": 11 workers with at least 10 samples each need more than the 100 that there are; lower min_samples");
  EXPECT_EQ(refusal(dirichletOf(labels, 11, 1e-6, 1), "dirichlet"),  // ten classes, each to one worker
            "partition \"dirichlet\": none of 1000 draws at alpha 1e-06 gives each of 11 workers 1 samples, the best one gives 0; raise alpha or lower "
            "min_samples");
}

TEST(Dirichlet, ItsOwnSeedFixesTheSplitOfAllSeeds) {
  const Labels labels = balancedLabels(100);
  partitioners::PartitionRequest one = dirichletOf(labels, 4, 0.5), two = one;
  two.seed = one.seed + 1;
  EXPECT_NE(split("dirichlet", one).indices, split("dirichlet", two).indices);
  one.params.set("seed", std::int64_t{9}), two.params.set("seed", std::int64_t{9});
  EXPECT_EQ(split("dirichlet", one).indices, split("dirichlet", two).indices);
}

class ShardingFile {
 public:
  explicit ShardingFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / ("paceline_sharding_" + std::to_string(::getpid()))).string()) {
    std::ofstream(path_) << text;
  }
  ~ShardingFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

partitioners::PartitionRequest byFile(const Labels& labels, int world, const std::string& path, const std::string& order = "file") {
  return request("ratio", labels, world, {{"path", path}, {"order", order}});
}

// MXNet-G's sample: six workers of 0.05, four of 0.1, two of 0.15.
TEST(Ratio, TakesMxnetsStretchesOfTheFile) {
  const ShardingFile file("0 0.05\n0.05 0.10\n0.10 0.15\n0.15 0.20\n0.20 0.25\n0.25 0.30\n0.30 0.40\n0.40 0.50\n0.50 0.60\n0.60 0.70\n0.70 0.85\n0.85 1\n");
  const Labels labels(60000, 0);
  const partitioners::Partition partition = split("ratio", byFile(labels, 12, file.path()));
  EXPECT_THAT(sizes(partition), ElementsAre(3000, 3000, 3000, 3000, 3000, 3000, 6000, 6000, 6000, 6000, 9000, 9000));
  EXPECT_EQ(partition.indices[7].front(), 24000U);
  EXPECT_EQ(partition.indices[7].back(), 29999U);
}

TEST(Ratio, LinesAreWorkersWhateverTheirOrderInTheData) {
  const ShardingFile file("0.7 1\n0 0.2\n");
  const Labels labels(10, 0);
  EXPECT_THAT(split("ratio", byFile(labels, 2, file.path())).indices,
              ElementsAre(std::vector<std::uint32_t>{7, 8, 9}, std::vector<std::uint32_t>{0, 1}));
  const partitioners::Partition random = split("ratio", byFile(labels, 2, file.path(), "random"));
  EXPECT_THAT(sizes(random), ElementsAre(3, 2));
}

TEST(Ratio, DividesByTheNodesShares) {
  const Labels labels(1000, 0);
  partitioners::PartitionRequest asked = request("ratio", labels, 3);
  asked.shares = {0.5, 0.3, 0.2};
  EXPECT_THAT(sizes(split("ratio", asked)), ElementsAre(500, 300, 200));
}

TEST(Ratio, SaysWhichLineOfTheFileIsWrong) {
  const Labels labels(100, 0);
  const auto refused = [&](const std::string& text) {
    const ShardingFile file(text);
    std::string said = refusal(byFile(labels, 2, file.path()), "ratio");
    const std::size_t at = said.find(file.path());
    return at == std::string::npos ? said : said.replace(at, file.path().size(), "FILE");
  };
  EXPECT_EQ(refused("0 0.5\n0.5 one\n"), "partition \"ratio\": FILE:2: two fractions of the data, the first below the second, expected, got \"0.5 one\"");
  EXPECT_EQ(refused("0.5 0.5\n0.5 1.5\n"),
            "partition \"ratio\": FILE:1: two fractions of the data, the first below the second, expected, got \"0.5 0.5\" (and 1 more)");
  EXPECT_EQ(refused("0 0.5\n"), "partition \"ratio\": FILE:1: 1 lines, one for each worker, but the document has 2 workers");
  EXPECT_EQ(refused("0 0.6\n0.5 1\n"), "partition \"ratio\": FILE:2: begins at 0.5, where line 1 has the data up to 0.6");
  EXPECT_EQ(refused("0 0.001\n0.5 1\n"), "partition \"ratio\": rank 0 of 2 workers would get none of 100 samples");
}

TEST(Ratio, RefusesAFileThatIsNone) {
  const Labels labels(100, 0);
  EXPECT_EQ(refusal(byFile(labels, 2, "/no/such/file"), "ratio"), "partition \"ratio\": cannot read /no/such/file: No such file or directory");
  EXPECT_THAT(refusal(byFile(labels, 2, "/tmp"), "ratio"), HasSubstr("partition \"ratio\": cannot read /tmp"));
  const ShardingFile file("0 0.5\n0.5 1\n");
  partitioners::PartitionRequest both = byFile(labels, 2, file.path());
  both.shares = {0.5, 0.5};
  EXPECT_THAT(refusal(both, "ratio"), HasSubstr("or from the nodes' shares, not from both"));
}

TEST(SharedSplit, GivesEverySampleToEveryone) {
  const Labels labels = balancedLabels(20);
  partitioners::PartitionRequest asked = request("shared", labels, 3);
  asked.shares = {0.2, 0.3, 0.5};
  const partitioners::Partition partition = split("shared", asked);
  EXPECT_THAT(sizes(partition), ElementsAre(200, 200, 200));
  EXPECT_TRUE(partition.shuffled);
  EXPECT_FALSE(partitioners::findPartitioner("shared")->disjoint);
}

TEST(LabelDistance, IsZeroForTheSameMixAndOneForNoClassInCommon) {
  EXPECT_THAT(labelDistances({{10, 20}, {5, 10}}), ElementsAre(0, 0));
  // P = (1, 0), all = (1/2, 1/2): divergence 1/2 log2(4/3) + 1/4 log2(2/3) + 1/4 = 0.311278...
  const std::vector<double> halves = labelDistances({{7, 0}, {0, 7}});
  EXPECT_NEAR(halves[0] * halves[0], 0.5 * std::log2(4.0 / 3) + 0.25 * std::log2(2.0 / 3) + 0.25, 1e-12);
  EXPECT_NEAR(labelDistances({{1}, {0, 1000000000}})[0], 1, 1e-4);
  EXPECT_TRUE(std::isnan(labelDistances({{0, 0}, {1, 1}})[0]));
  EXPECT_NEAR(meanLabelDistance({{0, 0}, {1, 1}}), 0, 1e-12);
  EXPECT_TRUE(std::isnan(meanLabelDistance({})));
}

TEST(SplitOf, CountsTheLabelsOfEveryWorkersShare) {
  RunSpec spec;
  spec.partition = {.id = "by_class", .params = {}};
  spec.nodes.resize(3);
  for (std::size_t i = 0; i < 3; ++i) spec.nodes[i].id = "n" + std::to_string(i), spec.nodes[i].role = i == 1 ? Role::kServer : Role::kWorker;
  datasets::Dataset data;
  data.classes = 3;
  data.train.labels = {0, 1, 2, 0, 1, 0};
  EXPECT_THAT(partitioners::labelCountsOf(partitioners::splitOf(spec, data), data.train.labels, data.classes), ElementsAre(LabelCounts{3, 0, 0}, LabelCounts{0, 2, 1}));
  spec.nodes[0].share = 0.5;
  EXPECT_THROW(partitioners::splitOf(spec, data), Error);
  spec.partition.id = "by_klass";
  EXPECT_THROW(partitioners::splitOf(spec, data), Error);
  spec.nodes.clear();
  EXPECT_THROW(partitioners::splitOf(spec, data), Error);
}

}  // namespace
}  // namespace paceline::tests
