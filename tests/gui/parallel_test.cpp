// Parallel coordinates with their brushes, by keys and mouse; hollow marks; the Compare page in a low window.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMouseEvent>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QTreeWidget>

#include "app/ui/compare/compare_page.h"
#include "app/ui/compare/results_pane.h"
#include "app/ui/compare/run_picker.h"
#include "app/ui/figure/figure_layout.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/figure/parallel_brushes.h"
#include "app/ui/figure/smooth_lines.h"
#include "app/ui/main_window.h"
#include "engine/core/base/error.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

// Runs 0, 1, 2 ...: a word of two, a number from 1 to 1000 on a logarithm, a result from 0 to 1.
Figure sweepOf(int runs) {
  Figure figure{.id = "parallel", .title = "Parallel coordinates"};
  figure.axes = {{.title = "algorithm", .min = 0, .max = 1, .categories = {"ESync", "SSGD"}}, {.title = "batch", .min = 1, .max = 1000, .log = true}, {.title = "best accuracy", .min = 0, .max = 1}};
  figure.shadedBy = 2;
  for (int i = 0; i < runs; ++i) {
    const double share = static_cast<double>(i) / (runs - 1);
    figure.lines.push_back({.label = strCat("run ", i), .x = {0, 1, 2}, .y = {static_cast<double>(i % 2), std::pow(1000, share), share}, .runId = strCat("r", i)});
  }
  return figure;
}

void moveTo(QWidget* widget, const QPoint& at, Qt::MouseButtons held) {
  QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, held, Qt::NoModifier);
  QApplication::sendEvent(widget, &move);
}

struct Brushed : ::testing::Test {
  void show(const Figure& figure) {
    application();
    view = std::make_unique<figure::FigureView>();
    view->resize(700, 420);
    view->setFigure(figure);
    view->show();
    view->paintNow();
    brushes = view->findChild<figure::ParallelBrushes*>("parallelBrushes");
    ASSERT_TRUE(brushes->isVisible());
  }
  QWidget* axis(int index) const { return brushes->findChild<QWidget*>(QString("axis%1").arg(index)); }
  QString told() const { return view->findChild<QLabel*>("runsWithin")->text(); }

  std::unique_ptr<figure::FigureView> view;
  figure::ParallelBrushes* brushes = nullptr;
};

TEST(ParallelPicture, PlacesNumbersByTheirLogarithmAndWordsApart) {
  const Figure figure = sweepOf(11);
  EXPECT_EQ(figure::shareOf(figure.axes[0], 1), 1);
  EXPECT_NEAR(figure::shareOf(figure.axes[1], std::sqrt(1000.0)), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(figure::shareOf(figure.axes[2], NAN)));
  EXPECT_EQ(figure::shareOf({.title = "same", .min = 3, .max = 3}, 3), 0.5);
  EXPECT_NEAR(figure::valueAt(figure.axes[1], 2.0 / 3), 100, 1e-9);
  EXPECT_EQ(figure::valueText(figure.axes[0], figure::valueAt(figure.axes[0], 0.8)), QString("SSGD"));
}

// As Qt fills the same outline, but for the ends.
TEST(ParallelPicture, SmoothLinesCoverWhatTheyCross) {
  application();
  const QRect area(0, 0, 40, 30);
  for (const QLineF& line : {QLineF(2, 5, 36, 5), QLineF(2, 5.5, 36, 5.5), QLineF(3, 28, 17, 1), QLineF(35, 4, 6, 21), QLineF(10, 2, 10.4, 28)}) {
    QImage own(area.size(), QImage::Format_ARGB32_Premultiplied), qts = own;
    for (QImage* each : {&own, &qts}) each->fill(Qt::white);
    QPainter ownPainter(&own), qtsPainter(&qts);
    figure::SmoothLines smooth(area, 1);
    smooth.draw(line, Qt::black, 1);
    smooth.paint(ownPainter);
    qtsPainter.setRenderHint(QPainter::Antialiasing);
    QPainterPath path(line.p1());
    path.lineTo(line.p2());
    qtsPainter.fillPath(QPainterPathStroker(QPen(Qt::black, 1, Qt::SolidLine, Qt::FlatCap)).createStroke(path), Qt::black);
    ownPainter.end(), qtsPainter.end();
    double ink = 0, off = 0;
    for (int y = 0; y < area.height(); ++y)
      for (int x = 0; x < area.width(); ++x) ink += 255 - qGray(qts.pixel(x, y)), off += std::abs(qGray(own.pixel(x, y)) - qGray(qts.pixel(x, y)));
    EXPECT_NEAR(ink, 255 * line.length(), 0.05 * 255 * line.length());
    EXPECT_LT(off, 0.12 * ink) << line.x1() << ' ' << line.y1() << ' ' << line.x2() << ' ' << line.y2();
  }
}

TEST(ParallelPicture, ALowAreaIsLeftToTheAxes) {
  application();
  const figure::ParallelLook look{.font = widgets::Theme::instance().font(widgets::TextRole::kCaption)};
  const double row = QFontMetricsF(look.font).height();
  const figure::ParallelPlaces low = figure::placesOf(sweepOf(11), QRectF(0, 0, 400, 9 * row), look), high = figure::placesOf(sweepOf(11), QRectF(0, 0, 400, 30 * row), look);
  EXPECT_GT(low.bottom - low.top, 5 * row);
  EXPECT_FALSE(low.scale);
  EXPECT_TRUE(high.scale);
}

TEST(ParallelPicture, ARunIsWithinWhereItIsWithinEveryPart) {
  Figure figure = sweepOf(11);
  figure.lines[10].y[2] = NAN;
  const figure::Brushes brushes = {figure::AxisPart{.low = 0, .high = 0}, std::nullopt, figure::AxisPart{.low = 0.4, .high = 1}};
  EXPECT_EQ(figure::linesWithin(figure, brushes), (std::vector<std::size_t>{4, 6, 8}));  // even: ESync; the last has no result
  EXPECT_EQ(figure::linesWithin(figure, {}).size(), 11u);
}

TEST_F(Brushed, TabGoesToAnAxisArrowsChooseAPartAndEscapeTakesItAway) {
  show(sweepOf(11));
  EXPECT_EQ(told(), QString("11 runs. Drag along an axis, or Tab to it and press Up, to choose a part"));
  axis(2)->setFocus();
  QTest::keyClick(axis(2), Qt::Key_Up);  // the upper half
  EXPECT_EQ(brushes->within().size(), 6u);
  EXPECT_EQ(told(), QString("6 of 11 runs within"));
  QTest::keyClick(axis(2), Qt::Key_Down);  // all of it a step down: 0.45 to 0.95
  EXPECT_EQ(brushes->runsWithin(), (std::vector<std::string>{"r5", "r6", "r7", "r8", "r9"}));
  QTest::keyClick(axis(2), Qt::Key_Up, Qt::ShiftModifier);  // its upper end alone: 0.45 to 1
  EXPECT_EQ(brushes->within().size(), 6u);
  QTest::keyClick(axis(2), Qt::Key_Down, Qt::ControlModifier);  // its lower end alone: 0.4 to 1
  EXPECT_EQ(brushes->within().size(), 7u);
  EXPECT_EQ(axis(2)->accessibleName(), QString("Axis best accuracy"));
  EXPECT_EQ(axis(2)->accessibleDescription(), QString("0.4 to 1; 7 of 11 runs within"));
  QTest::keyClick(axis(2), Qt::Key_Left);
  QTest::keyClick(axis(1), Qt::Key_Left);
  QTest::keyClick(axis(0), Qt::Key_Down);  // the lowest word
  EXPECT_EQ(axis(0)->accessibleDescription(), QString("ESync; 4 of 11 runs within"));
  QTest::keyClick(axis(0), Qt::Key_Up);  // the next one
  EXPECT_EQ(axis(0)->accessibleDescription(), QString("SSGD; 3 of 11 runs within"));
  QTest::keyClick(axis(0), Qt::Key_Escape);
  EXPECT_EQ(brushes->within().size(), 7u);
  QTest::keyClick(axis(2), Qt::Key_Escape);
  EXPECT_FALSE(brushes->brushed());
}

TEST_F(Brushed, TabMovesFromAxisToAxis) {
  show(sweepOf(3));
  view->activateWindow();
  axis(0)->setFocus();
  ASSERT_TRUE(waitFor([&] { return QApplication::focusWidget() == axis(0); }, 10));
  QTest::keyClick(axis(0), Qt::Key_Tab);
  EXPECT_EQ(QApplication::focusWidget(), axis(1));
  QTest::keyClick(axis(1), Qt::Key_Backtab, Qt::ShiftModifier);
  EXPECT_EQ(QApplication::focusWidget(), axis(0));
}

TEST_F(Brushed, ADragAlongAnAxisChoosesAndADoubleClickTakesAway) {
  show(sweepOf(11));
  QWidget* last = axis(2);
  const auto at = [&](double share) { return QPoint(last->width() / 2, static_cast<int>(std::lround(brushes->places().bottom - share * (brushes->places().bottom - brushes->places().top))) - last->geometry().top()); };
  QTest::mousePress(last, Qt::LeftButton, Qt::NoModifier, at(0.25));
  moveTo(last, at(0.5), Qt::LeftButton);
  moveTo(last, at(0.75), Qt::LeftButton);
  QTest::mouseRelease(last, Qt::LeftButton, Qt::NoModifier, at(0.75));
  EXPECT_EQ(brushes->runsWithin(), (std::vector<std::string>{"r3", "r4", "r5", "r6", "r7"}));
  QTest::mousePress(last, Qt::LeftButton, Qt::NoModifier, at(0.5));  // within: it moves as a whole
  moveTo(last, at(0.7), Qt::LeftButton);
  QTest::mouseRelease(last, Qt::LeftButton, Qt::NoModifier, at(0.7));
  EXPECT_EQ(brushes->runsWithin(), (std::vector<std::string>{"r5", "r6", "r7", "r8", "r9"}));
  QTest::mousePress(last, Qt::LeftButton, Qt::NoModifier, at(0.95));  // its upper end
  moveTo(last, at(0.65), Qt::LeftButton);
  QTest::mouseRelease(last, Qt::LeftButton, Qt::NoModifier, at(0.65));
  EXPECT_EQ(brushes->runsWithin(), (std::vector<std::string>{"r5", "r6"}));
  QTest::mouseDClick(last, Qt::LeftButton, Qt::NoModifier, at(0.5));
  EXPECT_EQ(brushes->within().size(), 11u);
}

TEST_F(Brushed, ThePartStaysWhileTheAxesDoAndItsRunsCanBeTaken) {
  show(sweepOf(11));
  QSignalSpy chosen(view.get(), &figure::FigureView::runsChosen);
  auto* take = view->findChild<QPushButton*>("compareWithin");
  EXPECT_FALSE(take->isEnabled());
  QTest::keyClick(axis(2), Qt::Key_Return);  // nothing is chosen: nothing to take
  EXPECT_EQ(chosen.count(), 0);
  brushes->setPart(2, figure::AxisPart{.low = 0.9, .high = 1});
  view->setFigure(sweepOf(21));
  view->paintNow();
  EXPECT_EQ(told(), QString("3 of 21 runs within"));
  QTest::mouseClick(take, Qt::LeftButton);
  QTest::keyClick(axis(2), Qt::Key_Return);
  ASSERT_EQ(chosen.count(), 2);
  EXPECT_EQ(chosen[0][0].value<std::vector<std::string>>(), (std::vector<std::string>{"r18", "r19", "r20"}));
  QTest::mouseClick(view->findChild<QPushButton*>("clearParts"), Qt::LeftButton);
  EXPECT_FALSE(brushes->brushed());
  Figure other = sweepOf(5);
  other.axes[1].title = "slowdown";
  brushes->setPart(2, figure::AxisPart{.low = 0.9, .high = 1});
  view->setFigure(other);
  view->paintNow();
  EXPECT_FALSE(brushes->brushed());
}

TEST_F(Brushed, ThePointerSaysWhichRunALineIs) {
  show(sweepOf(11));
  const figure::ParallelPlaces& places = brushes->places();
  const auto between = [&](double share) { return QPointF((places.x[1] + places.x[2]) / 2, places.bottom - share * (places.bottom - places.top)).toPoint(); };
  moveTo(brushes, between(0.5), Qt::NoButton);
  EXPECT_EQ(brushes->toolTip(), QString("run 5\nalgorithm: SSGD\nbatch: 31.62\nbest accuracy: 0.5"));
  brushes->setPart(2, figure::AxisPart{.low = 0.9, .high = 1});
  moveTo(brushes, between(0.3), Qt::NoButton);
  EXPECT_EQ(brushes->toolTip(), QString());  // what is not within is not told
}

TEST_F(Brushed, AnotherFigureHasNoBrushes) {
  show(sweepOf(11));
  Figure lines{.id = "accuracy", .title = "Accuracy"};
  lines.lines.push_back({.label = "a", .x = {0, 1}, .y = {0, 1}});
  view->setFigure(lines);
  view->paintNow();
  EXPECT_FALSE(brushes->isVisible());
  EXPECT_FALSE(view->findChild<QPushButton*>("compareWithin")->isVisible());
}

QImage stampOf(const Figure& figure) { return figure::thumbnail(figure, QSize(300, 200), 1, figure::FigureStyle::kModern, false).toImage().convertToFormat(QImage::Format_RGB32); }

// Where two pictures differ.
QRect differing(const QImage& a, const QImage& b) {
  QRect found;
  for (int x = 0; x < a.width(); ++x)
    for (int y = 0; y < a.height(); ++y)
      if (a.pixel(x, y) != b.pixel(x, y)) found |= QRect(x, y, 1, 1);
  return found;
}

TEST(HollowMarks, AreADiamondWithPaperInsideOverALightBand) {
  application();
  Figure bars{.id = "throughput", .title = "Throughput", .y = {.title = "samples/s", .min = 0, .max = 100}};
  bars.x.categories = {"ESync"};
  bars.bars.push_back({.label = "ESync", .series = 0, .values = {80}, .texts = {""}});
  const QImage plain = stampOf(bars);
  bars.published.push_back({.label = "ESync, published", .series = 0, .x = 0, .y = 50});
  const QImage marked = stampOf(bars);
  const QRect mark = differing(plain, marked);
  EXPECT_GE(mark.width(), 6);
  EXPECT_LE(mark.width(), 12);
  EXPECT_LE(std::abs(mark.width() - mark.height()), 2);
  EXPECT_EQ(marked.pixel(mark.center()), marked.pixel(3, 3)) << "its inside is the paper";
  EXPECT_NEAR(mark.center().y(), 100, 4);  // half of the axis
  bars.published[0].low = 25, bars.published[0].high = 75;
  const QRect band = differing(plain, stampOf(bars));
  EXPECT_GT(band.height(), 90);
  EXPECT_LT(band.height(), 110);
}

TEST(HollowMarks, AreToldBesideThePointer) {
  application();
  Figure bars{.id = "throughput", .title = "Throughput"};
  bars.x.categories = {"ESync"};
  bars.bars.push_back({.label = "ESync", .series = 0, .values = {80}, .texts = {""}});
  bars.published.push_back({.label = "ESync, published", .x = 0, .y = 50, .low = 45, .high = 55, .source = "Somebody 2020"});
  const QString card = figure::hoverCard(bars, 0.1, figure::FigureStyle::kModern, false);
  EXPECT_TRUE(card.contains("◇"));
  EXPECT_TRUE(card.contains("ESync, published"));
  EXPECT_TRUE(card.contains("50 (45 – 55)"));
  EXPECT_TRUE(card.contains("Somebody 2020"));
}

struct LowCompare : ::testing::Test {
  void SetUp() override {
    application();
    QSettings().remove("compare/figure");
    for (int i = 0; i < 3; ++i) {
      store::RunRow row = madeRow(i);
      row.specText = R"({"published":{"source":"Somebody 2020","values":[{"measure":"accuracy_last","value":0.9}]}})";
      storeRun(folder.path("store.db"), row, 12 + 3 * i);
    }
    window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")));
    window->resize(1024, 640);
    window->show();
    window->compare().choose({madeRow(0).id, madeRow(1).id, madeRow(2).id});
    window->go(MainWindow::kCompare);
    list = window->compare().findChild<QListWidget*>("figureGallery");
    ASSERT_TRUE(waitFor([this] { return list->count() > 0 && !window->compare().comparison().figure().empty(); }, 20));
  }
  void TearDown() override {
    widgets::Theme::instance().setScale(1.0);
    QSettings().remove("compare/figure");
  }
  int figureHeight() const { return window->compare().findChild<figure::FigureView*>()->height(); }

  TempFolder folder;
  std::unique_ptr<MainWindow> window;
  QListWidget* list = nullptr;
};

TEST_F(LowCompare, TheFigureKeepsItsRoomWithLargerText) {
  const int pictures = list->height();
  widgets::Theme::instance().setScale(1.3);
  EXPECT_TRUE(waitFor([&] { return figureHeight() >= widgets::scaled(120) && list->height() < pictures; }, 10)) << figureHeight() << " and " << list->height();
  EXPECT_EQ(window->size(), QSize(1024, 640));
  ASSERT_TRUE(window->compare().findChild<QWidget*>("resultsOrPublished")->isVisible());
  EXPECT_TRUE(waitFor([&] { return window->compare().minimumSizeHint().width() <= window->compare().width(); }, 10)) << "it is cut at the right: " << window->compare().minimumSizeHint().width() << " in " << window->compare().width();
  widgets::Theme::instance().setScale(1.0);
  EXPECT_TRUE(waitFor([&] { return list->height() == pictures; }, 10)) << list->height();
}

TEST_F(LowCompare, RunsWithinThePartsBecomeTheComparison) {
  window->compare().showFigure("parallel");
  ASSERT_TRUE(waitFor([&] { return window->compare().comparison().figure().id == "parallel"; }, 20));
  auto* view = window->compare().findChild<figure::FigureView*>();
  view->paintNow();
  auto* brushes = view->findChild<figure::ParallelBrushes*>("parallelBrushes");
  const Figure& figure = view->figure();
  ASSERT_EQ(figure.lines.size(), 3u);
  const auto first = static_cast<std::size_t>(std::ranges::find(figure.axes, "best accuracy", &Axis::title) - figure.axes.begin());
  ASSERT_LT(first, figure.axes.size());
  brushes->setPart(0, figure::AxisPart{.low = 0, .high = 0});
  const std::vector<std::string> within = brushes->runsWithin();
  ASSERT_LT(within.size(), 3u);
  ASSERT_GE(within.size(), 1u);
  QTest::keyClick(brushes->findChild<QWidget*>("axis0"), Qt::Key_Return);
  EXPECT_TRUE(waitFor([&] { return window->compare().runs() == within; }, 10));
}

TEST(RunPicker, ARemarkStandsBelowANameThatLeavesItNoRoom) {
  application();
  runs::RunsModel model("none");
  std::vector<runs::RunItem> items(2);
  for (int i = 0; i < 2; ++i) {
    items[static_cast<std::size_t>(i)].row = madeRow(i);
    items[static_cast<std::size_t>(i)].row.source = "simulated";
    items[static_cast<std::size_t>(i)].measured = true, items[static_cast<std::size_t>(i)].samplesPerSecond = 3;
  }
  items[0].row.name = "a rather long name of a suite's point, with its batch size of 256 and a step of 0.3 s", items[1].row.name = "short";
  model.take(items);
  compare::RunPicker picker(model);
  picker.resize(248, 300);
  picker.show();
  const auto* tree = picker.findChild<QTreeWidget*>("runPicker");
  ASSERT_EQ(tree->topLevelItemCount(), 2);
  const auto heightOf = [&](const QString& name) {
    for (int i = 0; i < 2; ++i)
      if (tree->topLevelItem(i)->text(0).startsWith(name)) return tree->visualItemRect(tree->topLevelItem(i)).height();
    return 0;
  };
  const int line = tree->fontMetrics().height();
  EXPECT_GE(heightOf("a rather"), heightOf("short") + line);
  EXPECT_EQ(tree->topLevelItem(0)->data(0, Qt::AccessibleTextRole).toString().endsWith(", simulated"), true);
  EXPECT_EQ(tree->header()->length(), tree->viewport()->width());  // nothing lies at the right of what is seen
  picker.resize(1200, 300);
  EXPECT_EQ(heightOf("a rather"), heightOf("short"));
}

TEST(ResultsTable, PutsPublishedValuesBesideOurs) {
  application();
  compare::ResultsPane pane;
  pane.resize(900, 200);
  Results results{.columns = {{"Samples/s"}}, .rows = {}, .note = {}};
  results.rows.push_back({.label = "ESync", .algorithm = "esync", .model = "m", .runs = 1, .cells = {{.mean = 96.0, .text = "96"}}});
  pane.setResults(results);
  pane.show();
  auto* which = pane.findChild<QWidget*>("resultsOrPublished");
  EXPECT_FALSE(which->isVisible());
  PublishedRow row{.configuration = "ESync", .quantity = "Samples/s"};
  row.value.value = 100, row.value.source = "Somebody 2020";
  row.publishedText = "100 ± 10 %", row.oursText = "96", row.ratioText = "0.96", row.insideText = "yes", row.inside = Inside::kYes;
  results.published = {row};
  pane.setResults(results);
  EXPECT_TRUE(which->isVisible());
  auto* table = pane.findChild<QTableWidget*>("published");
  EXPECT_FALSE(table->isVisible());
  QTest::mouseClick(which->findChildren<QPushButton*>().at(1), Qt::LeftButton);
  EXPECT_TRUE(table->isVisible());
  QStringList cells;
  for (int column = 0; column < table->columnCount(); ++column) cells << table->item(0, column)->text();
  EXPECT_EQ(cells, QStringList({"ESync", "Samples/s", "100 ± 10 %", "96", "0.96", "yes", "Somebody 2020"}));
  results.published.clear();
  pane.setResults(results);
  EXPECT_FALSE(which->isVisible());
  EXPECT_FALSE(table->isVisible());
}

}  // namespace
}  // namespace paceline::tests
