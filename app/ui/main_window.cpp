#include "app/ui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <algorithm>
#include <memory>

#include "app/models/words.h"
#include "app/ui/runs/export_menu.h"
#include "app/ui/settings/settings_page.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/file_dialog.h"
#include "storage/store/store.h"

namespace paceline {

MainWindow::MainWindow(const QString& storePath, clusters::HostServices services, data::DataServices dataServices)
    : recorder_(storePath, prompts_), hosts_(std::move(services)), checks_(hosts_, prompts_), deploys_(hosts_, prompts_), links_(hosts_, prompts_), queue_(recorder_), loads_(recorder_, queue_, hosts_),
      runsModel_(storePath.toStdString()), exports_(storePath.toStdString()),
      shell_{.recorder = recorder_, .catalogue = catalogue_, .queue = queue_, .runs = runsModel_, .exports = exports_, .hosts = hosts_,
             .checks = checks_, .deploys = deploys_, .links = links_, .undo = undo_,
             .newExperiment = [this] { go(kExperiments), experiment_->startNew(); },
             .openRun = [this](const std::string& run) { openRun(run); },
             .compareRuns = [this](const std::vector<std::string>& runs) { compare_->choose(runs), go(kCompare); },
             .reportRuns = [this](const std::vector<std::string>& runs) { go(kReport), report_->beginFrom(runs, compare_->target()); },
             .cloneRun = [this](const std::string& run) { load(run, false); },
             .changeCopy = [this](const std::string& run, const std::string& what, const std::function<void(RunSpec&)>& change) { changeCopy(run, what, change); },
             .rerun = [this](const std::string& run) { load(run, true); },
             .stopRun = [this](const std::string& run) { stop(run); },
             .stopRuns = [this](const std::vector<std::string>& runs) { stopAll(runs); },
             .moveRuns = [this](const std::vector<std::string>& runs, bool toTrash) { moveRuns(runs, toTrash); },
             .describeRuns = [this](const std::vector<std::pair<std::string, RunTexts>>& texts) { describe(texts); },
             .offerUndo = [this](QUndoStack& stack, const std::string& done) { note(stack, "info", QString::fromStdString(done), true); },
             .tell = [this](const std::string& sentence) { tell(QString::fromStdString(sentence)); },
             .watchFirst = [this] { first_->watch(); },
             .firstProblem = [this] { return first_ ? first_->problem() : QString(); },
             .openSample = [this] { first_->openSample(); },
             .hideSample = [this] { first_->hideSample(); },
             .sampleShown = [this] { return first_ && first_->sampleShown(); },
             .connectMachine = [this] { go(kClusters), clusters_->primary(); }},
      rail_(new widgets::Rail), storeBanner_(new widgets::Banner(widgets::Banner::kWhileItHolds)), banner_(new widgets::Banner), hints_(new widgets::Banner), failure_(new widgets::Banner), stack_(new QStackedWidget) {
  setWindowTitle("Paceline");
  mayQuit = [this](const QString& goesOn) {
    QMessageBox question(QMessageBox::Information, tr("Quit Paceline"), goesOn, QMessageBox::Cancel, this);
    question.setDefaultButton(question.addButton(tr("Quit"), QMessageBox::AcceptRole));
    return question.exec() != QMessageBox::Cancel;
  };
  mayStop = [this](const QString& sentence, const QString& act) { return widgets::sure(this, act, sentence); };
  setWindowIcon(widgets::programIcon());
  buildPages(std::move(dataServices));
  buildMenus();
  wire();
  restore();
  clusters::showPrompts(prompts_, this);
  hosts_.load();
  recorder_.readQueue();
  catalogue_.load();
  runsModel_.refresh();
}

void MainWindow::buildPages(data::DataServices dataServices) {
  clusters_ = new clusters::ClustersPage(shell_);
  experiment_ = new experiment::ExperimentPage(shell_);
  runs_ = new runs::RunsPage(shell_);
  compare_ = new compare::ComparePage(shell_);
  data_ = new data::DataPage(shell_, std::move(dataServices));
  auto* settings = new SettingsPage(recorder_, [this](int mode) { setMode(mode); }, [this](const QString& path) { openStore(path); },
                                    [this] { startAgain(qtext(recorder_.storePath())); });
  run_ = new runs::RunPage(shell_);
  report_ = new reports::ReportPage(shell_);
  const FirstMinute::Window window{.runnable = [this](const std::string& document) { return experiment_->draft().judged(document).runs; },
                                   .onRunPage = [this] { return page() == run_; },
                                   .shownRun = [this] { return run_->run(); },
                                   .say = [this](const QString& words, const QString& action, std::function<void()> act) { say(widgets::Token::kOk, "finished", words, action, std::move(act)); }};
  first_ = new FirstMinute(shell_, window, hints_, this);
  intake_ = new Intake(shell_, {.openExperiment = [this](const std::string& document, const QString& path) { return go(kExperiments), experiment_->open(document, path); },
                                .showHosts = [this](const QString& path) { go(kClusters), clusters_->importFrom(path); },
                                .checkData = [this](const QString& path) { go(kData), data_->checkFolder(path); },
                                .askColumns = [this](const QString& path) { askImport(path.toStdString()); },
                                .showRuns = [this] { go(kRuns); },
                                .say = [this](const QString& words, const QString& action, std::function<void()> act) { say(widgets::Token::kOk, "imported", words, action, std::move(act)); }},
                       this);
  for (widgets::Page* page : std::initializer_list<widgets::Page*>{clusters_, experiment_, runs_, compare_, data_, settings, run_, report_}) {
    stack_->addWidget(page);
    connect(page, &widgets::Page::failed, this, &MainWindow::tell);
    connect(page, &widgets::Page::told, this, [this](const QString& words) { say(widgets::Token::kOk, "finished", words); });
  }
  QWidget* content = widgets::boxed(widgets::down({{stack_, 1}}, {}, 0));
  setCentralWidget(widgets::beside(rail_, content));
  palette_ = new palette::CommandPalette(content);
  new widgets::Overlay(content, {storeBanner_, hints_, banner_, failure_});
}

// Pages go before the models they show.
MainWindow::~MainWindow() {
  prompts_.close();  // a task that waits for an answer ends now
  for (QUndoStack* stack : seen_.stacks()) stack->disconnect(this);
  delete takeCentralWidget();
}

void MainWindow::wire() {
  connect(rail_, &widgets::Rail::chosen, this, &MainWindow::go);
  connect(run_, &runs::RunPage::backAsked, this, [this] { go(kRuns); });
  connect(&recorder_, &RecorderLink::troubleChanged, this, &MainWindow::followRecorder);
  connect(&recorder_, &RecorderLink::failed, this, &MainWindow::tell);
  connect(&recorder_, &RecorderLink::written, &runsModel_, &runs::RunsModel::refresh);
  connect(&recorder_, &RecorderLink::newerRows, &runsModel_, &runs::RunsModel::moreOf);
  connect(&runsModel_, &runs::RunsModel::failed, this, &MainWindow::tell);
  connect(&loads_, &runs::HostLoads::failed, this, &MainWindow::tell);
  connect(&catalogue_, &Catalogue::changed, &runsModel_, [this] {
    if (const auto catalog = catalogue_.get()) runsModel_.setTitles(titlesOf(*catalog));
  });
  connect(&queue_, &runs::RunQueue::changed, this, &MainWindow::followQueue);
  connect(&queue_, &runs::RunQueue::submitted, this, [this](const std::string& run) { next_ = run, followQueue(); });
  connect(&queue_, &runs::RunQueue::ended, this, &MainWindow::onEnded);
  connect(&queue_, &runs::RunQueue::entryEnded, this, [this](const recorder::Entry& entry) {
    if (const auto notice = noticeOf(entry); notice && !isActiveWindow() && noticesWanted()) notify(*notice);
  });
  connect(&queue_, &runs::RunQueue::diverged, this, [this](const recorder::Entry& entry) {
    const DesktopNotice notice = divergedNotice(entry);
    say(widgets::Token::kWarn, "warning", notice.words, tr("Show the records before it"), [this, run = entry.run] { shell_.openRun(run), run_->showDiverged(); });
    if (!isActiveWindow() && noticesWanted()) notify(notice);
  });
  connect(&exports_, &runs::RunExports::moved, this, [this](const QString& words) { say(widgets::Token::kAccent, "running", words, tr("Stop"), [this] { exports_.stop(); }); });
  connect(&exports_, &runs::RunExports::ended, this, [this](const QString& words, const QString& error) {
    if (!error.isEmpty()) tell(error);
    say(widgets::Token::kOk, "finished", error.isEmpty() && words.isEmpty() ? tr("The export was stopped; what was written stays") : words);
  });
  for (QUndoStack* stack : {&undo_.hosts, &undo_.drafts, &undo_.runs}) {
    seen_.addStack(stack);
    connect(stack, &QUndoStack::indexChanged, this, [this, stack] {
      if (noted_ == stack || steps() != saidAt_) forgetNote();
    });
  }
  connect(&refresh_, &QTimer::timeout, &runsModel_, &runs::RunsModel::refresh);
  refresh_.start(std::chrono::seconds(2));  // for changes by other programs
}

void MainWindow::buildMenus() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  file->addAction(tr("&New experiment"), QKeySequence::New, this, [this] { shell_.newExperiment(); });
  const auto take = [this](const QString& path) { intake_->take(path.isEmpty() ? QStringList() : QStringList(path)); };
  file->addAction(tr("&Import a file…"), Qt::CTRL | Qt::Key_I, this, [this, take] { take(widgets::askOpenPath(this, {.title = tr("Results, an experiment, or a list of hosts")})); });
  file->addAction(tr("Import a f&older…"), Qt::CTRL | Qt::SHIFT | Qt::Key_I, this, [this, take] { take(widgets::askFolderPath(this, {.title = tr("Logs of ESync, a data set, or a folder of several files")})); });
  file->addAction(tr("Import with &choices…"), Qt::CTRL | Qt::ALT | Qt::Key_I, this, [this] { askImport(""); });
  buildFollowed(file->addMenu(tr("&Followed files")));
  QMenu* exports = runs::exportMenu(this, shell_, [this] { return shownRuns(); }, [this] { return compare_->target(); });
  file->addAction(tr("&Export runs…"), Qt::CTRL | Qt::SHIFT | Qt::Key_E, this, [this, exports] { exports->popup(mapToGlobal(rect().center() - QPoint(exports->sizeHint().width() / 2, exports->sizeHint().height() / 2))); });
  QAction* report = file->addAction(tr("&Report of the runs that are shown"), Qt::CTRL | Qt::SHIFT | Qt::Key_R, this, [this] {
    if (const std::vector<std::string> runs = shownRuns(); !runs.empty()) shell_.reportRuns(runs);
    else go(kReport);
  });
  report->setObjectName("reportOfRuns");
  file->addSeparator();
  file->addAction(tr("&Quit"), Qt::CTRL | Qt::Key_Q, this, [this] { close(); });
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = edit->addAction(tr("&Undo"), QKeySequence::Undo, this, [this] { step(true); });
  QAction* redo = edit->addAction(tr("&Redo"), QKeySequence::Redo, this, [this] { step(false); });
  connect(edit, &QMenu::aboutToShow, this, [this, undo, redo] {
    const auto named = [](const QString& verb, QString step) { return verb.arg(step.replace("&", "&&")).trimmed(); };  // a name may have an "&"
    undo->setText(named(tr("&Undo %1"), seen_.undoText()));
    redo->setText(named(tr("&Redo %1"), seen_.redoText()));
  });
  for (const auto& [action, can] : {std::pair(undo, &QUndoGroup::canUndoChanged), std::pair(redo, &QUndoGroup::canRedoChanged)}) {
    action->setEnabled(false);
    connect(&seen_, can, action, &QAction::setEnabled);
  }
  edit->addSeparator();
  edit->addAction(tr("&Find"), QKeySequence::Find, this, [this] { page()->find(); });
  edit->addAction(tr("Move to &trash"), QKeySequence::Delete, this, [this] {
    if (stack_->currentWidget() == runs_) runs_->trashSelected();
  });
  QMenu* run = menuBar()->addMenu(tr("&Run"));
  QAction* start = run->addAction(tr("&Do what the page is for"), Qt::CTRL | Qt::Key_Return, this, [this] { page()->primary(); });
  connect(run, &QMenu::aboutToShow, this, [this, start] {
    const QWidget* now = stack_->currentWidget();
    start->setText(now == experiment_ ? tr("&Run experiment")
                   : now == compare_  ? tr("&Export figure")
                   : now == report_   ? tr("&Export report")
                   : now == clusters_ ? tr("&Add host")
                   : now == data_     ? tr("&Check a folder…")
                                      : tr("&New experiment"));
    start->setVisible(now != run_ && stack_->currentIndex() != kSettings);  // these are for nothing of the kind
  });
  const auto canStop = [this] { return stack_->currentWidget() == run_ && run_->canStop(); };
  QAction* stop = run->addAction(tr("&Stop the run that is shown"), Qt::CTRL | Qt::Key_Period, this, [this, canStop] {
    if (canStop()) this->stop(run_->run());
  });
  connect(run, &QMenu::aboutToShow, this, [stop, canStop] { stop->setEnabled(canStop()); });
  const auto wake = [start, stop] { start->setVisible(true), stop->setEnabled(true); };  // their keys work whatever the menu showed
  connect(run, &QMenu::aboutToHide, stop, wake, Qt::QueuedConnection);
  QMenu* places = menuBar()->addMenu(tr("&Go"));
  const QString names[] = {tr("&Clusters"), tr("&Experiments"), tr("&Runs"), tr("C&ompare"), tr("&Data"), tr("&Settings")};
  for (int i = 0; i <= kSettings; ++i) places->addAction(names[i], QKeySequence(QString("Ctrl+%1").arg(i + 1)), this, [this, i] { go(i); });
  places->addAction(tr("Re&port"), QKeySequence("Ctrl+7"), this, [this] { go(kReport); });
  menuBar()->addMenu(viewMenu());
  menuBar()->addMenu(helpMenu());
  for (const QAction* menu : menuBar()->actions())  // keys that are held down run an experiment once; steps go on
    for (QAction* each : menu->menu()->actions()) each->setAutoRepeat(each == undo || each == redo);
}

QMenu* MainWindow::viewMenu() {
  auto* view = new QMenu(tr("&View"), this);
  modes_ = new QActionGroup(this);
  const QString names[] = {tr("Theme as the &system"), tr("&Light theme"), tr("&Dark theme")};
  for (int i = 0; i < 3; ++i) {
    QAction* action = view->addAction(names[i], this, [this, i] { setMode(i); });
    action->setCheckable(true);
    action->setChecked(i == static_cast<int>(widgets::Theme::instance().mode()));
    modes_->addAction(action);
  }
  view->addSeparator();
  view->addAction(tr("&Narrow rail"), Qt::CTRL | Qt::Key_B, this, [this] { rail_->setCompact(!rail_->compact()); });
  view->addAction(tr("&Full screen"), QKeySequence::FullScreen, this, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  return view;
}

QMenu* MainWindow::helpMenu() {
  auto* help = new QMenu(tr("&Help"), this);
  find_ = help->addAction(tr("&Go to or do…"), Qt::CTRL | Qt::Key_K, this, [this] { palette_->open(commands()); });
  help->addAction(tr("&Manual"), QKeySequence::HelpContents, this, [this] { showManual(manualPlace()); });
  help->addAction(tr("&Keyboard"), Qt::CTRL | Qt::Key_F1, this, [this] { showKeys(); });
  return help;
}

void MainWindow::setMode(int mode) {
  widgets::Theme::instance().setMode(static_cast<widgets::ThemeMode>(mode));
  QSettings().setValue("look/mode", mode);
  modes_->actions().at(mode)->setChecked(true);
}

void MainWindow::go(int place) {
  stack_->setCurrentIndex(place);
  rail_->setCurrent(place == kRun ? kRuns : place == kReport ? kCompare : place);
  if (noted_ && noted_ != stackOf(place)) forgetNote();  // other messages stay until they are read
  seen_.setActiveStack(stackOf(place));
  page()->setFocus(Qt::OtherFocusReason);
  page()->entered();
  if (place <= kSettings) QSettings().setValue("window/page", place);
  first_->followPage();
}

void MainWindow::openRun(const std::string& run) {
  if (offered_ == run) banner_->hide();
  run_->open(run);
  go(kRun);
}

void MainWindow::followRecorder() {
  const QString trouble = recorder_.trouble();
  storeBanner_->tell(widgets::Token::kWarn, "lock", trouble.isEmpty() ? QString() : tr("%1. Until this is over this window only reads.").arg(trouble), tr("Try again"),
                     [this] { recorder_.readQueue(); });
}

// What was submitted here is offered as soon as it runs; the page that is seen stays.
void MainWindow::followQueue() {
  const auto waiting = std::ranges::count(queue_.entries(), true, &recorder::Entry::waiting);
  QStringList words;
  if (queue_.rowCount() > waiting) words << tr("%1 in progress").arg(queue_.rowCount() - waiting);
  if (waiting > 0) words << tr("%1 waiting").arg(waiting);
  rail_->setStatus(words.join(", "));
  runsModel_.refresh();
  const recorder::Entry* next = queue_.find(next_);
  if (!next || next->waiting) return;
  if (page() == run_ && run_->run() == next->run) return next_.clear();  // it is seen already
  offer(std::exchange(next_, {}), tr("\"%1\" has started%2").arg(queue_.titleOf(*next), queue_.leftOf(*next)));
}

void MainWindow::onEnded(const std::string& run, const QString& error) {
  const bool seen = page() == run_ && run_->run() == run;  // its page has the sentence
  if (!error.isEmpty() && !seen) tell(error);
  if (run != next_) return;  // else: before it was seen running
  next_.clear();
  if (error.isEmpty()) offer(run, tr("The run has ended"));
}

void MainWindow::say(widgets::Token token, const char* iconName, const QString& words, const QString& action, std::function<void()> act) {
  noted_ = nullptr;
  offered_.clear();
  saidAt_ = steps();
  banner_->tell(token, iconName, words, action, std::move(act));
}

void MainWindow::offer(const std::string& run, const QString& event) {
  say(widgets::Token::kOk, "running", event, tr("Show it"), [this, run] { openRun(run); });
  offered_ = run;
}

void MainWindow::tell(const QString& sentence) { failure_->tell(widgets::Token::kBad, "failed", sentence); }

QUndoStack* MainWindow::stackOf(int place) {
  switch (place) {
    case kClusters: return &undo_.hosts;
    case kExperiments: return &undo_.drafts;
    case kRuns:
    case kRun: return &undo_.runs;
    default: return nullptr;
  }
}

void MainWindow::step(bool back) {
  QUndoStack* stack = seen_.activeStack();
  if (!stack || !(back ? stack->canUndo() : stack->canRedo())) return;
  if (stack == &undo_.runs && !recorder_.trouble().isEmpty()) return tell(QString("Nothing was %1: %2").arg(back ? "undone" : "done again", recorder_.trouble()));
  const QString what = back ? stack->undoText() : stack->redoText();
  back ? stack->undo() : stack->redo();
  note(*stack, back ? "restore" : "refresh", (back ? tr("Undone: %1") : tr("Done again: %1")).arg(what), !back);
}

void MainWindow::note(QUndoStack& stack, const char* iconName, const QString& words, bool back) {
  if (seen_.activeStack() != &stack) return;  // the person has gone elsewhere
  say(widgets::Token::kAccent, iconName, words, back ? tr("Undo") : tr("Redo"), [this, back] { step(back); });
  noted_ = &stack;
}

void MainWindow::forgetNote() {
  noted_ = nullptr;
  banner_->hide();
}

// A step only once it is done: what the recorder refuses is told as a failure and leaves nothing to undo.
void MainWindow::change(const QString& what, const Change& act, const Change& back, const char* iconName, const QString& told) {
  act([=, this] {
    undo_.runs.push(new Undoable(what, [act] { act({}); }, [back] { back({}); }));
    if (!told.isEmpty()) note(undo_.runs, iconName, told, true);
  });
}

std::vector<std::string> MainWindow::shownRuns() const {
  const QWidget* now = stack_->currentWidget();
  if (now == run_) return {run_->run()};
  return now == compare_ ? compare_->runs() : now == runs_ ? runs_->selected() : std::vector<std::string>();
}

void MainWindow::openStore(const QString& path) {
  if (const QString there = QFileInfo(path).canonicalFilePath(); !there.isEmpty() && there == QFileInfo(qtext(recorder_.storePath())).canonicalFilePath())
    return say(widgets::Token::kAccent, "info", tr("%1 is the store that is open.").arg(path));
  try {
    store::StoreReader::check(path.toStdString());
  } catch (const Error& error) {
    return tell(qtext(error.what()));  // and the window keeps its store
  }
  QSettings().setValue("store", path);
  startAgain(path);
}

void MainWindow::startAgain(const QString& store) { nextStore_ = store, mayQuit = nullptr, close(); }

void MainWindow::restore() {
  resize(1280, 800);
  restoreGeometry(QSettings().value("window/geometry").toByteArray());
  rail_->setCompact(QSettings().value("window/narrow", false).toBool());
  go(std::clamp<int>(QSettings().value("window/page", kRuns).toInt(), kClusters, kSettings));
}

void MainWindow::closeEvent(QCloseEvent* event) {
  const QString goesOn = queue_.withoutWindow();
  if (!goesOn.isEmpty() && mayQuit && !qApp->isSavingSession() && !mayQuit(goesOn)) return event->ignore();
  QSettings().setValue("window/geometry", saveGeometry());
  QSettings().setValue("window/narrow", rail_->compact());
  event->accept();  // runs go on without a window
}

}  // namespace paceline
