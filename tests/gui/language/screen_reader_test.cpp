// What a screen reader is told: a name for all that can be used, and what a picture shows.
#include <gtest/gtest.h>

#include <set>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSettings>
#include <QSplitterHandle>

#include "app/ui/compare/compare_page.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/ui/experiment/topology_preview.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/lanes_view.h"
#include "app/ui/runs/run_page.h"
#include "app/ui/screenshots.h"
#include "app/ui/widgets/page.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

constexpr int kLongMs = 30'000;

QString nameOf(QWidget* widget) {
  QAccessibleInterface* told = QAccessible::queryAccessibleInterface(widget);
  return told ? told->text(QAccessible::Name).trimmed() : QString();
}

bool isPartOf(const QWidget* widget) {  // of a control that is told itself
  for (const QWidget* above = widget->parentWidget(); above; above = above->parentWidget())
    if (qobject_cast<const QComboBox*>(above) || qobject_cast<const QAbstractSpinBox*>(above) || qobject_cast<const QLineEdit*>(above) || qobject_cast<const QAbstractItemView*>(above)) return true;
  return false;
}

bool isUsed(const QWidget* widget) {
  if (!widget->isVisible() || !widget->isEnabled() || isPartOf(widget)) return false;
  if (qobject_cast<const QScrollBar*>(widget) || qobject_cast<const QHeaderView*>(widget) || qobject_cast<const QSplitterHandle*>(widget)) return false;
  if (qobject_cast<const widgets::Page*>(widget) || widget->isWindow()) return false;
  return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
         (widget->focusPolicy() & Qt::TabFocus);
}

struct ScreenReader : ::testing::Test {
  QApplication& app = application();
  TempFolder folder;
  std::unique_ptr<MainWindow> window;

  void SetUp() override {
    const std::string path = folder.path("store.db");
    for (int i = 0; i < 3; ++i) storeRun(path, madeRow(i), 5);
    window = std::make_unique<MainWindow>(QString::fromStdString(path));
    window->resize(1280, 1400);
    window->show();
    ASSERT_TRUE(waitFor([&] { return window->shell().runs.loaded(); }));
  }
  void show(int place) {
    place == MainWindow::kRun ? window->openRun(madeRow(0).id) : window->go(place);
    EXPECT_TRUE(settle(*window, kLongMs));
  }
};

TEST_F(ScreenReader, HasANameForAllThatCanBeUsed) {
  window->compare().choose({madeRow(0).id, madeRow(1).id});
  int named = 0;
  for (int place = MainWindow::kClusters; place <= MainWindow::kRun; ++place) {
    show(place);
    for (QWidget* each : window->findChildren<QWidget*>()) {
      if (!isUsed(each)) continue;
      ++named;
      EXPECT_FALSE(nameOf(each).isEmpty()) << "page " << place << ": " << each->metaObject()->className() << " \"" << each->objectName().toStdString() << "\" in " << each->parentWidget()->metaObject()->className() << " \""
                                           << each->parentWidget()->objectName().toStdString() << '"';
    }
  }
  EXPECT_GT(named, 150);
}

TEST_F(ScreenReader, TellsControlsOfAGroupApart) {
  window->compare().choose({madeRow(0).id, madeRow(1).id});
  for (int place = MainWindow::kClusters; place <= MainWindow::kRun; ++place) {
    show(place);
    std::map<QWidget*, std::set<std::pair<QString, QString>>> seen;  // of each parent: role and name
    for (QWidget* each : window->findChildren<QWidget*>()) {
      if (!isUsed(each)) continue;
      const QString role = QString::number(QAccessible::queryAccessibleInterface(each)->role());
      EXPECT_TRUE(seen[each->parentWidget()].insert({role, nameOf(each)}).second) << "page " << place << ": two are called \"" << nameOf(each).toStdString() << "\", " << each->objectName().toStdString();
    }
  }
}

TEST_F(ScreenReader, SaysWhatAFigureShows) {
  window->compare().choose({madeRow(0).id, madeRow(1).id});
  show(MainWindow::kCompare);
  ASSERT_TRUE(waitFor([&] { return window->compare().comparison().figure().lines.size() == 2; }, 20));
  const auto* view = window->compare().findChild<figure::FigureView*>();
  ASSERT_NE(view, nullptr);
  ASSERT_TRUE(waitFor([&] { return view->figure().lines.size() == 2; }, 20));
  const QString told = view->accessibleDescription();
  EXPECT_TRUE(told.contains("y: test accuracy, ")) << told.toStdString();
  for (const Line& line : view->figure().lines) EXPECT_TRUE(told.contains(QString::fromStdString(line.label) + ": ")) << told.toStdString();
  EXPECT_TRUE(told.contains("at the end")) << told.toStdString();
  EXPECT_FALSE(view->accessibleName().isEmpty());
}

TEST_F(ScreenReader, SaysWhatEveryPictureOfARunShows) {
  show(MainWindow::kRun);
  const QList<figure::FigureView*> views = window->runPage().findChildren<figure::FigureView*>();
  ASSERT_EQ(views.size(), 2);
  for (const figure::FigureView* each : views) {
    EXPECT_FALSE(each->accessibleName().isEmpty());
    EXPECT_FALSE(each->accessibleDescription().isEmpty()) << each->accessibleName().toStdString();
  }
  const auto* lanes = window->runPage().findChild<runs::LanesView*>();
  ASSERT_NE(lanes, nullptr);
  ASSERT_TRUE(waitFor([&] { return lanes->accessibleDescription().contains("w0"); }, 20)) << lanes->accessibleDescription().toStdString();
  EXPECT_TRUE(lanes->accessibleDescription().contains("w1"));
}

TEST(FigureDescription, TellsBarsAndWhyNothingIsDrawn) {
  application();
  Figure bars{.id = "made", .title = "Made"};
  bars.x.categories = {"ESync", "SSGD"};
  bars.y.title = "samples per second";
  bars.bars = {{.label = "", .values = {120, 60}}};
  EXPECT_EQ(figure::description(bars), "samples per second; ESync 120, SSGD 60.");
  Figure nothing{.id = "made", .title = "Made"};
  nothing.notes = {"nothing to draw: no runs chosen"};
  EXPECT_EQ(figure::description(nothing), "Nothing to draw: no runs chosen.");
}

}  // namespace
}  // namespace paceline::tests
