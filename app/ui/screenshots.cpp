#include "app/ui/screenshots.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QScrollArea>
#include <QTimer>
#include <algorithm>
#include <iostream>

#include "app/models/experiment/split_preview.h"
#include "app/models/task_queue.h"
#include "app/ui/main_window.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

constexpr int kSettleMs = 900, kAnswerMs = 8000;  // at most; a host that does not answer is shown as it is by then
constexpr int kLookMs = 10, kQuietLooks = 5;      // a task may end without an event

// Every split that is shown has been made; one that is to be made is due before it is a task.
bool splitsAreMade(const MainWindow& window) { return std::ranges::none_of(window.findChildren<experiment::SplitPreview*>(), &experiment::SplitPreview::due); }

// A split may take seconds to make, and changes the form.
void complete(MainWindow& window) {
  settle(window, kSettleMs);
  if (splitsAreMade(window)) return;
  await([&window] { return splitsAreMade(window); }, kAnswerMs);
  settle(window, kSettleMs);
}

struct Shot {
  MainWindow& window;
  QDir folder;
  bool failed = false;

  void save(const QString& name) {
    complete(window);
    for (figure::FigureView* view : window.findChildren<figure::FigureView*>())
      if (view->isVisible()) view->paintNow();
    const QString path = folder.filePath(name + (widgets::Theme::instance().dark() ? "-dark.png" : "-light.png"));
    QByteArray picture;
    QBuffer buffer(&picture);
    buffer.open(QIODevice::WriteOnly);
    try {
      if (!window.grab().save(&buffer, "PNG")) throw Error(Errc::kFile, strCat("cannot draw ", path.toStdString()));
      figure::writeFile(path, picture);
    } catch (const Error& error) {
      std::cerr << "paceline-workbench: " << error.what() << '\n';
      failed = true;
    }
  }
};

void loadTemplate(MainWindow& window, const char* preset) {
  if (QFile file(QString(":/paceline/presets/") + preset); file.open(QIODevice::ReadOnly)) window.experiment().draft().loadText(file.readAll().toStdString());
}

void reveal(MainWindow& window, const char* widget, int below) {
  auto* shown = window.experiment().findChild<QWidget*>(widget);
  if (auto* form = window.experiment().findChild<QScrollArea*>(); form && shown) form->ensureWidgetVisible(shown, 0, below);
}

void setBoard(MainWindow& window, bool board) {
  if (auto* views = window.experiment().findChild<widgets::Segments*>("placementViews")) views->setCurrent(board ? 1 : 0);
}

// The form: a template, one that has a slow worker and one mistake in it, as table and as board, then others with a widget of theirs in view.
void showExperiments(MainWindow& window, Shot& shot) {
  experiment::ExperimentPage& page = window.experiment();
  window.go(MainWindow::kExperiments);
  loadTemplate(window, "quick_synthetic.json");
  shot.save("experiment");
  loadTemplate(window, "esync_heterogeneous.json");
  page.draft().edit([](RunSpec& spec) { spec.nodes.back().emulate.slowdown = 0.2; });
  page.draft().validateNow();
  reveal(window, "nodeTable", 320);
  shot.save("experiment-nodes");
  setBoard(window, true);
  reveal(window, "placementBoard", 200);
  shot.save("experiment-board");
  setBoard(window, false);
  constexpr const char* kSections[][3] = {{"topology", "pdmm_ring.json", "topologyPreview"},
                                          {"labels", "published_ecl_8of10.json", "labelMap"},
                                          {"groups", "grouping_two_speeds.json", "groupTable"},
                                          {"optimizer", "dgs_slow_link.json", "momentum"}};
  for (const auto& [name, preset, widget] : kSections) {
    loadTemplate(window, preset);
    page.draft().validateNow();
    complete(window);  // fields that came and went have their places
    reveal(window, widget, 320);
    shot.save(QString("experiment-") + name);
  }
}

std::vector<std::string> someRuns(MainWindow& window, int most) {
  std::vector<std::string> runs;
  for (int i = 0; i < window.shell().runs.rowCount() && static_cast<int>(runs.size()) < most; ++i)
    if (const runs::RunItem* item = window.shell().runs.item(i); item->measured && item->accuracyBest) runs.push_back(item->row.id);
  return runs;
}

// Every host with a problem, the form, the links.
void showClusters(MainWindow& window, Shot& shot) {
  clusters::ClustersPage& page = window.clusters();
  for (const clusters::HostItem& item : std::vector<clusters::HostItem>(window.shell().hosts.items())) {
    if (item.standing() != clusters::HostStanding::kProblem) continue;
    page.select(item.entry.name);
    shot.save("clusters-" + QString::fromStdString(item.entry.name));
  }
  page.add();
  shot.save("clusters-add");
  page.showLinks(true);
  shot.save("clusters-links");
  page.showLinks(false);
  page.select("local");
}

}  // namespace

bool await(const std::function<bool()>& done, int mostMs) {
  QElapsedTimer clock;
  clock.start();
  QTimer look;
  look.start(kLookMs);
  while (!done()) {
    if (clock.elapsed() >= mostMs) return false;
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);  // with a time limit it would not wait
  }
  return true;
}

bool settle(MainWindow& window, int mostMs) {
  int quiet = 0;  // looks in a row that found nothing under way: the first answers may have started more, and layouts follow their widgets
  return await([&] {
    quiet = TaskQueue::underWay() == 0 && !window.experiment().draft().validatesSoon() ? quiet + 1 : 0;
    return quiet > kQuietLooks;
  }, mostMs);
}

int takeScreenshots(MainWindow& window, const QString& folder) {
  QDir().mkpath(folder);
  await([&window] { return window.shell().catalogue.get() || !window.shell().catalogue.error().isEmpty(); }, kAnswerMs);
  Shot shot{window, QDir(folder)};
  for (const widgets::ThemeMode mode : {widgets::ThemeMode::kLight, widgets::ThemeMode::kDark}) {
    widgets::Theme::instance().setMode(mode);
    window.go(MainWindow::kClusters);
    shot.save("clusters");
    showClusters(window, shot);
    showExperiments(window, shot);
    window.go(MainWindow::kRuns);
    settle(window, kAnswerMs);  // all are measured
    window.runsPage().selectFirst();
    shot.save("runs");
    const std::vector<std::string> runs = someRuns(window, 6);
    if (!runs.empty()) {
      window.openRun(runs.front());
      shot.save("run");
    }
    window.compare().choose(runs);
    window.go(MainWindow::kCompare);
    settle(window, kAnswerMs);
    for (const char* id : {"accuracy", "computing_ratio", "throughput", "staleness", "bytes_per_round", "kept_fraction", "consensus", "edge_age", "parallel"}) {
      window.compare().showFigure(id);
      shot.save(QString("compare-") + id);
    }
    if (!runs.empty()) {
      window.reportPage().mayReplace = [](const QString&) { return true; };
      window.shell().reportRuns({runs.begin(), runs.begin() + std::min<std::ptrdiff_t>(2, std::ssize(runs))});
      await([&window] { return window.reportPage().isDrawn(); }, kAnswerMs);
      shot.save("report");
    }
    window.go(MainWindow::kData);
    settle(window, kAnswerMs);
    shot.save("data");
    window.go(MainWindow::kSettings);
    shot.save("settings");
  }
  return shot.failed ? 1 : 0;
}

}  // namespace paceline
