// The Compare page: what its model computes, its gallery, its table and its report, by keys and mouse.
#include "app/models/compare/comparison.h"

#include <algorithm>
#include <gtest/gtest.h>

#include <QHeaderView>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QTest>
#include <QTimer>

#include "app/ui/compare/compare_page.h"
#include "app/ui/compare/figure_gallery.h"
#include "app/ui/compare/results_pane.h"
#include "app/ui/main_window.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

TEST(Comparison, BuildsTheFigureOfTheChosenRunsInTheBackground) {
  application();
  const TempFolder folder{};
  const std::string store = folder.path("store.db");
  storeRun(store, madeRow(0), 12);
  storeRun(store, madeRow(1), 12);
  compare::Comparison comparison(store);
  comparison.setRuns({madeRow(0).id, madeRow(1).id});
  ASSERT_TRUE(waitFor([&] { return comparison.figure().lines.size() == 2; }));
  EXPECT_EQ(comparison.results().rows.size(), 2u);
  comparison.setFigure("throughput");
  EXPECT_TRUE(waitFor([&] { return !comparison.figure().bars.empty(); }));
}

TEST(Comparison, CutsRunsOfUnequalLengthToWhatAllHave) {
  application();
  const TempFolder folder{};
  const std::string store = folder.path("store.db");
  storeRun(store, madeRow(0), 12);
  storeRun(store, madeRow(1), 5);
  compare::Comparison comparison(store);
  comparison.setRuns({madeRow(0).id, madeRow(1).id});
  const auto longest = [&] {
    std::size_t points = 0;
    for (const Line& line : comparison.figure().lines) points = std::max(points, line.x.size());
    return points;
  };
  ASSERT_TRUE(waitFor([&] { return longest() == 12; }));
  comparison.setBudget(Budget{.of = XAxis::kTime});
  ASSERT_TRUE(waitFor([&] { return longest() == 5; }));
  EXPECT_EQ(comparison.results().findings.at(0), "evaluations up to 5 s, as far as every run goes; rates are those of whole runs");
  comparison.setFigure("speedup");  // which needs other columns of a run
  ASSERT_TRUE(waitFor([&] { return comparison.figure().id == "speedup"; }));
  comparison.setBudget(std::nullopt);
  comparison.setFigure("accuracy");
  EXPECT_TRUE(waitFor([&] { return longest() == 12; }));
}

const compare::GalleryEntry* entryOf(const compare::Comparison& comparison, const std::string& id) {
  const auto found = std::ranges::find(comparison.gallery(), id, &compare::GalleryEntry::id);
  return found == comparison.gallery().end() ? nullptr : &*found;
}

TEST(Comparison, TheGalleryHasEveryFigureOrWhyItDoesNotApply) {
  application();
  const TempFolder folder{};
  const std::string store = folder.path("store.db");
  storeRun(store, madeRow(0), 500);
  storeRun(store, madeRow(1), 500);
  compare::Comparison comparison(store);
  comparison.setRuns({madeRow(0).id, madeRow(1).id});
  ASSERT_TRUE(waitFor([&] { return comparison.gallery().size() == figures().size(); }));
  const compare::GalleryEntry* accuracy = entryOf(comparison, "accuracy");
  EXPECT_EQ(accuracy->why, "");
  ASSERT_EQ(accuracy->figure.lines.size(), 2u);
  EXPECT_LE(accuracy->figure.lines[0].x.size(), 120u);
  EXPECT_TRUE(accuracy->figure.notes.empty());
  EXPECT_EQ(entryOf(comparison, "timeline")->why, "it is of one run");
  for (const compare::GalleryEntry& entry : comparison.gallery()) EXPECT_NE(entry.why.empty(), entry.figure.empty()) << entry.id << ": " << entry.why;
  comparison.setFigure("throughput");  // the same gallery
  comparison.setRuns({});
  EXPECT_TRUE(waitFor([&] { return comparison.gallery().empty(); }));
}

TEST(Comparison, AGalleryThatGaveWayIsMadeBehindTheNewerQuestion) {
  application();
  const TempFolder folder{};
  const std::string store = folder.path("store.db");
  storeRun(store, madeRow(0), 12);
  compare::Comparison comparison(store);
  comparison.setRuns({madeRow(0).id});
  QObject::connect(&comparison, &compare::Comparison::ready, &comparison, [&, asked = 0]() mutable {
    if (++asked == 1) QTimer::singleShot(0, &comparison, [&] { comparison.setFigure("throughput"); });  // the gallery has been asked for
  });
  EXPECT_TRUE(waitFor([&] { return comparison.gallery().size() == figures().size() && comparison.figure().id == "throughput"; }));
}

TEST(Comparison, AnswersAQuestionThatOutlastsItsRefreshesAndAsksOnceMore) {
  application();
  const TempFolder folder{};
  const std::string store = folder.path("store.db");
  storeRun(store, madeRow(0), 12);
  compare::Comparison comparison(store);
  std::vector<std::size_t> lines;  // of each answer
  QObject::connect(&comparison, &compare::Comparison::ready, &comparison, [&] { lines.push_back(comparison.figure().lines.size()); });
  comparison.setRuns({madeRow(0).id, madeRow(1).id});
  for (int i = 0; i < 3; ++i) comparison.refresh();  // no answer arrives in between: this thread takes none
  storeRun(store, madeRow(1), 12);
  ASSERT_TRUE(waitFor([&lines] { return lines.size() >= 2; }));
  EXPECT_EQ(lines.back(), 2u);
}

struct Gallery : ::testing::Test {
  void SetUp() override {
    application();
    QSettings().remove("compare/figure");
    for (int i = 0; i < 2; ++i) storeRun(folder.path("store.db"), madeRow(i), 12);
    window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")));
    window->resize(1024, 640);
    window->show();
    window->compare().choose({madeRow(0).id, madeRow(1).id});
    window->go(MainWindow::kCompare);
    list = window->compare().findChild<QListWidget*>("figureGallery");
    fold = window->compare().findChild<QPushButton*>("notApplicable");
    reasons = window->compare().findChild<QListWidget*>("notApplicableReasons");
    ASSERT_TRUE(waitFor([this] { return list->count() > 0; }, 20));
  }
  void TearDown() override { QSettings().remove("compare/figure"); }
  std::string shown() const { return window->compare().comparison().figure().id; }

  TempFolder folder;
  std::unique_ptr<MainWindow> window;
  QListWidget *list, *reasons;
  QPushButton* fold;
};

TEST_F(Gallery, ArrowsMoveAndEnterShows) {
  list->setFocus();
  list->setCurrentRow(0);
  QTest::keyClick(list, Qt::Key_Right);
  EXPECT_EQ(list->currentRow(), 1);
  EXPECT_EQ(shown(), "accuracy");  // only looked at
  const std::string next = list->currentItem()->data(Qt::UserRole).toString().toStdString();
  ASSERT_NE(next, "accuracy");
  QTest::keyClick(list, Qt::Key_Return);
  EXPECT_TRUE(waitFor([&] { return shown() == next; }, 20));
  EXPECT_EQ(list->currentItem()->data(Qt::AccessibleTextRole).toString(), list->currentItem()->text() + ", shown");
}

TEST_F(Gallery, WhatDoesNotApplyIsOneLineThatUnfoldsToTheReasons) {
  EXPECT_EQ(static_cast<std::size_t>(list->count() + reasons->count()), figures().size());
  ASSERT_GT(reasons->count(), 1);
  EXPECT_EQ(fold->text(), QString("%1 figures do not apply").arg(reasons->count()));
  EXPECT_FALSE(reasons->isVisible());
  QTest::keyClick(fold, Qt::Key_Space);
  EXPECT_TRUE(reasons->isVisible());
  for (int i = 0; i < reasons->count(); ++i) EXPECT_TRUE(reasons->item(i)->text().contains(": ")) << reasons->item(i)->text().toStdString();
  reasons->setFocus();
  reasons->setCurrentRow(0);
  const std::string id = reasons->currentItem()->data(Qt::UserRole).toString().toStdString();
  QTest::keyClick(reasons, Qt::Key_Return);
  EXPECT_TRUE(waitFor([&] { return shown() == id; }, 20));
}

TEST_F(Gallery, EveryFigureThatAppliesIsPainted) {
  const auto painted = [this] {
    int pictures = 0;
    for (int i = 0; i < list->count(); ++i) pictures += list->item(i)->data(Qt::UserRole + 1).value<QPixmap>().isNull() ? 0 : 1;
    return pictures;
  };
  EXPECT_TRUE(waitFor([&] { return painted() == list->count(); }, 20));
  const QImage picture = list->item(0)->data(Qt::UserRole + 1).value<QPixmap>().toImage();
  std::set<QRgb> colours;
  for (int x = 0; x < picture.width(); ++x)
    for (int y = 0; y < picture.height(); ++y) colours.insert(picture.pixel(x, y));
  EXPECT_GT(colours.size(), 3u);  // more than a background and a grid
}

TEST_F(Gallery, AllAtOnceTakeThePlaceOfTheOneAndEscapeGoesBack) {
  auto* all = window->compare().findChild<QPushButton*>("allFigures");
  const int before = list->height();
  QTest::mouseClick(all, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return list->height() > before; }, 5));
  EXPECT_TRUE(list->hasFocus());
  QTest::keyClick(list, Qt::Key_Escape);
  ASSERT_TRUE(waitFor([&] { return list->height() == before; }, 5));
  QTest::mouseClick(all, Qt::LeftButton);
  QCoreApplication::processEvents();
  const QListWidgetItem* second = list->item(1);
  QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier, list->visualItemRect(second).center());
  EXPECT_TRUE(waitFor([&] { return shown() == second->data(Qt::UserRole).toString().toStdString(); }, 20));
  EXPECT_EQ(all->text(), "All figures");
}

Results tableOf(std::vector<std::vector<std::string>> cells) {
  Results results{.columns = {{"Last accuracy (%)"}, {"Time to 80 % (s)"}}, .rows = {}, .note = {}};
  for (std::vector<std::string>& row : cells) {
    ResultRow& made = results.rows.emplace_back(ResultRow{.label = "a", .algorithm = "ssgd", .model = "m", .runs = 3});
    for (std::string& text : row) made.cells.push_back({.mean = text == "—" ? std::nullopt : std::optional(1.0), .text = std::move(text)});
  }
  return results;
}

TEST(ResultsTable, WhatIsTheSameInEveryRowStandsAboveUntilItIsAskedFor) {
  application();
  QSettings().remove("compare/allColumns");
  compare::ResultsPane pane;
  auto* table = pane.findChild<QTableWidget*>("results");
  auto* all = pane.findChild<QPushButton*>("allColumns");
  pane.setResults(tableOf({{"81.0", "—"}, {"82.0", "—"}}));
  pane.resize(800, 200);
  pane.show();
  EXPECT_TRUE(table->isColumnHidden(1));
  EXPECT_FALSE(table->isColumnHidden(2));
  EXPECT_TRUE(table->isColumnHidden(3));
  EXPECT_EQ(table->horizontalHeaderItem(2)->text(), QString("Last\naccuracy (%)"));
  const auto says = [&pane](const QString& words) {
    return std::ranges::any_of(pane.findChildren<QLabel*>(), [&](const QLabel* each) { return each->isVisible() && each->text() == words; });
  };
  EXPECT_TRUE(says("The same in every row: Runs 3 · Time to 80 % (s) —"));
  EXPECT_EQ(table->horizontalHeaderItem(0)->text(), QString("Configuration"));
  Results named = tableOf({{"81.0", "—"}, {"82.0", "—"}});
  named.rows[0].label = "SSGD, rate 0.1", named.rows[1].label = "SSGD, rate 0.2";
  pane.setResults(named);
  EXPECT_EQ(table->horizontalHeaderItem(0)->text(), QString("SSGD"));
  EXPECT_EQ(table->item(1, 0)->text(), QString("rate 0.2"));
  QTest::mouseClick(all, Qt::LeftButton);
  for (int column = 0; column < 4; ++column) EXPECT_FALSE(table->isColumnHidden(column)) << column;
  QTest::mouseClick(all, Qt::LeftButton);
  pane.setResults(tableOf({{"81.0", "—"}}));
  EXPECT_FALSE(table->isColumnHidden(1));  // of one run everything is the same
  EXPECT_TRUE(table->isColumnHidden(3));
}

TEST(ResultsTable, NeedsNoScrollingInASmallWindow) {
  application();
  TempFolder folder;
  for (int i = 0; i < 3; ++i) storeRun(folder.path("store.db"), madeRow(i), 12);
  MainWindow window(QString::fromStdString(folder.path("store.db")));
  window.resize(1024, 640);
  window.show();
  window.compare().choose({madeRow(0).id, madeRow(1).id, madeRow(2).id});
  window.go(MainWindow::kCompare);
  const auto* table = window.compare().findChild<QTableWidget*>("results");
  ASSERT_TRUE(waitFor([&] { return table->rowCount() == 3; }, 20));
  EXPECT_TRUE(waitFor([&] { return table->horizontalHeader()->length() <= table->viewport()->width(); }, 5)) << table->horizontalHeader()->length() << " in " << table->viewport()->width();
}

}  // namespace
}  // namespace paceline::tests
