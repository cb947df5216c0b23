// A worker is lost and its document divides its data: the others' epochs grow, each from its next one on, and a replay has the same ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/runtime/hollow_objective.h"
#include "engine/runtime/replay.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

using testing::ElementsAre;

constexpr int kRounds = 25;

// Of 45 samples each, of 68 without the third: batches of ten, and what is left.
ObjectiveFactory counted(std::vector<std::vector<int>>* asked = nullptr) {
  const auto sizes = [asked](const std::vector<int>& lost) {
    if (asked) asked->push_back(lost);
    return lost.empty() ? std::vector<std::size_t>{45, 45, 46} : std::vector<std::size_t>{68, 68, 46};
  };
  return hollowObjectives({{.name = "all", .size = 12}}, {.samples = {45, 45, 46}, .batchSize = 10, .without = sizes});
}

RunSpec documentOf(const std::string& algorithm, const std::string& data = "divided") {
  RunSpec spec = clusterOf(algorithm, 3, 1);
  spec.lostData = data;
  spec.evaluate.everyRounds = 0;
  spec.stop.rounds = kRounds;
  spec.nodes[2].emulate.lostAfterRounds = 6;
  return spec;
}

std::vector<std::int64_t> samplesOf(const SimResult& result, int node) {
  std::vector<std::int64_t> samples;
  for (const RoundRecord& round : result.rounds(node)) samples.push_back(round.samples);
  return samples;
}

std::vector<std::string> metricsOf(const SimResult& result, int node) {
  std::vector<std::string> found;
  for (const MetricRecord& metric : result.of<MetricRecord>(node))
    if (metric.name.find("_data_of.") != std::string::npos) found.push_back(strCat(metric.name, " ", metric.value));
  return found;
}

constexpr int kFirst[] = {10, 10, 10, 10, 5, 10, 10, 10, 10, 5, 10, 10, 10, 10, 10, 10, 8, 10, 10, 10, 10, 10, 10, 8, 10};
std::vector<std::int64_t> first(std::size_t rounds) { return {kFirst, kFirst + rounds}; }

class DividedData : public testing::TestWithParam<const char*> {};

TEST_P(DividedData, AreTrainedOnFromEachOnesNextEpochOn) {
  std::vector<std::vector<int>> asked;
  const SimResult result = runInSim(documentOf(GetParam()), counted(&asked));
  EXPECT_EQ(samplesOf(result, 0), first(kRounds));
  const std::vector<std::int64_t> others = samplesOf(result, 1);
  EXPECT_GE(others.size(), 24U);
  EXPECT_EQ(others, first(others.size()));
  EXPECT_EQ(result.rounds(2).size(), 6U);
  for (const int node : {0, 1}) EXPECT_THAT(metricsOf(result, node), ElementsAre("takes_data_of.w2 2")) << node;
  EXPECT_THAT(asked, ElementsAre(std::vector<int>{2}, std::vector<int>{2}));
  std::vector<std::string> said;
  for (const int node : {0, 1, 3})
    for (const NoticeRecord& notice : result.of<NoticeRecord>(node))
      if (notice.reason == "data_divided") said.push_back(notice.text);
  EXPECT_THAT(said, ElementsAre("the others train on the data of w2, too, each from its next epoch on"));
}

TEST_P(DividedData, AreLeftWhereTheDocumentSaysNothing) {
  const SimResult result = runInSim(documentOf(GetParam(), RunSpec().lostData), counted());
  EXPECT_EQ(result.rounds(0)[19].samples, 5);
  EXPECT_EQ(result.rounds(0)[16].samples, 10);
  EXPECT_TRUE(metricsOf(result, 0).empty());
}

INSTANTIATE_TEST_SUITE_P(Runtime, DividedData, testing::Values("ssgd", "asgd", "ssp"), [](const auto& info) { return std::string(info.param); });

// In a world in which nobody is lost, of other paces: what the record says is done at once.
TEST(DividedDataInAReplay, AreDividedAsTheyWere) {
  RunSpec spec = documentOf("ssgd");
  const SimResult recorded = runInSim(spec, counted());
  ReplayReader reader(spec);
  for (const auto& [node, event] : recorded.events) reader.take(spec.nodes[static_cast<std::size_t>(node)].id, parseEvent(toLine(event)));
  const Replay replay = reader.finished();
  EXPECT_EQ(replay.dividedBy(0), (Replay::Divisions{{2, {2}}}));
  EXPECT_EQ(replay.dividedBy(1), (Replay::Divisions{{2, {2}}}));
  EXPECT_TRUE(replay.dividedBy(2).empty());
  spec.nodes[2].emulate.lostAfterRounds.reset();
  spec.nodes[1].emulate.slowdown = 3;
  SimOptions repeating;
  repeating.replay = &replay;
  const SimResult again = runInSim(spec, counted(), repeating);
  EXPECT_EQ(samplesOf(again, 0), first(kRounds));
  const std::vector<std::int64_t> others = samplesOf(again, 1);
  EXPECT_EQ(others, first(others.size()));
}

TEST(DividedDataOfSeveral, AreDealtTogether) {
  RunSpec spec = documentOf("ssgd");
  spec.nodes[1].emulate.lostAfterRounds = 12;
  std::vector<std::vector<int>> asked;
  const SimResult result = runInSim(spec, counted(&asked));
  EXPECT_THAT(asked, ElementsAre(std::vector<int>{2}, std::vector<int>{2}, std::vector<int>{1, 2}));
  EXPECT_THAT(metricsOf(result, 0), ElementsAre("takes_data_of.w2 2", "takes_data_of.w1 3"));
}

TEST(DividedDataOfSeveral, AReaderRefusesWhatNamesNobody) {
  const RunSpec spec = documentOf("asgd");
  ReplayReader reader(spec);
  EXPECT_THROW(reader.take("w0", MetricRecord{.name = "takes_data_of.nobody", .value = 2}), Error);
  reader.take("w0", MetricRecord{.name = "takes_data_of.w1", .value = 2});
  reader.take("w0", MetricRecord{.name = "takes_data_of.w2", .value = 2});
  reader.take("w0", MetricRecord{.name = "leaves_data_of.w1", .value = 5});
  EXPECT_EQ(reader.finished().dividedBy(0), (Replay::Divisions{{2, {1, 2}}, {5, {2}}}));
}

}  // namespace
}  // namespace paceline::tests
