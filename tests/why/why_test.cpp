// Made cases: a run in virtual time through the real loops is recorded, explained, changed as the sentence says and run again. What was predicted must be what happens.
#include "app/why/why.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/why/simulated.h"
#include "engine/runtime/hollow_objective.h"
#include "tests/support/own_folder.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;
using why::Kind;

constexpr std::size_t kSize = 200'000;  // 800 kB of parameters
constexpr int kWorkers = 4;

ObjectiveFactory objectivesOf(const RunSpec& spec) {
  if (!spec.evaluators().empty()) return quadratic({.size = kSize, .samples = 16, .spread = 0.02});
  const std::vector<std::size_t> samples(spec.workers().size(), 100'000);
  return hollowObjectives({{"a", 0, kSize / 2, true}, {"b", kSize / 2, kSize / 2, true}}, {.samples = samples, .batchSize = static_cast<std::size_t>(spec.batchSize)});
}

// As a program: methods and parameters complete.
RunSpec completed(RunSpec spec) {
  spec.algorithm.params = completed(findAlgorithm(spec.algorithm.id)->params, spec.algorithm.params, "/algorithm/params");
  return spec;
}

std::vector<store::RoundRow> roundsOf(const RunSpec& given) {
  const RunSpec spec = completed(given);
  std::vector<store::RoundRow> rounds;
  for (const auto& [node, event] : runInSim(spec, objectivesOf(spec)).events)
    if (const auto* round = std::get_if<RoundRecord>(&event)) rounds.push_back({.node = spec.nodes[static_cast<std::size_t>(node)].id, .record = *round});
  return rounds;
}

why::Explained recorded(const RunSpec& given) {
  const RunSpec spec = completed(given);
  summary::RunData data;
  data.run.id = "r1", data.run.name = spec.name;
  data.run.specText = toJsonText(spec);
  data.run.versions = strCat("{\"synchronous\": ", findAlgorithm(spec.algorithm.id)->synchronous ? "true" : "false", "}");
  for (const auto& [node, event] : runInSim(spec, objectivesOf(spec)).events) {
    const std::string& id = spec.nodes[static_cast<std::size_t>(node)].id;
    if (const auto* round = std::get_if<RoundRecord>(&event)) data.rounds.push_back({.node = id, .record = *round});
    if (const auto* busy = std::get_if<BusyRecord>(&event)) data.busy.push_back({.node = id, .record = *busy});
    if (const auto* evaluation = std::get_if<EvaluationRecord>(&event)) data.evaluations.push_back({.node = id, .record = *evaluation});
  }
  return why::explained(std::move(data));
}

// A round takes 0.1 s of computing, a little uneven; nothing else takes any time.
RunSpec balanced(const std::string& algorithm = "ssgd") {
  RunSpec spec = clusterOf(algorithm, kWorkers, 1);
  spec.algorithm.params.set("learning_rate", 0.01);
  spec.model.id = "quadratic", spec.dataset.id = "made";
  spec.batchSize = 16;
  spec.evaluate.everyRounds = 4;
  spec.stop.rounds = 40;
  spec.wire.overlap = false;
  for (NodeSpec& node : spec.nodes) node.emulate.stepSeconds = 0.1, node.emulate.jitter = 0.05;
  return spec;
}

why::Diagnosis predicted(const why::Explained& run) {
  why::Diagnosis diagnosis = why::diagnose(run);
  why::predict(diagnosis, run, roundsOf);
  return diagnosis;
}

// What the first cause's change gains when it is made.
double measuredGain(const why::Explained& run, const why::Cause& cause) {
  RunSpec changed = run.spec;
  cause.remedy->change(changed);
  return why::samplesPerSecond(roundsOf(changed)) / why::samplesPerSecond(run.data.rounds);
}

void expectPredicts(const why::Explained& run, const why::Cause& cause) {
  ASSERT_TRUE(cause.gain) << cause.unpredicted;
  const double measured = measuredGain(run, cause);
  EXPECT_NEAR(cause.gain->factor / measured, 1, 0.15) << why::sentenceOf(cause) << ", measured " << measured;
  EXPECT_LE(cause.gain->low, cause.gain->factor);
  EXPECT_GE(cause.gain->high, cause.gain->factor);
  std::cout << why::sentenceOf(cause) << "; measured " << measured << '\n';
}

// The one cause of a run, whose prediction must hold.
void expectOne(const RunSpec& spec, Kind kind, const std::string& begin) {
  const why::Explained run = recorded(spec);
  const why::Diagnosis diagnosis = predicted(run);
  ASSERT_THAT(diagnosis.causes, SizeIs(1)) << ::testing::PrintToString(why::sentences(diagnosis));
  EXPECT_EQ(diagnosis.causes[0].kind, kind);
  EXPECT_THAT(why::sentenceOf(diagnosis.causes[0]), HasSubstr(begin));
  expectPredicts(run, diagnosis.causes[0]);
}

TEST(Why, NamesNothingOfABalancedRun) {
  const why::Diagnosis diagnosis = predicted(recorded(balanced()));
  EXPECT_THAT(diagnosis.causes, IsEmpty()) << ::testing::PrintToString(why::sentences(diagnosis));
  EXPECT_THAT(why::sentences(diagnosis)[0], HasSubstr("is computing; nothing else takes more than 10 %"));
}

TEST(Why, NamesTheEvaluationOnThePath) {
  RunSpec spec = balanced();
  spec.nodes[0].emulate.evaluateSeconds = 0.8;
  expectOne(spec, Kind::kEvaluation, "of the wall time is w0's evaluation; move it to an evaluator: about 2.");
}

TEST(Why, NamesTheStraggler) {
  RunSpec spec = balanced();
  spec.nodes[2].emulate.stepSeconds = 0.5;
  expectOne(spec, Kind::kStraggler, "of the wall time is waiting for the slower w2; let the others take more steps meanwhile (ESync): about ");
}

// In a third of the rounds w2 takes three times as long as the others, in the rest of them one of the three a little longer.
TEST(Why, NamesWhoIsSlowInSomeRounds) {
  RunSpec spec = balanced();
  spec.nodes.erase(spec.nodes.begin() + 3);  // w3
  spec.evaluate.everyRounds = 0, spec.stop.rounds = 120;
  for (NodeSpec& node : spec.nodes) node.emulate.stepSeconds = 0.06, node.emulate.jitter = 0;
  spec.nodes[1].emulate.jitter = 0.2;
  spec.nodes[2].emulate.stepSeconds.reset(), spec.nodes[2].emulate.steps = {0.05, 0.06, 0.2};
  const why::Explained run = recorded(spec);
  const why::Diagnosis diagnosis = predicted(run);
  ASSERT_THAT(diagnosis.causes, SizeIs(1)) << ::testing::PrintToString(why::sentences(diagnosis));
  const why::Cause& cause = diagnosis.causes[0];
  EXPECT_EQ(cause.kind, Kind::kStraggler);
  EXPECT_THAT(cause.nodes, ::testing::ElementsAre("w2"));
  double waited = 0;  // by w0, whose steps all take 0.06 s
  for (const store::RoundRow& row : run.data.rounds) waited += row.node == "w0" ? row.record.wait : 0;
  EXPECT_NEAR(cause.share, waited / diagnosis.wall, 0.05);
  EXPECT_THAT(why::sentenceOf(cause), HasSubstr(strCat("of the wall time is waiting for w2, the slowest in ", cause.rounds, " of 120 rounds; let the others take more steps meanwhile (ESync): ")));
  expectPredicts(run, cause);
}

TEST(Why, SaysThatAnotherOneIsSlowInEachRound) {
  RunSpec spec = balanced();
  spec.evaluate.everyRounds = 0, spec.stop.rounds = 120;
  for (const int worker : spec.workers()) {
    NodeSpec& node = spec.nodes[static_cast<std::size_t>(worker)];
    node.emulate.stepSeconds.reset(), node.emulate.jitter = 0, node.emulate.steps = {0.05, 0.06, 0.2};
  }
  const why::Explained run = recorded(spec);
  const why::Diagnosis diagnosis = predicted(run);
  ASSERT_THAT(diagnosis.causes, SizeIs(1)) << ::testing::PrintToString(why::sentences(diagnosis));
  EXPECT_THAT(diagnosis.causes[0].nodes, SizeIs(kWorkers));
  EXPECT_THAT(why::sentenceOf(diagnosis.causes[0]), HasSubstr("is waiting for whoever is slowest, longest for w"));
  EXPECT_THAT(why::sentenceOf(diagnosis.causes[0]), HasSubstr("; let slow and fast steps even out over 4 local steps (Local SGD): about "));
  expectPredicts(run, diagnosis.causes[0]);
}

TEST(Why, NamesTheNarrowLink) {
  RunSpec spec = balanced();
  spec.nodes[1].emulate.bandwidthMbps = 50;
  expectOne(spec, Kind::kLink, "of the wall time is w1's link; exchange less often: 2 local steps (Local SGD): about ");
}

// Whoever has local steps takes more of them; a method without takes larger batches.
TEST(Why, ExchangesLessOftenAsTheMethodCan) {
  RunSpec spec = balanced("local_sgd");
  spec.algorithm.params.set("local_steps", std::int64_t{2});
  spec.nodes[1].emulate.bandwidthMbps = 25;
  const why::Explained run = recorded(spec);
  const why::Diagnosis diagnosis = predicted(run);
  ASSERT_THAT(diagnosis.causes, SizeIs(1));
  RunSpec changed = run.spec;
  diagnosis.causes[0].remedy->change(changed);
  EXPECT_EQ(changed.algorithm.params.integer("local_steps"), 4);
  EXPECT_EQ(changed.batchSize, spec.batchSize);
  expectPredicts(run, diagnosis.causes[0]);

  RunSpec other = balanced("asgd");
  for (NodeSpec& node : other.nodes)
    if (node.role == Role::kWorker) node.emulate.bandwidthMbps = 50;
  const why::Diagnosis asynchronous = predicted(recorded(other));
  ASSERT_FALSE(asynchronous.causes.empty());
  EXPECT_THAT(why::sentenceOf(asynchronous.causes[0]), HasSubstr("exchange less often: take batches of "));
}

TEST(Why, NamesTheLinksWhereAllAreNarrow) {
  RunSpec spec = balanced();
  for (NodeSpec& node : spec.nodes)
    if (node.role == Role::kWorker) node.emulate.bandwidthMbps = 50;
  expectOne(spec, Kind::kLink, "of the wall time is the links; ");
}

TEST(Why, NamesTheServerThatIsOverloaded) {
  RunSpec spec = balanced();
  spec.nodes[kWorkers].emulate.serveMbps = 100;
  expectOne(spec, Kind::kServer, "of the wall time is server s0, which is busy; add a server: about ");
}

TEST(Why, NamesTheServerBehindNoBarrier) {
  RunSpec spec = balanced("asgd");
  spec.nodes[kWorkers].emulate.serveMbps = 100;
  expectOne(spec, Kind::kServer, "of the wall time is server s0, which is busy; add a server: about ");
}

TEST(Why, NamesTheSlowInput) {
  RunSpec spec = balanced();
  spec.nodes[3].emulate.fetchSeconds = 0.2;
  expectOne(spec, Kind::kInput, "of the wall time is w3 waiting for its batches; take the emulated wait for batches away: about ");
}

TEST(Why, NamesBatchesThatAreTooSmall) {
  RunSpec spec = balanced();
  for (NodeSpec& node : spec.nodes) node.emulate.stepSeconds = 0.01, node.emulate.bandwidthMbps = 10'000, node.emulate.latencyMs = 20;
  expectOne(spec, Kind::kBatch, "take batches of ");
}

TEST(Why, NamesTheStalenessOfASlowWorker) {
  RunSpec spec = balanced("asgd");
  spec.nodes[3].emulate.stepSeconds = 0.5;
  const why::Diagnosis diagnosis = predicted(recorded(spec));
  ASSERT_THAT(diagnosis.causes, SizeIs(1)) << ::testing::PrintToString(why::sentences(diagnosis));
  EXPECT_EQ(diagnosis.causes[0].kind, Kind::kStaleness);
  EXPECT_THAT(why::sentenceOf(diagnosis.causes[0]), StartsWith("w3's gradients, 1"));
  EXPECT_THAT(why::sentenceOf(diagnosis.causes[0]), HasSubstr("weigh old gradients (DC-ASGD)"));
  EXPECT_FALSE(diagnosis.causes[0].gain);
}

TEST(Why, RanksTwoCauses) {
  RunSpec spec = balanced();
  spec.nodes[0].emulate.evaluateSeconds = 1.2;
  spec.nodes[2].emulate.stepSeconds = 0.3;
  const why::Explained run = recorded(spec);
  const why::Diagnosis diagnosis = predicted(run);
  ASSERT_THAT(diagnosis.causes, SizeIs(2)) << ::testing::PrintToString(why::sentences(diagnosis));
  EXPECT_GE(diagnosis.causes[0].share, diagnosis.causes[1].share);
  EXPECT_EQ(diagnosis.causes[0].kind, Kind::kEvaluation);
  EXPECT_EQ(diagnosis.causes[1].kind, Kind::kStraggler);
  for (const why::Cause& cause : diagnosis.causes) expectPredicts(run, cause);
}

TEST(Why, ShowsTheWorstPlaceOfACause) {
  RunSpec spec = balanced();
  spec.nodes[0].emulate.evaluateSeconds = 0.8;
  const why::Diagnosis diagnosis = why::diagnose(recorded(spec));
  const why::Place& place = diagnosis.causes.at(0).place;
  EXPECT_EQ(place.node, "w0");
  EXPECT_EQ(place.round % 4, 0);
  EXPECT_NEAR(place.end - place.begin, 0.8, 1e-9);
  EXPECT_EQ(diagnosis.causes[0].rounds, 10);
  EXPECT_NEAR(diagnosis.causes[0].seconds, 8, 1e-6);
}

// Stored as they came: of 200 rounds the newest 50, and what belongs to that time.
TEST(ReadRun, ReadsTheNewestRoundsOfALongRun) {
  const std::string path = (ownFolder() / "store.db").string();
  RunSpec spec = balanced();
  spec.nodes[0].emulate.evaluateSeconds = 0.8;
  spec.stop.rounds = 50;
  store::RunRow row;
  row.id = store::newRunId(), row.name = "long", row.specText = toJsonText(completed(spec)), row.versions = R"({"synchronous": true})";
  store::StoreWriter writer(path);
  std::vector<store::NodeRow> nodes;
  for (const NodeSpec& node : spec.nodes) nodes.push_back({.run = row.id, .id = node.id, .role = roleName(node.role), .host = "local", .device = "cpu"});
  writer.createRun(row, nodes);
  std::vector<StampedEvent> events;
  for (const why::Explained run = recorded(spec); const store::RoundRow& round : run.data.rounds) events.push_back({row.id, round.node, round.record.round, round.record});
  writer.append(events);
  const store::StoreReader store(path);
  const why::Explained whole = why::readRun(store, row), newest = why::readRun(store, row, 50);
  EXPECT_EQ(whole.data.rounds.size(), 200u);
  EXPECT_EQ(whole.from, 0);
  EXPECT_NEAR(static_cast<double>(newest.data.rounds.size()), 50, 20);  // by time: not all rounds take as long
  EXPECT_GT(newest.from, 0);
  const why::Diagnosis told = why::diagnose(newest);
  ASSERT_FALSE(told.causes.empty());
  EXPECT_EQ(told.causes[0].kind, Kind::kEvaluation);
  EXPECT_THAT(why::sentences(told).back(), StartsWith("of this long run only its newest rounds were looked at, those after "));
}

// A simulation of the calibrated document has the run's rate, though of its emulation nothing is told but the links.
TEST(Calibrated, TakesAsLongAsTheRun) {
  RunSpec spec = balanced();
  for (NodeSpec& node : spec.nodes) node.emulate.jitter = 0.5, node.emulate.bandwidthMbps = 400;
  spec.nodes[0].emulate.evaluateSeconds = 0.4, spec.nodes[1].emulate.fetchSeconds = 0.05, spec.nodes[kWorkers].emulate.serveMbps = 2000;
  const why::Explained run = recorded(spec);
  const RunSpec calibrated = why::calibrated(run).spec;
  EXPECT_FALSE(calibrated.nodes[0].emulate.stepSeconds);
  EXPECT_GT(calibrated.nodes[0].emulate.steps.size(), 8u);
  EXPECT_NEAR(calibrated.nodes[0].emulate.evaluateSeconds.value_or(0), 0.4, 1e-9);
  EXPECT_NEAR(calibrated.nodes[1].emulate.fetchSeconds.value_or(0), 0.05, 1e-9);
  EXPECT_NEAR(calibrated.nodes[kWorkers].emulate.serveMbps.value_or(0) / 2000, 1, 0.05);
  EXPECT_NEAR(why::samplesPerSecond(roundsOf(calibrated)) / why::samplesPerSecond(run.data.rounds), 1, 0.05);
}

// Links of which the document says nothing are fitted to the run.
TEST(Calibrated, FitsLinksThatNobodyEmulates) {
  RunSpec spec = balanced();
  for (NodeSpec& node : spec.nodes) node.emulate.bandwidthMbps = 100;
  why::Explained run = recorded(spec);
  for (NodeSpec& node : run.spec.nodes) node.emulate.bandwidthMbps.reset();
  const RunSpec calibrated = why::calibrated(run, roundsOf).spec;
  EXPECT_TRUE(calibrated.nodes[0].emulate.bandwidthMbps);
  EXPECT_NEAR(why::samplesPerSecond(roundsOf(calibrated)) / why::samplesPerSecond(run.data.rounds), 1, 0.05);
}

// Of a link that overlaps with steps a part alone lasts: a fit that takes all of it for lasting stops short.
TEST(Calibrated, FitsLinksBehindSteps) {
  RunSpec spec = balanced();
  spec.wire.overlap = true;
  for (NodeSpec& node : spec.nodes) node.emulate.bandwidthMbps = 150, node.emulate.serveMbps = 2000;
  why::Explained run = recorded(spec);
  for (NodeSpec& node : run.spec.nodes) node.emulate.bandwidthMbps.reset();
  const RunSpec calibrated = why::calibrated(run, roundsOf).spec;
  EXPECT_NEAR(why::samplesPerSecond(roundsOf(calibrated)) / why::samplesPerSecond(run.data.rounds), 1, 0.015);
}

// Gloo's links cannot be emulated, and the simulator does not have it.
TEST(Calibrated, IsOfOurOwnEngine) {
  RunSpec spec = balanced();
  spec.aggregation = {.id = "ring", .engine = "gloo"};
  spec.nodes.pop_back();
  ASSERT_EQ(spec.servers().size(), 0u);
  RunSpec ours = spec;
  ours.aggregation.engine = "paceline";
  why::Explained run = recorded(ours);
  run.spec.aggregation.engine = "gloo";
  const RunSpec calibrated = why::calibrated(run, roundsOf).spec;
  EXPECT_EQ(calibrated.aggregation.engine, "paceline");
  why::takeTimes(calibrated, spec);
  EXPECT_EQ(spec.aggregation.engine, "paceline");
}

TEST(Calibrated, RefusesADocumentOfOtherNodes) {
  RunSpec other = balanced();
  for (NodeSpec& node : other.nodes) node.id = "x" + node.id;
  EXPECT_THROW(why::takeTimes(balanced(), other), Error);
}

std::string refusal(const summary::RunData& data) {
  try {
    why::explained(data);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Explained, RefusesRunsOfWhichNothingIsKnown) {
  summary::RunData data;
  data.run.id = "r1", data.run.name = "old";
  EXPECT_EQ(refusal(data), "run \"old\" was imported without its document: nobody knows what to change");
  data.run.specText = toJsonText(balanced());
  EXPECT_EQ(refusal(data), "run \"old\" has no records of rounds yet: its state is draft");
  data.run.state = store::RunState::kFailed;
  EXPECT_EQ(refusal(data), "run \"old\" has no records of rounds: its state is failed");
}

}  // namespace
}  // namespace paceline::tests
