// The page of one run: its parts share their time, nothing moves when it ends, it fits small screens, Tab goes through it.
#include "app/ui/runs/run_page.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "app/ui/figure/figure_view.h"
#include "storage/store/store.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/diverged_dialog.h"
#include "app/ui/runs/traffic_dialog.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

// Five rounds of two workers.
struct OpenRun {
  explicit OpenRun(std::vector<StampedEvent> more = {}) : more(std::move(more)) {
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
    if (!more.empty()) store::StoreWriter(folder.path("store.db")).append(more);
    return folder.path("store.db");
  }
  std::vector<StampedEvent> more;
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

TEST(RunPage, NothingMovesWhenAMessageComes) {
  OpenRun w;
  ASSERT_TRUE(w.read());
  const auto* chart = w.page().findChildren<figure::FigureView*>().front();
  const QRect before(chart->mapTo(&w.window, QPoint()), chart->size());
  w.window.shell().tell("w1 ended with signal 9");
  ASSERT_TRUE(waitFor([&] { return w.window.bannerText() != ""; }));
  QCoreApplication::processEvents();
  EXPECT_EQ(QRect(chart->mapTo(&w.window, QPoint()), chart->size()), before);
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

// With the largest text on the smallest screen its parts scroll; what they show stays readable.
TEST(RunPage, PartsKeepTheirRoomWithLargerText) {
  OpenRun w;
  w.window.resize(1024, 640);
  widgets::Theme::instance().setScale(widgets::kTextSizes[3]);
  QCoreApplication::processEvents();
  for (const figure::FigureView* chart : w.page().findChildren<figure::FigureView*>()) EXPECT_GE(chart->height(), widgets::scaled(70));
  EXPECT_GE(w.page().lanesView().height(), widgets::scaled(60));
  EXPECT_EQ(w.window.size(), QSize(1024, 640));
  widgets::Theme::instance().setScale(1);
}

TEST(RunPage, TabGoesThroughItAsItLies) {
  OpenRun w;
  QStringList order;
  QWidget* at = w.page().findChild<QPushButton*>("stopButton");
  for (int i = 0; i < 1000 && order.size() < 3; ++i, at = at->nextInFocusChain())
    if (const QString name = at->objectName(); name == "lanes" || name == "nodesTable" || name == "logSearch") order << name;
  EXPECT_EQ(order, (QStringList{"lanes", "nodesTable", "logSearch"}));
}

// By keyboard: Tab reaches the button, Space opens the records, Esc closes them.
TEST(RunPage, ShowsTheRecordsBeforeTheFirstNaN) {
  NoticeRecord notice{.kind = "log", .text = "in round 6 the loss is NaN: training has diverged", .level = "warn", .reason = kNotFinite, .code = 0, .unixTime = 0};
  OpenRun w(std::vector<StampedEvent>{{.run = madeRow(1).id, .node = "w1", .seq = 100, .event = notice}});
  auto* before = w.page().findChild<QPushButton*>("beforeNan");
  EXPECT_FALSE(before->isVisible());
  ASSERT_TRUE(w.read());
  EXPECT_TRUE(before->isVisible());
  EXPECT_EQ(w.page().findChild<QLabel*>("diverged")->text(), "w1: in round 6 the loss is NaN: training has diverged");
  EXPECT_NE(before->focusPolicy() & Qt::TabFocus, 0);
  QTest::keyClick(before, Qt::Key_Space);
  const auto* dialog = w.page().findChild<runs::DivergedDialog*>();
  ASSERT_TRUE(dialog);
  const auto* table = dialog->findChild<QTableView*>("divergedTable");
  ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 5; }));
  EXPECT_EQ(table->model()->headerData(0, Qt::Horizontal).toString(), "round");
  EXPECT_EQ(table->model()->index(4, 0).data().toString(), "5");
  QTest::mouseClick(dialog->findChild<QPushButton*>("copyDiverged"), Qt::LeftButton);
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith("round,loss,t_s,"));
  EXPECT_EQ(QApplication::clipboard()->text().count('\n'), 6);
  QTest::keyClick(const_cast<runs::DivergedDialog*>(dialog), Qt::Key_Escape);
  EXPECT_TRUE(waitFor([&] { return !w.page().findChild<runs::DivergedDialog*>(); }));
}

// What both ends counted, and where they part; why it is not known what the method sends.
TEST(RunPage, ShowsWhatCrossedItsLinks) {
  const auto link = [](const char* node, LinkRecord record) { return StampedEvent{.run = madeRow(1).id, .node = node, .seq = 100, .event = std::move(record)}; };
  LinkRecord sent;
  sent.peer = "w1", sent.messagesSent = 3, sent.valuesSent = 250, sent.bytesSent = 300, sent.framedSent = 320, sent.kernelSent = 320.032;
  LinkRecord received;
  received.peer = "w0", received.messagesReceived = 3, received.bytesReceived = 300;
  OpenRun w(std::vector<StampedEvent>{link("w0", sent), link("w1", received)});
  ASSERT_TRUE(w.read());
  QTest::keyClick(w.page().findChild<QPushButton*>("trafficButton"), Qt::Key_Space);
  auto* dialog = w.page().findChild<runs::TrafficDialog*>();
  ASSERT_TRUE(dialog);
  const QAbstractItemModel& links = *dialog->findChild<QTableView*>("trafficLinks")->model();
  ASSERT_TRUE(waitFor([&] { return links.rowCount() > 0; }));
  const auto cellsOf = [](const QAbstractItemModel& model, int row) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column) cells << model.index(row, column).data().toString();
    return cells;
  };
  QStringList ways;
  for (int row = 0; row < links.rowCount(); ++row) ways << cellsOf(links, row).join('|');
  EXPECT_TRUE(ways.contains("w0|w1|3|250|300|300|0|320|320|0.010 %|–")) << ways.join('\n').toStdString();
  EXPECT_TRUE(dialog->findChild<QLabel*>("trafficWords")->text().startsWith("What workers sent is what servers received."));
  const QAbstractItemModel& rounds = *dialog->findChild<QTableView*>("trafficRounds")->model();
  ASSERT_EQ(rounds.rowCount(), 2);
  ASSERT_TRUE(waitFor([&] { return !dialog->findChild<QLabel*>("trafficMethod")->text().isEmpty(); }));  // this run has no document
  EXPECT_EQ(cellsOf(rounds, 0)[2], "–");
  QTest::mouseClick(dialog->findChild<QPushButton*>("copyTraffic"), Qt::LeftButton);
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith("from,to,messages,values_bytes,bytes,received_bytes,"));
  QTest::keyClick(dialog, Qt::Key_Escape);
  EXPECT_TRUE(waitFor([&] { return !w.page().findChild<runs::TrafficDialog*>(); }));
}

TEST(RunPage, SaysWhyNoLinkIsKnown) {
  OpenRun w;
  ASSERT_TRUE(w.read());
  QTest::keyClick(w.page().findChild<QPushButton*>("trafficButton"), Qt::Key_Space);
  const auto* dialog = w.page().findChild<runs::TrafficDialog*>();
  ASSERT_TRUE(dialog);
  EXPECT_TRUE(waitFor([&] { return dialog->findChild<QLabel*>("trafficWords")->text().startsWith("No link of "); })) << dialog->findChild<QLabel*>("trafficWords")->text().toStdString();
}

}  // namespace
}  // namespace paceline::tests
