// Fields, cells and choices that vary: by mouse and keys, undone, told, left out, saved and opened again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QUndoStack>
#include <filesystem>

#include "app/models/experiment/draft_table.h"
#include "app/models/experiment/draft_vary.h"
#include "app/models/experiment/draft_words.h"
#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "tests/gui/form/vary_fixture.h"

namespace paceline::tests {
namespace {

using testing::ElementsAre;

struct Vary : VaryFixture {
  std::string vary() { return dumped(draft.state().vary); }
  std::vector<std::string> problems() {
    std::vector<std::string> all;
    for (const Finding& finding : draft.findings()) all.push_back(finding.message);
    return all;
  }
};

TEST_F(Vary, AFieldBecomesAListWithTheMouseAndGoesBack) {
  EXPECT_TRUE(strip.isHidden());
  press("/batch_size");
  EXPECT_EQ(vary(), R"({"/batch_size":[32]})");
  EXPECT_EQ(QApplication::focusWidget(), the<QLineEdit>("batchSize"));
  keep("16..64 step 16");
  EXPECT_EQ(vary(), R"({"/batch_size":[16,32,48,64]})");
  EXPECT_EQ(draft.runnable().size(), 4u);
  EXPECT_EQ(draft.spec().batchSize, 16);
  EXPECT_EQ(undo.undoText(), "varying batch size: 16, 32, 48, 64");
  EXPECT_FALSE(strip.isHidden());
  EXPECT_EQ(sentence(), QString("4 batch sizes = 4 runs, about 40 s (by emulated step times)"));
  press("/batch_size");
  draft.validateNow();
  EXPECT_EQ(vary(), "{}");
  EXPECT_EQ(undo.undoText(), "no longer varying batch size");
  EXPECT_EQ(the<QLineEdit>("batchSize")->text(), "16");
  EXPECT_TRUE(strip.isHidden());
}

TEST_F(Vary, EachStepCanBeUndoneAndDoneAgain) {
  const experiment::DraftState before = draft.state();
  press("/batch_size");
  keep("16, 64");
  const experiment::DraftState after = draft.state();
  EXPECT_EQ(undo.count(), 2);  // the button, and what was typed
  while (undo.canUndo()) undo.undo();
  EXPECT_EQ(draft.state(), before);
  EXPECT_FALSE(the<QToolButton>("vary:/batch_size")->isChecked());
  while (undo.canRedo()) undo.redo();
  EXPECT_EQ(draft.state(), after);
  EXPECT_EQ(the<QLineEdit>("batchSize")->text(), "16, 64");
  experiment::DraftState next;  // of the next start of the window
  ASSERT_TRUE(experiment::readStored(experiment::stored(after), next));
  EXPECT_EQ(next, after);
}

TEST_F(Vary, TheKeyboardReachesTheButtonAndTheShortcutPressesIt) {
  auto* editor = the<QLineEdit>("batchSize");
  editor->setFocus();
  QTest::keyClick(editor, Qt::Key_Tab);
  auto* button = the<QToolButton>("vary:/batch_size");
  EXPECT_EQ(QApplication::focusWidget(), button);
  EXPECT_EQ(button->accessibleName(), "Vary Batch size");
  QTest::keyClick(button, Qt::Key_Space);
  EXPECT_EQ(vary(), R"({"/batch_size":[32]})");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_L, Qt::ControlModifier);
  EXPECT_EQ(vary(), "{}");
}

TEST_F(Vary, BadInputIsOneSentenceThatNamesPlaceAndValue) {
  press("/batch_size");
  keep("16, many");
  EXPECT_THAT(problems(), ElementsAre("Batch size must be numbers such as 1, 2, 4 or a range such as 1..8 step 2 or 0.001..1 log 4; it is \"many\"."));
  EXPECT_EQ(the<QLineEdit>("batchSize")->text(), "16, many");
  EXPECT_TRUE(draft.runnable().empty());
  keep("16, 0");
  ASSERT_EQ(problems().size(), 1u);
  EXPECT_THAT(problems()[0], testing::StartsWith("Batch size must be at least 1"));
  keep("1..2000");
  EXPECT_THAT(problems(), ElementsAre("Batch size must be at most 1000 values; it is \"1..2000\"."));
  keep("16, 8");
  EXPECT_TRUE(problems().empty());
}

TEST_F(Vary, AlgorithmsAreChosenInBoxes) {
  press("/algorithm/id");
  EXPECT_FALSE(the<QComboBox>("algorithmList")->isVisible());
  QTest::mouseClick(the<QCheckBox>("/algorithm/id:esync"), Qt::LeftButton);
  draft.validateNow();
  EXPECT_THAT(experiment::axisIds(draft.state(), "/algorithm"), ElementsAre("ssgd", "esync"));
  type("seeds", "1, 2, 3");
  EXPECT_THAT(sentence().toStdString(), testing::StartsWith("2 algorithms × 3 seeds = 6 runs, about 1 min 00 s"));
  ASSERT_EQ(draft.runnable().size(), 6u);
  EXPECT_EQ(draft.runnable()[1].algorithm.id, "esync");
  QTest::mouseClick(the<QCheckBox>("/algorithm/id:ssgd"), Qt::LeftButton);
  QTest::mouseClick(the<QCheckBox>("/algorithm/id:esync"), Qt::LeftButton);  // the last one stays
  EXPECT_THAT(experiment::axisIds(draft.state(), "/algorithm"), ElementsAre("esync"));
  press("/algorithm/id");
  EXPECT_EQ(draft.spec().algorithm.id, "esync");
}

TEST_F(Vary, AChoiceStandsBeforeItsParametersWhichItWouldOverwrite) {
  press("/algorithm/params/learning_rate");
  keep("0.1, 0.2");
  press("/algorithm/id");
  draft.validateNow();
  ASSERT_EQ(draft.runnable().size(), 2u);
  EXPECT_EQ(draft.runnable()[0].algorithm.params.real("learning_rate"), 0.1);
  EXPECT_EQ(draft.runnable()[1].algorithm.params.real("learning_rate"), 0.2);
}

TEST_F(Vary, ACellOfATableBecomesAList) {
  auto* table = the<QTableView>("nodeTable");
  const QModelIndex cell = table->model()->index(2, experiment::NodesModel::kStep);
  table->setCurrentIndex(cell);
  table->setFocus();
  QTest::keyClick(table, Qt::Key_L, Qt::ControlModifier);
  ASSERT_TRUE(cell.data(kVariedRole).toBool());
  keep("0.1..0.4 step 0.1");
  auto* editor = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  ASSERT_NE(editor, nullptr);
  EXPECT_EQ(editor->text(), "0.1..0.4 step 0.1");  // a check that ended meanwhile left it alone
  QTest::keyClick(editor, Qt::Key_Return);
  QCoreApplication::processEvents();  // Qt's delegate commits by an event
  EXPECT_EQ(vary(), R"({"/nodes/2/emulate/step_s":[0.1,0.2,0.3,0.4]})");
  EXPECT_EQ(cell.data().toString(), "0.1, 0.2, 0.3, 0.4");
  draft.validateNow();
  EXPECT_THAT(sentence().toStdString(), testing::StartsWith("4 step times of w1 = 4 runs"));
  QTest::mouseClick(the<QPushButton>("varyCell"), Qt::LeftButton);
  EXPECT_EQ(vary(), "{}");
  const QModelIndex name = table->model()->index(2, experiment::NodesModel::kId);
  EXPECT_FALSE(qobject_cast<experiment::DraftTable*>(table->model())->mayVary(name));
}

TEST_F(Vary, ARemovedNodeTakesItsListsAlongAndOthersMoveUp) {
  open(strCat(R"({"base": )", kVaried, R"(, "vary": {"/nodes/1/threads": [1, 2], "/nodes/2/threads": [1, 2]}, "skip": [{"/nodes/2/threads": 2}]})"));
  auto* table = the<QTableView>("nodeTable");
  table->setCurrentIndex(table->model()->index(1, experiment::NodesModel::kHost));
  the<QPushButton>("removeNodes")->click();
  EXPECT_EQ(vary(), R"({"/nodes/1/threads":[1,2]})");
  EXPECT_EQ(dumped(draft.state().skip), R"([{"/nodes/1/threads":2}])");
}

TEST_F(Vary, RunsAreLeftOutInTheGridAndPutBack) {
  open(strCat(R"({"base": )", kVaried, R"(, "vary": {"/batch_size": [16, 32], "/seed": [1, 2, 3]}})"));
  strip.show();
  strip.activateWindow();
  ASSERT_TRUE(waitFor([this] { return strip.isActiveWindow(); }));
  QTest::mouseClick(strip.findChild<QPushButton*>("suiteGridButton"), Qt::LeftButton);
  auto* grid = strip.findChild<QTableView*>("suiteGrid");
  ASSERT_TRUE(grid->isVisible());
  QAbstractItemModel* cells = grid->model();
  ASSERT_EQ(cells->rowCount(), 2);
  ASSERT_EQ(cells->columnCount(), 3);
  EXPECT_EQ(cells->headerData(1, Qt::Vertical).toString(), "Batch size 32");
  EXPECT_EQ(cells->headerData(2, Qt::Horizontal).toString(), "Seed 3");
  grid->setCurrentIndex(cells->index(1, 2));
  grid->setFocus();
  QTest::keyClick(grid, Qt::Key_Space);
  EXPECT_EQ(dumped(draft.state().skip), R"([{"/batch_size":32,"/seed":3}])");
  EXPECT_EQ(draft.runnable().size(), 5u);
  EXPECT_THAT(sentence().toStdString(), testing::StartsWith("2 batch sizes × 3 seeds = 5 of 6 runs"));
  EXPECT_EQ(undo.undoText(), "changing which runs are left out");
  grid->selectAll();
  strip.findChild<QPushButton*>("leaveOut")->click();
  EXPECT_EQ(draft.runnable().size(), 1u);  // the last one stays
  strip.findChild<QPushButton*>("putBack")->click();
  EXPECT_EQ(dumped(draft.state().skip), "[]");
  undo.undo();
  undo.undo();
  EXPECT_EQ(draft.state().skip.size(), 1u);
  type("seeds", "1, 2");
  EXPECT_EQ(dumped(draft.state().skip), "[]");  // its seed is gone
}

TEST_F(Vary, LikeRunsOfTheStoreTellTheTime) {
  runs::RunItem item;
  item.row.id = "a", item.row.state = store::RunState::kFinished, item.measured = true, item.wallSeconds = 90;
  item.row.groupHash = groupHash(draft.runnable().front());
  stored.take({item});
  EXPECT_EQ(experiment::timeText(draft.runnable(), stored), "about 1 min 30 s (by like runs in the store)");
  item.row.source = "simulated";  // its seconds are no real ones
  stored.take({item});
  EXPECT_EQ(experiment::timeText(draft.runnable(), stored), "about 10 s (by emulated step times)");
  std::vector<RunSpec> runs = draft.runnable();
  for (NodeSpec& node : runs[0].nodes) node.emulate.stepSeconds.reset();
  EXPECT_TRUE(experiment::timeText(runs, stored).contains("not known"));
  runs[0].stop.seconds = 60;
  EXPECT_EQ(experiment::timeText(runs, stored), "at most 1 min 00 s (by the stop rules)");
}

// The strip and the prediction beside the form say one time.
TEST_F(Vary, WhatTheSimulatorKnowsIsTheTimeOfTheStrip) {
  told.samplesPerSecond = 320, told.seconds = 40, told.sources = {"step times as the document emulates them"};
  press("/batch_size");
  keep("16, 32, 64");
  strip.show();
  ASSERT_TRUE(waitFor([this] { return sentence().contains("simulated"); })) << sentence().toStdString();
  EXPECT_EQ(sentence(), "3 batch sizes = 3 runs, about 2 min 00 s (simulated)");
  ASSERT_GT(prediction.lines().size(), 1);
  EXPECT_EQ(prediction.lines()[1], "All 3 runs: 320 samples/s, about 2 min 00 s one after the other.");
  const auto* words = strip.findChild<QLabel*>("suiteSentence");
  EXPECT_TRUE(words->toolTip().contains("Step times as the document emulates them.")) << words->toolTip().toStdString();
  EXPECT_TRUE(words->accessibleDescription().contains("added up"));
  write(the<QLineEdit>("batchSize"), "16, 32");  // what was known is not of these
  EXPECT_FALSE(sentence().contains("2 min")) << sentence().toStdString();
  ASSERT_TRUE(waitFor([this] { return sentence() == "2 batch sizes = 2 runs, about 1 min 20 s (simulated)"; })) << sentence().toStdString();
}

TEST_F(Vary, OneRunThatCannotBeSimulatedLeavesTheTimeToOtherSources) {
  press("/batch_size");
  keep("16, 32");
  strip.show();
  ASSERT_TRUE(waitFor([this] { return !prediction.pending() && !prediction.problem().isEmpty(); }));
  EXPECT_EQ(sentence(), "2 batch sizes = 2 runs, about 20 s (by emulated step times)");
  EXPECT_EQ(strip.findChild<QLabel*>("suiteSentence")->toolTip(), "");
}

TEST_F(Vary, AShippedSuiteIsSavedAsItWasOpened) {
  int suites = 0;
  for (const auto& file : std::filesystem::directory_iterator(PACELINE_SOURCE_DIR "/experiments")) {
    if (file.path().extension() != ".json") continue;
    SCOPED_TRACE(file.path().string());
    const std::string text = fileText(file.path().string()).value();
    const ParsedSuite before = parseSuite(text);
    if (!before.isSuite) continue;
    ++suites;
    ASSERT_EQ(draft.loadText(text), "");
    const std::string saved = draft.json().toStdString();
    const ParsedSuite after = parseSuite(saved);
    EXPECT_TRUE(after.findings.empty());
    EXPECT_EQ(dumped(OrderedJson(draft.state().vary)), dumped(OrderedJson(orderedJsonFrom(text, "suite")["vary"])));
    ASSERT_EQ(after.points.size(), before.points.size());
    for (std::size_t i = 0; i < after.points.size(); ++i) {
      EXPECT_EQ(after.points[i].name, before.points[i].name);
      EXPECT_EQ(parseRunSpec(after.points[i].text).spec, parseRunSpec(before.points[i].text).spec);
    }
    experiment::DraftState again;
    EXPECT_EQ(experiment::readDraft(saved, again), "");
    EXPECT_EQ(again.text.toStdString(), saved);
  }
  EXPECT_GE(suites, 9);
}

}  // namespace
}  // namespace paceline::tests
