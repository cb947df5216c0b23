#include "app/ui/screenshots.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <QScrollArea>
#include <QTableView>
#include <iostream>

#include "app/ui/clusters/clusters_page.h"
#include "app/ui/compare/compare_page.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/figure/label_map.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/runs_page.h"

namespace paceline {
namespace {

constexpr int kSettleMs = 900, kAnswerMs = 8000;

void settle(int milliseconds) {
  QElapsedTimer clock;
  clock.start();
  while (clock.elapsed() < milliseconds)
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 50);
}

void awaitCatalogue(MainWindow& window) {
  QElapsedTimer clock;
  clock.start();
  while (!window.shell().catalogue.get() && window.shell().catalogue.error().isEmpty() && clock.elapsed() < kAnswerMs) settle(50);
}

// Until every split that is shown has been made.
void awaitSplits(MainWindow& window) {
  QElapsedTimer clock;
  clock.start();
  const auto pending = [&window] {
    for (const figure::LabelMap* map : window.findChildren<figure::LabelMap*>())
      if (map->isVisible() && map->pending()) return true;
    return false;
  };
  while (pending() && clock.elapsed() < kAnswerMs) settle(50);
}

struct Shot {
  MainWindow& window;
  QDir folder;
  bool failed = false;

  void save(const QString& name) {
    settle(kSettleMs);
    awaitSplits(window);
    for (figure::FigureView* view : window.findChildren<figure::FigureView*>())
      if (view->isVisible()) view->paintNow();
    const QString path = folder.filePath(name + (widgets::Theme::instance().dark() ? "-dark.png" : "-light.png"));
    if (window.grab().save(path)) return;
    std::cerr << "paceline-workbench: " << path.toStdString() << ": cannot be written\n";
    failed = true;
  }
};

// The lower half of the form, with a template that has a slow worker and one mistake in it.
void showNodes(MainWindow& window) {
  experiment::ExperimentPage& page = window.experiment();
  if (auto* action = page.findChild<QAction*>("esync_heterogeneous.json")) action->trigger();
  page.draft().edit([](RunSpec& spec) { spec.nodes.back().emulate.slowdown = 0.2; });
  page.draft().validateNow();
  auto* table = page.findChild<QTableView*>("nodeTable");
  if (auto* form = page.findChild<QScrollArea*>(); form && table) form->ensureWidgetVisible(table, 0, 320);
}

// The form of another template, with the widget of that name in view.
void showSection(MainWindow& window, const char* preset, const char* widget) {
  experiment::ExperimentPage& page = window.experiment();
  if (auto* action = page.findChild<QAction*>(preset)) action->trigger();
  page.draft().validateNow();
  settle(kSettleMs);  // fields that came and went have their places
  auto* shown = page.findChild<QWidget*>(widget);
  if (auto* form = page.findChild<QScrollArea*>(); form && shown) form->ensureWidgetVisible(shown, 0, 320);
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

void showBoard(MainWindow& window) {
  experiment::ExperimentPage& page = window.experiment();
  auto* views = page.findChild<widgets::Segments*>("placementViews");
  if (!views) return;
  views->setCurrent(1);
  auto* board = page.findChild<QScrollArea*>("placementBoard");
  if (auto* form = page.findChild<QScrollArea*>(); form && board) form->ensureWidgetVisible(board, 0, 200);
}

}  // namespace

int takeScreenshots(MainWindow& window, const QString& folder) {
  QDir().mkpath(folder);
  awaitCatalogue(window);
  Shot shot{window, QDir(folder)};
  for (const widgets::ThemeMode mode : {widgets::ThemeMode::kLight, widgets::ThemeMode::kDark}) {
    widgets::Theme::instance().setMode(mode);
    window.go(MainWindow::kClusters);
    shot.save("clusters");
    showClusters(window, shot);
    window.go(MainWindow::kExperiments);
    if (auto* action = window.experiment().findChild<QAction*>("quick_synthetic.json")) action->trigger();
    shot.save("experiment");
    showNodes(window);
    shot.save("experiment-nodes");
    showBoard(window);
    shot.save("experiment-board");
    if (auto* views = window.experiment().findChild<widgets::Segments*>("placementViews")) views->setCurrent(0);
    showSection(window, "pdmm_ring.json", "topologyPreview");
    shot.save("experiment-topology");
    showSection(window, "published_ecl_8of10.json", "labelMap");
    shot.save("experiment-labels");
    showSection(window, "grouping_two_speeds.json", "groupTable");
    shot.save("experiment-groups");
    showSection(window, "dgs_slow_link.json", "momentum");
    shot.save("experiment-optimizer");
    window.go(MainWindow::kRuns);
    settle(kSettleMs);
    window.runsPage().selectFirst();
    shot.save("runs");
    const std::vector<std::string> runs = someRuns(window, 6);
    if (!runs.empty()) {
      window.openRun(runs.front());
      shot.save("run");
    }
    window.compare().choose(runs);
    window.go(MainWindow::kCompare);
    for (const char* id : {"accuracy", "computing_ratio", "throughput", "staleness", "bytes_per_round", "kept_fraction", "consensus", "edge_age"}) {
      window.compare().showFigure(id);
      shot.save(QString("compare-") + id);
    }
    window.go(MainWindow::kSettings);
    shot.save("settings");
  }
  return shot.failed ? 1 : 0;
}

}  // namespace paceline
