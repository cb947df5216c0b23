// The Report page by mouse and keys: begun from compared runs, written on, shown live, exported as PDF, HTML and LaTeX that are looked into.
#include "app/ui/report/report_page.h"

#include <QAbstractTextDocumentLayout>
#include <QDialog>
#include <QFile>
#include <QMenu>
#include <QPainter>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTest>
#include <QTextBlock>
#include <algorithm>
#include <gtest/gtest.h>

#include "app/models/words.h"
#include "app/ui/main_window.h"
#include "app/ui/report/report_file.h"
#include "app/ui/report/report_paper.h"
#include "engine/core/base/error.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct ReportPage : ::testing::Test {
  QApplication& app = application();
  TempFolder folder;
  std::unique_ptr<MainWindow> window;

  void TearDown() override {
    window.reset();
    QSettings().clear();  // the report that is kept across restarts
  }
  void open(int runs = 2) {
    QSettings().clear();
    for (int i = 0; i < runs; ++i) storeRun(path("lab.db"), madeRow(i), 12);
    window = std::make_unique<MainWindow>(qtext(path("lab.db")));
    window->resize(1280, 800);
    window->show();
    window->activateWindow();
    ASSERT_TRUE(waitFor([&] { return window->isActiveWindow() && window->shell().runs.rowCount() == runs; }));
  }
  reports::ReportPage& page() { return window->reportPage(); }
  std::string path(const std::string& name) const { return folder.path(name); }
  QString paper() { return page().paper().toPlainText(); }
  bool shows(const QString& words) {
    return waitFor([&] { return paper().contains(words); }, 20);
  }
  void write(const QString& text) { page().editor().replaceText(text); }
  QString head() const { return "---\ntitle: A test\nrun a: " + qtext(madeRow(0).id) + "\nrun b: " + qtext(madeRow(1).id) + "\n---\n"; }

  // What the window says once a file is written or refused.
  QString exported(const QString& to) {
    QString said;
    const auto told = QObject::connect(&page(), &widgets::Page::told, [&said](const QString& words) { said = words; });
    const auto failed = QObject::connect(&page(), &widgets::Page::failed, [&said](const QString& words) { said = words; });
    page().exportTo(to);
    EXPECT_TRUE(waitFor([&] { return !said.isEmpty(); }));
    QObject::disconnect(told), QObject::disconnect(failed);
    return said;
  }
  static QByteArray bytes(const std::string& file) {
    QFile in(qtext(file));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
  }
};

TEST_F(ReportPage, BeginsFromTheComparedRunsByItsButton) {
  open();
  window->go(MainWindow::kCompare);
  window->compare().choose({madeRow(0).id, madeRow(1).id});
  auto* button = window->compare().findChild<QPushButton*>("compareReport");
  ASSERT_TRUE(button);
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(window->page(), &page());
  ASSERT_TRUE(shows("ESync and SSGD train "));
  ASSERT_TRUE(waitFor([&] { return page().live().current(); }));
  EXPECT_TRUE(page().live().report().problems.empty());
  EXPECT_TRUE(paper().contains("How this report is made again"));
  EXPECT_TRUE(paper().contains("configuration 1"));
}

TEST_F(ReportPage, ThePaperShowsTheBeginningOfWhatIsBegunAgain) {
  open();
  page().mayReplace = [](const QString&) { return true; };
  const auto begin = [&] {
    window->go(MainWindow::kCompare);
    window->compare().choose({madeRow(0).id, madeRow(1).id});
    QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(shows("ESync and SSGD train "));
    EXPECT_TRUE(waitFor([&] { return page().isDrawn(); }, 20));
    return page().paper().verticalScrollBar()->value();
  };
  EXPECT_EQ(begin(), 0);
  ASSERT_GT(page().paper().verticalScrollBar()->maximum(), 400);
  EXPECT_EQ(begin(), 0);
  page().editor().moveCursor(QTextCursor::End);
  ASSERT_GT(page().paper().verticalScrollBar()->value(), 0);
  begin();  // what it waits for is there already, of the one before
  EXPECT_TRUE(waitFor([&] { return page().paper().verticalScrollBar()->value() == 0; }, 20));
}

TEST_F(ReportPage, KeysLeadThereAndBack) {
  open();
  QTest::keyClick(window.get(), Qt::Key_7, Qt::ControlModifier);
  EXPECT_EQ(window->page(), &page());
  QTest::keyClick(window.get(), Qt::Key_4, Qt::ControlModifier);
  EXPECT_EQ(window->page(), &window->compare());
  window->compare().choose({madeRow(0).id});
  QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(window->page(), &page());
  EXPECT_TRUE(shows("ESync trains "));
}

TEST_F(ReportPage, NumbersFollowTheStoreAndTheText) {
  open();
  window->go(MainWindow::kReport);
  write(head() + "It reached {{a.best_accuracy}} in {{a.rounds}} rounds.");
  const store::StoreReader reader(path("lab.db"));
  const summary::RunSummary run = summary::summaryOf(reader, *reader.find(madeRow(0).id), {});
  ASSERT_TRUE(shows(QString("It reached %1 % in 12 rounds.").arg(100 * *run.accuracyBest, 0, 'f', 2)));
  QTest::keyClicks(&page().editor(), "# ");  // at the beginning of the text: no head any more
  EXPECT_TRUE(waitFor([&] { return !page().live().report().problems.empty(); }));
  while (page().editor().toPlainText().startsWith('#')) QTest::keyClick(&page().editor(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(waitFor([&] { return page().live().current() && page().live().report().problems.empty(); }));
}

TEST_F(ReportPage, AProblemIsToldAndMarkedAndLedTo) {
  open();
  window->go(MainWindow::kReport);
  write(head() + "one\n\n{{a.pie}}\n\n{{figure cake}}\n");
  ASSERT_TRUE(shows("number \"pie\" is not known of a run"));
  EXPECT_EQ(page().editor().extraSelections().size(), 2);
  auto* next = page().findChild<QPushButton*>("reportNextProblem");
  ASSERT_TRUE(next->isVisible());
  page().editor().moveCursor(QTextCursor::Start);
  QTest::keyClick(&page().editor(), Qt::Key_F8);
  EXPECT_EQ(page().editor().line(), 8);
  next->click();
  EXPECT_EQ(page().editor().line(), 10);
  next->click();
  EXPECT_EQ(page().editor().line(), 8);  // behind the last one the first
  const QString said = exported(qtext(path("bad.pdf")));
  EXPECT_TRUE(said.startsWith("The report is not written: the report: line 8: number \"pie\" is not known of a run; have ")) << said.toStdString();
  EXPECT_TRUE(said.endsWith("; and 1 more problem")) << said.toStdString();
  EXPECT_FALSE(QFile::exists(qtext(path("bad.pdf"))));
}

TEST_F(ReportPage, InsertsWhatItsMenuOffers) {
  open();
  window->go(MainWindow::kReport);
  write(head() + "Rounds: ");
  ASSERT_TRUE(waitFor([&] { return page().live().current(); }));
  page().editor().moveCursor(QTextCursor::End);
  QMenu* menu = page().findChild<QPushButton*>("reportInsert")->menu();
  emit menu->aboutToShow();
  const auto press = [&](const QString& under, const QString& name) {
    for (QMenu* each : menu->findChildren<QMenu*>())
      for (QAction* action : each->actions())
        if (each->title().remove('&') == under && action->text().section('\t', 0, 0) == name) return action->trigger(), true;
    return false;
  };
  ASSERT_TRUE(press("a", "rounds"));
  ASSERT_TRUE(press("Figure", qtext(findFigure("throughput")->title)));
  for (QAction* action : menu->actions())
    if (action->text().remove('&') == "Results table") action->trigger();
  EXPECT_TRUE(page().editor().toPlainText().endsWith("Rounds: {{a.rounds}}\n\n{{figure throughput}}\n\n{{results}}")) << page().editor().toPlainText().toStdString();
  EXPECT_TRUE(shows("Rounds: 12"));
}

TEST_F(ReportPage, OpensAndSavesAndKeepsWhatIsInNoFile) {
  open();
  window->go(MainWindow::kReport);
  write("# One\n\nfirst");
  page().saveTo(qtext(path("one.md")));
  EXPECT_EQ(bytes(path("one.md")), "# One\n\nfirst");
  write("# Two\n\nsecond");
  window.reset();
  window = std::make_unique<MainWindow>(qtext(path("lab.db")));  // as the program started again
  window->show();
  EXPECT_EQ(page().editor().toPlainText(), "# Two\n\nsecond");
  QStringList asked;
  page().mayReplace = [&](const QString& sentence) { return asked << sentence, false; };
  page().beginFrom({madeRow(0).id}, 0.8);
  ASSERT_EQ(asked.size(), 1);
  EXPECT_TRUE(asked[0].contains("one.md")) << asked[0].toStdString();
  EXPECT_TRUE(page().open(qtext(path("one.md"))));
  EXPECT_EQ(page().editor().toPlainText(), "# One\n\nfirst");
  page().editor().undo();
  EXPECT_EQ(page().editor().toPlainText(), "# Two\n\nsecond");
  QString failure;
  QObject::connect(&page(), &widgets::Page::failed, [&](const QString& words) { failure = words; });
  EXPECT_FALSE(page().open(qtext(path("nothing.md"))));
  EXPECT_TRUE(failure.endsWith("nothing.md: cannot be read: No such file or directory")) << failure.toStdString();
  QFile latin(qtext(path("latin.md")));
  ASSERT_TRUE(latin.open(QIODevice::WriteOnly) && latin.write("caf\xe9") == 4);
  latin.close();
  EXPECT_FALSE(page().open(latin.fileName()));
  EXPECT_TRUE(failure.endsWith("latin.md: cannot be opened: it is no UTF-8 text")) << failure.toStdString();
}

TEST_F(ReportPage, EachOfTwoWindowsKeepsItsOwn) {
  open();
  auto second = std::make_unique<MainWindow>(qtext(path("lab.db")));
  second->show();
  write("of the first");
  second->reportPage().editor().replaceText("of the second");
  page().editor().insertWords("still ");
  window.reset(), second.reset();
  window = std::make_unique<MainWindow>(qtext(path("lab.db")));
  second = std::make_unique<MainWindow>(qtext(path("lab.db")));
  EXPECT_EQ(page().editor().toPlainText(), "still of the first");
  EXPECT_EQ(second->reportPage().editor().toPlainText(), "of the second");
}

TEST_F(ReportPage, AFileWithOtherEndsOfLinesIsNotChangedByOpeningIt) {
  open();
  window->go(MainWindow::kReport);
  QFile file(qtext(path("dos.md")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("# One\r\n\r\nfirst\r\n");
  file.close();
  QStringList asked;
  page().mayReplace = [&](const QString& sentence) { return asked << sentence, true; };
  EXPECT_TRUE(page().open(file.fileName()));
  page().beginFrom({madeRow(0).id}, 0.8);  // nothing is lost
  EXPECT_EQ(asked, QStringList());
}

TEST_F(ReportPage, AFileThatAnotherProgramChangedIsReplacedOnlyAfterAQuestion) {
  open();
  window->go(MainWindow::kReport);
  const auto put = [this](const QByteArray& text) {
    QFile file(qtext(path("one.md")));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
  };
  put("mine");
  EXPECT_TRUE(page().open(qtext(path("one.md"))));
  write("mine, longer");
  put("theirs");
  bool may = false;
  QStringList asked;
  page().mayReplace = [&](const QString& sentence) { return asked << sentence, may; };
  page().saveTo(qtext(path("one.md")));
  ASSERT_EQ(asked.size(), 1);
  EXPECT_EQ(bytes(path("one.md")), "theirs");
  may = true;
  page().saveTo(qtext(path("one.md")));
  EXPECT_EQ(bytes(path("one.md")), "mine, longer");
  page().saveTo(qtext(path("one.md")));
  EXPECT_EQ(asked.size(), 2);
}

// Its names are wider than paper: the window says so in its place, and no file is written.
TEST_F(ReportPage, APictureThatCannotBeDrawnIsASentence) {
  application();
  auto figure = std::make_shared<Figure>(Figure{.id = "parallel", .title = "Wide"});
  figure->axes = {{.title = "folder", .min = 0, .max = 1, .categories = {std::string(400, 'm'), "b"}}, {.title = "result", .min = 0, .max = 1}};
  figure->lines = {{.label = "a", .x = {0, 1}, .y = {0, 0.5}}, {.label = "b", .x = {0, 1}, .y = {1, 1}}};
  auto report = std::make_shared<report::Report>();
  report->pieces.push_back({.kind = report::PieceKind::kPicture, .picture = {.figure = figure}, .caption = "Wide"});
  reports::ReportPictures pictures;
  bool drawn = false;
  pictures.setReport(report);
  pictures.whenDrawn([&] { drawn = true; });
  ASSERT_TRUE(waitFor([&] { return drawn; }));
  EXPECT_TRUE(QString::fromStdString(pictures.problem()).startsWith("Wide: 170 mm is too narrow for this figure")) << pictures.problem();
  EXPECT_THROW(reports::writeReport(qtext(path("wide.pdf")), report, pictures), Error);
  EXPECT_FALSE(QFile::exists(qtext(path("wide.pdf"))));
  reports::writeReport(qtext(path("wide.tex")), report, pictures);
  EXPECT_TRUE(QFile::exists(qtext(path("wide.tex"))));
}

TEST_F(ReportPage, HelpComesOnDemand) {
  open();
  window->go(MainWindow::kReport);
  QTest::keyClick(&page().editor(), Qt::Key_H, Qt::ControlModifier);
  auto* help = window->findChild<QDialog*>("reportSyntax");
  ASSERT_TRUE(help && help->isVisible());
  EXPECT_TRUE(help->findChild<QTextBrowser*>()->toPlainText().contains("best_accuracy"));
  QTest::keyClick(help, Qt::Key_Escape);
  EXPECT_FALSE(help->isVisible());
}

// Ink on a page's picture: pixels that are not nearly white, as a share of those in the middle.
double inkOf(const QImage& image) {
  int dark = 0, all = 0;
  for (int y = 0; y < image.height(); y += 2)
    for (int x = 0; x < image.width(); x += 2, ++all) dark += qGray(image.pixel(x, y)) < 240 ? 1 : 0;
  return static_cast<double>(dark) / all;
}

TEST_F(ReportPage, ExportsAPdfWithTextAndPictures) {
  open();
  window->go(MainWindow::kReport);
  write(head() + "Reached {{a.best_accuracy}}.\n\n{{results}}\n\n{{figure accuracy caption=\"A curve\"}}\n\n{{figure throughput}}\n\n## Lanes\n\n{{lanes a}}\n\n{{lanes b}}\n");
  EXPECT_EQ(exported(qtext(path("out.pdf"))), "Wrote " + qtext(path("out.pdf")));
  const QByteArray pdf = bytes(path("out.pdf"));
  ASSERT_TRUE(pdf.startsWith("%PDF"));
  const int pages = static_cast<int>(pdf.count("/Type /Page\n"));
  EXPECT_GE(pages, 2);
  EXPECT_LE(pages, 5);
  EXPECT_EQ(pdf.count("/Subtype /Image"), 0);  // curves and lanes are vectors
  if (QStandardPaths::findExecutable("pdftotext").isEmpty() || QStandardPaths::findExecutable("pdftoppm").isEmpty()) return;
  QProcess text;
  text.start("pdftotext", {"-layout", qtext(path("out.pdf")), "-"});
  ASSERT_TRUE(text.waitForFinished());
  const QString words = QString::fromUtf8(text.readAllStandardOutput()).normalized(QString::NormalizationForm_KC);  // "fi" of two letters
  for (const char* part : {"A test", "Reached 92.50 %.", "A curve", "Lanes", "Timeline, run number 0", "Timeline, run number 1", "How this report is made again", "paceline report FILE -o out.pdf", "store lab.db", "configuration 1", "page 1 of"})
    EXPECT_TRUE(words.contains(part)) << part << "\n" << words.toStdString();
  EXPECT_FALSE(words.contains(qtext(folder.path("")))) << "no path of this computer";
  QProcess picture;
  picture.start("pdftoppm", {"-r", "50", "-png", qtext(path("out.pdf")), qtext(path("page"))});
  ASSERT_TRUE(picture.waitForFinished());
  double most = 0;
  for (int page = 1; page <= pages; ++page) {
    const QImage image(qtext(path("page-" + std::to_string(page) + ".png")));
    ASSERT_FALSE(image.isNull());
    EXPECT_GT(inkOf(image), 0.002) << page;
    EXPECT_LT(inkOf(image), 0.6) << page;
    most = std::max(most, inkOf(image));
  }
  EXPECT_GT(most, 0.05);  // of lanes
}

TEST_F(ReportPage, ExportsOneFileOfHtmlAndLatex) {
  open();
  window->go(MainWindow::kReport);
  write(head() + "{{figure accuracy}}\n\n{{lanes a}}\n");
  EXPECT_EQ(exported(qtext(path("out.html"))), "Wrote " + qtext(path("out.html")));
  const QByteArray html = bytes(path("out.html"));
  static const QRegularExpression kPicture("data:image/svg\\+xml;base64,([A-Za-z0-9+/=]+)");
  auto found = kPicture.globalMatch(QString::fromUtf8(html));
  int pictures = 0;
  for (; found.hasNext(); ++pictures) {
    QSvgRenderer picture(QByteArray::fromBase64(found.next().captured(1).toLatin1()));
    ASSERT_TRUE(picture.isValid());
    EXPECT_EQ(picture.viewBox().width(), 643);  // 170 mm
    QImage white(picture.viewBox().size(), QImage::Format_RGB32);
    white.fill(Qt::white);
    QPainter painter(&white);
    picture.render(&painter);
    painter.end();
    EXPECT_GT(inkOf(white), 0.01);
  }
  EXPECT_EQ(pictures, 2);
  EXPECT_EQ(exported(qtext(path("out.tex"))), "Wrote " + qtext(path("out.tex")));
  EXPECT_EQ(bytes(path("out.tex")).count("\\begin{axis}"), 2);
  EXPECT_TRUE(exported(qtext(path("out.odt"))).endsWith("out.odt: a report is written as .html, .tex or .pdf"));
}

TEST_F(ReportPage, AHeadingIsOnThePageOfItsPicture) {
  open();
  reports::ReportPictures pictures;
  QTextDocument document;
  reports::preparePaper(document, pictures);
  for (int lines = 30; lines < 60; ++lines) {
    report::Report report;
    for (int i = 0; i < lines; ++i) report.pieces.push_back({.kind = report::PieceKind::kParagraph, .words = {{.text = "a line"}}});
    report.pieces.push_back({.kind = report::PieceKind::kHeading, .level = 2, .words = {{.text = "THE HEADING"}}});
    report.pieces.push_back({.kind = report::PieceKind::kParagraph, .words = {{.text = "WHAT FOLLOWS"}}});
    reports::fillPaper(document, report);
    document.setPageSize(QSizeF(642, 925));
    reports::keepTogether(document);
    int heading = -1, follows = -2;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
      const int page = static_cast<int>((document.documentLayout()->blockBoundingRect(block).bottom() - 1) / 925);
      if (block.text() == "THE HEADING") heading = page;
      if (block.text() == "WHAT FOLLOWS") follows = page;
    }
    EXPECT_EQ(heading, follows) << lines;
  }
}

TEST_F(ReportPage, TwoHundredRunsAreInOneReport) {
  open(200);
  window->go(MainWindow::kReport);
  std::vector<std::string> runs;
  for (int i = 0; i < 200; ++i) runs.push_back(madeRow(i).id);
  page().beginFrom(runs, 0.8);
  ASSERT_TRUE(waitFor([&] { return page().live().current() && page().live().report().footer.runs.size() == 200; }));
  EXPECT_TRUE(page().live().report().problems.empty());
}

}  // namespace
}  // namespace paceline::tests
