#include "app/ui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QMenuBar>
#include <QProcess>
#include <QSettings>
#include <algorithm>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline {
namespace {

constexpr double kScales[] = {0.9, 1.0, 1.15, 1.3};

QHBoxLayout* line(const QString& name, QWidget* editor) {
  auto* caption = widgets::label(name);
  caption->setFixedWidth(150);
  return widgets::across({caption, editor, widgets::room()});
}

// Theme, text size and the store. Remembered at once.
class SettingsPage : public widgets::Page {
 public:
  SettingsPage(Shell& shell, const std::function<void(int mode)>& setMode, std::function<void(const QString& path)> openStore) : widgets::Page("Settings") {
    const char* words = "Paceline " PACELINE_VERSION ", a workbench for distributed training on machines of unequal speed. Licence: GPL-3.0-or-later. Qt " QT_VERSION_STR ", QCustomPlot.";
    QFrame* about = widgets::card({widgets::label("About", "section"), widgets::wrapped(widgets::label(words, "muted"))});
    QVBoxLayout* cards = widgets::down({look(setMode), store(qtext(shell.recorder.storePath()), std::move(openStore)), about, widgets::room()},
                                       {widgets::kPageMargin, widgets::kGroupGap, widgets::kPageMargin, widgets::kPageMargin}, widgets::kGroupGap);
    widgets::addAll(body_, {widgets::horizontalLine(), {cards, 1}});
  }

 private:
  QWidget* look(const std::function<void(int mode)>& setMode) {
    auto* mode = new widgets::Segments({"As the system", "Light", "Dark"});
    mode->setCurrent(static_cast<int>(widgets::Theme::instance().mode()));
    connect(mode, &widgets::Segments::chosen, this, setMode);
    connect(&widgets::Theme::instance(), &widgets::Theme::modeChanged, mode, [mode](int now) {
      const QSignalBlocker shown(mode);  // not chosen here
      mode->setCurrent(now);
    });
    auto* size = new widgets::Segments({"Small", "Normal", "Large", "Larger"});
    for (int i = 0; i < 4; ++i)
      if (kScales[i] == widgets::Theme::instance().scale()) size->setCurrent(i);
    connect(size, &widgets::Segments::chosen, this, [](int index) {
      widgets::Theme::instance().setScale(kScales[index]);
      QSettings().setValue("look/scale", kScales[index]);
    });
    return widgets::card({widgets::label("Look", "section"), line("Theme", mode), line("Text size", size)});
  }

  QWidget* store(const QString& path, std::function<void(const QString& path)> openStore) {
    const auto choose = [this, path, openStore = std::move(openStore)] {
      const QString other = QFileDialog::getSaveFileName(this, "Open or create a store", path, "Paceline stores (*.db)", nullptr, QFileDialog::DontConfirmOverwrite);
      if (!other.isEmpty()) openStore(other);
    };
    return widgets::card({widgets::label("Store", "section"), widgets::selectable(widgets::wrapped(widgets::label(path, "mono"))),
                          widgets::label("One SQLite file holds every run. The terminal's paceline reads and writes the same file.", "caption"),
                          widgets::across({widgets::copyButton("Copy path", [path] { return path; }), widgets::button("Open another store…", "imported", choose), widgets::room()})});
  }
};

}  // namespace

MainWindow::MainWindow(const QString& storePath, clusters::HostServices services)
    : recorder_(storePath, prompts_), hosts_(std::move(services)), checks_(hosts_, prompts_), deploys_(hosts_, prompts_), links_(hosts_, prompts_), queue_(recorder_),
      runsModel_(storePath.toStdString()),
      shell_{.recorder = recorder_, .catalogue = catalogue_, .queue = queue_, .runs = runsModel_, .hosts = hosts_,
             .checks = checks_, .deploys = deploys_, .links = links_, .undo = undo_,
             .newExperiment = [this] { go(kExperiments); },
             .openRun = [this](const std::string& run) { openRun(run); },
             .compareRuns = [this](const std::vector<std::string>& runs) { compare_->choose(runs), go(kCompare); },
             .cloneRun = [this](const std::string& run) { load(run, false); },
             .rerun = [this](const std::string& run) { load(run, true); },
             .trashRuns = [this](const std::vector<std::string>& runs) { trash(runs); },
             .offerUndo = [this](const std::string& done) { offerUndo(QString::fromStdString(done)); },
             .tell = [this](const std::string& sentence) { tell(QString::fromStdString(sentence)); }},
      rail_(new widgets::Rail), storeBanner_(new widgets::Banner), banner_(new widgets::Banner), stack_(new QStackedWidget) {
  setWindowTitle("Paceline");
  setWindowIcon(widgets::programIcon());
  buildPages();
  buildMenus();
  wire();
  restore();
  clusters::showPrompts(prompts_, this);
  hosts_.load();
  recorder_.readQueue();
  catalogue_.load();
  runsModel_.refresh();
}

void MainWindow::buildPages() {
  clusters_ = new clusters::ClustersPage(shell_);
  experiment_ = new experiment::ExperimentPage(shell_);
  runs_ = new runs::RunsPage(shell_);
  compare_ = new compare::ComparePage(shell_);
  auto* settings = new SettingsPage(shell_, [this](int mode) { setMode(mode); }, [this](const QString& path) { openStore(path); });
  run_ = new runs::RunPage(shell_);
  for (widgets::Page* page : std::initializer_list<widgets::Page*>{clusters_, experiment_, runs_, compare_, settings, run_}) {
    stack_->addWidget(page);
    connect(page, &widgets::Page::failed, this, &MainWindow::tell);
  }
  setCentralWidget(widgets::boxed(widgets::across({rail_, {widgets::down({storeBanner_, banner_, {stack_, 1}}, {}, 0), 1}}, {}, 0)));
}

// Pages go before the models they show.
MainWindow::~MainWindow() {
  prompts_.close();  // a task that waits for an answer ends now
  delete takeCentralWidget();
}

void MainWindow::wire() {
  connect(rail_, &widgets::Rail::chosen, this, &MainWindow::go);
  connect(run_, &runs::RunPage::backAsked, this, [this] { go(kRuns); });
  connect(compare_, &compare::ComparePage::told, this, [this](const QString& words) { banner_->tell(widgets::Token::kOk, "finished", words); });
  connect(&recorder_, &RecorderLink::troubleChanged, this, &MainWindow::followRecorder);
  connect(&recorder_, &RecorderLink::failed, this, &MainWindow::tell);
  connect(&recorder_, &RecorderLink::written, &runsModel_, &runs::RunsModel::refresh);
  connect(&recorder_, &RecorderLink::newerRows, &runsModel_, &runs::RunsModel::refresh);
  connect(&runsModel_, &runs::RunsModel::failed, this, &MainWindow::tell);
  connect(&queue_, &runs::RunQueue::changed, this, &MainWindow::followQueue);
  connect(&queue_, &runs::RunQueue::submitted, this, [this](const std::string& run) { next_ = run, followQueue(); });
  connect(&queue_, &runs::RunQueue::ended, this, &MainWindow::onEnded);
  connect(&refresh_, &QTimer::timeout, &runsModel_, &runs::RunsModel::refresh);
  refresh_.start(std::chrono::seconds(2));  // for changes by other programs
}

void MainWindow::buildMenus() {
  QMenu* file = menuBar()->addMenu("&File");
  file->addAction("&New experiment", QKeySequence::New, this, [this] { go(kExperiments); });
  file->addSeparator();
  file->addAction("&Quit", QKeySequence::Quit, this, [this] { close(); });
  QMenu* edit = menuBar()->addMenu("&Edit");
  QAction* undo = undo_.createUndoAction(this, "&Undo");
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = undo_.createRedoAction(this, "&Redo");
  redo->setShortcut(QKeySequence::Redo);
  edit->addActions({undo, redo});
  edit->addSeparator();
  edit->addAction("&Find", QKeySequence::Find, this, [this] { page()->find(); });
  edit->addAction("Move to &trash", QKeySequence::Delete, this, [this] {
    if (stack_->currentWidget() == runs_) runs_->trashSelected();
  });
  QMenu* run = menuBar()->addMenu("&Run");
  QAction* start = run->addAction("&Do what the page is for", Qt::CTRL | Qt::Key_Return, this, [this] { page()->primary(); });
  connect(run, &QMenu::aboutToShow, this, [this, start] {
    const QWidget* now = stack_->currentWidget();
    start->setText(now == experiment_ ? "&Run experiment"
                   : now == compare_  ? "&Export figure"
                   : now == clusters_ ? "&Add host"
                                      : "&New experiment");
  });
  run->addAction("&Stop the run that is shown", Qt::CTRL | Qt::Key_Period, this, [this] {
    if (stack_->currentWidget() == run_) queue_.stop(run_->run());
  });
  QMenu* places = menuBar()->addMenu("&Go");
  const char* const names[] = {"&Clusters", "&Experiments", "&Runs", "C&ompare", "&Settings"};
  for (int i = 0; i < 5; ++i) places->addAction(names[i], QKeySequence(QString("Ctrl+%1").arg(i + 1)), this, [this, i] { go(i); });
  menuBar()->addMenu(viewMenu());
}

QMenu* MainWindow::viewMenu() {
  auto* view = new QMenu("&View", this);
  modes_ = new QActionGroup(this);
  const char* const names[] = {"Theme as the &system", "&Light theme", "&Dark theme"};
  for (int i = 0; i < 3; ++i) {
    QAction* action = view->addAction(names[i], this, [this, i] { setMode(i); });
    action->setCheckable(true);
    action->setChecked(i == static_cast<int>(widgets::Theme::instance().mode()));
    modes_->addAction(action);
  }
  view->addSeparator();
  view->addAction("&Narrow rail", Qt::CTRL | Qt::Key_B, this, [this] { rail_->setCompact(!rail_->compact()); });
  view->addAction("&Full screen", QKeySequence::FullScreen, this, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  return view;
}

void MainWindow::setMode(int mode) {
  widgets::Theme::instance().setMode(static_cast<widgets::ThemeMode>(mode));
  QSettings().setValue("look/mode", mode);
  modes_->actions().at(mode)->setChecked(true);
}

void MainWindow::go(int place) {
  stack_->setCurrentIndex(place);
  rail_->setCurrent(place == kRun ? kRuns : place);
  page()->setFocus(Qt::OtherFocusReason);
  page()->entered();
  if (place != kRun) QSettings().setValue("window/page", place);
}

void MainWindow::openRun(const std::string& run) {
  run_->open(run);
  go(kRun);
}

void MainWindow::followRecorder() {
  const QString trouble = recorder_.trouble();
  storeBanner_->tell(widgets::Token::kWarn, "lock", trouble.isEmpty() ? QString() : trouble + ". Until this is over this window only reads.", "Try again",
                     [this] { recorder_.readQueue(); });
}

// What was submitted here is shown as soon as it runs, unless the person has gone elsewhere.
void MainWindow::followQueue() {
  const auto waiting = std::ranges::count(queue_.entries(), true, &recorder::Entry::waiting);
  QStringList words;
  if (queue_.rowCount() > waiting) words << QString("%1 in progress").arg(queue_.rowCount() - waiting);
  if (waiting > 0) words << QString("%1 waiting").arg(waiting);
  rail_->setStatus(words.join(", "));
  runsModel_.refresh();
  const recorder::Entry* next = queue_.find(next_);
  if (!next || next->waiting) return;
  if (stack_->currentWidget() == experiment_ || stack_->currentWidget() == run_) openRun(next_);
  next_.clear();
}

void MainWindow::onEnded(const std::string& run, const QString& error) {
  if (!error.isEmpty()) tell(error);
  if (run == next_ && stack_->currentWidget() == experiment_) openRun(run);  // before it was seen running
  if (run == next_) next_.clear();
}

void MainWindow::trash(const std::vector<std::string>& runs) {
  const auto move = [this, runs] { recorder_.ask([runs](recorder::Client& client) { client.trash(runs); }); };
  const auto back = [this, runs] { recorder_.ask([runs](recorder::Client& client) { client.restore(runs); }); };
  const QString many = plural(static_cast<int>(runs.size()), "run");
  move();
  undo_.push(new Undoable(QString("moving %1 to the trash").arg(many), move, back));
  offerUndo(QString("Moved %1 to the trash").arg(many));
}

void MainWindow::offerUndo(const QString& done) {
  banner_->tell(widgets::Token::kAccent, "trash", done, "Undo", [this] {
    undo_.undo();
    banner_->hide();
  });
}

void MainWindow::load(const std::string& run, bool start) {
  const runs::RunItem* item = runsModel_.find(run);
  if (!item || item->row.specText.empty()) return tell("This run has no experiment document: it was imported.");
  experiment_->loadText(item->row.specText);
  go(kExperiments);
  if (start) experiment_->primary();
}

void MainWindow::openStore(const QString& path) {
  QSettings().setValue("store", path);
  if (QProcess::startDetached(QCoreApplication::applicationFilePath(), {"--store", path})) close();
}

void MainWindow::restore() {
  resize(1280, 800);
  restoreGeometry(QSettings().value("window/geometry").toByteArray());
  rail_->setCompact(QSettings().value("window/narrow", false).toBool());
  go(std::clamp<int>(QSettings().value("window/page", kRuns).toInt(), kClusters, kSettings));
}

void MainWindow::closeEvent(QCloseEvent* event) {
  QSettings().setValue("window/geometry", saveGeometry());
  QSettings().setValue("window/narrow", rail_->compact());
  event->accept();  // runs go on without a window
}

}  // namespace paceline
