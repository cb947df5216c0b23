// The experiment form's sections: each field writes into the document and follows it, shows its finding, and says why it does not apply.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

#include "app/models/experiment/draft_table.h"
#include "app/ui/experiment/draft_undo.h"
#include "app/ui/experiment/experiment_form.h"
#include "app/ui/widgets/field.h"
#include "tests/gui/form/form_fixture.h"

namespace paceline::tests {
namespace {

// A server and three workers on this computer (4 CPUs, 50 GFLOP/s); hosts a (16 CPUs, 300) and c (never checked).
struct Form : FormFixture {
  void SetUp() override {
    for (const char* name : {"a", "c"}) fake->add(name);
    fake->measured("local", 4, 0, 50);
    fake->measured("a", 16, 2, 300);
    hosts.load();
    ASSERT_TRUE(waitFor([this] { return hosts.loaded(); }));
    draft.setCatalog(std::make_shared<const Catalog>(smallCatalog()));
    load("ssgd");
    form.resize(760, 900);
    openFolds();
    form.show();
  }
  void load(const char* algorithm) {
    RunSpec spec;
    spec.name = "form";
    spec.algorithm.id = algorithm, spec.model.id = "logistic", spec.dataset.id = "synthetic";
    spec.stop.rounds = 5;
    for (const char* id : {"s0", "w0", "w1", "w2"}) {
      NodeSpec node;
      node.id = id;
      node.role = id[0] == 's' ? Role::kServer : Role::kWorker;
      if (node.role == Role::kServer && algorithm == std::string("pdmm_isvr")) continue;
      spec.nodes.push_back(node);
    }
    draft.load(spec);
  }
  bool shows(const char* name) { return the<QWidget>(name)->isVisibleTo(&form); }
  std::string messageAt(const char* pointer) {
    const auto found = draft.findingAt(pointer);
    return found ? found->message : "";
  }
};

TEST_F(Form, OptimizerIsWrittenAndFollowed) {
  type("momentum", "0.9");
  type("weightDecay", "5e-4");
  type("clipNorm", "2.5");
  choose("nesterov", "true");
  choose("decayAll", "false");
  EXPECT_EQ(draft.spec().optimizer, (Optimizer{.momentum = 0.9, .nesterov = true, .weightDecay = 5e-4, .decayAll = false, .clipNorm = 2.5}));
  EXPECT_EQ(draft.errorCount(), 0);
  draft.setJson(QString(draft.json()).replace("\"clip_norm\": 2.5", "\"clip_norm\": null").replace("\"momentum\": 0.9", "\"momentum\": 0.5"));
  EXPECT_EQ(the<QLineEdit>("clipNorm")->text(), "");
  EXPECT_EQ(the<QLineEdit>("momentum")->text(), "0.5");
}

TEST_F(Form, AnotherAlgorithmKeepsTheValuesThatBothHave) {
  Catalog catalog = smallCatalog();
  catalog.algorithms[2].params = {realParam("learning_rate", 0.5, 0, 10, "Step size."), booleanParam("weighting", true, "Weighs.")};
  draft.setCatalog(std::make_shared<const Catalog>(catalog));
  type("algorithm/params/learning_rate", "0.25");
  choose("algorithmList", "grouping_sgd");
  EXPECT_EQ(draft.spec().algorithm, (Choice{.id = "grouping_sgd", .params = Params({{"learning_rate", 0.25}})}));
  EXPECT_EQ(the<QLineEdit>("algorithm/params/learning_rate")->text(), "0.25");
}

TEST_F(Form, ParametersAreCalledAsTheCatalogueCallsThem) {
  Catalog catalog = smallCatalog();
  catalog.algorithms[1].params = {realParam({"local_lr", "Local learning rate"}, 0.032, 0, std::nullopt, "Step size of the local steps.")};
  draft.setCatalog(std::make_shared<const Catalog>(catalog));
  choose("algorithmList", "esync");
  EXPECT_EQ(the<QLineEdit>("algorithm/params/local_lr")->accessibleName(), "Local learning rate");
  type("algorithm/params/local_lr", "-1");
  EXPECT_EQ(note("algorithm/params/local_lr"), "Local learning rate must be at least 0; it is -1.");
}

TEST_F(Form, TypingTheNameOfAnAlgorithmChoosesThatOne) {
  Catalog catalog = smallCatalog();
  catalog.algorithms.front().title = "SSGD";
  for (int i = 0; i < 20; ++i) {  // many: the list is searched by typing
    AlgorithmEntry other = catalog.algorithms.front();
    other.id = "ssgd_" + std::to_string(i), other.title = "SSGD " + std::to_string(i);
    catalog.algorithms.insert(catalog.algorithms.begin(), other);
  }
  draft.setCatalog(std::make_shared<const Catalog>(catalog));
  choose("algorithmList", "esync");
  auto* list = the<QComboBox>("algorithmList");
  ASSERT_TRUE(list->isEditable());
  list->lineEdit()->selectAll();
  QTest::keyClicks(list->lineEdit(), "SSGD");
  QTest::keyClick(list->lineEdit(), Qt::Key_Return);
  EXPECT_EQ(draft.spec().algorithm.id, "ssgd");
}

TEST_F(Form, ABadMomentumIsSaidBelowItsField) {
  type("momentum", "1.5");
  EXPECT_FALSE(messageAt("/optimizer/momentum").empty());
  EXPECT_EQ(note("momentum").toStdString(), messageAt("/optimizer/momentum"));
  type("momentum", "fast");
  EXPECT_EQ(note("momentum"), "Momentum must be a number; it is \"fast\".");
  type("momentum", "0.9");
  EXPECT_EQ(messageAt("/optimizer/momentum"), "");
}

TEST_F(Form, ANumberThatIsNotFiniteIsRefusedBelowItsField) {
  const Optimizer before = draft.spec().optimizer;
  for (const char* name : {"momentum", "clipNorm"})
    for (const char* typed : {"nan", "inf", "-inf"}) {
      type(name, typed);
      EXPECT_EQ(note(name).toStdString(), strCat(name == std::string("momentum") ? "Momentum" : "Clip to norm", " must be a number; it is \"", typed, "\".")) << name;
    }
  EXPECT_EQ(draft.spec().optimizer, before);
}

TEST_F(Form, AWholeNumberIsAskedForByThatName) {
  for (const char* name : {"batchSize", "stopRounds"})
    for (const char* typed : {"many", "3.5", "99999999999999999999"}) {
      type(name, typed);
      EXPECT_EQ(note(name).toStdString(), strCat(name == std::string("batchSize") ? "Batch size" : "Rounds to stop after", " must be a whole number; it is \"", typed, "\".")) << name;
      if (std::string(typed) == "many") {
        EXPECT_EQ(draft.spec().stop.rounds, 5);
      }
    }
}

TEST_F(Form, WhatDependsOnMomentumAndDecayComesWithThem) {
  EXPECT_FALSE(shows("nesterov"));
  EXPECT_FALSE(shows("decayAll"));
  type("momentum", "0.9");
  type("weightDecay", "0.1");
  EXPECT_TRUE(shows("nesterov"));
  EXPECT_TRUE(shows("decayAll"));
}

TEST_F(Form, WhatAMethodDoesNotUseIsDisabledWithTheReason) {
  load("pdmm_isvr");
  EXPECT_FALSE(the<QLineEdit>("momentum")->isEnabled());
  EXPECT_TRUE(note("momentum").startsWith("PDMM-ISVR does not use it")) << note("momentum").toStdString();
  EXPECT_FALSE(the<QComboBox>("wireFormat")->isEnabled());
  EXPECT_EQ(note("wireFormat"), "PDMM-ISVR pushes no dense vectors");
}

// Beside it, at the pointer and for a screen reader.
TEST_F(Form, AGreyedChoiceSaysWhy) {
  load("esync");
  auto* overlap = the<QComboBox>("overlap");
  EXPECT_FALSE(overlap->isEnabled());
  EXPECT_EQ(note("overlap"), "Does not apply: ESync sends what it has computed when all of it is there");
  EXPECT_EQ(overlap->toolTip(), note("overlap"));
  EXPECT_TRUE(overlap->accessibleDescription().startsWith(note("overlap"))) << overlap->accessibleDescription().toStdString();
  Catalog catalog = smallCatalog();
  catalog.algorithms[1].overlaps = true;
  draft.setCatalog(std::make_shared<const Catalog>(catalog));
  EXPECT_TRUE(overlap->isEnabled());
  EXPECT_EQ(overlap->toolTip(), "");
}

TEST_F(Form, WhatIsSetThoughItDoesNotApplyCanBeTakenBack) {
  load("pdmm_isvr");
  draft.edit([](RunSpec& spec) { spec.optimizer.momentum = 0.9; });
  draft.validateNow();
  EXPECT_FALSE(messageAt("/optimizer/momentum").empty());
  EXPECT_TRUE(the<QLineEdit>("momentum")->isEnabled());
}

TEST_F(Form, WireFormatBringsErrorFeedback) {
  EXPECT_FALSE(shows("errorFeedback"));
  choose("wireFormat", "int8");
  EXPECT_TRUE(shows("errorFeedback"));
  choose("errorFeedback", "false");
  EXPECT_EQ(draft.spec().wire, (WireFormat{.format = "int8", .errorFeedback = false}));
}

TEST_F(Form, AnAggregationOffersItsEngines) {
  EXPECT_FALSE(shows("engineList"));  // the server has only ours
  choose("aggregationList", "ring");
  ASSERT_TRUE(shows("engineList"));
  choose("engineList", "gloo");
  EXPECT_EQ(draft.spec().aggregation, (Aggregation{.id = "ring", .engine = "gloo"}));
  choose("aggregationList", "server");
  EXPECT_EQ(draft.spec().aggregation.engine, "auto");
}

TEST_F(Form, AnUnknownEngineIsShownAndSaid) {
  draft.edit([](RunSpec& spec) { spec.aggregation.engine = "warp"; });
  draft.validateNow();
  EXPECT_TRUE(shows("engineList"));
  EXPECT_EQ(the<QComboBox>("engineList")->currentIndex(), -1);
  EXPECT_TRUE(note("engineList").contains("\"warp\" is not known")) << note("engineList").toStdString();
}

TEST_F(Form, AnEvaluatorIsARoleAndOneIsEnough) {
  EXPECT_FALSE(the<QComboBox>("evaluateSource")->isEnabled());
  EXPECT_TRUE(note("evaluateSource").contains("Needs a node with the role evaluator"));
  the<QPushButton>("addEvaluator")->click();
  ASSERT_EQ(draft.spec().evaluators().size(), 1u);
  EXPECT_EQ(draft.spec().nodes.back().id, "e0");
  EXPECT_FALSE(the<QPushButton>("addEvaluator")->isEnabled());
  choose("evaluateSource", "checkpoints");
  EXPECT_TRUE(note("evaluateSource").contains("needs checkpoint.every_rounds above 0")) << note("evaluateSource").toStdString();
  type("checkpointEvery", "10");
  EXPECT_EQ(draft.spec().checkpointEveryRounds, 10);
  EXPECT_EQ(messageAt("/evaluate/source"), "");
}

TEST_F(Form, NormsOfLayersNeedNorms) {
  EXPECT_FALSE(the<QComboBox>("normsPerLayer")->isEnabled());
  type("normsEvery", "5");
  EXPECT_EQ(draft.spec().records.normsEveryRounds, 5);
  EXPECT_TRUE(the<QComboBox>("normsPerLayer")->isEnabled());
  choose("normsPerLayer", "true");
  EXPECT_TRUE(draft.spec().records.perLayer);
}

TEST_F(Form, TheNodeTableOffersAllRoles) {
  QAbstractItemModel* nodes = the<QTableView>("nodeTable")->model();
  const QModelIndex role = nodes->index(3, experiment::NodesModel::kRole);
  EXPECT_EQ(role.data(kChoicesRole).toStringList(), (QStringList{"worker", "server", "evaluator"}));
  nodes->setData(role, "evaluator", Qt::EditRole);
  EXPECT_EQ(draft.spec().nodes[3].role, Role::kEvaluator);
}

TEST_F(Form, GroupsAreForMethodsThatHaveThem) {
  EXPECT_FALSE(shows("groupTable"));
  load("grouping_sgd");
  EXPECT_TRUE(shows("groupTable"));
  load("ssgd");
  draft.edit([](RunSpec& spec) { spec.groups = {{"w0", "w1", "w2"}}; });
  EXPECT_TRUE(shows("groupTable"));  // so that they can be taken out
  the<QPushButton>("groupsNone")->click();
  EXPECT_TRUE(draft.spec().groups.empty());
}

TEST_F(Form, GroupsAreChosenInTheTable) {
  load("grouping_sgd");
  QAbstractItemModel* groups = the<QTableView>("groupTable")->model();
  EXPECT_EQ(groups->index(0, 3).data(kChoicesRole).toStringList(), (QStringList{"–", "1"}));
  groups->setData(groups->index(0, 3), "1", Qt::EditRole);
  groups->setData(groups->index(1, 3), "2", Qt::EditRole);
  draft.validateNow();
  EXPECT_EQ(note("groupTable"), "worker \"w2\" is in no group");
  EXPECT_EQ(groups->index(2, 3).data(kFindingRole).toString(), "worker \"w2\" is in no group");
  groups->setData(groups->index(2, 3), "1", Qt::EditRole);
  EXPECT_EQ(draft.spec().groups, (std::vector<std::vector<std::string>>{{"w0", "w2"}, {"w1"}}));
  draft.validateNow();
  EXPECT_EQ(messageAt("/groups"), "");
  groups->setData(groups->index(1, 3), "1", Qt::EditRole);  // the last member leaves: the group is gone
  EXPECT_EQ(draft.spec().groups, (std::vector<std::vector<std::string>>{{"w0", "w1", "w2"}}));
}

TEST_F(Form, OverlappingGroupsOfTheDocumentAreSaid) {
  load("grouping_sgd");
  draft.setJson(QString(draft.json()).replace("\"groups\": []", R"("groups": [["w0", "w1"], ["w1", "w2"]])"));
  draft.validateNow();
  EXPECT_EQ(note("groupTable"), "worker \"w1\" is in a group already");
}

TEST_F(Form, GroupsFollowMeasuredSpeed) {
  load("grouping_sgd");
  draft.edit([](RunSpec& spec) { spec.nodes[1].host = "a", spec.nodes[2].emulate.slowdown = 3, spec.nodes[3].emulate.slowdown = 3; });
  the<QPushButton>("groupsBySpeed")->click();
  EXPECT_EQ(draft.spec().groups, (std::vector<std::vector<std::string>>{{"w0"}, {"w1", "w2"}}));
  draft.edit([](RunSpec& spec) { spec.nodes[3].host = "c"; });
  the<QPushButton>("groupsBySpeed")->click();
  EXPECT_EQ(draft.spec().groups.size(), 2u);  // as they were, and why
  bool told = false;
  for (const QLabel* each : form.findChildren<QLabel*>()) told = told || each->text().contains("The speed of the host of worker \"w2\" was never measured");
  EXPECT_TRUE(told);
}

TEST_F(Form, TheNumberOfGroupsCanBeGivenAndIsChecked) {
  load("grouping_sgd");
  draft.edit([](RunSpec& spec) { spec.nodes[2].emulate.slowdown = 2, spec.nodes[3].emulate.slowdown = 4; });
  type("groupCount", "3");
  the<QPushButton>("groupsBySpeed")->click();
  EXPECT_EQ(draft.spec().groups.size(), 3u);
  const auto before = draft.spec().groups;
  for (const char* bad : {"4", "many", "-1"}) {
    type("groupCount", bad);
    the<QPushButton>("groupsBySpeed")->click();
    EXPECT_EQ(draft.spec().groups, before) << bad;
  }
}

TEST_F(Form, ARenamedWorkerKeepsItsGroupAndEdges) {
  draft.edit([](RunSpec& spec) {
    spec.groups = {{"w0", "w1"}, {"w2"}};
    spec.edges = {{.a = "w0", .b = "w2"}};
  });
  QAbstractItemModel* nodes = the<QTableView>("nodeTable")->model();
  nodes->setData(nodes->index(1, experiment::NodesModel::kId), "fast", Qt::EditRole);
  EXPECT_EQ(draft.spec().groups[0][0], "fast");
  EXPECT_EQ(draft.spec().edges[0].a, "fast");
}

TEST_F(Form, SharesAreNormalisedByRoleAndCanBeUndone) {
  draft.edit([](RunSpec& spec) {
    spec.nodes[1].share = 2, spec.nodes[2].share = 1, spec.nodes[3].share = 1;
    spec.nodes[0].share = 0.3;
  });
  the<QPushButton>("normaliseShares")->click();
  EXPECT_EQ(draft.spec().nodes[0].share, 1.0);
  EXPECT_EQ(draft.spec().nodes[1].share, 0.5);
  EXPECT_EQ(draft.spec().nodes[3].share, 0.25);
  undo.undo();
  EXPECT_EQ(draft.spec().nodes[1].share, 2.0);
  draft.edit([](RunSpec& spec) { spec.nodes[2].share.reset(); });
  the<QPushButton>("normaliseShares")->click();
  EXPECT_EQ(draft.spec().nodes[1].share, 2.0);  // nothing changed
}

TEST_F(Form, EveryEditorHasANameForScreenReadersAndIsReachedByTab) {
  the<QPushButton>("addEvaluator")->click();
  for (const QWidget* editor : form.findChildren<QWidget*>()) {
    const bool edits = qobject_cast<const QLineEdit*>(editor) || qobject_cast<const QComboBox*>(editor) || qobject_cast<const QTableView*>(editor);
    if (!edits || !editor->isVisibleTo(&form)) continue;
    EXPECT_FALSE(editor->accessibleName().isEmpty()) << editor->objectName().toStdString();
    EXPECT_TRUE(editor->focusPolicy() & Qt::TabFocus) << editor->objectName().toStdString();
  }
}

}  // namespace
}  // namespace paceline::tests
