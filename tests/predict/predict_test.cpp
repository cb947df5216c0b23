// A run in virtual time is recorded; what is predicted of another document from it must be what that document's run is.
#include "app/predict/predict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/runtime/hollow_objective.h"
#include "tests/support/own_folder.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t kValues = 100'000;
const std::vector<Block> kBlocks = {{"a", 0, kValues / 2, true}, {"b", kValues / 2, kValues / 2, true}};

Catalog catalog() {
  Catalog made;
  ModelEntry model;
  model.id = "quadratic", model.parameterCount = kValues;
  model.layouts = {{.input = {}, .classes = 10, .params = {}, .blocks = kBlocks}};
  made.models = {model};
  DatasetEntry data;
  data.id = "made";
  made.datasets = {data};
  for (const AlgorithmDef& each : algorithms()) made.algorithms.push_back(each);
  return made;
}

RunSpec document(const std::string& algorithm = "ssgd", int workers = 3) {
  RunSpec spec = clusterOf(algorithm, workers, 1);
  spec.algorithm.params = completed(findAlgorithm(algorithm)->params, spec.algorithm.params, "/algorithm/params");
  spec.name = algorithm, spec.model.id = "quadratic", spec.dataset.id = "made";
  spec.wire.overlap = false, spec.batchSize = 16, spec.evaluate.everyRounds = 0, spec.stop = {}, spec.stop.rounds = 40;
  return spec;
}

std::vector<std::pair<int, Event>> eventsOf(const RunSpec& spec) {
  const std::vector<std::size_t> samples(spec.workers().size(), 100'000);
  return runInSim(spec, hollowObjectives(kBlocks, {.samples = samples, .batchSize = static_cast<std::size_t>(spec.batchSize)})).events;
}

std::vector<store::RoundRow> roundsOf(const RunSpec& spec) {
  std::vector<store::RoundRow> rounds;
  for (const auto& [node, event] : eventsOf(spec))
    if (const auto* round = std::get_if<RoundRecord>(&event)) rounds.push_back({.node = spec.nodes[static_cast<std::size_t>(node)].id, .record = *round});
  return rounds;
}

// A store with runs of documents, as if they were real.
class Stored {
 public:
  void add(RunSpec spec, const std::string& name, double stepSeconds, double bandwidth = 0) {
    store::StoreWriter writer(path());
    store::RunRow row;
    row.id = store::newRunId(), row.name = name, row.algorithm = spec.algorithm.id, row.model = spec.model.id, row.dataset = spec.dataset.id;
    row.specText = toJsonText(spec), row.versions = R"({"synchronous": true})";
    std::vector<store::NodeRow> nodes;
    for (const NodeSpec& node : spec.nodes) nodes.push_back({.run = row.id, .id = node.id, .role = roleName(node.role), .host = node.host, .device = node.device});
    writer.createRun(row, nodes);
    for (NodeSpec& node : spec.nodes) {
      if (node.role != Role::kWorker) continue;
      node.emulate.stepSeconds = stepSeconds * node.emulate.slowdown;  // what its host takes
      if (bandwidth > 0) node.emulate.bandwidthMbps = bandwidth;
    }
    std::vector<StampedEvent> events;
    std::map<std::string, std::int64_t> seq;
    for (const auto& [node, event] : eventsOf(spec)) {
      const std::string& id = spec.nodes[static_cast<std::size_t>(node)].id;
      if (std::holds_alternative<RoundRecord>(event)) events.push_back({row.id, id, ++seq[id], event});
    }
    writer.append(events);
    if (reached_) writer.append(std::vector{StampedEvent{row.id, "w0", ++seq["w0"], EvaluationRecord{.round = 20, .t = *reached_, .accuracy = 0.9, .loss = 1, .samples = 960, .seconds = 0}}});
    writer.setState(row.id, store::RunState::kFinished, "", "rounds");
  }
  void reachAt(double seconds) { reached_ = seconds; }
  predict::Known known(const RunSpec& spec, std::vector<predict::HostSpeed> hosts = {}, std::vector<check::LinkMeasure> links = {}) {
    return predict::knownOf(store::StoreReader(path()), spec, std::move(hosts), std::move(links), roundsOf, likes_);
  }

 private:
  std::string path() const { return (folder_ / "store.db").string(); }
  std::filesystem::path folder_ = ownFolder();
  std::optional<double> reached_;
  predict::Likes likes_;
};

double rateOf(RunSpec spec, double stepSeconds, double bandwidth = 0) {
  for (NodeSpec& node : spec.nodes) {
    if (node.role != Role::kWorker) continue;
    node.emulate.stepSeconds = stepSeconds * node.emulate.slowdown;
    if (bandwidth > 0) node.emulate.bandwidthMbps = bandwidth;
  }
  return why::samplesPerSecond(roundsOf(spec));
}

TEST(Predict, TakesWhatTheDocumentEmulates) {
  RunSpec spec = document();
  for (NodeSpec& node : spec.nodes) node.emulate.stepSeconds = 0.1, node.emulate.bandwidthMbps = 100;
  const predict::Prediction told = predict::predicted(spec, {}, catalog(), roundsOf);
  EXPECT_NEAR(told.samplesPerSecond / why::samplesPerSecond(roundsOf(spec)), 1, 0.02);
  EXPECT_THAT(told.sources, ElementsAre("step times as the document emulates them", "links as the document emulates them"));
  EXPECT_NEAR(told.seconds.value_or(0) / (40 * told.roundSeconds), 1, 1e-9);
  EXPECT_GT(told.bytesPerRound, 2.0 * kValues * sizeof(Real));
  EXPECT_EQ(told.workerBytes, 2.0 * kValues * sizeof(Real));
  EXPECT_FALSE(told.targetSeconds);
}

// An evaluation every 1000 rounds is not waited for by simulating 1000 rounds.
TEST(Predict, CountsRareEvaluations) {
  RunSpec spec = document();
  for (NodeSpec& node : spec.nodes) node.emulate.stepSeconds = 0.1;
  const double without = predict::predicted(spec, {}, catalog(), roundsOf).roundSeconds;
  spec.evaluate.everyRounds = 1000, spec.evaluate.on = "w0", spec.stop.rounds = 5000;
  spec.nodes[static_cast<std::size_t>(spec.nodeIndex("w0"))].emulate.evaluateSeconds = 50;
  std::size_t rounds = 0;
  const predict::Prediction told = predict::predicted(spec, {}, catalog(), [&rounds](const RunSpec& brief) {
    const std::vector<store::RoundRow> rows = roundsOf(brief);
    rounds = rows.size();
    return rows;
  });
  EXPECT_NEAR(told.roundSeconds, without + 0.05, 1e-6);
  EXPECT_NEAR(told.samplesPerSecond * told.roundSeconds, 3 * 16, 1);
  EXPECT_LE(rounds, 100u);
}

TEST(Predict, SaysWhoseStepNobodyKnows) {
  RunSpec spec = document();
  spec.nodes.back().host = "gpu1";
  try {
    predict::predicted(spec, {}, catalog(), roundsOf);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Nobody knows how long a step of quadratic with batches of 16 takes on host "));
    EXPECT_THAT(error.what(), HasSubstr("run it there once, or emulate a step time for "));
  }
}

// 2 operations for a multiplication forward, 4 backward, at half of the benchmark's speed of one CPU, and 170 us; twice that where 4 threads share 2 CPUs.
TEST(Predict, IsRoughWhereOnlyTheHostsSpeedIsKnown) {
  predict::Known known{.hosts = {{.name = "local", .speed = 100, .cpus = 2}}, .work = 1e6};
  RunSpec spec = document();
  spec.nodes[1].emulate.slowdown = 3, spec.nodes[2].threads = 2;
  const predict::Timed made = predict::timed(spec, known);
  const double alone = 6 * 1e6 * 16 / (0.5 * 50e9);
  EXPECT_DOUBLE_EQ(made.spec.nodes[0].emulate.steps.front(), 2 * (alone + 1.7e-4));
  EXPECT_DOUBLE_EQ(made.spec.nodes[1].emulate.steps.front(), 3 * 2 * (alone + 1.7e-4));
  EXPECT_DOUBLE_EQ(made.spec.nodes[2].emulate.steps.front(), 2 * (alone / 2 + 1.7e-4));
  EXPECT_THAT(made.sources, Contains(HasSubstr("true to a factor of about 4")));
  spec.nodes[0].device = "cuda:0";
  EXPECT_THROW(predict::timed(spec, known), Error);
  spec.nodes[0].device = "cpu", known.work = 0;
  EXPECT_THROW(predict::timed(spec, known), Error);
}

// Logistic regression on 784 pixels, batches of 32, two workers: 21 000 to 76 000 samples/s were measured on 2 CPUs, idle and busy.
TEST(Predict, OfATinyNetworkIsTrueToAFactorOfFour) {
  RunSpec spec = document("ssgd", 2);
  spec.batchSize = 32;
  const predict::Known known{.hosts = {{.name = "local", .speed = 100, .cpus = 2}}, .work = 7840};
  const predict::Timed made = predict::timed(spec, known);
  EXPECT_THAT(made.sources, Contains("messages of 0.3 ms each at 2.5 Gbit/s: no link was measured"));
  const double rate = why::samplesPerSecond(roundsOf(made.spec));
  EXPECT_LT(rate, 4 * 21'000);
  EXPECT_GT(rate, 76'000 / 4);
}

TEST(Predict, SaysThatBytesFollowFromValues) {
  try {
    predict::predicted(document("dgc"), {}, catalog(), roundsOf);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "DGC sends what its values say, so only a run shows how much that is");
  }
}

// Another method, a slower worker: steps and links as they were measured.
TEST(Predict, TakesTheTimesOfARunOfTheSameStep) {
  Stored stored;
  stored.add(document(), "measured", 0.05, 200);
  for (const char* method : {"ssgd", "local_sgd", "esync"}) {
    RunSpec spec = document(method);
    spec.nodes[1].emulate.slowdown = 3;
    const predict::Prediction told = predict::predicted(spec, stored.known(spec), catalog(), roundsOf);
    EXPECT_NEAR(told.samplesPerSecond / rateOf(spec, 0.05, 200), 1, 0.05) << method << ", " << toJsonText(predict::timed(spec, stored.known(spec)).spec);
    EXPECT_THAT(told.sources, ElementsAre("step times as measured in run \"measured\"", "exchanges as fast as in run \"measured\""));
  }
  RunSpec other = document();
  other.batchSize = 32;
  EXPECT_EQ(stored.known(other).like, nullptr);
}

TEST(Predict, GoesBySpeedsWhereItNeverRan) {
  Stored stored;
  stored.add(document("ssgd", 2), "measured", 0.05);
  RunSpec spec = document("ssgd", 2);
  for (NodeSpec& node : spec.nodes)
    if (node.role == Role::kWorker) node.host = "fast";
  const std::vector<predict::HostSpeed> hosts{{.name = "local", .speed = 20, .cpus = 2}, {.name = "fast", .speed = 80, .cpus = 4}};
  const std::vector<check::LinkMeasure> links{{.from = "fast", .to = "local", .reachable = true, .mbps = 100, .latencyMs = 1, .problem = {}}, {.from = "local", .to = "fast", .reachable = true, .mbps = 400, .latencyMs = 0.5, .problem = {}}};
  const predict::Timed made = predict::timed(spec, stored.known(spec, hosts, links));
  const Emulate& worker = made.spec.nodes[static_cast<std::size_t>(spec.workers().front())].emulate;
  EXPECT_NEAR(worker.steps.front(), 0.025, 0.002);  // twice as fast a CPU
  EXPECT_EQ(worker.bandwidthMbps, 100);
  EXPECT_EQ(worker.latencyMs, 1);
  EXPECT_THAT(made.sources, ElementsAre("step times as measured in run \"measured\"", "on fast as the hosts' measured speeds say", "links between hosts as measured"));
}

TEST(Predict, TellsTheTimeToTheTargetByARunThatLearnedTheSame) {
  Stored stored;
  stored.reachAt(1.0);
  stored.add(document(), "learned", 0.05);
  RunSpec spec = document();
  spec.stop = {}, spec.stop.accuracy = 0.85, spec.seed = 7;
  for (NodeSpec& node : spec.nodes) node.emulate.stepSeconds = 0.1;
  const predict::Prediction told = predict::predicted(spec, stored.known(spec), catalog(), roundsOf);
  ASSERT_TRUE(told.target);
  EXPECT_EQ(told.target->run, "learned");
  EXPECT_NEAR(told.targetSeconds.value_or(0), 2.0, 0.1);  // twice as slow
  EXPECT_EQ(told.seconds, told.targetSeconds);
  spec.algorithm.params.set("learning_rate", 0.5);
  EXPECT_FALSE(stored.known(spec).target);
}

TEST(Predict, IsKeptWithItsRun) {
  RunSpec spec = document();
  for (NodeSpec& node : spec.nodes) node.emulate.stepSeconds = 0.1;
  const predict::Prediction told = predict::predicted(spec, {}, catalog(), roundsOf);
  store::RunRow row;
  EXPECT_FALSE(predict::keptOf(row));
  row.versions = dumped(Json{{"predicted", jsonOrNull(predict::keptText(told))}});
  const auto kept = predict::keptOf(row);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->samplesPerSecond, told.samplesPerSecond);
  EXPECT_EQ(kept->sources, told.sources);
  for (const char* damaged : {R"({"predicted": 3})", R"({"predicted": {"samples_per_s": "x"}})", "[", R"({"predicted": {"by": 1}})"}) {
    row.versions = damaged;
    EXPECT_FALSE(predict::keptOf(row)) << damaged;
  }
}

}  // namespace
}  // namespace paceline::tests
