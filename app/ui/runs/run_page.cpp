#include "app/ui/runs/run_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSplitter>

#include "app/cluster/run/run_row.h"
#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/runs/log_delegate.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {
namespace {

constexpr int kTickMs = 500;

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

RunPage::RunPage(Shell& shell, QWidget* parent)
    : widgets::Page("", parent), shell_(shell), live_(shell.workspace.storePath()), log_(live_), state_(new widgets::StateBadge), name_(new widgets::ElidedLabel),
      error_(widgets::label("")), eta_(widgets::label("", "muted")), doing_(widgets::label("", "muted")), bar_(new QProgressBar) {
  buildTitle();
  body()->addWidget(buildProgress());
  body()->addWidget(widgets::horizontalLine());
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(buildCharts());
  splitter->addWidget(buildWorkers());
  splitter->addWidget(buildLog());
  splitter->setSizes({260, 170, 170});
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 1);
  splitter->setStretchFactor(2, 2);
  body()->addWidget(splitter, 1);
  connect(&live_, &LiveRun::updated, this, &RunPage::follow);
  connect(&live_, &LiveRun::reset, this, &RunPage::follow);
  connect(&live_, &LiveRun::failed, this, &widgets::Page::failed);
  connect(&shell_.queue, &RunQueue::changed, this, &RunPage::refreshActions);
  connect(&shell_.queue, &RunQueue::changed, this, &RunPage::followProgress);
  tick_.setInterval(kTickMs);
  connect(&tick_, &QTimer::timeout, this, &RunPage::tick);
  follow();
}

void RunPage::buildTitle() {
  title()->hide();
  QToolButton* back = widgets::toolButton("back", "Back to all runs (Alt+Left)");
  back->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
  connect(back, &QToolButton::clicked, this, &RunPage::backAsked);
  name_->setProperty("role", "page");
  stop_ = widgets::button("Stop", "stop", "bad");
  rerun_ = widgets::button("Run again", "rerun");
  compare_ = widgets::button("Compare", "compare");
  copyError_ = widgets::button("Copy error", "copy");
  attach_ = widgets::button("Attach", "refresh");
  resume_ = widgets::button("Resume", "play");
  resume_->setObjectName("resumeButton");
  resume_->setToolTip("Go on from the last checkpoint, as a new run that has this one's records up to there");
  stop_->setObjectName("stopButton");
  QHBoxLayout* row = titleRow();
  row->insertWidget(0, back);
  row->insertWidget(1, name_, 100);
  row->insertWidget(2, state_);
  for (QPushButton* each : {copyError_, attach_, resume_, compare_, rerun_, stop_}) row->addWidget(each);
  connect(stop_, &QPushButton::clicked, this, [this] { shell_.queue.stopRunOf(run()); });
  connect(rerun_, &QPushButton::clicked, this, [this] { shell_.rerun(run()); });
  connect(compare_, &QPushButton::clicked, this, [this] { shell_.compareRuns({run()}); });
  connect(attach_, &QPushButton::clicked, this, [this] { shell_.queue.attach(run()); });
  connect(resume_, &QPushButton::clicked, this, [this] { shell_.resume(run()); });
  connect(copyError_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(error_->text()); });
}

QWidget* RunPage::buildProgress() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(widgets::kPageMargin, 0, widgets::kPageMargin, 12);
  column->setSpacing(widgets::kGap);
  error_->setWordWrap(true);
  error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  widgets::setLook(error_, "role", "finding");
  column->addWidget(error_);
  auto* line = new QHBoxLayout;
  line->addWidget(doing_);
  line->addStretch(1);
  line->addWidget(eta_);
  column->addLayout(line);
  bar_->setTextVisible(false);
  bar_->setRange(0, 1000);
  bar_->setObjectName("runProgress");
  column->addWidget(bar_);
  auto* tiles = new QHBoxLayout;
  tiles->setSpacing(32);
  accuracy_ = new widgets::Tile("Test accuracy");
  rate_ = new widgets::Tile("Samples/s");
  rounds_ = new widgets::Tile("Rounds");
  samples_ = new widgets::Tile("Samples");
  traffic_ = new widgets::Tile("Traffic");
  elapsed_ = new widgets::Tile("Elapsed");
  for (widgets::Tile* tile : {accuracy_, rate_, rounds_, samples_, traffic_, elapsed_}) tiles->addWidget(tile);
  tiles->addStretch(1);
  column->addSpacing(4);
  column->addLayout(tiles);
  return box;
}

QWidget* RunPage::buildCharts() {
  auto* box = new QWidget;
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(widgets::kPageMargin, 12, widgets::kPageMargin, 8);
  row->setSpacing(widgets::kGroupGap);
  accuracyView_ = new figure::FigureView;
  rateView_ = new figure::FigureView;
  const std::pair<const char*, figure::FigureView*> charts[] = {{"Accuracy", accuracyView_}, {"Throughput", rateView_}};
  for (const auto& [name, view] : charts) {
    view->setCompact(true);
    QFrame* frame = widgets::card();
    frame->layout()->addWidget(widgets::label(name, "head"));
    frame->layout()->addWidget(view);
    row->addWidget(frame, view == accuracyView_ ? 3 : 2);
  }
  box->setMinimumHeight(180);
  return box;
}

QWidget* RunPage::buildWorkers() {
  nodes_ = new QTableView;
  nodes_->setModel(&workers_);
  nodes_->setAccessibleName("Nodes");
  widgets::styleTable(nodes_);
  nodes_->setSelectionMode(QAbstractItemView::NoSelection);
  nodes_->setItemDelegateForColumn(WorkersModel::kState, new widgets::NodeStateDelegate(nodes_));
  nodes_->setItemDelegateForColumn(WorkersModel::kUse, new widgets::TimeUseDelegate(nodes_));
  widgets::setWidths(nodes_, {90, 150, 110, 70, 90, 90, 200, 80, 90, 90});
  nodes_->horizontalHeader()->setSectionResizeMode(WorkersModel::kUse, QHeaderView::Stretch);
  nodes_->setMinimumHeight(90);
  return nodes_;
}

QWidget* RunPage::buildLog() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 8, 0, 0);
  column->setSpacing(8);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(widgets::kPageMargin, 0, widgets::kPageMargin, 0);
  row->addWidget(widgets::label("Log", "section"));
  logSearch_ = widgets::searchField("Filter by node or words");
  logSearch_->setMaximumWidth(280);
  auto* levels = new widgets::Segments({"Everything", "Warnings and errors"});
  row->addSpacing(widgets::kGap);
  row->addWidget(logSearch_, 1);
  row->addWidget(levels);
  row->addStretch(1);
  column->addLayout(row);
  logFilter_.setSourceModel(&log_);
  logView_ = new QTableView;
  logView_->setModel(&logFilter_);
  logView_->setAccessibleName("Log");
  widgets::styleTable(logView_);
  logView_->horizontalHeader()->hide();
  logView_->verticalHeader()->setMinimumSectionSize(20);
  logView_->verticalHeader()->setDefaultSectionSize(22);
  logView_->setItemDelegate(new LogDelegate(logView_));
  logView_->horizontalHeader()->resizeSection(LogModel::kTime, 120);
  logView_->horizontalHeader()->resizeSection(LogModel::kNode, 90);
  logView_->horizontalHeader()->setSectionResizeMode(LogModel::kText, QHeaderView::Stretch);
  column->addWidget(logView_, 1);
  connect(logSearch_, &QLineEdit::textChanged, this, [this](const QString& words) { logFilter_.setWords(words); });
  connect(levels, &widgets::Segments::chosen, this, [this](int index) { logFilter_.setProblemsOnly(index == 1); });
  connect(&logFilter_, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
    const QScrollBar* bar = logView_->verticalScrollBar();
    if (bar->value() >= bar->maximum() - 4) QTimer::singleShot(0, logView_, &QTableView::scrollToBottom);
  });
  box->setMinimumHeight(110);
  return box;
}

void RunPage::open(const std::string& run) {
  bar_->setValue(0);
  logSearch_->clear();
  live_.follow(run);
  tick_.start();
}

void RunPage::follow() {
  const LiveSnapshot& shot = live_.snapshot();
  name_->setFullText(text(shot.run.name.empty() ? shot.run.id : shot.run.name));
  state_->setState(shot.run.state);
  error_->setText(text(shot.run.error));
  error_->setVisible(!shot.run.error.empty());
  accuracy_->setValue(percentText(shot.accuracyLast), shot.accuracyBest ? "best " + percentText(shot.accuracyBest) : QString());
  double rate = 0;
  for (const WorkerLine& line : shot.nodes) rate += line.samplesPerSecond;
  const bool ended = store::isEnded(shot.run.state);
  if (ended && shot.seconds > 0) rate = static_cast<double>(shot.samples) / shot.seconds;
  rate_->setValue(rate > 0 ? rateText(rate) : "—", ended ? "all workers, mean" : "all workers, lately");
  rounds_->setValue(QString::number(shot.rounds), "of the evaluating worker");
  samples_->setValue(rateText(static_cast<double>(shot.samples)), "trained by all");
  traffic_->setValue(bytesText(static_cast<double>(shot.bytes)), "sent and received");
  workers_.take(shot.nodes);
  accuracyView_->setFigure(live_.accuracyFigure());
  rateView_->setFigure(live_.throughputFigure());
  followProgress();
  refreshActions();
  tick();
}

void RunPage::followProgress() {
  const LiveSnapshot& shot = live_.snapshot();
  const bool active = isActive(shot.run.state);
  const bool unknown = active && !shot.fraction;
  bar_->setRange(0, unknown ? 0 : 1000);
  if (!unknown) bar_->setValue(std::max(bar_->value(), static_cast<int>(1000 * shot.fraction.value_or(0))));
  bar_->setVisible(active);
  eta_->setText(active ? etaText(shot.etaLow, shot.etaHigh) : QString());
  QString doing = active && shot.fraction ? QString("%1 %").arg(bar_->value() / 10) : QString();
  if (active && shot.run.state != store::RunState::kRunning) doing = stateWord(shot.run.state);
  const QueueItem* own = shell_.queue.find(shot.run.id);
  if (own && !own->doing.empty()) doing += ", " + text(own->doing);
  if (store::isEnded(shot.run.state) && !shot.run.reason.empty()) doing = "Ended by: " + text(shot.run.reason);
  doing_->setText(doing);
  doing_->setVisible(!doing.isEmpty());
  eta_->setVisible(!eta_->text().isEmpty());
}

void RunPage::tick() {
  const store::RunRow& row = live_.snapshot().run;
  const double now = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000;
  const double end = row.endedUtc > 0 ? row.endedUtc : isActive(row.state) ? now : row.startedUtc + live_.snapshot().seconds;
  const bool simulated = row.source == "simulated", known = simulated || row.startedUtc <= 0;
  const double elapsed = known ? live_.snapshot().seconds : std::max(0.0, end - row.startedUtc);
  elapsed_->setValue(elapsed > 0 ? durationText(elapsed) : "—", simulated ? "of virtual time" : "since the start");
  if (store::isEnded(row.state)) tick_.stop();
}

void RunPage::refreshActions() {
  const store::RunRow& row = live_.snapshot().run;
  const bool own = shell_.queue.find(row.id) != nullptr;
  stop_->setVisible(isActive(row.state));
  stop_->setEnabled(row.state != store::RunState::kStopping);
  attach_->setVisible(row.state == store::RunState::kStale && !own);
  resume_->setVisible(run::canResume(row) && !own);
  rerun_->setEnabled(!row.specText.empty());
  copyError_->setVisible(!row.error.empty());
}

void RunPage::find() {
  logSearch_->setFocus(Qt::ShortcutFocusReason);
  logSearch_->selectAll();
}

}  // namespace paceline::runs
