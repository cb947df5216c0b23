#include "app/ui/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QMenuBar>
#include <QMessageBox>
#include <QProcess>
#include <QSettings>
#include <QUndoCommand>
#include <cstdlib>

#include "app/models/words.h"
#include "app/ui/clusters/clusters_page.h"
#include "app/ui/compare/compare_page.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/ui/clusters/host_ask_dialogs.h"
#include "app/ui/widgets/rail.h"
#include "app/ui/runs/run_page.h"
#include "app/ui/runs/runs_page.h"
#include "app/ui/settings_page.h"

namespace paceline {
namespace {

constexpr int kRefreshMs = 2000, kRefreshBusyMs = 700;

class TrashCommand : public QUndoCommand {
 public:
  TrashCommand(Workspace& workspace, std::vector<std::string> runs) : workspace_(workspace), runs_(std::move(runs)) {
    setText(QString("moving %1 to the trash").arg(plural(static_cast<int>(runs_.size()), "run")));
  }
  void redo() override {
    workspace_.write([runs = runs_](store::StoreWriter& writer) {
      for (const std::string& run : runs) writer.trash(run);
    });
  }
  void undo() override {
    workspace_.write([runs = runs_](store::StoreWriter& writer) {
      for (const std::string& run : runs) writer.restore(run);
    });
  }

 private:
  Workspace& workspace_;
  std::vector<std::string> runs_;
};

}  // namespace

MainWindow::MainWindow(const QString& storePath, clusters::HostServices services, QWidget* parent)
    : QMainWindow(parent),
      workspace_(storePath),
      hosts_(std::move(services)),
      checks_(hosts_, prompts_),
      deploys_(hosts_, prompts_),
      links_(hosts_, prompts_),
      queue_(workspace_, hosts_.services(), prompts_),
      runsModel_(storePath.toStdString()),
      shell_{.workspace = workspace_,
             .catalogue = catalogue_,
             .queue = queue_,
             .runs = runsModel_,
             .hosts = hosts_,
             .checks = checks_,
             .deploys = deploys_,
             .links = links_,
             .undo = undo_,
             .newExperiment = {},
             .openRun = {},
             .compareRuns = {},
             .cloneRun = {},
             .rerun = {},
             .resume = {},
             .trashRuns = {},
             .offerUndo = {},
             .tell = {}},
      rail_(new widgets::Rail),
      storeBanner_(new widgets::Banner),
      banner_(new widgets::Banner),
      stack_(new QStackedWidget) {
  setWindowTitle("Paceline");
  setWindowIcon(widgets::programIcon());
  openDoors();
  buildPages();
  buildMenus();
  wire();
  restore();
  new clusters::HostAskDialogs(prompts_, this);
  hosts_.load();
  workspace_.probe();
  catalogue_.load();
  runsModel_.refresh();
}

// Where a page may send the user.
void MainWindow::openDoors() {
  shell_.newExperiment = [this] { go(kExperiments); };
  shell_.openRun = [this](const std::string& run) { openRun(run); };
  shell_.compareRuns = [this](const std::vector<std::string>& runs) { compare_->choose(runs), go(kCompare); };
  shell_.cloneRun = [this](const std::string& run) { load(run, false); };
  shell_.rerun = [this](const std::string& run) { load(run, true); };
  shell_.resume = [this](const std::string& run) { followNext_ = true, queue_.resume(run); };
  shell_.trashRuns = [this](const std::vector<std::string>& runs) { trash(runs); };
  shell_.offerUndo = [this](const std::string& done) { offerUndo(QString::fromStdString(done)); };
  shell_.tell = [this](const std::string& sentence) { tell(QString::fromStdString(sentence)); };
}

void MainWindow::buildPages() {
  clusters_ = new clusters::ClustersPage(shell_);
  experiment_ = new experiment::ExperimentPage(shell_);
  runs_ = new runs::RunsPage(shell_);
  compare_ = new compare::ComparePage(shell_);
  settings_ = new SettingsPage(shell_);
  run_ = new runs::RunPage(shell_);
  for (widgets::Page* page : std::initializer_list<widgets::Page*>{clusters_, experiment_, runs_, compare_, settings_, run_}) {
    stack_->addWidget(page);
    connect(page, &widgets::Page::failed, this, &MainWindow::tell);
  }
  auto* right = new QVBoxLayout;
  right->setSpacing(0);
  right->addWidget(storeBanner_);
  right->addWidget(banner_);
  right->addWidget(stack_, 1);
  auto* centre = new QWidget;
  auto* row = new QHBoxLayout(centre);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(rail_);
  row->addLayout(right, 1);
  setCentralWidget(centre);
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
  connect(settings_, &SettingsPage::modeChosen, this, &MainWindow::setMode);
  connect(settings_, &SettingsPage::otherStoreAsked, this, &MainWindow::openStore);
  connect(&workspace_, &Workspace::readOnlyChanged, this, &MainWindow::followStore);
  connect(&workspace_, &Workspace::writeFailed, this, &MainWindow::tell);
  connect(&workspace_, &Workspace::written, &runsModel_, &runs::RunsModel::refresh);
  connect(&runsModel_, &runs::RunsModel::failed, this, &MainWindow::tell);
  connect(&queue_, &runs::RunQueue::changed, this, &MainWindow::followQueue);
  connect(&queue_, &runs::RunQueue::failed, this, &MainWindow::tell);
  connect(&queue_, &runs::RunQueue::started, this, &MainWindow::onStarted);
  connect(&queue_, &runs::RunQueue::ended, this, [this](int, const QString& run, const QString& error) { onEnded(run, error); });
  connect(&refresh_, &QTimer::timeout, &runsModel_, &runs::RunsModel::refresh);
  refresh_.start(kRefreshMs);
}

void MainWindow::buildMenus() {
  const auto add = [this](QMenu* menu, const QString& text, const QKeySequence& key, auto act) {
    QAction* action = menu->addAction(text);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, act);
    return action;
  };
  QMenu* file = menuBar()->addMenu("&File");
  add(file, "&New experiment", QKeySequence::New, [this] { go(kExperiments); });
  file->addSeparator();
  add(file, "&Quit", QKeySequence::Quit, [this] { close(); });
  QMenu* edit = menuBar()->addMenu("&Edit");
  QAction* undo = undo_.createUndoAction(this, "&Undo");
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = undo_.createRedoAction(this, "&Redo");
  redo->setShortcut(QKeySequence::Redo);
  edit->addActions({undo, redo});
  edit->addSeparator();
  add(edit, "&Find", QKeySequence::Find, [this] { page()->find(); });
  add(edit, "Move to &trash", QKeySequence::Delete, [this] {
    if (stack_->currentWidget() == runs_) runs_->trashSelected();
  });
  QMenu* run = menuBar()->addMenu("&Run");
  QAction* start = add(run, "&Do what the page is for", QKeySequence(Qt::CTRL | Qt::Key_Return), [this] { page()->primary(); });
  connect(run, &QMenu::aboutToShow, this, [this, start] {
    const QWidget* now = stack_->currentWidget();
    start->setText(now == experiment_ ? "&Run experiment"
                   : now == compare_  ? "&Export figure"
                   : now == clusters_ ? "&Add host"
                                      : "&New experiment");
  });
  add(run, "&Stop the run that is shown", QKeySequence(Qt::CTRL | Qt::Key_Period), [this] {
    if (stack_->currentWidget() == run_) queue_.stopRunOf(run_->run());
  });
  QMenu* places = menuBar()->addMenu("&Go");
  const char* const names[] = {"&Clusters", "&Experiments", "&Runs", "C&ompare", "&Settings"};
  for (int i = 0; i < 5; ++i) add(places, names[i], QKeySequence(QString("Ctrl+%1").arg(i + 1)), [this, i] { go(i); });
  buildViewMenu();
}

void MainWindow::buildViewMenu() {
  QMenu* view = menuBar()->addMenu("&View");
  modes_ = new QActionGroup(this);
  const char* const names[] = {"Theme as the &system", "&Light theme", "&Dark theme"};
  for (int i = 0; i < 3; ++i) {
    QAction* action = view->addAction(names[i]);
    action->setCheckable(true);
    action->setChecked(i == static_cast<int>(widgets::Theme::instance().mode()));
    modes_->addAction(action);
    connect(action, &QAction::triggered, this, [this, i] { setMode(i); });
  }
  view->addSeparator();
  QAction* fold = view->addAction("&Narrow rail");
  fold->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_B));
  connect(fold, &QAction::triggered, this, [this] { rail_->setCompact(!rail_->compact()); });
  QAction* full = view->addAction("&Full screen");
  full->setShortcut(QKeySequence::FullScreen);
  connect(full, &QAction::triggered, this, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
}

void MainWindow::setMode(int mode) {
  widgets::Theme::instance().setMode(static_cast<widgets::ThemeMode>(mode));
  QSettings().setValue("look/mode", mode);
  settings_->showMode(mode);
  modes_->actions().at(mode)->setChecked(true);
}

widgets::Page* MainWindow::page() const { return qobject_cast<widgets::Page*>(stack_->currentWidget()); }

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

QString MainWindow::bannerText() const { return storeBanner_->text() + banner_->text(); }

void MainWindow::tell(const QString& sentence) { banner_->tell(widgets::Token::kBad, "failed", sentence); }

void MainWindow::followStore() {
  const QString reason = workspace_.readOnlyReason();
  storeBanner_->tell(widgets::Token::kWarn, "lock", reason.isEmpty() ? QString() : reason + ". This window reads only until it is free.",
                     "Try again", [this] { workspace_.probe(); });
}

void MainWindow::followQueue() {
  int waiting = 0, active = 0;
  for (const runs::QueueItem& item : queue_.items()) ++(item.waiting ? waiting : active);
  QStringList words;
  if (active > 0) words << QString("%1 in progress").arg(active);
  if (waiting > 0) words << QString("%1 waiting").arg(waiting);
  rail_->setStatus(words.join(", "));
  refresh_.setInterval(queue_.busy() ? kRefreshBusyMs : kRefreshMs);
  followNext_ = followNext_ || (stack_->currentWidget() == experiment_ && waiting > 0);
  runsModel_.refresh();
}

void MainWindow::onStarted(int, const QString& run) {
  if (followNext_ && (stack_->currentWidget() == experiment_ || stack_->currentWidget() == run_)) openRun(run.toStdString());
  followNext_ = false;
}

void MainWindow::onEnded(const QString& run, const QString& error) {
  runsModel_.refresh();
  if (!error.isEmpty()) tell(error);
  if (!run.isEmpty() || !error.isEmpty()) followNext_ = false;
}

void MainWindow::trash(const std::vector<std::string>& runs) {
  undo_.push(new TrashCommand(workspace_, runs));
  offerUndo(QString("Moved %1 to the trash").arg(plural(static_cast<int>(runs.size()), "run")));
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
  if (!queue_.busy() && QProcess::startDetached(QCoreApplication::applicationFilePath(), {"--store", path})) close();
  if (queue_.busy()) tell("The other store will be opened when Paceline starts again: a run is in progress here.");
}

void MainWindow::restore() {
  resize(1280, 800);
  restoreGeometry(QSettings().value("window/geometry").toByteArray());
  rail_->setCompact(QSettings().value("window/narrow", false).toBool());
  go(QSettings().value("window/page", kRuns).toInt() % kRun);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  QSettings().setValue("window/geometry", saveGeometry());
  QSettings().setValue("window/narrow", rail_->compact());
  if (!queue_.busy()) return event->accept();
  QMessageBox box(QMessageBox::Question, "Paceline", "A run is in progress.", QMessageBox::NoButton, this);
  box.setInformativeText("Left running, it goes on without this window; attach to it later from the runs page.");
  QAbstractButton* leave = box.addButton("Leave it running", QMessageBox::AcceptRole);
  QAbstractButton* stop = box.addButton("Stop it", QMessageBox::DestructiveRole);
  box.addButton(QMessageBox::Cancel);
  box.exec();
  if (box.clickedButton() == stop) return event->accept();  // the queue asks and waits
  if (box.clickedButton() != leave) return event->ignore();
  QSettings().sync();
  try {
    workspace_.recorder()->flush();
  } catch (const std::exception&) {  // what could not be written is fetched again on attach
  }
  std::_Exit(0);  // without the controller's end, which would stop the run
}

}  // namespace paceline
