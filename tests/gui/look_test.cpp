// What must hold on every page: it fits a small window, larger text is not cut, messages move nothing, lists are found by typing.
#include <gtest/gtest.h>

#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QStackedWidget>
#include <QTest>

#include "app/ui/main_window.h"
#include "app/ui/widgets/choice_list.h"
#include "app/ui/widgets/flow_layout.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

constexpr QSize kSmallest(1024, 640);

struct Look : ::testing::Test {
  QApplication& application = testing::application();
  void TearDown() override { widgets::Theme::instance().setScale(1.0); }

  void open() {
    testing::storeRun(path(), testing::madeRow(3), 5);  // it failed: "w1 ended with signal 9"
    window = std::make_unique<MainWindow>(QString::fromStdString(path()));
    window->show();
    ASSERT_TRUE(testing::waitFor([this] { return window->shell().runs.rowCount() == 1; }));
  }
  void show(int place) {
    place == MainWindow::kRun ? window->openRun(testing::madeRow(3).id) : window->go(place);
    QCoreApplication::processEvents();
  }
  std::string path() const { return folder.path("store.db"); }

  testing::TempFolder folder;
  std::unique_ptr<MainWindow> window;
};

TEST_F(Look, EveryPageFitsASmallWindow) {
  open();
  window->resize(kSmallest);
  for (int place = MainWindow::kClusters; place <= MainWindow::kRun; ++place) {
    show(place);
    EXPECT_LE(window->minimumSizeHint().width(), kSmallest.width()) << place;
    EXPECT_LE(window->minimumSizeHint().height(), kSmallest.height()) << place;
    EXPECT_EQ(window->size(), kSmallest) << place;
  }
}

TEST_F(Look, LargerTextIsNotCut) {
  widgets::Theme::instance().setScale(1.3);
  open();
  window->resize(1280, 800);
  for (int place = MainWindow::kClusters; place <= MainWindow::kRun; ++place) {
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
  ASSERT_TRUE(testing::waitFor([this] {
    for (const QFrame* each : window->findChildren<QFrame*>("banner"))
      if (each->isVisible() && each->height() > 0) return true;
    return false;
  }));
  for (const int place : {MainWindow::kSettings, MainWindow::kExperiments}) {
    show(place);  // it stays above the other pages
    for (const QFrame* each : window->findChildren<QFrame*>("banner"))
      if (each->isVisible()) {
        EXPECT_EQ(window->childAt(each->mapTo(window.get(), QPoint(1, each->height() / 2))), each) << place;
      }
  }
}

TEST_F(Look, AFailureIsNotToldAboveThePageThatTellsIt) {
  open();
  show(MainWindow::kRun);
  const std::string run = testing::madeRow(3).id;
  emit window->shell().queue.ended(run, "w1 ended with signal 9");
  EXPECT_EQ(window->bannerText(), "");
  show(MainWindow::kRuns);
  emit window->shell().queue.ended(run, "w1 ended with signal 9");
  EXPECT_EQ(window->bannerText(), "w1 ended with signal 9");
}

TEST_F(Look, AMissingDataSetIsNotReadyAndCanBeFetched) {
  open();
  show(MainWindow::kExperiments);
  Catalog catalog = testing::smallCatalog();
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
  EXPECT_TRUE(says("Fashion-MNIST is not on this computer"));
  EXPECT_TRUE(fetch->isVisible());
  EXPECT_EQ(fetch->text(), "Download Fashion-MNIST");
  choose("synthetic");
  EXPECT_TRUE(says("Ready to run"));
  EXPECT_FALSE(fetch->isVisible());
}

struct Choices : ::testing::Test {
  QApplication& application = testing::application();
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
  testing::application();
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
