// What a change of the document does to the form: Tab goes on as it looks, typed values come back, what a suite varies is not edited, places are named.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QUndoStack>
#include <set>

#include "app/models/experiment/draft_table.h"
#include "app/models/experiment/draft_words.h"
#include "app/ui/experiment/draft_undo.h"
#include "app/ui/experiment/experiment_form.h"
#include "app/ui/figure/label_map.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/field.h"
#include "engine/core/base/error.h"
#include "tests/gui/form/form_fixture.h"

namespace paceline::tests {
namespace {

// SSGD, ESync and DGC with their rates; CIFAR-10, which is not here, with choices; LeNet.
Catalog richCatalog() {
  Catalog catalog = smallCatalog();
  catalog.algorithms[1].params = {realParam({"local_lr", "Local learning rate", "learning_rate"}, 0.032, 0, std::nullopt, "Step size of the local steps."),
                                  realParam({"global_lr", "Global learning rate"}, 1, 0, std::nullopt, "Share of the change.")};
  AlgorithmEntry dgc = catalog.algorithms[0];
  dgc.id = "dgc", dgc.title = "DGC";
  dgc.params = {realParam("learning_rate", 0.01, 0, 1e9, "Step size."), realParam("kept_fraction", 0.01, 0, 1, "Share of the values."), booleanParam("clipped", true, "Clips.")};
  catalog.algorithms.push_back(dgc);
  DatasetEntry cifar = catalog.datasets[0];
  cifar.id = "cifar10", cifar.title = "CIFAR-10", cifar.location = "", cifar.downloads = true;
  cifar.params = {textParam("path", "", "Folder."), worded(choiceParam("augment", "none", {"none", "crop_flip"}, "What is random."), {"none", "crop and flip"}),
                  booleanParam({"any_count", "Any number of images"}, false, "A subset.")};
  catalog.datasets.push_back(cifar);
  ModelEntry lenet = catalog.models[0];
  lenet.id = "lenet", lenet.title = "LeNet", lenet.params = {choiceParam("init", "xavier", {"xavier", "he"}, "Starting weights."), realParam("dropout", 0, 0, 1, "Share.")};
  catalog.models.push_back(lenet);
  return catalog;
}

constexpr const char* kRun = R"({"paceline": 1, "name": "quick", "algorithm": {"id": "esync"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"},
  "batch_size": 32, "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}, {"id": "w1"}], "evaluate": {"on": "w0"}, "stop": {"rounds": 10}})";

std::string suiteOf(const char* vary) { return strCat(R"({"base": )", kRun, R"(, "vary": )", vary, "}"); }
constexpr const char* kNamed = R"({"algorithm": [{"name": "ESync", "set": {}}, {"name": "SSGD", "set": {"/algorithm": {"id": "ssgd"}}}], "/seed": [1, 2]})";

struct Changes : FormFixture {
  void SetUp() override { show(richCatalog(), kRun); }
  double rate(const char* name) { return draft.spec().algorithm.params.real(name); }
  QWidget* inside() const { return form.findChild<QScrollArea*>()->widget(); }  // what scrolls
  QRect placeOf(const QWidget* widget) { return {widget->mapTo(inside(), QPoint()), widget->size()}; }

  // Tab from the first field until it is there again: every field that can be reached, each below or right of the one before.
  void walk(const char* after) {
    QCoreApplication::processEvents();  // everything has its place
    std::set<QWidget*> due, met;
    for (QWidget* each : inside()->findChildren<QWidget*>()) {
      const auto* button = qobject_cast<const QAbstractButton*>(each);
      if (button && button->group() && !button->isChecked()) continue;  // of a few that exclude each other Tab goes to the chosen one
      if ((each->focusPolicy() & Qt::TabFocus) && !each->focusProxy() && each->isVisibleTo(&form) && each->isEnabled()) due.insert(each);
    }
    QWidget* first = the<QLineEdit>("name");
    QWidget* now = first;
    now->setFocus();
    for (std::size_t step = 0; step <= due.size() + 1; ++step) {
      ASSERT_EQ(QApplication::focusWidget(), now) << after;
      met.insert(now);
      QTest::keyClick(now, Qt::Key_Tab);
      QWidget* next = QApplication::focusWidget();
      for (int outside = 0; !inside()->isAncestorOf(next) && outside < 3; ++outside) QTest::keyClick(next, Qt::Key_Tab), next = QApplication::focusWidget();  // the rail
      if (next == first) break;
      const QRect was = placeOf(now), is = placeOf(next);
      const bool beside = is.top() <= was.bottom() && was.top() <= is.bottom();
      EXPECT_TRUE(beside ? is.left() > was.left() || is.top() > was.top() : is.top() > was.top())
          << after << ": " << now->objectName().toStdString() << " -> " << next->objectName().toStdString();
      now = next;
    }
    for (const QWidget* each : due) EXPECT_TRUE(met.contains(const_cast<QWidget*>(each))) << after << ": Tab does not reach " << each->objectName().toStdString();
  }
};

TEST_F(Changes, RemoveIsForTheNodesThatAreSelectedWhereTheyAreShown) {
  auto* table = the<QTableView>("nodeTable");
  table->setCurrentIndex(table->model()->index(1, experiment::NodesModel::kHost));  // w0, and it stays selected
  emit the<widgets::Segments>("placementViews")->chosen(1);
  QTest::mouseClick(the<QWidget>("chip-w1"), Qt::LeftButton);
  the<QPushButton>("removeNodes")->click();
  ASSERT_EQ(draft.spec().nodes.size(), 2U);
  EXPECT_EQ(draft.spec().nodes[1].id, "w0");
}

TEST_F(Changes, AListInANarrowColumnIsShownWhole) {
  auto* table = the<QTableView>("nodeTable");
  const QModelIndex host = table->model()->index(1, experiment::NodesModel::kHost);
  table->setCurrentIndex(host);
  table->edit(host);
  const auto* list = table->viewport()->findChild<QComboBox*>();
  ASSERT_NE(list, nullptr);
  EXPECT_GE(list->width(), list->sizeHint().width());
}

TEST_F(Changes, TabGoesThroughTheFormAsItLooks) {
  walk("at first");
  choose("algorithmList", "dgc");
  walk("DGC");
  choose("datasetList", "cifar10");
  walk("CIFAR-10");
  choose("modelList", "lenet");
  walk("LeNet");
  choose("algorithmList", "ssgd");
  walk("SSGD");
}

TEST_F(Changes, TabGoesFromAChosenAlgorithmToItsParameters) {
  choose("algorithmList", "dgc");
  QCoreApplication::processEvents();  // everything has its place
  the<QComboBox>("algorithmList")->setFocus();
  for (const char* next : {"vary:/algorithm/id", "algorithm/params/learning_rate", "vary:/algorithm/params/learning_rate", "algorithm/params/kept_fraction", "vary:/algorithm/params/kept_fraction", "algorithm/params/clipped"}) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_EQ(QApplication::focusWidget()->objectName().toStdString(), next);
  }
}

TEST_F(Changes, ARateGoesWithTheAlgorithmAndWhatWasTypedComesBack) {
  choose("algorithmList", "ssgd");
  type("algorithm/params/learning_rate", "0.077");
  const experiment::DraftState before = draft.state();
  const int steps = undo.count();
  choose("algorithmList", "esync");
  EXPECT_EQ(rate("local_lr"), 0.077);
  EXPECT_EQ(undo.count(), steps + 1);
  EXPECT_EQ(undo.undoText(), "changing algorithm from SSGD to ESync");
  type("algorithm/params/global_lr", "0.5");
  choose("algorithmList", "ssgd");
  EXPECT_EQ(draft.spec().algorithm, (Choice{.id = "ssgd", .params = Params({{"learning_rate", 0.077}})}));
  choose("algorithmList", "esync");
  EXPECT_EQ(rate("global_lr"), 0.5);
  while (undo.index() > steps) undo.undo();
  EXPECT_EQ(draft.state(), before);
}

TEST_F(Changes, WhatWasTypedComesBackFromAMethodWithoutARate) {
  choose("algorithmList", "ssgd");
  type("algorithm/params/learning_rate", "0.077");
  choose("algorithmList", "pdmm_isvr");
  experiment::DraftState next;  // of the next start of the window
  ASSERT_TRUE(experiment::readStored(experiment::stored(draft.state()), next));
  EXPECT_EQ(next, draft.state());
  choose("algorithmList", "ssgd");
  EXPECT_EQ(rate("learning_rate"), 0.077);
  open(kRun);  // another document: nothing of this one
  choose("algorithmList", "ssgd");
  EXPECT_TRUE(draft.spec().algorithm.params.values().empty());
}

TEST_F(Changes, AValueThatWasRefusedGoesWithItsAlgorithm) {
  type("algorithm/params/local_lr", "fast");
  draft.validateNow();
  ASSERT_EQ(draft.errorCount(), 1);
  choose("algorithmList", "ssgd");
  EXPECT_EQ(draft.errorCount(), 0);
}

TEST_F(Changes, WhatWasRefusedStaysInItsFieldWhileOthersAreEdited) {
  type("seeds", "1, x");
  type("algorithm/params/local_lr", "fast");
  type("weightDecay", "much");
  type("batchSize", "16");
  EXPECT_EQ(the<QLineEdit>("seeds")->text(), "1, x");
  EXPECT_EQ(note("seeds"), "Seed must be one or more whole numbers such as 1, 2 or 1-5; it is \"1, x\".");
  EXPECT_EQ(the<QLineEdit>("algorithm/params/local_lr")->text(), "fast");
  EXPECT_EQ(the<QLineEdit>("weightDecay")->text(), "much");
  open(kRun);
  EXPECT_NE(the<QLineEdit>("weightDecay")->text(), "much");
}

TEST_F(Changes, TheAlgorithmOfNamedRunsIsNotEdited) {
  open(suiteOf(kNamed));
  EXPECT_FALSE(the<QComboBox>("algorithmList")->isEnabled());
  EXPECT_EQ(note("algorithmList"), "Only of the runs of ESync: those of SSGD have their own in the document.");
  EXPECT_TRUE(the<QLineEdit>("algorithm/params/local_lr")->isEnabled());
  EXPECT_EQ(note("algorithm/params/local_lr"), "");  // its list has said it
  EXPECT_EQ(help("algorithm/params/local_lr"), "Step size of the local steps. At least 0, default 0.032.");
  EXPECT_TRUE(the<QLineEdit>("batchSize")->isEnabled());
  EXPECT_TRUE(the<QLineEdit>("seeds")->isEnabled());
  EXPECT_EQ(the<QLabel>("vary")->text(), "algorithm: ESync, SSGD; Seed: 1, 2");
  open(kRun);
  EXPECT_TRUE(the<QComboBox>("algorithmList")->isEnabled());
  EXPECT_EQ(note("algorithm/params/local_lr"), "");
}

TEST_F(Changes, WhatNamedSettingsOfASuiteSetIsShownAndNotEdited) {
  open(suiteOf(R"({"size": [{"name": "16", "set": {"/batch_size": 16, "/nodes/1/emulate/slowdown": 1}}, {"name": "64", "set": {"/batch_size": 64, "/nodes/1/emulate/slowdown": 3}}]})"));
  EXPECT_FALSE(the<QLineEdit>("batchSize")->isEnabled());
  EXPECT_EQ(note("batchSize"), "Varies: 16, 64. The values are in the document.");
  const QAbstractItemModel* nodes = the<QTableView>("nodeTable")->model();
  using Nodes = experiment::NodesModel;
  EXPECT_FALSE(nodes->flags(nodes->index(1, Nodes::kSlowdown)) & Qt::ItemIsEditable);
  EXPECT_EQ(nodes->index(1, Nodes::kSlowdown).data(Qt::ToolTipRole).toString(), "Varies: 16, 64. The values are in the document.");
  EXPECT_TRUE(nodes->flags(nodes->index(2, Nodes::kSlowdown)) & Qt::ItemIsEditable);
}

TEST_F(Changes, SeedsThatAnAxisOfAnotherNameSetsAreNotEdited) {
  open(suiteOf(R"({"seed": [{"name": "seed 1", "set": {"/seed": 1}}, {"name": "seed 2", "set": {"/seed": 2}}]})"));
  EXPECT_FALSE(the<QLineEdit>("seeds")->isEnabled());
  EXPECT_EQ(note("seeds"), "Varies: seed 1, seed 2. The values are in the document.");
  open(suiteOf(R"({"/seed": [1, 2]})"));
  EXPECT_TRUE(the<QLineEdit>("seeds")->isEnabled());
  EXPECT_EQ(the<QLineEdit>("seeds")->text(), "1, 2");
}

TEST_F(Changes, ANameThatSetsNothingIsAWarning) {
  open(suiteOf(kNamed));
  ASSERT_EQ(draft.findings().size(), 1u);
  EXPECT_EQ(draft.findings()[0], (Finding{"/vary/algorithm/0", "\"ESync\" sets nothing: its runs take all values from the base, whatever its name says.", false}));
  EXPECT_EQ(draft.runnable().size(), 4u);
}

TEST_F(Changes, ChoicesAreCalledAsTheCatalogueCallsThem) {
  choose("datasetList", "cifar10");
  auto* augment = the<QComboBox>("dataset/params/augment");
  EXPECT_EQ(augment->itemText(1), "crop and flip");
  EXPECT_EQ(augment->itemData(1), "crop_flip");
  choose("dataset/params/augment", "crop_flip");
  EXPECT_EQ(undo.undoText(), "changing augment from none to crop and flip");
}

TEST_F(Changes, AStepNamesTheFieldAndWhatStoodThere) {
  type("algorithm/params/local_lr", "0.5");
  EXPECT_EQ(undo.undoText(), "changing local learning rate from 0.032 to 0.5");
  choose("decayAll", "false");
  EXPECT_EQ(undo.undoText(), "changing decay all from everything to all but biases and norms");
  choose("algorithmList", "pdmm_isvr");
  EXPECT_EQ(undo.undoText(), "changing algorithm from ESync to PDMM-ISVR");
}

TEST_F(Changes, PlacesAreNamedAsInTheForm) {
  const auto name = [this](const char* pointer) { return experiment::placeName(pointer, draft.spec(), draft.catalog()); };
  EXPECT_EQ(name("/algorithm/id"), "Algorithm");
  EXPECT_EQ(name("/algorithm/params/local_lr"), "Local learning rate");
  EXPECT_EQ(name("/stop/accuracy"), "Accuracy to stop at");
  EXPECT_EQ(name("/nodes/1/emulate/slowdown"), "Slowdown of w0");
  EXPECT_EQ(name("/nodes/1"), "Node w0");
  EXPECT_EQ(name("/vary/algorithm/0"), "What varies");
  EXPECT_EQ(name("/groups/0"), "Groups");
  EXPECT_EQ(name("/stop"), "Stop");
}

TEST_F(Changes, BoundsHaveOneFormat) {
  choose("algorithmList", "dgc");
  EXPECT_TRUE(help("algorithm/params/learning_rate").contains("0 to 1e9,")) << help("algorithm/params/learning_rate").toStdString();
  for (const QLabel* each : form.findChildren<QLabel*>()) EXPECT_FALSE(each->text().contains("e+")) << each->text().toStdString();
}

TEST_F(Changes, ALongNameIsShownWhole) {
  choose("datasetList", "cifar10");
  QCoreApplication::processEvents();
  for (const QLabel* each : form.findChildren<QLabel*>())
    if (each->text() == "Any number of images") {
      EXPECT_GE(each->height(), each->heightForWidth(each->width()));
      return;
    }
  FAIL() << "no such label";
}

TEST_F(Changes, AMissingDataSetIsNoFindingAndHasNoSplit) {
  auto* map = form.findChild<figure::LabelMap*>();
  ASSERT_TRUE(waitFor([map] { return map->isVisible(); }));
  choose("datasetList", "cifar10");
  EXPECT_TRUE(draft.findings().empty());
  EXPECT_FALSE(map->isVisible());
  bool needed = false;
  ASSERT_NE(draft.missing(&needed), nullptr);
  EXPECT_EQ(draft.missing()->id, "cifar10");
  EXPECT_TRUE(needed);
  draft.edit([](RunSpec& spec) { spec.nodes[1].host = spec.nodes[2].host = "gpu1"; });  // the server alone is here
  draft.validateNow();
  needed = false;
  EXPECT_NE(draft.missing(&needed), nullptr);
  EXPECT_FALSE(needed);
  choose("datasetList", "synthetic");
  EXPECT_EQ(draft.missing(), nullptr);
  EXPECT_TRUE(waitFor([map] { return map->isVisible(); }));
}

}  // namespace
}  // namespace paceline::tests
