// The Runs page as a hand uses it: what an empty store offers, suites and their missing runs, several runs at once, saved views, columns that stay.
#include <gtest/gtest.h>

#include <QAction>
#include <QDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include "app/models/runs/run_rows.h"
#include "app/ui/main_window.h"
#include "engine/core/json/json_text.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

using runs::RunsModel;

struct RunsPageTest : ::testing::Test {
  QApplication& application = tests::application();  // first: widgets are members

  ~RunsPageTest() override {
    window.reset();
    for (const char* key : {"runs/views", "runs/columns", "runs/columnsMoved", "runs/search", "runs/states", "runs/unfolded"}) QSettings().remove(key);
  }
  std::string path() const { return folder.path("store.db"); }
  void open(int runs) {
    window = std::make_unique<MainWindow>(QString::fromStdString(path()));
    window->resize(1280, 800);
    window->show();
    window->go(MainWindow::kRuns);
    ASSERT_TRUE(waitFor([&] { return window->shell().runs.loaded() && window->shell().runs.rowCount() == runs; }));
    QCoreApplication::processEvents();
  }
  void openWith(int runs) {
    for (int i = 0; i < runs; ++i) {
      store::RunRow row = madeRow(i);
      row.specText = R"({"paceline": 1, "name": "a", "seed": )" + std::to_string(i) + "}", row.tags = {"shared", i == 0 ? "first" : "other"};
      storeRun(path(), row, 3);
    }
    open(runs);
  }
  template <class Widget>
  Widget* on(const char* name) {
    auto* found = window->runsPage().findChild<Widget*>(name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  QTableView* table() { return on<QTableView>("runsTable"); }
  QPushButton* button(const char* name) { return on<QPushButton>(name); }
  void undo() {
    for (QAction* each : window->findChildren<QAction*>())
      if (each->shortcut() == QKeySequence(QKeySequence::Undo)) each->trigger();
  }
  std::vector<std::string> tagsOf(int number) { return window->shell().runs.find(madeRow(number).id)->row.tags; }
  QMenu* viewMenu() {
    QMenu* menu = button("viewMenu")->menu();
    emit menu->aboutToShow();
    return menu;
  }
  QAction* entry(QMenu* menu, const QString& text) {
    for (QAction* each : menu->actions())
      if (each->text() == text) return each;
    return nullptr;
  }

  TempFolder folder;
  std::unique_ptr<MainWindow> window;
};

TEST_F(RunsPageTest, AnEmptyStoreOffersWhatTheFirstMinuteCanBe) {
  open(0);
  for (const char* name : {"watchFirst", "openSample", "connectMachine", "firstExperiment"}) EXPECT_TRUE(button(name)->isVisible()) << name;
  button("connectMachine")->click();
  EXPECT_EQ(window->page(), &window->clusters());
}

TEST_F(RunsPageTest, TheSampleProjectIsOpenedHiddenAndOpenedAgain) {
  open(0);
  EXPECT_FALSE(button("hideSample")->isVisible());
  button("openSample")->click();
  ASSERT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 4 && window->shell().runs.item(0)->measured && button("hideSample")->isVisible(); }));
  double best[2] = {};  // of ESync, of SSGD
  for (int row = 0; row < 4; ++row) {
    const runs::RunItem* item = window->shell().runs.item(row);
    ASSERT_TRUE(waitFor([&] { return window->shell().runs.item(row)->measured; }));
    item = window->shell().runs.item(row);
    EXPECT_EQ(item->row.source, "sample");
    best[item->row.algorithm == "esync" ? 0 : 1] = item->accuracyBest.value_or(0);
  }
  EXPECT_GT(best[0], best[1] + 0.2);
  button("hideSample")->click();
  ASSERT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 0 && button("openSample")->isVisible(); }));
  button("openSample")->click();  // out of the trash
  EXPECT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 4; }));
}

TEST_F(RunsPageTest, ASuiteUnfoldsByTriangleAndByKeysAndStaysSoAfterARestart) {
  {
    store::StoreWriter store(path());
    store.createSuite({.id = "s", .name = "sweep", .createdUtc = 5, .cells = {{.place = 0, .name = "sweep a", .kind = "run", .runs = {madeRow(0).id}}, {.place = 1, .name = "sweep b", .kind = "run", .runs = {madeRow(1).id}}}}, {"{}", "{}"});
  }
  openWith(3);
  const auto rows = [this] { return table()->model()->rowCount(); };
  ASSERT_TRUE(waitFor([&] { return rows() == 2; }));
  const auto head = [this] { return static_cast<const runs::RunRows*>(table()->model())->rowOf("s"); };
  const QRect name = table()->visualRect(table()->model()->index(head(), RunsModel::kName));
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, {name.left() + 10, name.center().y()});
  EXPECT_EQ(rows(), 4);
  table()->setFocus();
  table()->setCurrentIndex(table()->model()->index(head() + 2, 0));
  QTest::keyClick(table(), Qt::Key_Left);  // to its suite
  EXPECT_EQ(table()->currentIndex().row(), head());
  QTest::keyClick(table(), Qt::Key_Left);
  EXPECT_EQ(rows(), 2);
  QTest::keyClick(table(), Qt::Key_Right);
  EXPECT_EQ(rows(), 4);
  EXPECT_EQ(window->runsPage().selected().size(), 2U);  // a suite stands for its runs
  open(3);
  EXPECT_TRUE(waitFor([&] { return rows() == 4; }));
}

// Their host is not in the list, so what is run fails at once.
TEST_F(RunsPageTest, WhatIsMissingOfASuiteIsRunAgainOrForgotten) {
  const std::string document = R"({"paceline": 1, "name": "sweep", "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"}, "stop": {"rounds": 1},
    "nodes": [{"id": "s0", "role": "server", "host": "nowhere"}, {"id": "w0", "role": "worker", "host": "nowhere"}]})";
  {
    store::StoreWriter store(path());
    store.createSuite({.id = "s", .name = "sweep", .createdUtc = 5, .cells = {{.place = 0, .name = "sweep a", .kind = "run", .runs = {"a1"}}, {.place = 1, .name = "sweep b", .kind = "run", .runs = {"b1"}}}},
                      {document, document});
  }
  open(0);
  ASSERT_TRUE(waitFor([this] { return table()->model()->rowCount() == 1; }));
  table()->selectRow(0);
  EXPECT_EQ(button("runMissing")->text(), "Run the 2 missing");
  EXPECT_TRUE(button("forgetCells")->isVisible());
  button("runMissing")->click();
  const store::StoreReader reader(path());
  ASSERT_TRUE(waitFor([&] { return reader.suites().at(0).cells[1].runs.size() == 2 && reader.queue().empty(); }));
  EXPECT_TRUE(waitFor([this] { return button("runMissing")->isVisible() && !button("forgetCells")->isVisible(); }));  // both have failed now
}

// Of a search its points are shown, with the best one and why the chosen one was tried; nothing of it is missing.
TEST_F(RunsPageTest, ASearchShowsWhatItTriedAndWhy) {
  const std::string document = R"({"base": {"paceline": 1, "name": "rates", "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"}, "stop": {"rounds": 80},
    "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}]}, "search": {"over": {"/optimizer/momentum": {"from": 0, "to": 0.9}}, "budget": {"runs": 9}, "halving": {"first": 10}}})";
  {
    store::StoreWriter store(path());
    store.createSearch({.id = "s", .name = "rates", .createdUtc = 5}, {.suite = "s", .document = document, .kind = "run", .ended = true, .result = "The best of 2 points is momentum 0.3: 81.2 %."});
    for (int i = 0; i < 2; ++i) store.addCell("s", {.place = i, .name = i == 0 ? "rates momentum 0.3" : "rates momentum 0.8", .kind = "run", .runs = {madeRow(i).id}}, "{}");
    store.putTrial("s", 0, strCat(R"({"at": [0.3], "why": "Drawn at random.", "state": "done", "runs": [{"run": ")", madeRow(0).id, R"(", "ended": true, "end": {"accuracy_last": 0.812}}]})"));
    store.putTrial("s", 1, strCat(R"j({"at": [0.8], "why": "Drawn at random.", "state": "given up", "note": "below the best half after 10 rounds (40 %; 81.2 % was needed)", "runs": [{"run": ")j", madeRow(1).id, R"j(", "ended": true, "rungs": [{"accuracy_last": 0.4}]}]})j"));
  }
  openWith(2);
  ASSERT_TRUE(waitFor([this] { return table()->model()->rowCount() == 1; }));
  table()->selectRow(0);
  auto* tried = on<QTableView>("searchTable");
  ASSERT_TRUE(waitFor([&] { return tried->model()->rowCount() == 2; }));
  const auto cell = [&](int row, int column) { return tried->model()->index(row, column).data().toString(); };
  EXPECT_EQ(tried->model()->headerData(1, Qt::Horizontal).toString(), "Momentum");
  EXPECT_EQ(tried->model()->headerData(2, Qt::Horizontal).toString(), "Last accuracy");
  EXPECT_EQ(cell(0, 0) + ", " + cell(0, 1) + ", " + cell(0, 2) + ", " + cell(0, 3), "best  1, 0.3, 81.2 %, done");
  EXPECT_EQ(cell(1, 0) + ", " + cell(1, 1) + ", " + cell(1, 2) + ", " + cell(1, 3), "2, 0.8, 40 %, given up");
  EXPECT_EQ(on<widgets::BreakingLabel>("searchSentence")->fullText(), "The best of 2 points is momentum 0.3: 81.2 %.");
  EXPECT_FALSE(button("runMissing")->isVisible());
  EXPECT_FALSE(button("holdSearch")->isVisible());  // it has ended
  tried->setFocus();
  tried->setCurrentIndex(tried->model()->index(0, 0));
  QTest::keyClick(tried, Qt::Key_Down);
  EXPECT_EQ(on<widgets::BreakingLabel>("searchWhy")->fullText(), "Point 2. Drawn at random. It was given up: below the best half after 10 rounds (40 %; 81.2 % was needed).");
  QTest::keyClick(tried, Qt::Key_Return);
  EXPECT_TRUE(waitFor([this] { return window->shell().runs.find(madeRow(1).id) != nullptr; }));
}

TEST_F(RunsPageTest, CellsThatNeverBeganAreForgotten) {
  {
    store::StoreWriter store(path());
    store.createSuite({.id = "s", .name = "sweep", .createdUtc = 5, .cells = {{.place = 0, .name = "sweep a", .kind = "run", .runs = {"a1"}}}}, {"{}"});
  }
  open(0);
  ASSERT_TRUE(waitFor([this] { return table()->model()->rowCount() == 1; }));
  table()->selectRow(0);
  button("forgetCells")->click();
  EXPECT_TRUE(waitFor([this] { return table()->model()->rowCount() == 0; }));
}

TEST_F(RunsPageTest, TagsAndNotesOfSeveralRunsAreWrittenTogetherAndTakenBackTogether) {
  openWith(3);
  table()->selectAll();
  const QList<QLineEdit*> edits = window->runsPage().findChildren<QLineEdit*>();
  QLineEdit* tags = *std::ranges::find_if(edits, [](const QLineEdit* each) { return each->accessibleName() == "Tags"; });
  EXPECT_EQ(tags->text(), "shared");  // what all have
  tags->selectAll();
  QTest::keyClicks(tags, "new");
  QTest::keyClick(tags, Qt::Key_Return);
  ASSERT_TRUE(waitFor([this] { return tagsOf(0) == std::vector<std::string>{"first", "new"} && tagsOf(2) == std::vector<std::string>{"other", "new"}; }));
  auto* notes = window->runsPage().findChild<QPlainTextEdit*>();
  notes->setFocus();
  QTest::keyClicks(notes, "all alike");
  table()->setFocus();
  ASSERT_TRUE(waitFor([this] { return window->shell().runs.find(madeRow(1).id)->row.notes == "all alike"; }));
  undo();
  EXPECT_TRUE(waitFor([this] { return window->shell().runs.find(madeRow(1).id)->row.notes.empty() && window->shell().runs.find(madeRow(2).id)->row.notes.empty(); }));
  undo();
  EXPECT_TRUE(waitFor([this] { return tagsOf(0) == std::vector<std::string>{"shared", "first"} && tagsOf(1) == std::vector<std::string>{"shared", "other"}; }));
}

TEST_F(RunsPageTest, DifferencesOfSeveralRunsAreATable) {
  openWith(3);
  table()->selectAll();
  button("diffSelected")->click();
  auto* dialog = window->findChild<QDialog*>("runDifferences");
  ASSERT_NE(dialog, nullptr);
  const QAbstractItemModel* model = dialog->findChild<QTableView*>("differencesTable")->model();
  ASSERT_EQ(model->rowCount(), 1);
  EXPECT_EQ(model->index(0, 0).data().toString(), "/seed");
  EXPECT_EQ(model->columnCount(), 4);
  dialog->close();
}

TEST_F(RunsPageTest, AViewIsNamedAndThereAfterARestart) {
  openWith(9);
  on<QLineEdit>("runsSearch")->setText("run number 3");
  table()->sortByColumn(RunsModel::kAccuracy, Qt::AscendingOrder);
  QMenu* columns = nullptr;
  for (QAction* each : viewMenu()->actions())
    if (each->menu() && each->text() == "&Columns") columns = each->menu();
  ASSERT_NE(columns, nullptr);
  entry(columns, "Model")->trigger();
  EXPECT_TRUE(table()->isColumnHidden(RunsModel::kModel));
  auto* name = viewMenu()->findChild<QLineEdit*>("viewName");
  ASSERT_NE(name, nullptr);
  QTest::keyClicks(name, "the third");
  QTest::keyClick(name, Qt::Key_Return);
  on<QLineEdit>("runsSearch")->setText("");
  table()->setColumnHidden(RunsModel::kModel, false);
  table()->sortByColumn(RunsModel::kName, Qt::DescendingOrder);
  open(9);
  EXPECT_EQ(table()->model()->rowCount(), 9);
  QAction* saved = entry(viewMenu(), "the third");
  ASSERT_NE(saved, nullptr);
  EXPECT_FALSE(saved->isChecked());
  saved->trigger();
  EXPECT_EQ(table()->model()->rowCount(), 1);
  EXPECT_TRUE(table()->isColumnHidden(RunsModel::kModel));
  EXPECT_EQ(table()->horizontalHeader()->sortIndicatorSection(), RunsModel::kAccuracy);
  EXPECT_TRUE(entry(viewMenu(), "the third")->isChecked());
  for (QAction* each : viewMenu()->actions())
    if (each->menu() && each->text() == "&Delete a view") each->menu()->actions().front()->trigger();
  EXPECT_EQ(entry(viewMenu(), "the third"), nullptr);
}

TEST_F(RunsPageTest, NameAndSeedStayWhenTheTableScrollsSideways) {
  openWith(4);
  window->resize(1024, 640);
  auto* pinned = on<QTableView>("pinnedColumns");
  QScrollBar* bar = table()->horizontalScrollBar();
  ASSERT_TRUE(waitFor([bar] { return bar->maximum() > 0; }));
  EXPECT_FALSE(pinned->isVisible());
  bar->setValue(bar->maximum());
  EXPECT_TRUE(pinned->isVisible());
  EXPECT_FALSE(pinned->isColumnHidden(RunsModel::kSeed));
  EXPECT_TRUE(pinned->isColumnHidden(RunsModel::kState));
  EXPECT_LE(pinned->width(), table()->viewport()->width() / 2 + 60);
  QTest::mouseClick(pinned->viewport(), Qt::LeftButton, {}, pinned->visualRect(pinned->model()->index(2, RunsModel::kSeed)).center());
  EXPECT_EQ(table()->selectionModel()->selectedRows().value(0).row(), 2);  // the same rows and the same selection
  EXPECT_TRUE(table()->hasFocus());
  EXPECT_EQ(pinned->rowViewportPosition(2) + pinned->viewport()->mapTo(window.get(), QPoint()).y(), table()->rowViewportPosition(2) + table()->viewport()->mapTo(window.get(), QPoint()).y());
  bar->setValue(0);
  EXPECT_FALSE(pinned->isVisible());
}

}  // namespace
}  // namespace paceline::tests
