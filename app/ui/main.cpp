// paceline-workbench: the desktop application, and `render` for figures without a window.
#include <QApplication>
#include <QBuffer>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QScrollArea>
#include <QSettings>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/ui/figure/label_map.h"
#include "app/ui/main_window.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"
#include "storage/store/store.h"

namespace paceline {
namespace {

constexpr int kSettleMs = 900, kAnswerMs = 8000;

void settle(int milliseconds) {
  QElapsedTimer clock;
  clock.start();
  while (clock.elapsed() < milliseconds)
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 50);
}

void await(const std::function<bool()>& done) {
  QElapsedTimer clock;
  clock.start();
  while (!done() && clock.elapsed() < kAnswerMs) settle(50);
}

// Every split that is shown has been made.
bool splitsAreMade(const MainWindow& window) {
  return std::ranges::none_of(window.findChildren<figure::LabelMap*>(), [](const figure::LabelMap* map) { return map->isVisible() && map->pending(); });
}

struct Shot {
  MainWindow& window;
  QDir folder;
  bool failed = false;

  void save(const QString& name) {
    settle(kSettleMs);
    await([this] { return splitsAreMade(window); });
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
    settle(kSettleMs);  // fields that came and went have their places
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

// Grabs every page into DIR/<page>-<light|dark>.png in both themes: to look at, and for the README. Waits for the background answers. 0, or 1
// when a file cannot be written.
int takeScreenshots(MainWindow& window, const QString& folder) {
  QDir().mkpath(folder);
  await([&window] { return window.shell().catalogue.get() || !window.shell().catalogue.error().isEmpty(); });
  Shot shot{window, QDir(folder)};
  for (const widgets::ThemeMode mode : {widgets::ThemeMode::kLight, widgets::ThemeMode::kDark}) {
    widgets::Theme::instance().setMode(mode);
    window.go(MainWindow::kClusters);
    shot.save("clusters");
    showClusters(window, shot);
    showExperiments(window, shot);
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

bool headless(const QStringList& arguments) {
  return arguments.contains("render") || arguments.contains("--help") || arguments.contains("-h") ||
         arguments.contains("--version");
}

int usage(const QString& sentence) {
  std::cerr << "paceline-workbench: " << sentence.toStdString() << '\n';
  return 2;
}

QString storePath(const QCommandLineParser& options) {
  if (options.isSet("store")) return options.value("store");
  const QString remembered = QSettings().value("store").toString();
  return remembered.isEmpty() || qEnvironmentVariableIsSet("PACELINE_STORE") ? QString::fromStdString(store::defaultStorePath())
                                                                             : remembered;
}

int windowCommand(QApplication& application) {
  QCommandLineParser options;
  options.setApplicationDescription("The Paceline workbench: set up, run and compare distributed training.");
  options.addHelpOption();
  options.addVersionOption();
  options.addOptions({{"store", "The store to open; default: as the terminal's paceline.", "file"},
                      {"page", "The page to show: clusters, experiment, runs, compare, settings.", "page"},
                      {"theme", "light, dark or system; default: as remembered.", "theme"},
                      {"screenshot", "Grab every page in both themes into PNG files and end.", "folder"},
                      {"size", "Size of the window, with --screenshot.", "WxH", "1280x800"}});
  options.process(application);
  const QStringList modes{"system", "light", "dark"}, pages{"clusters", "experiment", "runs", "compare", "settings"};
  int mode = std::clamp(QSettings().value("look/mode", 0).toInt(), 0, 2);
  if (options.isSet("theme")) mode = static_cast<int>(modes.indexOf(options.value("theme")));
  if (mode < 0) return usage("--theme: have system, light, dark; got \"" + options.value("theme") + "\"");
  if (options.isSet("page") && !pages.contains(options.value("page")))
    return usage("--page: have " + pages.join(", ") + "; got \"" + options.value("page") + "\"");
  widgets::Theme::instance().setScale(QSettings().value("look/scale", 1.0).toDouble());
  widgets::Theme::instance().setMode(static_cast<widgets::ThemeMode>(mode));
  widgets::Theme::instance().apply();
  auto open = std::make_unique<MainWindow>(storePath(options));
  MainWindow& window = *open;
  if (options.isSet("page")) window.go(static_cast<int>(pages.indexOf(options.value("page"))));
  if (options.isSet("screenshot")) {
    const QStringList size = options.value("size").split('x');
    const QSize pixels(size.value(0).toInt(), size.value(1).toInt());
    if (pixels.isEmpty()) return usage("--size: must be WxH such as 1280x800; got \"" + options.value("size") + "\"");
    window.resize(pixels);
    window.show();
    return takeScreenshots(window, options.value("screenshot"));
  }
  window.experiment().keepDraft(QFileInfo(QSettings().fileName()).absolutePath() + "/drafts");
  window.show();
  const int ended = QApplication::exec();
  const QString next = window.nextStore();
  open.reset();  // first: the next window takes up the draft that this one leaves
  if (next.isEmpty() || QProcess::startDetached(QCoreApplication::applicationFilePath(), {"--store", next})) return ended;
  std::cerr << "paceline-workbench: cannot start again with " << next.toStdString() << '\n';
  return 1;
}

}  // namespace
}  // namespace paceline

int main(int argc, char** argv) {
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const bool noDisplay = qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
  if (paceline::headless(arguments) || (arguments.contains("--screenshot") && noDisplay)) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  } else if (noDisplay && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    std::cerr << "paceline-workbench: there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set). Use paceline in the "
                 "terminal.\n";
    return 1;
  }
  const bool render = arguments.value(0) == "render";
  paceline::disk::tellFileSizeLimits();
  if (render) {  // its --style is not Qt's; Qt's messages about the desktop are left out
    argc = 1;
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
  }
  QApplication application(argc, argv);
  QApplication::setApplicationName("paceline");
  QApplication::setOrganizationName("paceline");
  QApplication::setApplicationDisplayName("Paceline");
  QApplication::setApplicationVersion(PACELINE_VERSION);
  QApplication::setDesktopFileName("paceline-workbench");
  if (render) return paceline::figure::renderCommand(arguments.mid(1));
  return paceline::windowCommand(application);
}
