#include "app/ui/figure/figure_view.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <cmath>
#include <limits>

#include "app/ui/figure/figure_layout.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

// Runs with everything that a figure may ask for.
std::vector<summary::RunSummary> fullRuns() {
  std::vector<summary::RunSummary> runs;
  for (const char* algorithm : {"esync", "ssgd", "asgd", "dc_asgd", "standalone"}) {
    summary::RunSummary run;
    run.id = run.name = run.groupHash = run.configHash = algorithm;
    run.state = "finished", run.algorithm = algorithm, run.model = "lenet", run.dataset = "fashion_mnist", run.partition = "iid";
    run.rounds = 60, run.samples = 60 * 640, run.wallSeconds = 60, run.targetAccuracy = 0.8;
    run.throughputSamplesPerSecond = 640, run.trafficBytesPerSecond = 2e6, run.bytesSent = run.bytesReceived = 60'000'000;
    run.publishedThroughput = 600, run.publishedTrafficMbPerSecond = 3;
    for (int i = 1; i <= 60; ++i)
      run.curve.push_back({.round = i,
                           .seconds = i * 1.0,
                           .samples = i * 640,
                           .bytes = i * 2'000'000LL,
                           .accuracy = 0.92 - 0.8 / i,
                           .loss = 2.0 / i});
    run.accuracyLast = run.accuracyBest = run.curve.back().accuracy;
    run.lossLast = run.curve.back().loss;
    run.timeToTargetSeconds = 8;
    for (int w = 0; w < 3; ++w) {
      summary::NodeSummary node;
      node.id = strCat("w", w), node.role = "worker", node.host = "cloud1", node.device = w == 0 ? "cpu" : "gpu0";
      node.rounds = 60, node.samples = 60 * 640 / 3, node.busyRatio = 0.5 + 0.1 * w, node.publishedComputingRatio = 0.4 + 0.1 * w;
      node.localStepsMean = 1 + w, node.stalenessMean = w, node.totalSeconds = 60, node.computeSeconds = 40;
      for (int i = 1; i <= 60; ++i) node.localSteps.emplace_back(i, 1 + (i * w) % 5);
      run.nodes.push_back(node);
    }
    runs.push_back(run);
  }
  return runs;
}

QByteArray contents(const std::string& path) {
  QFile file(QString::fromStdString(path));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

int inkedPixels(const QImage& image) {
  const QRgb ground = image.pixel(0, 0);
  int inked = 0;
  for (int y = 0; y < image.height(); y += 2)
    for (int x = 0; x < image.width(); x += 2) inked += image.pixel(x, y) != ground ? 1 : 0;
  return inked;
}

TEST(FigureView, SavesEveryFigureOfTheRegistryInBothStylesAndVariants) {
  application();
  const TempFolder folder{};
  const std::vector<summary::RunSummary> runs = fullRuns();
  for (const FigureDef& def : figures())
    for (const Variant variant : {Variant::kCorrected, Variant::kPublished}) {
      FigureOptions options;
      options.variant = variant;
      const Figure figure = def.build(runs, options);
      for (const figure::FigureStyle style : {figure::FigureStyle::kModern, figure::FigureStyle::kPublished}) {
        figure::FigureFile file;
        file.style = style, file.dpi = 96;
        const std::string base = folder.path("figure");
        for (const char* suffix : {".png", ".svg", ".pdf"}) {
          file.path = QString::fromStdString(base + suffix);
          figure::saveFigure(figure, file);
        }
        const QImage image = QImage::fromData(contents(base + ".png"));
        EXPECT_EQ(image.size(), QSize(605, 378)) << def.id;  // 160 x 100 mm at 96 dpi
        EXPECT_GT(inkedPixels(image), 200) << def.id;
        QSvgRenderer vectors(contents(base + ".svg"));
        EXPECT_TRUE(vectors.isValid()) << def.id;
        QImage drawn(605, 378, QImage::Format_RGB32);
        drawn.fill(Qt::white);
        QPainter painter(&drawn);
        vectors.render(&painter);
        EXPECT_GT(inkedPixels(drawn), 200) << def.id;
        EXPECT_TRUE(contents(base + ".pdf").startsWith("%PDF")) << def.id;
      }
    }
}

TEST(FigureView, VectorFilesAreExactlyAsLargeAsAsked) {
  application();
  const TempFolder folder{};
  const Figure figure = findFigure("accuracy")->build(fullRuns(), {});
  figure::FigureFile file;
  file.widthMm = 84, file.heightMm = 60;
  file.path = QString::fromStdString(folder.path("f.svg"));
  figure::saveFigure(figure, file);
  EXPECT_NEAR(QSvgRenderer(contents(folder.path("f.svg"))).viewBoxF().width() / 96 * 25.4, 84, 0.2);
  file.path = QString::fromStdString(folder.path("f.pdf"));
  figure::saveFigure(figure, file);
  EXPECT_TRUE(contents(folder.path("f.pdf")).contains("/MediaBox [0 0 238 170]") ||
              contents(folder.path("f.pdf")).contains("/MediaBox [0 0 238."));
}

TEST(FigureView, AnUnknownFormatIsAUsageErrorThatNamesWhatThereIs) {
  application();
  figure::FigureFile file;
  file.path = "figure.bmp";
  try {
    figure::saveFigure({}, file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kUsage);
    EXPECT_NE(std::string(error.what()).find("png, svg, pdf"), std::string::npos);
  }
}

TEST(FigureView, APictureThatIsTooLargeIsRefusedWithFileSizeAndDpiAndLeavesNoFile) {
  application();
  const TempFolder folder{};
  figure::FigureFile file;
  file.path = QString::fromStdString(folder.path("wall.png"));
  file.widthMm = 2000, file.heightMm = 1900, file.dpi = 2400;
  try {
    figure::saveFigure(findFigure("accuracy")->build(fullRuns(), {}), file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kUsage);
    EXPECT_EQ(error.what(), folder.path("wall.png") + ": 2000 x 1900 mm at 2400 dpi is too large for a PNG");
  }
  EXPECT_FALSE(QFile::exists(file.path));
}

// As on a full disk: what does not fit is the last bit, which a buffer holds until the file is closed.
TEST(FigureView, AFileThatDoesNotFitKeepsTheOldOneAndIsAnError) {
  const QTemporaryDir folder;
  const QString path = folder.filePath("old.pdf");
  figure::writeFile(path, "old");
  disk::tellFileSizeLimits();
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 100;
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string sentence;
  try {
    figure::writeFile(path, QByteArray(4000, 'x'));
  } catch (const Error& error) {
    sentence = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(sentence, strCat("cannot write ", path.toStdString(), " (the file there stays as it was): File too large"));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll(), "old");
}

TEST(FigureView, PaintsHostileNumbersWithoutFalling) {
  application();
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  Figure figure;
  figure.id = "hostile";
  figure.lines.push_back({.label = "a",
                          .series = 99,
                          .x = {0, 1, 2, 3},
                          .y = {nan, inf, -inf, 2},
                          .rawX = {},
                          .rawY = {},
                          .markers = {7, 3},
                          .runId = ""});
  figure.lines.push_back({.label = "", .series = -3, .x = {}, .y = {}, .rawX = {}, .rawY = {}, .markers = {}, .runId = ""});
  figure.y.log = figure.x.log = true;
  EXPECT_GT(figure::figurePaintMilliseconds(figure, QSize(400, 300)), 0);
}

TEST(FigureView, AChartWithoutDataBeginsAtZero) {
  const figure::AxisRange range = figure::xRange(Figure{});
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 1);
}

TEST(FigureView, TheWheelMovesNoChartBeyondItsData) {
  const figure::AxisRange all{0, 4}, zoomed{1, 2};
  EXPECT_EQ(figure::panned(all, all, -0.1).low, 0);  // no time before the start
  EXPECT_EQ(figure::panned(all, all, 0.1).high, 4);
  EXPECT_DOUBLE_EQ(figure::panned(zoomed, all, -0.1).low, 0.9);
  const figure::AxisRange end = figure::panned(zoomed, all, 5);
  EXPECT_DOUBLE_EQ(end.low, 3);
  EXPECT_DOUBLE_EQ(end.high, 4);
}

TEST(FigureView, LinesAreDecimatedToTheirPixelsAndBack) {
  Line line;
  for (int i = 0; i < 10'000; ++i) line.x.push_back(i), line.y.push_back(std::sin(i * 0.1));
  const figure::Visible all = figure::visiblePart(line.x, line.y, {0, 10'000}, 500);
  EXPECT_LE(all.x.size(), 1000u);
  EXPECT_EQ(all.of, 10'000u);
  const figure::Visible some = figure::visiblePart(line.x, line.y, {100, 200}, 500);
  EXPECT_EQ(some.x.size(), some.of);
  EXPECT_EQ(some.x.front(), 99);
  EXPECT_EQ(some.x.back(), 201);
}

TEST(FigureView, BarsTakeRoomOnlyWhereTheyAre) {
  const double none = std::nan("");
  Figure figure;
  figure.x.categories = {"ESync", "SSGD"};
  figure.bars = {{.label = "ESync", .series = 0, .values = {3, none}, .texts = {}},
                 {.label = "SSGD", .series = 1, .values = {none, 1}, .texts = {}}};
  figure::BarPlaces places = figure::barPlaces(figure);
  EXPECT_TRUE(places.named);
  EXPECT_DOUBLE_EQ(places.keys[0][0], 0);
  EXPECT_DOUBLE_EQ(places.keys[1][1], 1);
  figure.x.categories = {"", ""};
  EXPECT_FALSE(figure::barPlaces(figure).named);
  figure.bars[1].values = {2, 1};
  places = figure::barPlaces(figure);
  EXPECT_LT(places.keys[0][0], places.keys[1][0]);
  EXPECT_GE(places.keys[1][0] - places.keys[0][0], places.width);
}

TEST(FigureView, StackedBarsStandOnEachOther) {
  Figure figure;
  figure.stacked = true;
  figure.x.categories = {"w0", "w1"};
  figure.y.min = 0.0;
  figure.bars = {{.label = "class 0", .series = 0, .values = {30, 0}, .texts = {}}, {.label = "class 1", .series = 1, .values = {10, 50}, .texts = {}}};
  const figure::BarPlaces places = figure::barPlaces(figure);
  EXPECT_EQ(places.keys[0], places.keys[1]);
  EXPECT_FALSE(places.named);
  EXPECT_EQ(figure::stackTops(figure, 1), (std::vector<double>{30, 0}));
  EXPECT_EQ(figure::stackTops(figure, 2), (std::vector<double>{40, 50}));
  EXPECT_GT(figure::yRange(figure).high, 50);
  EXPECT_LT(figure::yRange(figure).high, 60);
}

TEST(FigureView, LabelsAreMovedApartInOrder) {
  const std::vector<double> at = figure::spreadLabels({50, 51, 10}, 14, 0, 100);
  ASSERT_EQ(at.size(), 3u);
  EXPECT_DOUBLE_EQ(at[2], 10);
  EXPECT_GE(at[1] - at[0], 14);
  EXPECT_TRUE(figure::spreadLabels({1, 2, 3}, 40, 0, 100).empty());
}

TEST(FigureView, HoverSaysTheExactValueOfEverySeries) {
  const QString card = figure::hoverCard(findFigure("accuracy")->build(fullRuns(), {}), 0.5, figure::FigureStyle::kModern, false);
  for (const char* name : {"ESync", "SSGD", "ASGD", "DC-ASGD"}) EXPECT_TRUE(card.contains(name)) << card.toStdString();
}

TEST(FigureStyle, PublishedAlgorithmsDifferInColourMarkerDashAndHatch) {
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < a; ++b) {
      const figure::SeriesLook one = figure::seriesLook(a, figure::FigureStyle::kPublished, false), other = figure::seriesLook(b, figure::FigureStyle::kPublished, false);
      EXPECT_NE(one.colour, other.colour);
      EXPECT_NE(one.marker, other.marker);
      EXPECT_NE(one.dash, other.dash);
      EXPECT_NE(one.hatch, other.hatch);
    }
}

TEST(FigureStyle, HatchLinesStayInTheBar) {
  const QRectF bar(10, 20, 33, 80);
  for (const figure::Hatch hatch : {figure::Hatch::kCross, figure::Hatch::kRising, figure::Hatch::kFalling, figure::Hatch::kHorizontal, figure::Hatch::kVertical, figure::Hatch::kGrid})
    for (const QLineF& line : figure::hatchLines(bar, hatch, 7)) {
      EXPECT_TRUE(bar.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(line.p1()) &&
                  bar.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(line.p2()));
      EXPECT_GT(line.length(), 0);
    }
}

// The foot of the y of "ESync" was cut off in pictures finer than the screen.
TEST(FigureView, LegendsOfFinePicturesKeepTheirDescenders) {
  application();
  const TempFolder folder{};
  const auto legendRows = [&](const char* label) {  // of pixels with ink, in the lower part, where only the legend is
    Figure figure{.id = "made", .title = "made", .x = {.title = "x"}, .y = {.title = "y"}};
    figure.lines = {{.label = label, .series = 0, .x = {0, 1}, .y = {0, 1}}};
    figure.references = {{.label = label, .value = 0.5}};  // so there is a legend
    figure::FigureFile file;
    file.path = QString::fromStdString(folder.path("legend.png"));
    figure::saveFigure(figure, file);
    const QImage image = QImage::fromData(contents(folder.path("legend.png")));
    int rows = 0;
    for (int y = image.height() * 9 / 10; y < image.height(); ++y) {
      bool inked = false;
      for (int x = image.width() / 12; x < image.width() / 2; ++x) inked = inked || image.pixel(x, y) != image.pixel(0, 0);
      rows += inked ? 1 : 0;
    }
    return rows;
  };
  EXPECT_GE(legendRows("gypq"), legendRows("naxo") + 6);  // 9 pt at 300 dpi: a descender of about 8 px
}

// The points of a line that stand on the edges of the axes: half of their markers was cut off.
TEST(FigureView, MarkersAtTheEdgesOfTheAxesAreWhole) {
  application();
  const TempFolder folder{};
  Figure figure{.id = "made", .title = "made", .x = {.title = "x"}, .y = {.title = "y"}};
  figure.lines = {{.label = "", .series = 0, .x = {0, 1, 2}, .y = {0.5, 0.5, 0.5}, .markers = {0, 1, 2}},
                  {.label = "", .series = 1, .x = {0, 2}, .y = {1, 1}}};  // an only line has no markers
  figure::FigureFile file;
  file.path = QString::fromStdString(folder.path("markers.png"));
  figure::saveFigure(figure, file);
  const QImage image = QImage::fromData(contents(folder.path("markers.png")));
  const QRgb colour = figure::seriesLook(0, figure::FigureStyle::kModern, false).colour.rgb();
  std::vector<int> widest(3, 0);  // of a row of pixels that has the three markers and not the line
  for (int y = 0; y < image.height(); ++y) {
    std::vector<int> widths;
    for (int x = 1; x < image.width(); ++x) {
      if (image.pixel(x, y) != colour) continue;
      if (image.pixel(x - 1, y) != colour) widths.push_back(0);
      ++widths.back();
    }
    for (std::size_t i = 0; widths.size() == widest.size() && i < widths.size(); ++i) widest[i] = std::max(widest[i], widths[i]);
  }
  EXPECT_GT(widest[1], 8);
  EXPECT_NEAR(widest[0], widest[1], 1);
  EXPECT_NEAR(widest[2], widest[1], 1);
}

TEST(FigureLayout, OneLegendEntryTellsTheBandsOfAllLines) {
  Figure figure;
  figure.lines = {{.label = "ESync, 3 seeds", .series = 0}, {.label = "SSGD, 3 seeds", .series = 1}};
  figure.bands = {{.label = "ESync, 3 seeds ± std", .series = 0}, {.label = "SSGD, 3 seeds ± std", .series = 1}};
  const auto entries = figure::bandEntries(figure);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].words, "± std");
  EXPECT_FALSE(entries[0].series.has_value());
}

TEST(FigureLayout, NamesOfCategoriesAreBrokenBeforeTheyStandUpright) {
  application();
  const QFontMetricsF metrics((QFont()));
  const std::vector<std::string> names{"DC-ASGD, slowdown 6", "ESync, slowdown 6"};
  const double whole = metrics.horizontalAdvance("DC-ASGD, slowdown 6"), half = metrics.horizontalAdvance("slowdown 6");
  EXPECT_EQ(figure::categoryNames(names, metrics, whole + 1, 1000).texts[0], "DC-ASGD, slowdown 6");
  const auto broken = figure::categoryNames(names, metrics, std::max(half, metrics.horizontalAdvance("DC-ASGD")) + 1, 1000);
  EXPECT_EQ(broken.texts[0], "DC-ASGD\nslowdown 6");
  EXPECT_FALSE(broken.upright);
  EXPECT_TRUE(figure::categoryNames(names, metrics, 10, 1000).upright);
}

// The next figure is drawn up to 100 ms later; until then a layout may want the labels' places of the one that is shown.
TEST(FigureView, LaysItselfOutWhileTheNextFigureWaits) {
  application();
  figure::FigureView view;
  view.resize(900, 500);
  view.show();
  for (int round = 0; round < 20; ++round) {
    view.setFigure(findFigure("accuracy")->build(fullRuns(), {}));
    view.paintNow();
    view.setFigure(Figure{});
    view.resize(900 + 10 * (round % 3 + 1), 500);
    EXPECT_GT(inkedPixels(view.grab().toImage()), 1000) << "the shown figure is still there";
  }
}

TEST(SeriesLook, NoTwoOfManyLookAlike) {
  constexpr int kBars = 32, kLines = 64;
  for (const figure::FigureStyle style : {figure::FigureStyle::kModern, figure::FigureStyle::kPublished})
    for (int a = 0; a < kLines; ++a)
      for (int b = a + 1; b < kLines; ++b) {
        const figure::SeriesLook first = figure::seriesLook(a, style, false), second = figure::seriesLook(b, style, false);
        const bool lines = first.marker != second.marker && first.dash != second.dash, bars = b >= kBars || first.hatch != second.hatch;
        EXPECT_TRUE(first.colour != second.colour || (lines && bars)) << a << " and " << b;
      }
}

}  // namespace
}  // namespace paceline::tests
