#include <gtest/gtest.h>

#include "app/models/experiment/experiment_draft.h"
#include "app/models/experiment/draft_table.h"
#include "app/models/experiment/draft_words.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

RunSpec quickSpec() {
  RunSpec spec;
  spec.name = "quick";
  spec.algorithm = {.id = "ssgd", .params = {}};
  spec.model = {.id = "logistic", .params = {}};
  spec.dataset = {.id = "synthetic", .params = {}};
  spec.batchSize = 32;
  NodeSpec server;
  server.id = "s0", server.role = Role::kServer;
  NodeSpec worker;
  worker.id = "w0";
  NodeSpec other = worker;
  other.id = "w1";
  spec.nodes = {server, worker, other};
  spec.evaluate.on = "w0";
  spec.stop.rounds = 10;
  return spec;
}

struct Drafted {
  Drafted() {
    application();
    draft.setCatalog(std::make_shared<const Catalog>(smallCatalog()));
    draft.load(quickSpec());
  }
  experiment::ExperimentDraft draft;
};

std::string allOf(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += finding.pointer + ": " + finding.message + "\n";
  return text;
}

TEST(ExperimentDraft, FormChangesArriveInTheJson) {
  Drafted d;
  d.draft.edit([](RunSpec& spec) { spec.batchSize = 77; });
  EXPECT_EQ(parseRunSpec(d.draft.json().toStdString()).spec, d.draft.spec());
  EXPECT_TRUE(d.draft.json().contains("\"batch_size\": 77"));
}

TEST(ExperimentDraft, ANameThatSaysTheMethodFollowsIt) {
  Drafted d;
  Catalog catalog = smallCatalog();
  catalog.algorithms[0].title = "SSGD", catalog.algorithms[1].title = "ESync";
  d.draft.setCatalog(std::make_shared<const Catalog>(catalog));
  const auto renamed = [&d](const char* name) {
    d.draft.edit([name](RunSpec& spec) { spec.name = name, spec.algorithm = {.id = "ssgd", .params = {}}; });
    d.draft.choose(&RunSpec::algorithm, "/algorithm", "esync");
    return d.draft.spec().name;
  };
  EXPECT_EQ(renamed("First minute SSGD, w2 slow"), "First minute ESync, w2 slow");
  EXPECT_EQ(renamed("SSGD"), "ESync");
  EXPECT_EQ(renamed("DC-SSGD and SSGDs"), "DC-SSGD and SSGDs");
  EXPECT_EQ(renamed("quick"), "quick");
}

TEST(ExperimentDraft, JsonChangesArriveInTheForm) {
  Drafted d;
  QString json = d.draft.json();
  d.draft.setJson(json.replace("\"batch_size\": 32", "\"batch_size\": 48"));
  EXPECT_EQ(d.draft.spec().batchSize, 48);
  d.draft.validateNow();
  EXPECT_EQ(d.draft.errorCount(), 0) << allOf(d.draft.findings());
}

TEST(ExperimentDraft, FormToJsonToFormIsTheSame) {
  Drafted d;
  const RunSpec before = d.draft.spec();
  experiment::ExperimentDraft other;
  EXPECT_EQ(other.loadText(d.draft.json().toStdString()), "");
  EXPECT_EQ(other.spec(), before);
}

TEST(ExperimentDraft, TextThatIsNoJsonLeavesTheFormAndIsAFinding) {
  Drafted d;
  d.draft.setJson("{ \"paceline\": 1, ");
  d.draft.validateNow();
  EXPECT_EQ(d.draft.spec().batchSize, 32);
  EXPECT_GT(d.draft.errorCount(), 0);
  EXPECT_TRUE(d.draft.runnable().empty());
}

TEST(ExperimentDraft, AFindingComesAndGoesWithItsCause) {
  Drafted d;
  d.draft.edit([](RunSpec& spec) { spec.batchSize = 0; });
  d.draft.validateNow();
  ASSERT_TRUE(d.draft.findingAt("/batch_size").has_value()) << allOf(d.draft.findings());
  EXPECT_TRUE(d.draft.runnable().empty());
  d.draft.edit([](RunSpec& spec) { spec.batchSize = 16; });
  d.draft.validateNow();
  EXPECT_FALSE(d.draft.findingAt("/batch_size").has_value());
  EXPECT_EQ(d.draft.runnable().size(), 1u) << allOf(d.draft.findings());
}

TEST(ExperimentDraft, WhatIsNoNumberIsRefusedUntilMended) {
  Drafted d;
  const ParamSpec rate = smallCatalog().algorithms.front().params.front();
  d.draft.setParam(&RunSpec::algorithm, "/algorithm/params", rate, "0,1x");
  d.draft.validateNow();
  ASSERT_TRUE(d.draft.findingAt("/algorithm/params/learning_rate").has_value());
  d.draft.setParam(&RunSpec::algorithm, "/algorithm/params", rate, "0.25");
  d.draft.validateNow();
  EXPECT_EQ(d.draft.errorCount(), 0) << allOf(d.draft.findings());
  EXPECT_DOUBLE_EQ(d.draft.spec().algorithm.params.real("learning_rate"), 0.25);
}

TEST(ExperimentDraft, AParameterThatIsNotFiniteIsNoNumber) {
  Drafted d;
  const ParamSpec rate = smallCatalog().algorithms.front().params.front();
  for (const char* typed : {"nan", "inf", "-inf", "1e999"}) {
    d.draft.setParam(&RunSpec::algorithm, "/algorithm/params", rate, typed);
    d.draft.validateNow();
    ASSERT_TRUE(d.draft.findingAt("/algorithm/params/learning_rate").has_value()) << typed;
    EXPECT_EQ(d.draft.findingAt("/algorithm/params/learning_rate")->message, strCat("Learning rate must be a number; it is \"", typed, "\"."));
    EXPECT_FALSE(d.draft.spec().algorithm.params.has("learning_rate")) << typed;
  }
}

TEST(ExperimentDraft, SeedsBecomeOneRunEach) {
  Drafted d;
  d.draft.setSeeds("3, 5-6");
  d.draft.validateNow();
  const auto runs = d.draft.runnable();
  ASSERT_EQ(runs.size(), 3u) << allOf(d.draft.findings());
  EXPECT_EQ(runs[2].seed, 6u);
  EXPECT_EQ(groupHash(runs[0]), groupHash(runs[2]));
  d.draft.setSeeds("one");
  d.draft.validateNow();
  EXPECT_TRUE(d.draft.findingAt("/seed").has_value());
}

TEST(ExperimentDraft, RunnableSpecsAreCompleted) {
  Drafted d;
  d.draft.validateNow();
  const auto runs = d.draft.runnable();
  ASSERT_EQ(runs.size(), 1u) << allOf(d.draft.findings());
  EXPECT_TRUE(runs[0].algorithm.params.has("learning_rate"));
}

TEST(NodesModel, EditsOneNodeAndRefusesWhatIsNoNumber) {
  Drafted d;
  experiment::NodesModel nodes(d.draft);
  ASSERT_EQ(nodes.rowCount(), 3);
  EXPECT_TRUE(nodes.setData(nodes.index(1, experiment::NodesModel::kStep), "0.6", Qt::EditRole));
  EXPECT_EQ(d.draft.spec().nodes[1].emulate.stepSeconds, 0.6);
  nodes.setData(nodes.index(1, experiment::NodesModel::kSlowdown), "fast", Qt::EditRole);
  d.draft.validateNow();
  EXPECT_EQ(nodes.index(1, experiment::NodesModel::kSlowdown).data().toString(), "fast");
  EXPECT_TRUE(d.draft.findingAt("/nodes/1/emulate/slowdown").has_value());
}

TEST(NodesModel, EditsWhatANodeEmulates) {
  Drafted d;
  experiment::NodesModel nodes(d.draft);
  const auto set = [&](int column, const char* text) { return nodes.setData(nodes.index(1, column), text, Qt::EditRole); };
  EXPECT_TRUE(set(experiment::NodesModel::kSteps, "0.05, 0.2"));
  EXPECT_TRUE(set(experiment::NodesModel::kFetch, "0.1"));
  EXPECT_TRUE(set(experiment::NodesModel::kEvaluate, "2"));
  EXPECT_TRUE(set(experiment::NodesModel::kServe, "400"));
  EXPECT_TRUE(set(experiment::NodesModel::kLostAfter, "40"));
  const Emulate& emulate = d.draft.spec().nodes[1].emulate;
  EXPECT_EQ(emulate.steps, (std::vector<double>{0.05, 0.2}));
  EXPECT_EQ(emulate.fetchSeconds, 0.1);
  EXPECT_EQ(emulate.evaluateSeconds, 2.0);
  EXPECT_EQ(emulate.serveMbps, 400.0);
  EXPECT_EQ(emulate.lostAfterRounds, 40);
  const QModelIndex steps = nodes.index(1, experiment::NodesModel::kSteps);
  EXPECT_EQ(steps.data().toString(), "0.05, 0.2");
  EXPECT_FALSE(nodes.mayVary(steps));  // it is a list already
  EXPECT_TRUE(set(experiment::NodesModel::kSteps, "0.05; fast"));
  d.draft.validateNow();
  EXPECT_EQ(steps.data(kFindingRole).toString(), "Step times must be numbers with commas between them, as 0.05, 0.2; it is \"0.05; fast\".");
  EXPECT_TRUE(set(experiment::NodesModel::kSteps, ""));
  EXPECT_TRUE(d.draft.spec().nodes[1].emulate.steps.empty());
}

TEST(ChangesOf, NamePlacesAndTellNodesApartByTheirNames) {
  Drafted d;
  const Catalog catalog = smallCatalog();
  const RunSpec before = d.draft.spec();
  RunSpec after = before;
  after.batchSize *= 2;
  NodeSpec evaluator;
  evaluator.id = "e0", evaluator.role = Role::kEvaluator;
  after.nodes.insert(after.nodes.begin(), evaluator);
  after.nodes.back().emulate.slowdown = 3;
  QStringList words;
  for (const experiment::PlaceChange& each : experiment::changesOf(before, after, &catalog)) words << each.words;
  EXPECT_EQ(words, (QStringList{"evaluator e0 added", QString("batch size from %1 to %2").arg(before.batchSize).arg(after.batchSize), "slowdown of w1 from 1 to 3"}));
  after = before;
  after.nodes.erase(after.nodes.begin());
  ASSERT_EQ(experiment::changesOf(before, after, &catalog).size(), 1u);
  EXPECT_EQ(experiment::changesOf(before, after, &catalog)[0].words, "node s0 removed");
}

TEST(NodesModel, RefusesWhatIsNotFiniteAndKeepsTheNumber) {
  Drafted d;
  experiment::NodesModel nodes(d.draft);
  const RunSpec before = d.draft.spec();
  for (const auto column : {experiment::NodesModel::kSlowdown, experiment::NodesModel::kShare})
    for (const char* typed : {"nan", "inf"}) {
      const QModelIndex cell = nodes.index(1, column);
      nodes.setData(cell, typed, Qt::EditRole);
      d.draft.validateNow();
      EXPECT_EQ(cell.data().toString(), typed);
      EXPECT_EQ(cell.data(kFindingRole).toString().toStdString(),
                strCat(column == experiment::NodesModel::kShare ? "Share" : "Slowdown", " must be a number; it is \"", typed, "\"."));
      EXPECT_EQ(d.draft.spec(), before);
    }
}

TEST(NodesModel, TellsANumberOutOfBoundsAtItsCell) {
  Drafted d;
  experiment::NodesModel nodes(d.draft);
  const QModelIndex threads = nodes.index(1, experiment::NodesModel::kThreads);
  nodes.setData(threads, "-1", Qt::EditRole);
  d.draft.validateNow();
  EXPECT_TRUE(threads.data(kFindingRole).toString().contains("-1"));
  EXPECT_TRUE(d.draft.runnable().empty());
}

TEST(NodesModel, ShowsAnotherDocumentInPlaceOfARefusedText) {
  Drafted d;
  experiment::NodesModel nodes(d.draft);
  const QModelIndex slowdown = nodes.index(1, experiment::NodesModel::kSlowdown);
  const QString before = slowdown.data().toString();
  nodes.setData(slowdown, "fast", Qt::EditRole);
  d.draft.load(RunSpec(d.draft.spec()));
  EXPECT_EQ(slowdown.data().toString(), before);
  EXPECT_EQ(slowdown.data(kFindingRole).toString(), "");
}

TEST(ExperimentDraft, TellsBoundsBeforeTheCatalogueIsThere) {
  Drafted d;
  RunSpec spec = d.draft.spec();
  spec.nodes[1].threads = -1;
  experiment::ExperimentDraft alone;
  alone.load(spec);
  EXPECT_TRUE(alone.findingAt("/nodes/1/threads").has_value());
}

TEST(NodesModel, AddsWithTheNextNameAndRemoves) {
  Drafted d;
  experiment::NodesModel nodes(d.draft);
  nodes.addNode(Role::kWorker);
  EXPECT_EQ(d.draft.spec().nodes.back().id, "w2");
  nodes.removeRows({0, 3});
  EXPECT_EQ(nodes.rowCount(), 2);
  EXPECT_EQ(d.draft.spec().nodes[0].id, "w0");
}

TEST(Seeds, AreNumbersAndRanges) {
  EXPECT_EQ(experiment::parseSeeds("1,2 ,2 4-6"), (std::vector<std::uint64_t>{1, 2, 4, 5, 6}));
  EXPECT_FALSE(experiment::parseSeeds("").has_value());
  EXPECT_EQ(experiment::parseSeeds("1..9 step 4, "), (std::vector<std::uint64_t>{1, 5, 9}));  // as in any field that varies
  EXPECT_FALSE(experiment::parseSeeds("0.5, 1").has_value());
  EXPECT_FALSE(experiment::parseSeeds("1, -2").has_value());
  EXPECT_FALSE(experiment::parseSeeds("1-1000000").has_value());
}

}  // namespace
}  // namespace paceline::tests
