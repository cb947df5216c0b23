// Every algorithm learns with real processes, and everything it did is recorded.
#include <numeric>

#include "tests/loopback/loopback_fixture.h"

namespace paceline::tests {
namespace {

struct Case {
  std::string name, algorithm, aggregation;
  int workers, servers;
};

class Finishes : public LoopbackTest, public ::testing::WithParamInterface<Case> {};

TEST_P(Finishes, AndLearns) {
  const Case& c = GetParam();
  run::RecordWriter records(storePath());
  const RunSpec spec = LoopbackTest::spec(c.algorithm, {{"aggregation", {{"id", c.aggregation}}}, {"nodes", nodes(c.workers, c.servers)}});
  const run::RunOutcome outcome = run::RunSession({records}).run(spec);
  ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.reason, "rounds");
  const auto evaluations = store::StoreReader(storePath()).evaluations(outcome.run);
  ASSERT_GE(evaluations.size(), 2U);
  EXPECT_GT(bestAccuracy(outcome.run), 0.5);  // ten classes: chance is 0.1
  std::vector<std::int64_t> expected(40);
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(roundsOf(outcome.run, spec.evaluate.on.empty() ? "w0" : spec.evaluate.on), expected);
  expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Loopback, Finishes,
                         ::testing::Values(Case{"standalone", "standalone", "server", 1, 0}, Case{"ssgd_server", "ssgd", "server", 2, 1},
                                           Case{"ssgd_two_servers", "ssgd", "server", 2, 2}, Case{"ssgd_ring", "ssgd", "ring", 3, 0},
                                           Case{"local_sgd_server", "local_sgd", "server", 2, 1}, Case{"local_sgd_ring", "local_sgd", "ring", 2, 0},
                                           Case{"asgd", "asgd", "server", 2, 1}, Case{"dc_asgd", "dc_asgd", "server", 2, 1},
                                           Case{"esync", "esync", "server", 2, 1}, Case{"esync_ring", "esync", "ring", 2, 1}),
                         [](const auto& info) { return info.param.name; });

class Simulated : public LoopbackTest {};

TEST_F(Simulated, IsRecordedAndTheSameTwice) {
  run::RecordWriter records(storePath());
  const RunSpec spec = LoopbackTest::spec("esync");
  const run::RunOutcome first = run::simulateRun({records}, spec), second = run::simulateRun({records}, spec);
  ASSERT_EQ(first.state, store::RunState::kFinished) << first.error;
  ASSERT_EQ(second.state, store::RunState::kFinished) << second.error;
  EXPECT_GT(bestAccuracy(first.run), 0.5);
  const store::StoreReader reader(storePath());
  const auto a = reader.rounds(first.run), b = reader.rounds(second.run);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].record, b[i].record);
}

}  // namespace
}  // namespace paceline::tests
