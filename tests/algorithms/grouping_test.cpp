// Grouping SGD: traces by hand, its limits bit for bit, groups by speed, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/algorithms/traced_server.h"
#include "tests/algorithms/unequal.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

const std::vector<double> kAlone{0, 1};  // group, size
const Params kUnweighted({{"weighting", false}});

TEST(GroupingSgd, GammaCountsTheOtherGroupsUpdates) {  // A A B A B B
  TracedServer server("grouping_sgd", {}, 2, {0});
  std::vector<double> gammas;
  for (const int group : {0, 0, 1, 0, 1, 1})
    gammas.push_back(1 + server.push(group, 0.0, {static_cast<double>(group), 1}).at(0).scalars[0]);
  EXPECT_EQ(gammas, (std::vector<double>{1, 1, 3, 2, 2, 1}));
}

TEST(GroupingSgd, AGroupIsAnsweredTogetherWhenAllHavePushed) {
  TracedServer server("grouping_sgd", {}, 3, {0});
  EXPECT_TRUE(server.push(2, 6, {0, 2}).empty());
  // The other group does not wait: 0 - 0.5 * 4.
  EXPECT_EQ(seen(server.push(1, 4, {1, 1})), (std::vector<SeenReply>{{1, 1, {0, 8}, {-2}}}));
  // gamma = 2, mean 4: -2 - 0.5 * 4 / 2. Only the group hears of it.
  EXPECT_EQ(seen(server.push(0, 2, {0, 2})), (std::vector<SeenReply>{{0, 2, {1, 12}, {-3}}, {2, 2, {1, 12}, {-3}}}));
  // gamma = 2 again: -3 - 0.5 * 8 / 2
  EXPECT_EQ(seen(server.push(1, 8, {1, 1})), (std::vector<SeenReply>{{1, 3, {1, 16}, {-5}}}));
}

TEST(GroupingSgd, AGroupWaitsForNoneThatIsLost) {
  TracedServer server("grouping_sgd", kUnweighted, 3, {0});
  EXPECT_TRUE(server.push(0, 2, {0, 3}).empty());
  EXPECT_TRUE(server.push(1, 2, {0, 3}).empty());
  server.push(2, 2, {0, 3});
  EXPECT_TRUE(server.push(0, 8, {0, 3}).empty());
  EXPECT_TRUE(server.push(1, 4, {0, 3}).empty());
  // -1 - 0.5 * 6
  EXPECT_EQ(seen(server.left(2)).at(0).values[0], -4);
  EXPECT_TRUE(server.push(0, 2, {0, 3}).empty());
  EXPECT_TRUE(server.left(0).empty());  // its push counts
  EXPECT_EQ(seen(server.push(1, 4, {0, 3})).at(0).values[0], Real(-5.5));
  EXPECT_EQ(seen(server.push(1, 2, {0, 3})).at(0).values[0], Real(-6.5));
}

TEST(GroupingSgd, WithoutWeightingStaleGroupsCountInFull) {
  TracedServer server("grouping_sgd", kUnweighted, 2, {0});
  server.push(0, 2, {0, 1}), server.push(0, 2, {0, 1});
  EXPECT_EQ(seen(server.push(1, 8, {1, 1})), (std::vector<SeenReply>{{1, 3, {2, 12}, {-6}}}));
}

TEST(GroupingSgd, OneVelocityGoesThroughAllGroups) {
  TracedServer server("grouping_sgd", kUnweighted, 2, {0}, {.momentum = 0.5, .clipNorm = {}});
  EXPECT_EQ(seen(server.push(0, 4, {0, 1}))[0].values[0], -2);  // v = 4
  EXPECT_EQ(seen(server.push(1, 2, {1, 1}))[0].values[0], -4);  // v = 2 + 2
}

TEST(GroupingSgd, RefusesACheckpointOfOtherGroups) {
  TracedServer server("grouping_sgd", {}, 3, {0});
  StateTable table = server.saved();
  EXPECT_NO_THROW(server.load(table));
  table.arrays.at("group_of").bytes.clear();
  EXPECT_THROW(server.load(table), Error);

  const auto worker = findAlgorithm("grouping_sgd")->makeWorker(completed(findAlgorithm("grouping_sgd")->params, {}, ""));
  for (const std::vector<double>& group : {std::vector<double>{}, {1}, {1, 2, 3}, {1e300, 2}, {0.5, 2}, {-1, 2}}) {
    StateTable forged;
    forged.put("group", ElementType::kDouble, group.data(), group.size() * sizeof(double));
    StateReader reader(forged);
    EXPECT_THROW(worker->state(reader, {}), Error);
  }
  StateTable sound;
  const std::vector<double> group{1, 2};
  sound.put("group", ElementType::kDouble, group.data(), 2 * sizeof(double));
  StateReader reader(sound);
  worker->state(reader, {});
  EXPECT_EQ(worker->lockStep(3).set, 1);
}

TEST(GroupingSgd, RefusesMembersThatContradictEachOther) {
  const auto refused = [](const std::vector<std::vector<double>>& pushes) {
    TracedServer server("grouping_sgd", {}, 3, {0});
    int rank = 0;
    try {
      for (const std::vector<double>& extra : pushes) server.push(rank++, 1.0, extra);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused({{0, 2}, {0, 3}}), HasSubstr("worker 1 says that group 0 has 3 workers, others said 2"));
  for (const std::vector<double>& extra : {std::vector{3.0, 1.0}, {-1, 1}, {0.5, 1}, {0, 0}, {0, 4}, {0, 1.5}})
    EXPECT_THAT(refused({extra}), HasSubstr("worker 0 pushed for group"));
  EXPECT_THAT(refused({{0, std::nan("")}}), HasSubstr("node 5 sent a malformed push of 4 numbers: {0.5, 4, 0, nan}"));
  EXPECT_THAT(refused({{0}}), HasSubstr("which expects 1 and 2"));
  TracedServer server("grouping_sgd", {}, 3, {0});
  server.push(0, 1.0, kAlone);
  EXPECT_THROW(server.push(0, 1.0, {1, 1}), Error) << "changed its group";
}

// E7: groups of one are ASGD, with 1 / gamma off in both or on in both (ASGD's weighted form is SSP without a bound).
TEST(GroupingSgd, SingletonsEqualAsgdOnAReplayedTrace) {
  Rng rng = Rng::stream(1, "trace");
  for (const bool weighting : {false, true})
    for (const double momentum : {0.0, 0.9}) {
      const Optimizer optimizer{.momentum = momentum, .clipNorm = {}};
      std::vector<Real> start(5), g(5);
      for (Real& w : start) w = static_cast<Real>(rng.uniform(-1, 1));
      TracedServer grouped("grouping_sgd", Params({{"weighting", weighting}}), 4, start, optimizer);
      TracedServer plain(weighting ? "ssp" : "asgd", weighting ? Params({{"bounded", false}, {"weighting", true}}) : Params(), 4, start, optimizer);
      for (int message = 0; message < 2000; ++message) {
        for (Real& x : g) x = static_cast<Real>(rng.uniform(-1, 1));
        const int rank = static_cast<int>(rng.below(4));
        ASSERT_EQ(seen(grouped.push(rank, g, {static_cast<double>(rank), 1})), seen(plain.push(rank, g)));
      }
    }
}

RunSpec oneGroup(int workers, int servers) {
  RunSpec spec = clusterOf("grouping_sgd", workers, servers);
  spec.groups = {{}};
  for (int i = 0; i < workers; ++i) spec.groups[0].insert(spec.groups[0].begin(), strCat("w", i));
  return spec;
}

// E6. The published code multiplies its divisor by the group's size; here both take the mean, and a rate means the same.
TEST(GroupingSgd, OneGroupEqualsSsgdBitForBit) {
  for (const int world : {1, 2, 3, 5})
    for (const int servers : {1, 4})
      for (const double momentum : {0.0, 0.5}) {
        RunSpec grouped = oneGroup(world, servers), ssgd = clusterOf("ssgd", world, servers);
        for (RunSpec* spec : {&grouped, &ssgd}) {
          spec->algorithm.params.set("learning_rate", 0.11);
          spec->optimizer.momentum = momentum;
          spec->stop.rounds = 25;
          makeUnequal(*spec);
        }
        const SimResult a = runInSim(grouped, quadratic()), b = runInSim(ssgd, quadratic());
        EXPECT_EQ(a.parameters[0], b.parameters[0]) << world << " workers, " << servers << " servers, momentum " << momentum;
        for (const RoundRecord& round : a.rounds(0)) EXPECT_EQ(round.staleness, 0);
      }
}

TEST(GroupingSgd, MembersCloseTheSameRoundsAndGroupsDoNotWait) {
  RunSpec spec = clusterOf("grouping_sgd", 5, 2);
  spec.groups = {{"w0", "w3"}, {"w1", "w4"}, {"w2"}};
  const double slow[] = {1, 4, 9, 1.5, 3};
  for (std::size_t i = 0; i < 5; ++i) spec.nodes[i].emulate.slowdown = slow[i];
  spec.stop.rounds = 60;
  const SimResult result = runInSim(spec, quadratic());
  const auto rounds = [&](int node) { return static_cast<double>(result.rounds(node).size()); };
  EXPECT_NEAR(rounds(3), 60, 1);
  EXPECT_NEAR(rounds(1), 60 * 1.5 / 4, 2);
  EXPECT_NEAR(rounds(4), rounds(1), 1);
  EXPECT_NEAR(rounds(2), 60 * 1.5 / 9, 2);
}

// Every round of group A is on record for both members with the same staleness: it is the group's.
TEST(GroupingSgd, MembersRecordTheSameStaleness) {
  RunSpec spec = clusterOf("grouping_sgd", 4, 1);
  spec.nodes[2].emulate.slowdown = spec.nodes[3].emulate.slowdown = 2.3;
  spec.stop.rounds = 40;
  const SimResult result = runInSim(spec, quadratic());
  const auto a = result.rounds(0), b = result.rounds(1);
  double most = 0;
  for (std::size_t i = 0; i + 1 < b.size(); ++i) {
    EXPECT_EQ(a[i].staleness, b[i].staleness);
    most = std::max(most, a[i].staleness);
  }
  EXPECT_EQ(most, 1);
}

TEST(GroupingSgd, GradientsArriveOnceOverServersAndUnequalLinks) {
  RunSpec spec = clusterOf("grouping_sgd", 4, 3);  // {w0 w1} {w2 w3}
  spec.algorithm.params = Params({{"learning_rate", 0.5}, {"weighting", false}});
  makeUnequal(spec);
  spec.stop.rounds = 30;
  const SimResult result = runInSim(spec, [](const RunSpec&, int rank) { return std::make_unique<IntegerObjective>(90, rank); });
  const auto sumTo = [](int first, std::size_t steps, std::size_t i) {
    std::int64_t sum = 0;
    for (std::size_t t = 0; t < steps; ++t)
      for (int rank = first; rank < first + 2; ++rank) sum += IntegerObjective::at(rank, static_cast<std::int64_t>(t), i);
    return sum;
  };
  const std::size_t others = result.rounds(2).size();
  for (std::size_t shard = 0; shard < 3; ++shard) {
    int explanations = 0;
    for (std::size_t k = others - 2; k <= others + 2; ++k) {
      bool exact = true;
      for (std::size_t i = 30 * shard; i < 30 * shard + 30; ++i)
        exact = exact && static_cast<double>(result.parameters[0][i]) == -0.25 * static_cast<double>(sumTo(0, 30, i) + sumTo(2, k, i));
      explanations += exact ? 1 : 0;
    }
    EXPECT_EQ(explanations, 1) << "shard " << shard;
  }
}

std::vector<std::string> notesOf(const SimResult& result, int node) {
  std::vector<std::string> notes;
  for (const NoticeRecord& notice : result.of<NoticeRecord>(node)) notes.push_back(notice.text);
  return notes;
}

TEST(GroupingSgd, FormsGroupsOfLikeSpeed) {
  RunSpec spec = clusterOf("grouping_sgd", 5, 2);
  spec.groups.clear();
  spec.algorithm.params.set("groups_from", std::string("speed"));
  for (const int slow : {1, 3}) spec.nodes[static_cast<std::size_t>(slow)].emulate.slowdown = 5;
  spec.stop.rounds = 50;
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_THAT(notesOf(result, 0), ::testing::ElementsAre("group 1 of 2 by speed, with 3 workers: a warm-up step took 0.1 s"));
  EXPECT_THAT(notesOf(result, 3), ::testing::ElementsAre("group 2 of 2 by speed, with 2 workers: a warm-up step took 0.5 s"));
  EXPECT_NEAR(static_cast<double>(result.rounds(4).size()), 50, 1);
  EXPECT_NEAR(static_cast<double>(result.rounds(3).size()), 10, 1);
}

TEST(GroupingSgd, FormsAsManyGroupsAsAskedFor) {
  RunSpec spec = clusterOf("grouping_sgd", 4, 1);
  spec.groups.clear();
  spec.algorithm.params.set("groups_from", std::string("speed"));
  spec.algorithm.params.set("group_count", std::int64_t{4});
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_THAT(notesOf(result, 2)[0], HasSubstr("of 4 by speed, with 1 worker:"));
}

std::string failureOf(const RunSpec& spec) {
  try {
    runInSim(spec, quadratic());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(GroupingSgd, WithoutGroupsSaysSo) {
  RunSpec spec = clusterOf("grouping_sgd", 3, 1);
  spec.groups.clear();
  EXPECT_THAT(failureOf(spec), HasSubstr("/groups: worker 0 is in no group"));
}

TEST(GroupingSgd, MoreGroupsThanWorkersAreRefused) {
  RunSpec spec = clusterOf("grouping_sgd", 3, 1);
  spec.algorithm.params = Params({{"groups_from", std::string("speed")}, {"group_count", std::int64_t{4}}});
  EXPECT_THAT(failureOf(spec), HasSubstr("/algorithm/params/group_count: 4 groups cannot be formed of 3 workers"));
}

}  // namespace
}  // namespace paceline::tests
