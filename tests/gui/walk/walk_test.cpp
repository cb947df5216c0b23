// The whole way as a hand goes it, by mouse and keys alone and with real processes: an empty store, the first minute, whom a node waited for and why, the remedy in a copy,
// what is predicted of it, a grid of six, its queue in another order, the window closed and opened meanwhile, the runs compared, a report as PDF.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <cstdlib>

#include "app/ui/compare/compare_page.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/ui/main_window.h"
#include "app/ui/report/report_page.h"
#include "app/ui/runs/run_page.h"
#include "app/ui/runs/runs_page.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

constexpr int kPatience = 120;  // s, for what trains

class Hand {
 public:
  explicit Hand(MainWindow& window) : window_(window) {
    window_.mayQuit = [](const QString&) { return true; };
    window_.resize(1280, 800);
    window_.show();
    window_.activateWindow();
  }

  void keys(Qt::Key key, Qt::KeyboardModifiers with = {}) {
    QWidget* at = QApplication::focusWidget();
    QTest::keyClick(at ? at : &window_, key, with);
  }
  void page(int number) { keys(static_cast<Qt::Key>(Qt::Key_1 + number), Qt::ControlModifier); }
  template <class Widget>
  Widget* see(const char* name) {  // nullptr: it does not become visible
    Widget* found = nullptr;
    waitFor([&] {
      for (Widget* each : window_.findChildren<Widget*>(name))
        if (each->isVisible() && each->isEnabled()) found = each;
      return found != nullptr;
    }, kPatience);
    EXPECT_NE(found, nullptr) << name << " is not seen; the window says: " << window_.bannerText().toStdString();
    return found;
  }
  bool click(const char* name) {
    auto* found = see<QAbstractButton>(name);
    if (found) QTest::mouseClick(found, Qt::LeftButton);
    return found != nullptr;
  }
  QPushButton* labelled(const QString& words) {
    QPushButton* found = nullptr;
    waitFor([&] {
      for (QPushButton* each : window_.findChildren<QPushButton*>())
        if (each->text() == words && each->isVisible() && each->isEnabled()) found = each;
      return found != nullptr;
    }, kPatience);
    EXPECT_NE(found, nullptr) << "no button says \"" << words.toStdString() << "\"";
    return found;
  }
  void type(const char* field, const char* words) {
    auto* at = see<QLineEdit>(field);
    if (!at) return;
    QTest::mouseClick(at, Qt::LeftButton);
    QTest::keyClick(at, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(at, words);
    QTest::keyClick(at, Qt::Key_Tab);
  }
  // The middle of the first row whose first column says so; a null point: none does.
  QPoint rowThatSays(QTableView* table, const QString& words) {
    for (int row = 0; row < table->model()->rowCount(); ++row)
      if (const QModelIndex cell = table->model()->index(row, 0); cell.data().toString().contains(words)) return table->visualRect(cell).center();
    return {};
  }

 private:
  MainWindow& window_;
};

// A wait of the run's lanes that can be seen, with its lane; from the store, as the view reads it.
struct SeenWait {
  std::size_t lane = 0;
  lanes::Gap gap{};
};
std::optional<SeenWait> longestWait(const std::string& path, const std::string& run) {
  const store::StoreReader store(path);
  const lanes::Timeline timeline = lanes::StoredLanes(store, run).between(0, 1e9, 1000);
  std::optional<SeenWait> longest;
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i)
    for (const lanes::Gap& gap : timeline.lanes[i].gaps)
      if (!longest || gap.seconds() > longest->gap.seconds()) longest = SeenWait{.lane = i, .gap = gap};
  return longest;
}

TEST(Walk, FromAnEmptyStoreToAReport) {
  const TempFolder folder;
  setenv("PACELINE_AGENT_DIR", folder.path("agent").c_str(), 1);
  setenv("PACELINE_AGENT_IDLE_S", "5", 1);
  application();
  QSettings().clear();
  const std::string path = folder.path("store.db");
  auto window = std::make_unique<MainWindow>(QString::fromStdString(path));
  auto hand = std::make_unique<Hand>(*window);

  // The first minute of an empty store.
  hand->page(MainWindow::kRuns);
  ASSERT_TRUE(hand->click("watchFirst"));
  ASSERT_TRUE(waitFor([&] { return window->page() == &window->runPage(); }, kPatience)) << window->bannerText().toStdString();
  const std::string ssgd = window->runPage().run();
  ASSERT_TRUE(waitFor([&] { return window->bannerText().contains("ESync reached"); }, kPatience)) << window->bannerText().toStdString();

  // Back to SSGD: whom a node waited for.
  hand->page(MainWindow::kRuns);
  auto* runs = hand->see<QTableView>("runsTable");
  ASSERT_NE(runs, nullptr);
  ASSERT_TRUE(waitFor([&] { return !hand->rowThatSays(runs, "First minute").isNull(); }));
  QTest::mouseClick(runs->viewport(), Qt::LeftButton, {}, hand->rowThatSays(runs, "First minute"));
  hand->keys(Qt::Key_Right);  // its suite unfolds
  ASSERT_TRUE(waitFor([&] { return !hand->rowThatSays(runs, "SSGD").isNull(); }));
  QTest::mouseClick(runs->viewport(), Qt::LeftButton, {}, hand->rowThatSays(runs, "SSGD"));
  hand->keys(Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return window->page() == &window->runPage() && window->runPage().run() == ssgd; }));
  auto* lanes = hand->see<runs::LanesView>("lanes");
  const std::optional<SeenWait> wait = longestWait(path, ssgd);
  ASSERT_TRUE(wait);
  ASSERT_TRUE(waitFor([&] { return lanes->range().end >= wait->gap.end; }));
  const auto waited = [&] {  // the lanes may be drawn in less detail at first: a hand clicks again
    QTest::mouseClick(lanes->viewport(), Qt::LeftButton, {}, QPoint(static_cast<int>(lanes->xAt((wait->gap.begin + wait->gap.end) / 2)), lanes->laneRect(wait->lane).center().y()));
    return lanes->sentence().contains(" waited ") && lanes->sentence().contains(" for w3");
  };
  EXPECT_TRUE(waitFor(waited)) << lanes->sentence().toStdString();

  // Why, and the remedy in a copy.
  auto* why = hand->see<QLabel>("whySentence");
  ASSERT_NE(why, nullptr);
  ASSERT_TRUE(waitFor([&] { return why->text().contains("w3"); }, kPatience)) << why->text().toStdString();
  ASSERT_TRUE(hand->click("whyApply"));
  ASSERT_EQ(window->page(), &window->experiment());
  EXPECT_EQ(window->experiment().draft().spec().algorithm.id, "esync");

  // What is predicted of it, with fewer seconds of training.
  const auto& prediction = window->experiment().prediction();
  hand->type("stopSeconds", "2");
  ASSERT_TRUE(waitFor([&] { return prediction.prediction() && !prediction.pending(); }, kPatience)) << prediction.problem().toStdString();
  EXPECT_GT(prediction.prediction()->samplesPerSecond, 0);

  // A grid of six: three batch sizes by two seeds.
  ASSERT_TRUE(hand->click("vary:/batch_size"));
  hand->type("batchSize", "16, 32, 64");
  hand->type("seeds", "1-2");
  auto* go = hand->see<QPushButton>("runButton");
  ASSERT_TRUE(waitFor([&] { return go->text() == "Run 6" && go->isEnabled(); })) << go->text().toStdString() << ": " << go->toolTip().toStdString();
  QTest::mouseClick(go, Qt::LeftButton);

  // Its queue: the last becomes the first of those that wait.
  hand->page(MainWindow::kRuns);
  auto* queue = hand->see<QTableView>("queueTable");
  ASSERT_NE(queue, nullptr);
  const auto rows = [&] { return window->shell().queue.entries().size(); };
  ASSERT_TRUE(waitFor([&] { return rows() >= 3 && !window->shell().queue.entries().front().waiting; }, kPatience));
  const std::string last = window->shell().queue.entries().back().run;
  QTest::mouseClick(queue->viewport(), Qt::LeftButton, {}, queue->visualRect(queue->model()->index(static_cast<int>(rows()) - 1, 0)).center());
  QTest::keyClick(queue, Qt::Key_Home, Qt::AltModifier);
  ASSERT_TRUE(waitFor([&] {
    for (const recorder::Entry& entry : window->shell().queue.entries())
      if (entry.waiting) return entry.run == last;
    return window->shell().queue.find(last) != nullptr;  // its turn has come meanwhile
  }));

  // The window is closed and opened meanwhile.
  hand->keys(Qt::Key_Q, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return !window->isVisible(); }));
  hand.reset();
  window = std::make_unique<MainWindow>(QString::fromStdString(path));
  hand = std::make_unique<Hand>(*window);
  hand->page(MainWindow::kRuns);
  const auto finished = [&] {
    int count = 0;
    for (int row = 0; row < window->shell().runs.rowCount(); ++row) count += window->shell().runs.item(row)->row.state == store::RunState::kFinished;
    return count;
  };
  ASSERT_TRUE(waitFor([&] { return finished() == 8 && !window->shell().queue.busy(); }, kPatience)) << finished();

  // Compared: the six of the grid, by their suite's row.
  runs = hand->see<QTableView>("runsTable");
  ASSERT_NE(runs, nullptr);
  ASSERT_TRUE(waitFor([&] { return !hand->rowThatSays(runs, "SSGD").isNull() || runs->model()->rowCount() > 0; }));
  QTest::mouseClick(runs->viewport(), Qt::LeftButton, {}, runs->visualRect(runs->model()->index(0, 0)).center());
  QPushButton* compare = hand->labelled("Compare");
  ASSERT_NE(compare, nullptr);
  QTest::mouseClick(compare, Qt::LeftButton);
  ASSERT_EQ(window->page(), &window->compare());
  ASSERT_TRUE(waitFor([&] { return window->compare().comparison().runs().size() == 6; })) << window->compare().comparison().runs().size();
  ASSERT_TRUE(waitFor([&] { return !window->compare().comparison().figure().lines.empty(); }));

  // A report of them, as PDF, and what is on its pages.
  ASSERT_TRUE(hand->click("compareReport"));
  ASSERT_EQ(window->page(), &window->reportPage());
  ASSERT_TRUE(waitFor([&] { return !window->reportPage().editor().toPlainText().isEmpty() && window->reportPage().live().current(); }, kPatience));
  EXPECT_TRUE(window->reportPage().live().report().problems.empty());
  const QString pdf = QString::fromStdString(folder.path("report.pdf"));
  bool asked = false;
  QTimer answers;  // the button comes back when its dialog is answered
  QObject::connect(&answers, &QTimer::timeout, [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
    if (!std::exchange(asked, true)) {
      QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
      QTest::keyClicks(name, pdf);
    } else if (QWidget* names = QApplication::activePopupWidget()) {  // that begin like it, as soon as the folder is read: Return would be theirs
      QTest::keyClick(names, Qt::Key_Escape);
    } else {
      QTest::keyClick(name, Qt::Key_Return);
    }
  });
  answers.start(20);
  ASSERT_TRUE(hand->click("reportExport"));
  answers.stop();
  EXPECT_TRUE(asked);
  ASSERT_TRUE(waitFor([&] { return window->bannerText() == "Wrote " + pdf; }, kPatience)) << window->bannerText().toStdString();
  QFile file(pdf);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_TRUE(file.read(4) == "%PDF");
  const QString painter = QStandardPaths::findExecutable("pdftoppm");
  if (painter.isEmpty()) return;  // a machine without poppler
  ASSERT_EQ(QProcess::execute(painter, {"-r", "50", "-png", pdf, QString::fromStdString(folder.path("page"))}), 0);
  const QStringList pages = QDir(QString::fromStdString(folder.path("."))).entryList({"page*.png"});
  ASSERT_GE(pages.size(), 2);  // six runs: tables, figures, lanes, and how it is made again
  for (const QString& page : pages) {
    const QImage image = QImage(QString::fromStdString(folder.path(page.toStdString()))).convertToFormat(QImage::Format_Grayscale8);
    int ink = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) ink += qGray(image.pixel(x, y)) < 160;
    EXPECT_GT(ink, image.width() * image.height() / 400) << page.toStdString();
  }
}

}  // namespace
}  // namespace paceline::tests
