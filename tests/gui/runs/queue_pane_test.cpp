// The queue above the runs, ordered and emptied by mouse and by keys. Its recorder is a real one; all that waits in it is held, so nothing begins.
#include <gtest/gtest.h>

#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "app/ui/main_window.h"
#include "engine/core/json/json_text.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct Queue : ::testing::Test {
  QApplication& application = tests::application();  // first: widgets are members

  Queue() {
    {
      store::StoreWriter store(folder.path("store.db"));
      for (int i = 1; i <= 5; ++i)
        store.enqueue({.position = i, .kind = "run", .run = "run" + std::to_string(i), .specText = R"({"paceline": 1, "name": "held"})", .name = std::string(1, static_cast<char>('a' + i - 1)),
                       .held = true, .boot = "of the day before", .context = "{}", .submittedUtc = 1.0});
    }
    window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")));
    window->mayStop = [this](const QString& sentence, const QString& act) { return asked << act << sentence, true; };
    window->resize(1280, 800);
    window->show();
    window->go(MainWindow::kRuns);
    table = window->runsPage().findChild<QTableView*>("queueTable");
  }
  bool becomes(const QString& order) {
    return waitFor([&] { return names() == order; }, 20) || (ADD_FAILURE() << names().toStdString() << ", not " << order.toStdString(), false);
  }
  QString names() const {
    QString all;
    for (int row = 0; row < table->model()->rowCount(); ++row) all += table->model()->index(row, 0).data().toString();
    return all;
  }
  QPoint middle(int row) const { return table->visualRect(table->model()->index(row, 0)).center(); }
  // As a hand does: the button goes down, the mouse moves in steps, the button comes up.
  void drag(int row, const QPoint& to, bool drop = true) {
    QTest::mousePress(table->viewport(), Qt::LeftButton, {}, middle(row));
    for (const QPoint& at : {middle(row) + QPoint(0, 12), (middle(row) + to) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, at, table->viewport()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
      QCoreApplication::sendEvent(table->viewport(), &move);
    }
    EXPECT_TRUE(table->findChild<QFrame*>("dropLine")->isVisible());
    if (!drop) QTest::keyClick(table, Qt::Key_Escape);
    QTest::mouseRelease(table->viewport(), Qt::LeftButton, {}, to);
    EXPECT_FALSE(table->findChild<QFrame*>("dropLine")->isVisible());
  }
  QPushButton* button(const char* name) const { return window->runsPage().findChild<QPushButton*>(name); }

  TempFolder folder;
  std::unique_ptr<MainWindow> window;
  QTableView* table;
  QStringList asked;
};

TEST_F(Queue, RowsAreDraggedWithTheMouse) {
  ASSERT_TRUE(becomes("abcde"));
  drag(0, middle(2) + QPoint(0, 4));  // below the middle of c
  EXPECT_TRUE(becomes("bcade"));
  EXPECT_EQ(table->currentIndex().row(), 2);  // still a
  drag(3, middle(0) - QPoint(0, 4));
  EXPECT_TRUE(becomes("dbcae"));
  drag(1, {middle(4).x(), table->viewport()->height() + 40});  // beyond the last
  EXPECT_TRUE(becomes("dcaeb"));
}

TEST_F(Queue, EscapeLeavesThemWhereTheyWere) {
  ASSERT_TRUE(becomes("abcde"));
  drag(0, middle(3), false);
  bool answered = false;
  window->shell().recorder.ask([](recorder::Client& client) { client.queue(); }, [&answered] { answered = true; });
  ASSERT_TRUE(waitFor([&answered] { return answered; }));
  EXPECT_EQ(names(), "abcde");
}

TEST_F(Queue, SeveralSelectedRowsGoTogether) {
  ASSERT_TRUE(becomes("abcde"));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, middle(1));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::ControlModifier, middle(3));
  drag(3, middle(0) - QPoint(0, 4));
  EXPECT_TRUE(becomes("bdace"));
  EXPECT_EQ(table->selectionModel()->selectedRows().size(), 2);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, middle(0));  // one of them alone
  EXPECT_EQ(table->selectionModel()->selectedRows().size(), 1);
}

TEST_F(Queue, KeysMoveThem) {
  ASSERT_TRUE(becomes("abcde"));
  table->setFocus();
  table->selectRow(2);
  QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
  ASSERT_TRUE(becomes("acbde"));
  QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
  ASSERT_TRUE(becomes("abcde"));
  QTest::keyClick(table, Qt::Key_Home, Qt::AltModifier);
  ASSERT_TRUE(becomes("cabde"));
  QTest::keyClick(table, Qt::Key_End, Qt::AltModifier);
  EXPECT_TRUE(becomes("abdec"));
  QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);  // it is the last
  EXPECT_TRUE(becomes("abdec"));
}

TEST_F(Queue, SeveralAreTakenOutAfterOneQuestion) {
  ASSERT_TRUE(becomes("abcde"));
  EXPECT_TRUE(button("queueGo")->isVisible());
  EXPECT_FALSE(button("queueHold")->isEnabled());  // all are held
  table->setFocus();
  table->selectRow(1);
  table->selectionModel()->select(table->model()->index(2, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
  EXPECT_EQ(button("queueStop")->text(), "Remove");
  button("queueStop")->click();
  EXPECT_EQ(asked, (QStringList{"Remove", "Take 2 runs out of the queue? Nothing of what has not begun stays."}));
  EXPECT_TRUE(becomes("ade"));
  EXPECT_TRUE(table->selectionModel()->selectedRows().isEmpty());
}

// A run that ends does not move what is below the queue away from the pointer; a queue that was left is as high as it is.
TEST_F(Queue, DoesNotGetLowerWhileItIsSeen) {
  ASSERT_TRUE(becomes("abcde"));
  const int height = table->height();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, middle(4));
  QTest::mouseClick(button("queueStop"), Qt::LeftButton);
  ASSERT_TRUE(becomes("abcd"));
  EXPECT_EQ(table->height(), height);
  window->go(MainWindow::kSettings);
  window->go(MainWindow::kRuns);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, middle(3));
  EXPECT_LT(table->height(), height);
}

TEST_F(Queue, SaysOfAHeldRunNoMoreThanThatBesideItsButton) {
  ASSERT_TRUE(becomes("abcde"));
  ASSERT_TRUE(waitFor([this] { return !table->model()->index(0, runs::RunQueue::kText).data().toString().isEmpty(); }));
  EXPECT_EQ(table->model()->index(0, runs::RunQueue::kText).data().toString(), "held since this computer was started again");
}

}  // namespace
}  // namespace paceline::tests
