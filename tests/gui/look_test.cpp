// What must hold on every page: it fits a small window, larger text is not cut, messages move nothing, lists are found by typing.
#include <gtest/gtest.h>

#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTest>
#include <map>
#include <set>

#include "app/models/runs/run_log.h"
#include "app/ui/main_window.h"
#include "app/ui/widgets/choice_list.h"
#include "app/ui/widgets/flow_layout.h"
#include "app/ui/widgets/fold.h"
#include "engine/core/base/error.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

constexpr QSize kSmallest(1024, 640);

struct Look : ::testing::Test {
  QApplication& application = tests::application();
  void TearDown() override { widgets::Theme::instance().setScale(1.0); }

  void open() {
    storeRun(path(), madeRow(3), 5);  // it failed: "w1 ended with signal 9"
    const std::vector<StampedEvent> line = {{madeRow(3).id, "w0", 99, NoticeRecord{.kind = "log", .text = "a line", .level = "info", .reason = "", .code = 0, .unixTime = 1.7e9}}};
    store::StoreWriter(path()).append(line);
    window = std::make_unique<MainWindow>(QString::fromStdString(path()));
    window->show();
    ASSERT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 1; }));
  }
  void show(int place) {
    place == MainWindow::kRun ? window->openRun(madeRow(3).id) : window->go(place);
    QCoreApplication::processEvents();
  }
  std::string path() const { return folder.path("store.db"); }

  TempFolder folder;
  std::unique_ptr<MainWindow> window;
};

TEST_F(Look, EveryPageFitsASmallWindowAtEveryTextSize) {
  open();
  for (const double size : widgets::kTextSizes) {
    widgets::Theme::instance().setScale(size);  // while the window is open
    window->resize(kSmallest);
    for (int place = MainWindow::kClusters; place <= MainWindow::kReport; ++place) {
      show(place);
      EXPECT_LE(window->minimumSizeHint().width(), kSmallest.width()) << place << " " << size;
      EXPECT_LE(window->minimumSizeHint().height(), kSmallest.height()) << place << " " << size;
      EXPECT_EQ(window->size(), kSmallest) << place << " " << size;
    }
  }
}

TEST_F(Look, TheRailKeepsItsNamesWhereThereIsRoom) {
  open();
  const auto* rail = window->findChild<widgets::Rail*>();
  widgets::Theme::instance().setScale(1.3);
  window->resize(1280, 800);
  QCoreApplication::processEvents();
  const int wide = rail->width();
  window->resize(kSmallest);
  QCoreApplication::processEvents();
  EXPECT_LT(rail->width(), wide);
  EXPECT_FALSE(rail->compact());  // nobody asked for it
  window->resize(1280, 800);
  QCoreApplication::processEvents();
  EXPECT_EQ(rail->width(), wide);
}

// The first column that is too narrow for its heading, or for cells without which a row says nothing: states, times of the log. "": none.
std::string cutIn(const QTableView& table) {
  static const std::map<QString, int> kTelling = {
      {"hostTable", clusters::HostsModel::kState}, {"runsTable", runs::RunsModel::kState}, {"nodesTable", runs::WorkersModel::kState}, {"logTable", runs::LogModel::kTime}};
  const QHeaderView* header = table.horizontalHeader();
  for (int column = 0; column < header->count(); ++column) {
    int needed = header->isVisible() ? header->sectionSizeHint(column) : 0;
    if (const auto telling = kTelling.find(table.objectName()); telling != kTelling.end() && telling->second == column)
      needed = std::max(needed, static_cast<const QAbstractItemView&>(table).sizeHintForColumn(column));
    if (header->sectionSize(column) < needed) return strCat(table.objectName().toStdString(), " column ", column, ": ", header->sectionSize(column), " of ", needed);
  }
  return "";
}

TEST_F(Look, ColumnsHaveRoomForWhatTheySay) {
  open();
  window->resize(1280, 800);
  ASSERT_TRUE(waitFor([this] { return window->shell().hosts.loaded(); }));
  for (const double size : widgets::kTextSizes) {
    widgets::Theme::instance().setScale(size);
    std::set<QString> seen;
    for (int place = MainWindow::kClusters; place <= MainWindow::kReport; ++place) {
      show(place);
      const auto* log = window->runPage().findChild<QTableView*>("logTable");
      if (place == MainWindow::kRun) {
        ASSERT_TRUE(waitFor([log] { return log->model()->rowCount() > 0; }));
      }
      for (const QTableView* each : window->page()->findChildren<QTableView*>())
        if (each->isVisible() && each->model()->rowCount() > 0 && each->objectName().endsWith("Table")) {
          EXPECT_TRUE(waitFor([each] { return cutIn(*each).empty(); }, 5)) << cutIn(*each) << " at " << size;
          seen.insert(each->objectName());
        }
    }
    for (const char* name : {"hostTable", "runsTable", "nodesTable", "logTable"}) EXPECT_TRUE(seen.contains(name)) << name;
  }
}

TEST(Columns, GrowWithTheirCellsUnlessAPersonHasMovedThem) {
  application();
  QTableWidget table(1, 3);
  table.setHorizontalHeaderLabels({"a", "b", "c"});
  widgets::setWidths(&table, {40, 40, 40}, 2);
  table.resize(600, 200);
  table.show();
  table.horizontalHeader()->resizeSection(1, 50);  // as a mouse does
  for (int column = 0; column < 3; ++column) table.setItem(0, column, new QTableWidgetItem("a rather long name"));
  const auto* header = table.horizontalHeader();
  EXPECT_TRUE(waitFor([&] { return header->sectionSize(0) >= static_cast<QAbstractItemView&>(table).sizeHintForColumn(0); }, 5));
  EXPECT_EQ(header->sectionSize(1), 50);
  EXPECT_EQ(header->length(), table.viewport()->width());  // the rest
  const int before = header->sectionSize(0);
  table.item(0, 0)->setText("short");
  QCoreApplication::processEvents();
  EXPECT_EQ(header->sectionSize(0), before);  // nothing jumps
}

TEST_F(Look, TheNextStartHasTheWidthsThatAPersonGave) {
  open();
  const auto header = [this] { return window->findChild<QTableView*>("runsTable")->horizontalHeader(); };
  header()->resizeSection(runs::RunsModel::kName, 500);  // as a mouse does
  header()->resizeSection(runs::RunsModel::kModel, 60);
  window = std::make_unique<MainWindow>(QString::fromStdString(path()));
  window->show();
  ASSERT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 1; }));
  QCoreApplication::processEvents();  // columns follow the rows that came
  EXPECT_EQ(header()->sectionSize(runs::RunsModel::kName), 500);
  EXPECT_EQ(header()->sectionSize(runs::RunsModel::kModel), 60);
  const int grown = header()->sectionSize(runs::RunsModel::kState);
  widgets::Theme::instance().setScale(1.3);
  EXPECT_GT(header()->sectionSize(runs::RunsModel::kState), grown);  // nobody's
  window.reset();
  for (const char* key : {"runs/columns", "runs/columnsMoved"}) QSettings().remove(key);
}

TEST_F(Look, LargerTextIsNotCut) {
  widgets::Theme::instance().setScale(1.3);
  open();
  window->resize(1280, 800);
  for (int place = MainWindow::kClusters; place <= MainWindow::kReport; ++place) {
    show(place);
    for (const widgets::ColumnScroll* each : window->page()->findChildren<widgets::ColumnScroll*>())
      if (each->isVisible()) {
        EXPECT_GE(each->viewport()->width(), each->widget()->minimumSizeHint().width()) << place;
      }
    for (const QPushButton* each : window->page()->findChildren<QPushButton*>())
      if (each->isVisible()) {
        EXPECT_GE(each->width(), each->minimumSizeHint().width()) << place << " " << each->text().toStdString();
      }
    for (const QLineEdit* each : window->page()->findChildren<QLineEdit*>())
      if (each->isVisible()) {
        EXPECT_GE(each->height(), each->fontMetrics().height() + 2) << place << " " << each->objectName().toStdString();
      }
    for (const QTableView* each : window->page()->findChildren<QTableView*>())
      if (each->isVisible() && each->model()->rowCount() > 0) {
        EXPECT_GE(each->rowHeight(0), each->fontMetrics().height() + 2) << place;
      }
  }
}

TEST_F(Look, ATableGrowsWithItsText) {
  open();
  show(MainWindow::kRuns);
  const auto* table = window->page()->findChild<QTableView*>("runsTable");
  ASSERT_NE(table, nullptr);
  const int before = table->rowHeight(0);
  widgets::Theme::instance().setScale(1.3);
  EXPECT_EQ(table->rowHeight(0), widgets::scaled(before));
}

TEST_F(Look, AMessageMovesNothing) {
  open();
  window->resize(kSmallest);
  show(MainWindow::kRuns);
  const QRect before(window->page()->mapTo(window.get(), QPoint()), window->page()->size());
  window->shell().tell("Something went wrong, at length, so that the words of this message need more than one line of the strip that they are told in.");
  QCoreApplication::processEvents();
  EXPECT_EQ(QRect(window->page()->mapTo(window.get(), QPoint()), window->page()->size()), before);
  ASSERT_TRUE(waitFor([this] {
    for (const QFrame* each : window->findChildren<QFrame*>("banner"))
      if (each->isVisible() && each->height() > 0) return true;
    return false;
  }));
  for (const int place : {MainWindow::kSettings, MainWindow::kExperiments}) {
    show(place);  // it stays above the other pages
    EXPECT_TRUE(window->bannerText().startsWith("Something went wrong")) << place;
    for (const QFrame* each : window->findChildren<QFrame*>("banner"))
      if (each->isVisible()) {
        EXPECT_EQ(window->childAt(each->mapTo(window.get(), QPoint(1, each->height() / 2))), each) << place;
      }
  }
}

TEST_F(Look, AMessageIsTwoLinesAndLeavesTheFieldInView) {
  open();
  window->resize(kSmallest);
  window->activateWindow();
  show(MainWindow::kExperiments);
  ASSERT_TRUE(waitFor([this] { return window->isActiveWindow(); }));
  auto* last = window->experiment().findChild<QLineEdit*>("nodeSilent");
  widgets::unfold(last);
  QCoreApplication::processEvents();  // it has its place
  last->setFocus();
  QCoreApplication::processEvents();
  QString sentence = "w1 ended with exit code 1:";
  for (int i = 0; i < 60; ++i) sentence += " and more of it";
  window->shell().tell(sentence.toStdString());
  auto* more = window->findChildren<QPushButton*>("more").last();
  ASSERT_TRUE(waitFor([more] { return more->isVisible(); }));
  QCoreApplication::processEvents();
  const auto placeOf = [this](const QWidget* each) { return QRect(each->mapTo(window.get(), QPoint()), each->size()); };
  QWidget* banner = more->parentWidget();
  const int least = banner->height();
  const auto* words = [&]() -> QLabel* {
    for (QLabel* each : banner->findChildren<QLabel*>())
      if (each->text() == sentence) return each;
    return nullptr;
  }();
  ASSERT_NE(words, nullptr);
  EXPECT_LE(words->height(), words->fontMetrics().size(0, "x\nx").height());  // nothing of a third line
  EXPECT_FALSE(placeOf(last).intersects(placeOf(banner)));
  EXPECT_FALSE(last->visibleRegion().isEmpty());
  more->click();
  ASSERT_TRUE(waitFor([&] { return banner->height() > least; }));
  QCoreApplication::processEvents();
  EXPECT_FALSE(placeOf(last).intersects(placeOf(banner)));
  EXPECT_EQ(window->bannerText(), sentence);
}

TEST_F(Look, AnOfferGoesWhenThePersonGoesOn) {
  open();
  show(MainWindow::kExperiments);
  const std::string run = madeRow(3).id;
  emit window->shell().queue.submitted(run);
  emit window->shell().queue.ended(run, "");
  ASSERT_EQ(window->bannerText(), "The run has ended");
  window->experiment().draft().edit([](RunSpec& spec) { spec.batchSize += 1; });
  EXPECT_EQ(window->bannerText(), "");
  window->shell().tell("Something went wrong");
  window->experiment().draft().edit([](RunSpec& spec) { spec.batchSize += 1; });
  EXPECT_EQ(window->bannerText(), "Something went wrong");
}

TEST_F(Look, ARunIsOfferedUntilItIsSeen) {
  open();
  show(MainWindow::kExperiments);
  const std::string run = madeRow(3).id;
  emit window->shell().queue.submitted(run);
  emit window->shell().queue.ended(run, "");
  for (const int place : {MainWindow::kExperiments, MainWindow::kClusters, MainWindow::kCompare}) {
    show(place);
    EXPECT_EQ(window->bannerText(), "The run has ended") << place;
  }
  show(MainWindow::kRun);
  EXPECT_EQ(window->bannerText(), "");
}

TEST_F(Look, AButtonOfAMessageMayTellAnotherMessage) {
  widgets::Banner banner;
  const std::string words(100, 'x');  // what the button's action holds lives until the action is over
  std::string seen;
  banner.tell(widgets::Token::kOk, "running", "First", "Go on", [&, words] {
    banner.tell(widgets::Token::kOk, "finished", "Second");
    seen = words;
  });
  for (QPushButton* each : banner.findChildren<QPushButton*>())
    if (each->text() == "Go on") {
      each->click();
      break;
    }
  EXPECT_EQ(seen, words);
  EXPECT_EQ(banner.text(), "Second");
}

TEST_F(Look, AFailureIsNotToldAboveThePageThatTellsIt) {
  open();
  show(MainWindow::kRun);
  const std::string run = madeRow(3).id;
  emit window->shell().queue.ended(run, "w1 ended with signal 9");
  EXPECT_EQ(window->bannerText(), "");
  show(MainWindow::kRuns);
  emit window->shell().queue.ended(run, "w1 ended with signal 9");
  EXPECT_EQ(window->bannerText(), "w1 ended with signal 9");
}

TEST_F(Look, AMissingDataSetIsNotReadyAndCanBeFetched) {
  open();
  show(MainWindow::kExperiments);
  Catalog catalog = smallCatalog();
  DatasetEntry fashion;
  fashion.id = "fashion_mnist", fashion.title = "Fashion-MNIST", fashion.downloads = true;
  catalog.datasets.push_back(fashion);
  window->shell().catalogue.use(catalog);
  experiment::ExperimentDraft& draft = window->experiment().draft();
  const auto choose = [&draft](const char* set) {
    draft.edit([set](RunSpec& spec) { spec.model = {.id = "logistic", .params = {}}, spec.dataset = {.id = set, .params = {}}; });
    draft.validateNow();
  };
  const auto says = [this](const char* words) {
    for (const QLabel* each : window->experiment().findChildren<QLabel*>())
      if (each->isVisible() && each->text().contains(words)) return true;
    return false;
  };
  const auto* fetch = window->experiment().findChild<QPushButton*>("fetchDataset");
  ASSERT_NE(fetch, nullptr);
  choose("fashion_mnist");
  EXPECT_FALSE(says("Ready to run"));
  int said = 0;
  for (const QLabel* each : window->experiment().findChildren<QLabel*>()) said += each->isVisible() && each->text().contains("not on this computer");
  EXPECT_EQ(said, 1);
  EXPECT_TRUE(says("Fashion-MNIST is not on this computer: a run here would fail."));
  EXPECT_FALSE(window->experiment().findChild<QListWidget*>("findings")->isVisible());
  auto* run = window->experiment().findChild<QPushButton*>("runButton");
  EXPECT_FALSE(run->isEnabled());
  EXPECT_EQ(run->toolTip(), "Fashion-MNIST is not on this computer: a run here would fail.");
  EXPECT_TRUE(fetch->isVisible());
  EXPECT_EQ(fetch->text(), "Download Fashion-MNIST");
  EXPECT_TRUE(fetch->isEnabled());
  window->shell().catalogue.download("no_such_set");  // one at a time; this button does not stop another set
  EXPECT_FALSE(fetch->isEnabled());
  EXPECT_EQ(fetch->text(), "Download Fashion-MNIST");
  EXPECT_FALSE(window->experiment().runAgain(draft.json().toStdString()));  // of an earlier run, either
  choose("synthetic");
  EXPECT_TRUE(says("Ready to run"));
  EXPECT_FALSE(fetch->isVisible());
}

struct Choices : ::testing::Test {
  QApplication& application = tests::application();
  Choices() {
    for (const char* each : {"ESync", "SSP", "Local SSGD", "SSGD with backups", "SSGD", "ASGD"}) list.addItem(each, QString(each).toLower());
    list.show();
    QObject::connect(&list, &QComboBox::activated, &list, [this](int index) { chosen.push_back(list.itemText(index).toStdString()); });
  }
  widgets::ChoiceList list;
  std::vector<std::string> chosen;
};

TEST_F(Choices, TypingFindsTheEntryOfThatNameAndReturnTakesIt) {
  QTest::keyClick(&list, 'S');
  QTest::keyClicks(list.view(), "SGD");
  EXPECT_EQ(list.view()->currentIndex().data().toString(), "SSGD");
  EXPECT_TRUE(chosen.empty());  // only looked for
  QTest::keyClick(list.view(), Qt::Key_Return);
  EXPECT_EQ(chosen, (std::vector<std::string>{"SSGD"}));
}

TEST_F(Choices, WhatBeginsSoComesBeforeWhatHasIt) {
  QTest::keyClick(&list, 'S');
  QTest::keyClicks(list.view(), "SG");
  EXPECT_EQ(list.view()->currentIndex().data().toString(), "SSGD with backups");
  EXPECT_EQ(widgets::entryCalled(list, "ssgd"), 4);
  EXPECT_EQ(widgets::entryCalled(list, "ss"), -1);
}

TEST(FlowLayout, WhatDoesNotFitALineGoesToTheNext) {
  application();
  std::vector<QWidget*> boxes;
  QWidget area;
  for (int i = 0; i < 3; ++i) boxes.push_back(new QWidget), boxes.back()->setFixedSize(100, 20);
  area.setLayout(new widgets::FlowLayout({boxes[0], boxes[1], boxes[2]}));
  area.layout()->setContentsMargins(0, 0, 0, 0);
  area.resize(220, 100);
  area.layout()->activate();
  EXPECT_EQ(boxes[1]->pos(), QPoint(100 + widgets::kGap, 0));
  EXPECT_EQ(boxes[2]->pos(), QPoint(0, 20 + widgets::kGap));
  EXPECT_EQ(area.layout()->heightForWidth(220), 2 * 20 + widgets::kGap);
  EXPECT_EQ(area.layout()->minimumSize().width(), 100);
}

}  // namespace
}  // namespace paceline::tests
