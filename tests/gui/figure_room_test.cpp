// Pictures in which everything can be read: each figure of the registry, in both styles, at a column's and a page's width, of one, three and
// eight configurations. Texts are taken from the SVG, which is painted by the same code as PNG and PDF.
#include <gtest/gtest.h>

#include <limits>

#include <QFile>
#include <QFontMetricsF>
#include <QRegularExpression>
#include <QTransform>
#include <QXmlStreamReader>

#include "app/ui/figure/figure_layout.h"
#include "app/ui/figure/figure_view.h"
#include "engine/core/base/error.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

constexpr const char* kAlgorithms[] = {"esync", "ssgd", "asgd", "dc_asgd"};

// A run with everything that a figure may ask for.
summary::RunSummary manifold(int configuration, std::uint64_t seed) {
  summary::RunSummary run;
  run.algorithm = kAlgorithms[configuration % 4];
  run.groupHash = strCat(run.algorithm, configuration / 4);
  run.id = strCat(run.groupHash, "-", seed), run.name = strCat("name ", run.id);
  run.document = strCat(R"({"algorithm":{"id":")", run.algorithm, R"("},"batch_size":)", 32 << configuration / 4, R"(,"seed":)", seed,
                        R"(,"published":{"source":"Somebody 2020","values":[{"measure":"throughput_samples_per_s","value":13000,"band":{"relative":0.1}},{"measure":"accuracy_last","value":0.8},{"measure":"computing_ratio","value":0.4,"node":"w1"}]}})");
  run.state = "finished", run.model = "lenet", run.dataset = "fashion_mnist", run.partition = "by_class", run.seed = seed;
  run.throughputSamplesPerSecond = run.publishedThroughput = 12345 + 100.0 * static_cast<double>(seed);
  run.trafficBytesPerSecond = 2.345e6 + 1000.0 * static_cast<double>(seed), run.publishedTrafficMbPerSecond = 3;
  run.bytesSentPerRound = run.bytesReceivedPerRound = 123456;
  run.targetAccuracy = 0.8;
  if (configuration % 3 != 2) run.timeToTargetSeconds = 20 + configuration + static_cast<double>(seed);
  for (int i = 1; i <= 60; ++i) {
    const double x = i, shift = 0.01 * configuration + 0.005 * static_cast<double>(seed);
    run.curve.push_back({.round = i, .seconds = x * 40, .publishedSeconds = x * 40, .samples = i * 6400, .bytes = i * 2'000'000LL, .accuracy = 0.9 - 0.8 / x - shift, .loss = 2.3 / x + shift, .consensus = 1 / x, .kept = 0.01 * x, .value = 0.1 * x});
  }
  run.exchanged = run.curve;
  run.metrics = {{.name = "drift", .points = run.curve}};
  for (int w = 0; w < 3; ++w) {
    summary::NodeSummary node;
    node.id = strCat("w", w), node.role = "worker", node.host = "cloud1", node.device = w == 0 ? "cpu" : "cuda:0";
    node.busyRatio = 0.5 + 0.1 * w, node.publishedComputingRatio = 0.4 + 0.1 * w;
    node.labelCounts = {600, 0, 300, 200, 1000, 5, 0, 700, 10, 60};
    for (int i = 1; i <= 60; ++i) node.localSteps.emplace_back(i, 1 + (i * w) % 5), ++node.stalenessRounds[i % 12];
    run.nodes.push_back(node);
    run.edges.push_back({.node = node.id, .peer = strCat("w", (w + 1) % 3), .exchanges = 60, .ageMean = 1.5, .bytesSent = 1'000'000, .bytesReceived = 2'000'000});
  }
  return run;
}

Figure made(const FigureDef& def, Variant variant, int configurations) {
  std::vector<summary::RunSummary> runs;
  for (int configuration = 0; configuration < configurations; ++configuration)
    for (std::uint64_t seed = 1; seed <= 3; ++seed) runs.push_back(manifold(configuration, seed));
  FigureOptions options;
  options.variant = variant;
  return def.build(runs, options);
}

struct Word {
  QString text;
  QRectF ink;  // px of the picture
};

// What is written in the SVG that the figure is saved as; `picture` becomes its size.
std::vector<Word> wordsOf(const Figure& figure, figure::FigureFile file, QSizeF& picture) {
  const TempFolder folder{};
  file.path = QString::fromStdString(folder.path("figure.svg"));
  figure::saveFigure(figure, file);
  QFile svg(file.path);
  EXPECT_TRUE(svg.open(QIODevice::ReadOnly));
  QXmlStreamReader reader(&svg);
  QTransform at;
  std::vector<Word> words;
  while (reader.readNext() != QXmlStreamReader::Invalid && !reader.atEnd()) {
    if (!reader.isStartElement()) continue;
    const QXmlStreamAttributes has = reader.attributes();
    const auto number = [&has](const char* name) { return has.value(QLatin1String(name)).toDouble(); };
    if (reader.name() == QLatin1String("svg")) {
      const QStringList box = has.value("viewBox").toString().split(' ');
      picture = QSizeF(box.at(2).toDouble(), box.at(3).toDouble());
    } else if (has.hasAttribute("transform")) {
      const QStringList m = has.value("transform").toString().remove("matrix(").remove(')').split(',');
      at = QTransform(m.at(0).toDouble(), m.at(1).toDouble(), m.at(2).toDouble(), m.at(3).toDouble(), m.at(4).toDouble(), m.at(5).toDouble());
    }
    if (reader.name() != QLatin1String("text")) continue;
    QFont font(has.value("font-family").toString());
    font.setPixelSize(static_cast<int>(number("font-size")));
    const QPointF from(number("x"), number("y"));
    const QString text = reader.readElementText();
    words.push_back({text, at.mapRect(QFontMetricsF(font).tightBoundingRect(text).translated(from))});
  }
  return words;
}

void expectReadable(const Figure& figure, const figure::FigureFile& file, const std::string& what) {
  QSizeF picture;
  const std::vector<Word> words = wordsOf(figure, file, picture);
  EXPECT_GT(words.size(), 3u) << what;
  const QRectF inside = QRectF(QPointF(), picture).adjusted(-0.5, -0.5, 0.5, 0.5);
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_TRUE(inside.contains(words[i].ink)) << what << ": \"" << words[i].text.toStdString() << "\" is cut off";
    EXPECT_FALSE(words[i].text.contains(QStringLiteral("…"))) << what << ": " << words[i].text.toStdString();
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(words[i].ink.adjusted(0.5, 0.5, -0.5, -0.5).intersects(words[j].ink))
          << what << ": \"" << words[i].text.toStdString() << "\" lies over \"" << words[j].text.toStdString() << "\"";
  }
}

class FigureRoom : public ::testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(FigureRoom, NoWordIsCutOffOrLiesOverAnother) {
  application();
  const auto& [id, configurations] = GetParam();
  for (const Variant variant : {Variant::kCorrected, Variant::kPublished})
    for (const double widthMm : {80.0, 160.0}) {
      const bool published = variant == Variant::kPublished;
      const Figure figure = made(*findFigure(id), variant, configurations);
      if (figure.empty()) continue;
      figure::FigureFile file;
      file.style = published ? figure::FigureStyle::kPublished : figure::FigureStyle::kModern;
      file.widthMm = widthMm;
      expectReadable(figure, file, strCat(id, published ? ", published, " : ", ", widthMm, " mm, ", configurations, " configurations"));
    }
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const FigureDef& def : figures()) all.push_back(def.id);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Registry, FigureRoom, ::testing::Combine(::testing::ValuesIn(ids()), ::testing::Values(1, 3, 8)),
                         [](const auto& param) { return strCat(std::get<0>(param.param), "_", std::get<1>(param.param)); });

std::string refusal(const Figure& figure, const figure::FigureFile& file) {
  try {
    figure::saveFigure(figure, file);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kUsage);
    return error.what();
  }
  return "";
}

TEST(FigureSize, ASizeThatIsTooSmallIsRefusedWithAHeightThatIsEnough) {
  application();
  const TempFolder folder{};
  const Figure figure = made(*findFigure("accuracy"), Variant::kCorrected, 8);
  figure::FigureFile file;
  file.path = QString::fromStdString(folder.path("small.png"));
  file.widthMm = 80, file.heightMm = 50;
  const QString sentence = QString::fromStdString(refusal(figure, file));
  const QRegularExpression says("^.*small\\.png: 80 x 50 mm is too small for this figure with text of 9 pt; a height of (\\d+) mm is enough, or smaller text$");
  const QRegularExpressionMatch match = says.match(sentence);
  ASSERT_TRUE(match.hasMatch()) << sentence.toStdString();
  EXPECT_FALSE(QFile::exists(file.path));
  file.heightMm = match.captured(1).toDouble();
  expectReadable(figure, file, "as the sentence says");
  file.heightMm = 50, file.fontPoints = 5;
  EXPECT_EQ(refusal(figure, file), "") << "smaller text fits";
}

TEST(FigureSize, AWidthThatNoHeightMakesGoodIsRefused) {
  application();
  const TempFolder folder{};
  figure::FigureFile file;
  file.path = QString::fromStdString(folder.path("narrow.png"));
  file.widthMm = 20;
  EXPECT_EQ(refusal(made(*findFigure("accuracy"), Variant::kCorrected, 8), file), strCat(folder.path("narrow.png"), ": 20 mm is too narrow for this figure with text of 9 pt; choose a greater width or smaller text"));
}

TEST(FigureSize, AHeightThatWasChosenStays) {
  application();
  figure::FigureFile file;
  file.widthMm = 80, file.heightMm = 50;
  QSizeF picture;
  EXPECT_GT(wordsOf(made(*findFigure("accuracy"), Variant::kCorrected, 1), file, picture).size(), 3u);
  EXPECT_EQ(picture, QSizeF(302, 189));
}

TEST(FigureSize, TheReasonForAMissingBarIsWhole) {
  application();
  for (const int configurations : {6, 8}) {  // upright in two lines; in one, in a higher picture
    Figure figure = made(*findFigure("speedup"), Variant::kCorrected, configurations);
    figure.bars.at(3).values.at(3) = std::numeric_limits<double>::quiet_NaN();
    figure.bars.at(3).texts.at(3) = "not reached by 1 of 3 seeds";
    figure::FigureFile file;
    file.widthMm = 80;
    expectReadable(figure, file, strCat(configurations, " configurations"));
  }
}

// The view draws each figure into what is left of the one before.
TEST(FigureLayout, NumbersLieWhateverWasDrawnBefore) {
  application();
  Figure bars = made(*findFigure("throughput"), Variant::kCorrected, 8);
  for (std::string& name : bars.x.categories) name += " with a name that only stands upright";
  const auto drawn = [](const std::vector<Figure>& figures) {
    figure::FigureView view;
    view.resize(420, 260);
    for (const Figure& each : figures) view.setFigure(each), view.paintNow();
    return view.grab().toImage();
  };
  const Figure lines = made(*findFigure("accuracy"), Variant::kCorrected, 2);
  EXPECT_EQ(drawn({bars, lines}), drawn({lines}));
}

TEST(FigureLayout, AColumnOfTheLegendIsAsWideAsItsWidestEntry) {
  EXPECT_EQ(figure::legendFit({40, 40, 40, 40}, 14, QSize(600, 400)).columns, 4);
  EXPECT_EQ(figure::legendFit({300, 40, 300, 40}, 14, QSize(600, 400)).columns, 2);  // two of the widest would not fit side by side
  EXPECT_EQ(figure::legendFit({300, 300, 300}, 14, QSize(600, 400)).columns, 1);
  EXPECT_GE(figure::legendFit(std::vector<double>(40, 200), 14, QSize(300, 100)).scale, 0.8);
}

}  // namespace
}  // namespace paceline::tests
