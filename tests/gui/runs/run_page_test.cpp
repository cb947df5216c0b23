// The page of one run: its parts share their time, nothing moves when it ends, it fits small screens, Tab goes through it.
#include "app/ui/runs/run_page.h"

#include <gtest/gtest.h>

#include <QLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "app/ui/figure/figure_view.h"
#include "app/ui/main_window.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

// Five rounds of two workers.
struct OpenRun {
  OpenRun() {
    window.resize(1280, 800);
    window.show();
    window.openRun(madeRow(1).id);
  }
  runs::RunPage& page() { return window.runPage(); }
  bool read() {
    return waitFor([this] { return page().snapshot().accuracy.size() == 5; });
  }
  std::string stored() {
    application();
    storeRun(folder.path("store.db"), madeRow(1), 5);
    return folder.path("store.db");
  }
  TempFolder folder;
  MainWindow window{QString::fromStdString(stored())};
};

TEST(RunPage, NothingMovesWhenItsRunEnds) {
  OpenRun w;
  ASSERT_TRUE(w.read());
  recorder::Entry entry{.id = 1, .run = madeRow(1).id, .name = "one"};
  entry.state = store::RunState::kRunning, entry.waiting = false;
  emit w.window.shell().recorder.queueRead({entry});
  const auto* nodes = w.page().findChild<QTableView*>("nodesTable");
  const auto top = [&] {
    w.page().layout()->activate();
    return nodes->mapTo(&w.window, QPoint()).y();
  };
  const int before = top();
  EXPECT_TRUE(w.page().findChild<QProgressBar*>("runProgress")->isVisible());
  emit w.window.shell().recorder.queueRead({});
  EXPECT_FALSE(w.page().findChild<QProgressBar*>("runProgress")->isVisible());
  EXPECT_EQ(top(), before);
}

// Five rounds of a second: what the lanes show, the charts show.
TEST(RunPage, ChartsShareTheTimeOfTheLanes) {
  OpenRun w;
  runs::LanesView& lanes = w.page().lanesView();
  ASSERT_TRUE(waitFor([&] { return lanes.range().end > 4; }));
  ASSERT_TRUE(w.read());
  QTest::keyClick(&lanes, Qt::Key_Plus);
  EXPECT_NEAR(lanes.range().length(), 4, 0.2);
  const auto charts = w.page().findChildren<figure::FigureView*>();
  ASSERT_EQ(charts.size(), 2);
  for (const figure::FigureView* chart : charts) EXPECT_TRUE(chart->figure().x.min == lanes.range().begin && chart->figure().x.max == lanes.range().end);
  QTest::mouseMove(lanes.viewport(), QPoint(static_cast<int>(lanes.xAt(2.5)), lanes.laneRect(1).center().y()));
  EXPECT_TRUE(w.page().findChild<QLabel*>("lanesWords")->text().startsWith("w1, round 3")) << w.page().findChild<QLabel*>("lanesWords")->text().toStdString();
  QTest::keyClick(&lanes, Qt::Key_0);
  EXPECT_FALSE(charts.front()->figure().x.max);
}

// On a laptop's screen and on the smallest one: the cards of the charts end above what follows them.
TEST(RunPage, ChartsAreWholeOnSmallScreens) {
  OpenRun w;
  for (const QSize& size : {QSize(1280, 800), QSize(1024, 640)}) {
    w.window.resize(size);
    QCoreApplication::processEvents();
    for (const figure::FigureView* chart : w.page().findChildren<figure::FigureView*>()) {
      const QWidget* card = chart->parentWidget();
      EXPECT_LE(card->geometry().bottom(), card->parentWidget()->rect().bottom()) << size.height();
      EXPECT_LE(chart->geometry().bottom(), card->rect().bottom()) << size.height();
    }
    EXPECT_EQ(w.window.size(), size);
  }
}

TEST(RunPage, TabGoesThroughItAsItLies) {
  OpenRun w;
  QStringList order;
  QWidget* at = w.page().findChild<QPushButton*>("stopButton");
  for (int i = 0; i < 1000 && order.size() < 3; ++i, at = at->nextInFocusChain())
    if (const QString name = at->objectName(); name == "lanes" || name == "nodesTable" || name == "logSearch") order << name;
  EXPECT_EQ(order, (QStringList{"lanes", "nodesTable", "logSearch"}));
}

}  // namespace
}  // namespace paceline::tests
