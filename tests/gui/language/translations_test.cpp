// What is said in tr() has a translation, and it says the same.
#include <gtest/gtest.h>

#include <set>

#include <QDir>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "app/models/language.h"
#include "app/models/phrases.h"
#include "app/models/words.h"
#include "app/report/document.h"
#include "app/ui/desktop_notices.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/figure/parallel_brushes.h"
#include "tests/figures/made_lanes.h"
#include "tests/figures/made_runs.h"
#include "tests/gui/gui_support.h"
#include "tests/gui/language/chinese.h"
#include "tests/gui/language/translation_file.h"

namespace paceline::tests {
namespace {

const QString kTranslations = PACELINE_SOURCE_DIR "/resources/translations/";

Texts sourceTexts() {
  QTemporaryDir folder;
  QProcess lupdate;
  lupdate.start(PACELINE_LUPDATE, {"-silent", "-locations", "none", PACELINE_SOURCE_DIR "/app/ui", PACELINE_SOURCE_DIR "/app/models", "-ts", folder.filePath("all.ts")});
  if (!lupdate.waitForFinished(60'000) || lupdate.exitCode() != 0) throw std::runtime_error("lupdate: " + lupdate.readAllStandardError().toStdString());
  return textsIn(folder.filePath("all.ts"));
}

std::multiset<QString> placesIn(const QString& text) {
  static const QRegularExpression kPlace("%(?:\\d|n)");
  std::multiset<QString> places;
  for (const QRegularExpressionMatch& each : kPlace.globalMatch(text)) places.insert(each.captured());
  return places;
}

TEST(Translations, EveryTextOfTheSourcesIsTranslated) {
  const Texts texts = sourceTexts(), chinese = textsIn(kTranslations + "paceline_zh_CN.ts"), english = textsIn(kTranslations + "paceline_en.ts");
  ASSERT_GT(texts.size(), 1000u);
  for (const auto& [text, found] : texts) {
    const auto told = chinese.find(text);
    if (told == chinese.end()) {
      ADD_FAILURE() << "resources/translations/update was not run: paceline_zh_CN.ts has no \"" << text.first.toStdString() << "\"";
      continue;
    }
    EXPECT_TRUE(told->second.finished && !told->second.forms.contains(QString())) << "not translated: " << text.first.toStdString();
    EXPECT_EQ(told->second.forms.size(), 1) << text.first.toStdString();
    EXPECT_EQ(found.plural, english.contains(text)) << "paceline_en.ts holds the plurals and nothing else: " << text.first.toStdString();
    if (const auto plurals = english.find(text); plurals != english.end()) {
      EXPECT_EQ(plurals->second.forms.size(), 2) << text.first.toStdString();
    }
  }
}

TEST(Translations, SayWhatVariesWhereTheirSourcesDo) {
  for (const char* language : {"en", "zh_CN"})
    for (const auto& [text, told] : textsIn(kTranslations + "paceline_" + language + ".ts"))
      for (const QString& form : told.forms) {
        if (form == "every step") continue;  // one needs no number
        EXPECT_EQ(placesIn(form), placesIn(text.first)) << language << ": " << text.first.toStdString() << " -> " << form.toStdString();
      }
}

TEST(Translations, EnglishHasItsPlurals) {
  application();
  EXPECT_EQ(QObject::tr("%n run(s)", nullptr, 1), "1 run");
  EXPECT_EQ(QObject::tr("%n run(s)", nullptr, 2), "2 runs");
  EXPECT_EQ(QObject::tr("every %n step(s)", nullptr, 1), "every step");
}

TEST(Translations, ATextIsTheSameWhoeverSaysIt) {
  const InChinese chinese;
  EXPECT_EQ(QObject::tr("Cancel"), "取消");
  EXPECT_EQ(QCoreApplication::translate("QDialogButtonBox", "Cancel"), "取消");
  EXPECT_EQ(QObject::tr("%n run(s)", nullptr, 3), "3 个运行");
}

TEST(Translations, APhraseIsSaidWithTheNamesInIt) {
  const InChinese chinese;
  EXPECT_EQ(said("w2 waited 0.61 s for w0: it was evaluating"), "w2 等待 w0 0.61 s：它在评估");
  EXPECT_EQ(said("67 % of the wall time is w0's evaluation; move it to an evaluator: about 2.5 times faster (simulated, 2.4 to 2.6)"),
            "总时长的 67 % 用于w0 的评估；将其移到评估节点：约快 2.5 倍（模拟，2.4 至 2.6）");
  EXPECT_EQ(said("3 finished, 1 under way, 2 waiting"), "完成 3，进行中 1，2 个等待中");
  EXPECT_FALSE(said("It will try 20 runs for last accuracy, random.").contains("It will try"));
  EXPECT_EQ(said("Nobody has a phrase for this"), "Nobody has a phrase for this");
}

TEST(Translations, InEnglishNothingIsChanged) {
  application();
  for (const char* phrase : language::phrases()) EXPECT_EQ(said(phrase), phrase);
}

summary::RunSummary fullRun(const std::string& algorithm, std::uint64_t seed) {
  summary::RunSummary run = madeRun(algorithm, seed);
  run.document = R"({"nodes":[{"id":"w0","role":"worker","emulate":{"bandwidth_mbps":100.0}},{"id":"w1","role":"worker"}]})";
  std::vector<std::pair<double, double>> points;
  for (int i = 1; i <= 80; ++i) points.emplace_back(10.0 * i + static_cast<double>(seed), 0.011 * i);
  run = withCurve(run, points);
  run.throughputSamplesPerSecond = run.trafficBytesPerSecond = run.publishedThroughput = run.publishedTrafficMbPerSecond = 100.0 + static_cast<double>(seed);
  run.nodes = {madeNode("w0", "local", "cpu", 0.5, 0.25), madeNode("w1", "far", "cuda:0", 0.5, 0.25)};
  run.nodes[0].labelCounts = {10, 0, 5}, run.nodes[1].labelCounts = {0, 10, 5};
  for (std::int64_t round = 1; round <= 80; ++round)
    for (summary::NodeSummary& node : run.nodes) node.localSteps.emplace_back(round, 1 + round % 3), ++node.stalenessRounds[round % 5 * static_cast<std::int64_t>(seed)];
  for (std::size_t i = 0; i < run.curve.size(); ++i) {
    summary::CurvePoint point = run.curve[i];
    point.consensus = 1.0 / static_cast<double>(i + 1);
    run.curve.set(i, point);
    point.value = 2.0 * static_cast<double>(i), point.kept = 0.25 / static_cast<double>(i + 1);
    run.exchanged.push_back(point);
  }
  run.timeline = std::make_shared<const summary::RunData>(evaluatedRun());
  run.metrics = {{.name = "drift", .points = run.exchanged}};
  run.bytesSentPerRound = run.bytesReceivedPerRound = 1e6;
  run.edges = {{.node = "w0", .peer = "w1", .exchanges = 80, .ageMean = 1.5, .bytesSent = 100, .bytesReceived = 200, .lost = 0}};
  return run;
}

void expectChinese(const std::string& text, const std::string& figure) { EXPECT_EQ(englishIn(qtext(text)), QStringList()) << figure << ": " << text; }

void expectChinese(const Figure& figure) {
  const std::shared_ptr<const Figure> told = figure::inWords(std::make_shared<const Figure>(figure));
  for (const std::string* text : {&told->title, &told->x.title, &told->y.title}) expectChinese(*text, figure.id);
  for (const std::string& note : told->notes) expectChinese(note, figure.id);
  for (const Line& line : told->lines) expectChinese(line.label, figure.id);
  for (const Band& band : told->bands) expectChinese(band.label, figure.id);
  for (const BarSet& bars : told->bars) expectChinese(bars.label, figure.id);
  for (const SpanSet& set : told->spans) expectChinese(set.label, figure.id);
  for (const Reference& reference : told->references) expectChinese(reference.label, figure.id);
  EXPECT_EQ(englishIn(figure::description(figure)), QStringList()) << figure.id;
}

TEST(Translations, EveryFigureSpeaksChinese) {
  const InChinese chinese;
  const Summaries several = {fullRun("esync", 1), fullRun("esync", 2), fullRun("ssgd", 1), fullRun("asgd", 1), fullRun("pdmm_isvr", 1), fullRun("standalone", 1)};
  for (const FigureDef& def : figures()) {
    expectChinese(said(def.title).toStdString(), def.id), expectChinese(said(def.summary).toStdString(), def.id);
    for (const Variant variant : {Variant::kCorrected, Variant::kPublished})
      for (const Summaries& runs : {several, Summaries{several.front()}, Summaries{madeRun("esync")}, Summaries()}) {
        FigureOptions options;
        options.variant = variant;
        expectChinese(def.build(runs, options));
      }
  }
}

// As documents have them: fields of the run, of its nodes, of its method; more than there are axes for.
TEST(Translations, ParallelAxesAreChinese) {
  const InChinese chinese;
  Summaries runs = {fullRun("esync", 1), fullRun("ssgd", 1)};
  for (std::size_t i = 0; i < runs.size(); ++i)
    runs[i].document = strCat(R"({"algorithm":{"id":")", runs[i].algorithm, R"(","params":{"local_lr":0.)", i + 1, R"(}},"batch_size":)", 16 + i, R"(,"optimizer":{"momentum":0.)", i + 1, R"(,"weight_decay":0.)", i + 1, R"(},"stop":{"rounds":)", 10 + i, R"(,"seconds":)", 10 + i, R"(},"node_silent_s":)", 10 + i, R"(,"evaluate":{"every_rounds":)", 1 + i,
                              R"(},"nodes":[{"id":"w0","role":"worker","emulate":{"slowdown":)", 1 + i, R"(}},{"id":"w1","role":"worker"}]})");
  FigureOptions options;
  options.titles = {{"/algorithm/params/local_lr", "Local learning rate"}};
  const Figure figure = built("parallel", runs, options);
  const std::shared_ptr<const Figure> told = figure::inWords(std::make_shared<const Figure>(figure));
  ASSERT_GT(told->axes.size(), 10u);
  for (std::size_t i = 0; i < told->axes.size(); ++i) {
    expectChinese(told->axes[i].title, figure.axes[i].title);
    EXPECT_NE(told->axes[i].title, figure.axes[i].title);
    for (const std::string& category : told->axes[i].categories) expectChinese(category, figure.axes[i].title);
  }
  for (const std::string& note : told->notes) expectChinese(note, "note");
}

TEST(Translations, BrushedAxesAreChineseToo) {
  const InChinese chinese;
  Figure figure{.id = "parallel", .title = "Parallel coordinates"};
  figure.axes = {{.title = "batch size (samples)", .min = 16, .max = 32}, {.title = "best accuracy", .min = 0, .max = 1}};
  figure.lines = {{.label = "a", .x = {0, 1}, .y = {16, 0.5}}, {.label = "b", .x = {0, 1}, .y = {32, 1}}};
  figure::FigureView view;
  view.resize(700, 420);
  view.setFigure(figure);
  view.show();
  view.paintNow();
  const auto* brushes = view.findChild<figure::ParallelBrushes*>("parallelBrushes");
  ASSERT_NE(brushes, nullptr);
  for (const Axis& axis : brushes->figure().axes) expectChinese(axis.title, figure.id);
  EXPECT_EQ(view.figure().axes[0].title, "batch size (samples)");  // exports stay English
}

TEST(Translations, HowAReportIsWrittenIsChinese) {
  const InChinese chinese;
  const std::vector<std::string> texts = report::syntaxTexts();
  ASSERT_GT(texts.size(), 40u);
  for (const std::string& text : texts)
    if (text != "Text") {
      EXPECT_NE(said(text), qtext(text));
    }
  const std::string help = report::syntaxHelp([](const std::string& words) { return said(words).toStdString(); });
  EXPECT_NE(help.find("run esync: 01m8qh2tk"), std::string::npos);  // what is typed stays
  EXPECT_NE(help.find("- `best_accuracy`: 各次评估"), std::string::npos);
}

TEST(Translations, ADivergedRunIsToldInChinese) {
  const InChinese chinese;
  EXPECT_EQ(said("in round 12 the loss is NaN: training has diverged"), "第 12 轮的损失为 NaN：训练已发散");
  EXPECT_EQ(said("w1: in round 12 the loss is infinite: training has diverged"), "w1：第 12 轮的损失为无穷大：训练已发散");
  recorder::Entry entry;
  entry.run = "r", entry.progress.diverged = "w1: in round 12 the loss is NaN: training has diverged";
  EXPECT_EQ(divergedNotice(entry).words, "\"r\": w1：第 12 轮的损失为 NaN：训练已发散");
}

TEST(Translations, AFigureIsExportedInEnglish) {
  const InChinese chinese;
  figure::FigureView view;
  view.setFigure(built("accuracy", {fullRun("esync", 1)}));
  EXPECT_EQ(view.figure().y.title, "test accuracy");
  EXPECT_TRUE(view.accessibleDescription().contains("测试准确率"));
}

}  // namespace
}  // namespace paceline::tests
