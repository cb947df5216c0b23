// Runs and suites as rows: folding, finding, sorting, what a cell is said to be; and that rows and selections stay while values change.
#include "app/models/runs/run_rows.h"

#include <gtest/gtest.h>

#include <QItemSelectionModel>

#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

using runs::RunItem;
using runs::RunRows;
using runs::RunsModel;

// A suite "sweep" of three cells (one finished, one failed and tried again before, one that waits), and two runs that stand alone.
struct Rows : ::testing::Test {
  Rows() : queue((application(), recorder)) { take(); }

  static RunItem item(const std::string& id, const std::string& name, store::RunState state, double accuracy, double created) {
    RunItem made{.row = madeRow(0), .measured = true, .accuracyBest = accuracy};
    made.row.id = id, made.row.name = name, made.row.state = state, made.row.createdUtc = created, made.row.algorithm = "ssgd", made.row.seed = static_cast<std::uint64_t>(created);
    return made;
  }
  void take() {
    items = {item("z", "alone late", store::RunState::kRunning, 0.3, 50),    item("b2", "sweep esync", store::RunState::kFailed, 0.2, 30),
             item("b1", "sweep esync", store::RunState::kFailed, 0.1, 20),   item("a", "sweep ssgd", store::RunState::kFinished, 0.9, 10),
             item("old", "alone early", store::RunState::kFinished, 0.5, 1)};
    items[1].row.algorithm = "esync";
    auto suites = std::make_shared<runs::StoredSuites>();
    suites->rows = {{.id = "s", .name = "sweep", .createdUtc = 10,
                     .cells = {{.place = 0, .name = "sweep ssgd", .kind = "run", .runs = {"a"}}, {.place = 1, .name = "sweep esync", .kind = "run", .runs = {"b1", "b2"}},
                               {.place = 2, .name = "sweep asgd", .kind = "run", .runs = {"c"}}}}};
    suites->pending.emplace("c", item("c", "sweep asgd", store::RunState::kDraft, 0, 10));
    suites->pending.at("c").measured = false;
    model.take(items, suites);
  }
  void waits(const std::string& run, bool held = false) {
    recorder::Entry entry{.id = 1, .run = run, .name = run, .suite = "sweep"};
    entry.held = held;
    emit recorder.queueRead({entry});
  }
  QStringList names() const {
    QStringList all;
    for (int row = 0; row < rows.rowCount(); ++row) all << rows.index(row, RunsModel::kName).data().toString();
    return all;
  }
  QString shown(int row, RunsModel::Column column) const { return rows.index(row, column).data().toString(); }

  GuiPrompts prompts;
  TempFolder folder;
  RecorderLink recorder{QString::fromStdString(folder.path("store.db")), prompts};
  runs::RunQueue queue;
  RunsModel model{"/nowhere"};
  RunRows rows{model, queue};
  std::vector<RunItem> items;
};

TEST_F(Rows, ASuiteIsOneRowThatUnfoldsIntoItsCells) {
  EXPECT_EQ(names(), (QStringList{"alone late", "sweep", "alone early"}));
  EXPECT_TRUE(rows.index(1, 0).data(RunRows::kFoldedRole).toBool());
  EXPECT_EQ(rows.allRuns(), 6);  // with the earlier attempt and the cell that never began
  rows.setFolded("s", false);
  EXPECT_EQ(names(), (QStringList{"alone late", "sweep", "ssgd", "esync", "esync, before", "asgd", "alone early"}));
  EXPECT_EQ(rows.suiteAt(3), "s");
  rows.setFolded("s", true);
  EXPECT_EQ(rows.rowCount(), 3);
}

TEST_F(Rows, ASuiteSaysWhatBecameOfItsCells) {
  EXPECT_EQ(shown(1, RunsModel::kState), "1 of 3 done, 1 failed");
  EXPECT_EQ(shown(1, RunsModel::kAlgorithm), "2 algorithms");
  EXPECT_EQ(shown(1, RunsModel::kAccuracy), "best 90.0 %");
  EXPECT_EQ(rows.index(1, RunsModel::kState).data(Qt::ToolTipRole).toString(), "3 runs: 1 finished, 1 failed, 1 not run");
  EXPECT_EQ(rows.suite("s")->missing(), 2);
  rows.setFolded("s", false);
  EXPECT_EQ(shown(5, RunsModel::kState), "Not run");
  waits("c");
  EXPECT_EQ(shown(5, RunsModel::kState), "Waiting");
  EXPECT_EQ(rows.suite("s")->missing(), 1);
  waits("c", true);
  EXPECT_EQ(shown(5, RunsModel::kState), "Held");
}

TEST_F(Rows, ASuiteOfSimulatedRunsIsMarkedAsTheyAre) {
  const auto marks = [this] { return rows.index(1, RunsModel::kName).data(RunsModel::kTagsRole).toStringList(); };
  EXPECT_EQ(marks(), QStringList{"3 runs"});
  for (RunItem& each : items) each.row.source = "simulated", each.row.notes = "simulated";  // rows are read again where something changed
  model.take(items, std::make_shared<runs::StoredSuites>(*model.suites()));
  EXPECT_EQ(marks(), (QStringList{"simulated", "3 runs"}));  // the one that never began is none yet
  items[1].row.source = "", items[1].row.notes = "";
  model.take(items, std::make_shared<runs::StoredSuites>(*model.suites()));
  EXPECT_EQ(marks(), QStringList{"3 runs"});
}

TEST_F(Rows, ANumberOfASuiteSaysWhichOfItsRunsNumbersItIs) {
  for (RunItem& each : items) each.wallSeconds = 60, each.samplesPerSecond = each.row.id == "a" ? 500 : 200;
  model.take(items, std::make_shared<runs::StoredSuites>(*model.suites()));
  const auto words = [&](RunsModel::Column column, int role) { return rows.index(1, column).data(role).toString(); };
  EXPECT_EQ(shown(1, RunsModel::kWall), "sum 2 min 00 s");  // of the newest attempts that ran
  EXPECT_EQ(shown(1, RunsModel::kThroughput), "best 500");
  EXPECT_EQ(words(RunsModel::kWall, RunRows::kShortRole), "2 min 00 s");
  for (const int role : {static_cast<int>(Qt::ToolTipRole), static_cast<int>(Qt::AccessibleTextRole)}) {
    EXPECT_EQ(words(RunsModel::kAccuracy, role), "90.0 %: the best accuracy of its runs");
    EXPECT_EQ(words(RunsModel::kThroughput, role), "500 samples/s: the speed of its fastest run");
    EXPECT_EQ(words(RunsModel::kWall, role), "2 min 00 s: the times of its runs added up");
  }
  EXPECT_EQ(shown(0, RunsModel::kAccuracy), "30.0 %");  // a run alone has one
  EXPECT_FALSE(rows.index(0, RunsModel::kWall).data(RunRows::kShortRole).isValid());
}

TEST_F(Rows, WordsFindCellsOfFoldedSuitesAndTheirSuite) {
  rows.setWords("esync");
  EXPECT_EQ(names(), (QStringList{"sweep", "esync", "esync, before"}));
  EXPECT_EQ(rows.shownRuns(), 2);
  rows.setWords("SWEEP asgd");
  EXPECT_EQ(names(), (QStringList{"sweep", "asgd"}));
  rows.setWords("nothing like it");
  EXPECT_EQ(rows.rowCount(), 0);
  rows.setWords("");
  EXPECT_EQ(rows.rowCount(), 3);
}

TEST_F(Rows, StatesChooseAmongCells) {
  rows.setFolded("s", false);
  rows.setStates(RunRows::States::kProblem);
  EXPECT_EQ(names(), (QStringList{"sweep", "esync", "esync, before", "asgd"}));
  rows.setStates(RunRows::States::kFinished);
  EXPECT_EQ(names(), (QStringList{"sweep", "ssgd", "alone early"}));
  rows.setStates(RunRows::States::kActive);
  EXPECT_EQ(names(), QStringList{"alone late"});
  waits("c");
  EXPECT_EQ(names(), (QStringList{"alone late", "sweep", "asgd"}));
}

TEST_F(Rows, CellsAreSortedBelowTheirSuite) {
  rows.setFolded("s", false);
  rows.sort(RunsModel::kAccuracy, Qt::AscendingOrder);
  EXPECT_EQ(names(), (QStringList{"alone late", "alone early", "sweep", "asgd", "esync, before", "esync", "ssgd"}));
  rows.sort(RunsModel::kAccuracy, Qt::DescendingOrder);
  EXPECT_EQ(names(), (QStringList{"sweep", "ssgd", "esync", "esync, before", "asgd", "alone early", "alone late"}));
}

TEST_F(Rows, SelectedRowsStaySelectedWhileOthersComeGoAndTurn) {
  QItemSelectionModel chosen(&rows);
  chosen.select(rows.index(2, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
  const auto selected = [&] { return rows.idAt(chosen.selectedRows().value(0).row()); };
  EXPECT_EQ(selected(), "old");
  int resets = 0;
  QObject::connect(&rows, &QAbstractItemModel::modelReset, [&resets] { ++resets; });
  rows.setFolded("s", false);
  EXPECT_EQ(selected(), "old");
  rows.sort(RunsModel::kCreated, Qt::AscendingOrder);
  EXPECT_EQ(selected(), "old");
  EXPECT_EQ(chosen.selectedRows().value(0).row(), 0);
  items.push_back(item("new", "new", store::RunState::kRunning, 0, 99));
  std::swap(items.front(), items.back());
  model.take(items);
  EXPECT_EQ(selected(), "old");
  EXPECT_EQ(resets, 0);
}

TEST_F(Rows, ValuesChangeInPlace) {
  int changes = 0, others = 0;
  QObject::connect(&rows, &QAbstractItemModel::dataChanged, [&changes] { ++changes; });
  for (const auto news : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) QObject::connect(&rows, news, [&others] { ++others; });
  items[0].row.state = store::RunState::kFinished;
  items[0].row.name = "renamed";
  model.take(items);
  EXPECT_EQ(names().front(), "renamed");
  EXPECT_GT(changes, 0);
  EXPECT_EQ(others, 0);
  rows.setWords("renamed");  // the search has read the name anew
  EXPECT_EQ(rows.rowCount(), 1);
  changes = 0;
  model.take(items);
  EXPECT_EQ(changes, 0);  // nothing is new
}

TEST_F(Rows, OfTheTrashASuiteShowsWhatIsThere) {
  auto suites = std::make_shared<runs::StoredSuites>(*model.suites());
  suites->trashed = {"a"}, suites->pending.clear();
  model.setTrashed(true);
  RunItem gone = items[3];
  gone.row.trashed = true;
  model.take({gone}, suites);
  rows.setFolded("s", false);
  EXPECT_EQ(names(), (QStringList{"sweep", "ssgd"}));
}

TEST_F(Rows, ACellInTheTrashIsNeitherShownNorMissing) {
  auto suites = std::make_shared<runs::StoredSuites>(*model.suites());
  suites->trashed = {"b2"};
  items.erase(items.begin() + 1);
  model.take(items, suites);
  EXPECT_EQ(rows.suite("s")->missing(), 1);
  EXPECT_EQ(shown(1, RunsModel::kState), "1 of 2 done");
}

// As the old table did, with nothing but runs that stand alone.
TEST(PlainRows, AllWordsMustBeFoundAndValuesAreSortedAsSuch) {
  application();
  GuiPrompts prompts;
  const TempFolder folder;
  RecorderLink recorder(QString::fromStdString(folder.path("store.db")), prompts);
  runs::RunQueue queue(recorder);
  RunsModel model("/nowhere");
  std::vector<RunItem> all;
  for (int i = 0; i < 200; ++i) all.push_back({.row = madeRow(199 - i), .measured = true, .accuracyBest = i / 1000.0});
  model.take(all);
  RunRows rows(model, queue);
  rows.setWords("esync demo");
  EXPECT_EQ(rows.rowCount(), 10);  // every 20th
  rows.setWords("");
  rows.setStates(RunRows::States::kProblem);
  EXPECT_EQ(rows.rowCount(), 29);  // every seventh
  rows.setStates(RunRows::States::kAll);
  rows.sort(RunsModel::kAccuracy, Qt::DescendingOrder);
  EXPECT_EQ(rows.index(0, RunsModel::kAccuracy).data().toString(), "19.9 %");
}

}  // namespace
}  // namespace paceline::tests
