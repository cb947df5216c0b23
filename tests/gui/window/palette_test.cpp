// Ctrl+K, Ctrl+F1 and the context menus: what has a name is found, what a key does is listed, what a pane offers is offered at the pointer.
#include <gtest/gtest.h>

#include <QDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QTest>

#include "app/models/finder.h"
#include "app/ui/main_window.h"
#include "app/ui/palette/key_list.h"
#include "app/ui/palette/keys.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

TEST(Finder, ABeginComesBeforeAWordBeforeAPlaceInsideBeforeTheRest) {
  const std::vector<Findable> all = {{"overrun"}, {"first", "runs"}, {"my run"}, {"run 1"}};
  EXPECT_EQ(bestMatches("run", all, 10), (std::vector<int>{3, 2, 0, 1}));
}

TEST(Finder, EveryTypedWordMustBeThere) {
  const std::vector<Findable> all = {{"ESync, slowdown 6", "seed 1"}, {"ESync, slowdown 6", "seed 2"}, {"SSGD", "seed 2"}};
  EXPECT_EQ(bestMatches("esync 2", all, 10), (std::vector<int>{1}));
  EXPECT_EQ(bestMatches("ESYNC", all, 10), (std::vector<int>{0, 1}));
  EXPECT_TRUE(bestMatches("nothing", all, 10).empty());
}

TEST(Finder, TheOneOfJustThatNameIsFirstAndNothingTypedKeepsTheOrder) {
  const std::vector<Findable> all = {{"Runs of last week"}, {"Runs"}, {"Run"}};
  EXPECT_EQ(bestMatches("run", all, 10).front(), 2);
  EXPECT_EQ(bestMatches("runs", all, 1), (std::vector<int>{1}));
  EXPECT_EQ(bestMatches("  ", all, 2), (std::vector<int>{0, 1}));
}

struct Palette : ::testing::Test {
  void SetUp() override {
    application();
    for (int i = 0; i < 3; ++i) storeRun(folder.path("store.db"), madeRow(i), 5);
    window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")));
    window->resize(1280, 800);
    window->show();
    window->activateWindow();
    ASSERT_TRUE(waitFor([this] { return window->isActiveWindow() && window->shell().runs.loaded() && window->shell().catalogue.get(); }));
    window->go(MainWindow::kRuns);
  }
  QAction* action(const QKeySequence& keys) {
    for (QAction* each : window->findChildren<QAction*>())
      if (each->shortcut() == keys) return each;
    return nullptr;
  }
  void open() { action(QKeySequence("Ctrl+K"))->trigger(); }
  QWidget* shown() { return window->findChild<QWidget*>("palette"); }
  QListWidget* list() { return window->findChild<QListWidget*>("paletteList"); }
  void type(const char* words) { QTest::keyClicks(QApplication::focusWidget(), words); }
  void press(Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); }

  TempFolder folder;
  std::unique_ptr<MainWindow> window;
};

TEST_F(Palette, GoesToARunByItsNameOrId) {
  for (const std::string& words : {madeRow(1).name, madeRow(1).id}) {
    window->go(MainWindow::kClusters);
    open();
    type(words.c_str());
    press(Qt::Key_Return);
    EXPECT_EQ(window->page(), &window->runPage());
    EXPECT_EQ(window->runPage().run(), madeRow(1).id);
    EXPECT_FALSE(shown()->isVisible());
  }
}

TEST_F(Palette, GoesToAFieldThoughItIsFoldedAway) {
  open();
  type("clip to norm");
  ASSERT_EQ(list()->currentItem()->text(), "Clip to norm");
  press(Qt::Key_Return);
  EXPECT_EQ(window->page(), &window->experiment());
  ASSERT_NE(QApplication::focusWidget(), nullptr);
  EXPECT_EQ(QApplication::focusWidget()->objectName(), "clipNorm");
  EXPECT_TRUE(QApplication::focusWidget()->isVisible());
}

TEST_F(Palette, DoesWhatAMenuDoes) {
  open();
  type("dark theme");
  press(Qt::Key_Return);
  EXPECT_TRUE(widgets::Theme::instance().dark());
  open();
  type("light theme");
  press(Qt::Key_Return);
  EXPECT_FALSE(widgets::Theme::instance().dark());
}

TEST_F(Palette, OpensATemplateAndAHost) {
  open();
  type("template pdmm");
  press(Qt::Key_Return);
  EXPECT_EQ(window->experiment().draft().spec().algorithm.id, "pdmm_isvr");
  open();
  type("local host");
  press(Qt::Key_Return);
  EXPECT_EQ(window->page(), &window->clusters());
}

TEST_F(Palette, ArrowsChooseAndEscapeGivesTheKeyboardBack) {
  QWidget* before = QApplication::focusWidget();
  open();
  EXPECT_EQ(list()->currentRow(), 0);
  press(Qt::Key_Down);
  EXPECT_EQ(list()->currentRow(), 1);
  press(Qt::Key_Up);
  press(Qt::Key_Up);
  EXPECT_EQ(list()->currentRow(), list()->count() - 1);
  press(Qt::Key_Escape);
  EXPECT_FALSE(shown()->isVisible());
  EXPECT_EQ(QApplication::focusWidget(), before);
}

TEST_F(Palette, SaysWhenNothingIsCalledThat) {
  open();
  type("zzz");
  ASSERT_EQ(list()->count(), 1);
  EXPECT_EQ(list()->item(0)->text(), "Nothing is called \"zzz\"");
  press(Qt::Key_Return);
  EXPECT_TRUE(shown()->isVisible());
}

TEST_F(Palette, EveryKeyIsListed) {
  std::set<QString> listed;
  for (const palette::KeyLine& line : palette::keyLines(window.get())) {
    listed.insert(line.keys);
    EXPECT_FALSE(line.act.isEmpty() || line.place.isEmpty()) << line.keys.toStdString();
  }
  for (const QShortcut* each : window->findChildren<QShortcut*>()) EXPECT_TRUE(listed.contains(each->key().toString(QKeySequence::NativeText))) << each->key().toString().toStdString();
  action(QKeySequence("Ctrl+F1"))->trigger();
  auto* dialog = window->findChild<QDialog*>("keyList");
  ASSERT_NE(dialog, nullptr);
  std::set<QString> texts;
  for (const QLabel* each : dialog->findChildren<QLabel*>()) texts.insert(each->text());
  for (const char* expected : {"Ctrl+K", "Ctrl+1", "Timeline", "Space", "Hold, or let go"}) EXPECT_TRUE(texts.contains(expected)) << expected;
  dialog->close();
}

TEST_F(Palette, AContextMenuOffersWhatTheDetailsOffer) {
  auto* table = window->findChild<QTableView*>("runsTable");
  table->selectRow(0);
  QCoreApplication::processEvents();
  emit table->customContextMenuRequested(QPoint(10, 10));
  auto* menu = table->findChild<QMenu*>("contextMenu");
  ASSERT_NE(menu, nullptr);
  QStringList offered;
  QAction* trash = nullptr;
  for (QAction* each : menu->actions()) {
    offered << each->text();
    if (each->text() == "Trash") trash = each;
  }
  for (const char* expected : {"Open", "Compare", "Run again", "Edit a copy", "Trash"}) EXPECT_TRUE(offered.contains(expected)) << expected << ": " << offered.join(", ").toStdString();
  EXPECT_FALSE(offered.contains("Restore"));
  ASSERT_NE(trash, nullptr);
  trash->trigger();
  EXPECT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 2; }));
  menu->close();
}

}  // namespace
}  // namespace paceline::tests
