#include "app/ui/runs/run_page.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QShortcut>

#include "app/cluster/run/run_session.h"
#include "app/models/words.h"
#include "app/predict/predict.h"
#include "app/ui/palette/keys.h"
#include "app/ui/runs/diverged_dialog.h"
#include "app/ui/runs/resume_dialog.h"
#include "app/ui/runs/time_use.h"
#include "app/ui/runs/traffic_dialog.h"
#include "app/ui/runs/why_strip.h"

namespace paceline::runs {
namespace {

constexpr int kLogRow = 22;
constexpr int kLeastParts = 440;  // px at normal text: lower than that lanes and charts show nothing, so they scroll
constexpr double kBeside = 1;  // of its length on both sides of a place that is shown

}  // namespace

RunPage::RunPage(Shell& shell) : widgets::Page(""), shell_(shell), live_(shell.recorder.storePath()), feed_(shell.recorder.storePath()), why_(shell.recorder.storePath()), log_(live_) {
  buildTitle();
  QSplitter* parts = widgets::splitter(Qt::Vertical, {{buildLanes(), 210, 3}, {buildCharts(), 200, 2}, {buildWorkers(), 120, 1}, {buildLog(), 130, 1}});
  auto* scroll = new widgets::ColumnScroll;
  scroll->setAccessibleName(tr("What the run did"));
  scroll->setFocusPolicy(Qt::NoFocus);  // its parts take the keyboard
  scroll->setWidget(parts);
  scroll->letCover();  // the log
  const auto fit = [parts] { parts->setMinimumHeight(widgets::scaled(kLeastParts)); };
  fit();
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, parts, fit);
  widgets::addAll(body_, {buildProgress(), widgets::horizontalLine(), {scroll, 1}});
  setTabOrder(stop_, lanes_), setTabOrder(lanes_, nodes_), setTabOrder(nodes_, logSearch_);  // as they lie
  for (const auto news : {&LiveRun::updated, &LiveRun::reset}) connect(&live_, news, this, &RunPage::follow);
  connect(&live_, &LiveRun::failed, this, &widgets::Page::failed);
  connect(&feed_, &LanesFeed::failed, this, &widgets::Page::failed);
  const auto look = [this](const std::string& run) { live_.look(run), feed_.look(run); };
  connect(&shell_.recorder, &RecorderLink::newerRows, this, look);
  connect(&shell_.recorder, &RecorderLink::entryChanged, this, [look](const recorder::Entry& entry) { look(entry.run); });
  connect(&shell_.recorder, &RecorderLink::queueRead, this, [this, look] { look(run()); });  // after a lost connection
  for (const auto act : {&RunPage::refreshActions, &RunPage::followProgress}) connect(&shell_.queue, &RunQueue::changed, this, act);
  tick_.setInterval(std::chrono::milliseconds(500));
  connect(&tick_, &QTimer::timeout, this, &RunPage::tick);
  follow();
}

void RunPage::buildTitle() {
  title_->hide();
  QToolButton* back = widgets::toolButton("back", tr("Back to all runs (Esc, Alt+Left)"));
  for (const QKeySequence& keys : {QKeySequence(Qt::ALT | Qt::Key_Left), QKeySequence(Qt::Key_Escape)})
    palette::tellKeys(new QShortcut(keys, this, this, [this] { emit backAsked(); }, Qt::WindowShortcut), tr("Page of a run"), tr("Back to all runs"));
  connect(back, &QToolButton::clicked, this, &RunPage::backAsked);
  stop_ = widgets::button(tr("Stop"), "stop", [this] { shell_.stopRun(run()); }, {.kind = "bad", .name = "stopButton"});
  rerun_ = widgets::button(tr("Run again"), "rerun", [this] { shell_.rerun(run()); });
  copyError_ = widgets::copyButton(tr("Copy error"), [this] { return error_->text(); });
  attach_ = widgets::button(tr("Attach"), "refresh", [this] { shell_.queue.attach(run()); });
  resume_ = widgets::button(tr("Resume…"), "play", [this] { (new ResumeDialog(this, shell_, live_.snapshot().run))->open(); },
                   {.name = "resumeButton", .help = tr("Go on from the last checkpoint, as a new run that has this one's records up to there; stop rules may change")});
  QHBoxLayout* row = titleRow_;
  row->insertWidget(0, back);
  row->insertWidget(1, name_, 100);
  row->insertWidget(2, state_);
  row->insertWidget(3, simulated_);
  QPushButton* links = widgets::button(tr("Links…"), "", [this] { (new TrafficDialog(this, shell_.recorder.storePath(), run()))->open(); },
                                       {.name = "trafficButton", .help = tr("What crossed each link, counted by both ends, and what the method has to send")});
  widgets::addAll(row, {copyError_, attach_, resume_, links, widgets::button(tr("Compare"), "compare", [this] { shell_.compareRuns({run()}); }), rerun_, stop_});
}

QWidget* RunPage::buildProgress() {
  for (QWidget* each : std::initializer_list<QWidget*>{bar_, doing_}) {  // nothing moves when the run ends
    QSizePolicy policy = each->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    each->setSizePolicy(policy);
  }
  bar_->setTextVisible(false);
  bar_->setRange(0, 1000);
  bar_->setObjectName("runProgress");
  QHBoxLayout* tiles = widgets::across({}, {}, 32);
  const auto tile = [tiles](const QString& name) {
    auto* made = new widgets::Tile(name);
    tiles->addWidget(made);
    return made;
  };
  before_ = widgets::button(tr("Records before it…"), "", [this] { showDiverged(); }, {.name = "beforeNan", .help = tr("What that worker recorded before its loss became no number")});
  diverged_->setObjectName("diverged");
  accuracy_ = tile(tr("Last test accuracy")), rate_ = tile(tr("Samples/s")), rounds_ = tile(tr("Rounds"));
  samples_ = tile(tr("Samples")), traffic_ = tile(tr("Traffic")), elapsed_ = tile(tr("Elapsed"));
  tiles->addStretch(1);
  return widgets::boxed(widgets::down({error_, widgets::across({{diverged_, 1}, before_}), widgets::across({doing_, {bar_, 1}, widgets::room(0), eta_}), tiles}, {widgets::kPageMargin, 0, widgets::kPageMargin, 8}));
}

QWidget* RunPage::buildLanes() {
  told_->setObjectName("lanesWords");
  connect(&feed_, &LanesFeed::updated, this, [this] {
    lanes_->setTimeline(feed_.timeline());
    lanes_->setToolTip(said(lanes::clockNote(*feed_.timeline())));
  });
  connect(lanes_, &LanesView::rangeChanged, this, &RunPage::followLanes);
  connect(lanes_, &LanesView::cursorMoved, this, &RunPage::setCursor);
  connect(lanes_, &LanesView::told, told_, &widgets::ElidedLabel::setFullText);
  const auto toLanes = [this](std::optional<double> x) { lanes_->setCursor(x ? std::optional(*x * live_.secondsPerUnit()) : std::nullopt); };
  for (const figure::FigureView* chart : {accuracyView_, rateView_}) connect(chart, &figure::FigureView::cursorMoved, this, toLanes);
  auto* why = new WhyStrip(why_, this);
  connect(why, &WhyStrip::placeChosen, this, &RunPage::showPlace);
  connect(why, &WhyStrip::applied, this, &RunPage::applyRemedy);
  QHBoxLayout* head = widgets::across({widgets::label(tr("Timeline"), "head"), widgets::gap(widgets::kGap), widgets::room(), new TimeUseLegend});
  return widgets::boxed(widgets::down({why, head, {lanes_, 1}, told_}, {widgets::kPageMargin, 8, widgets::kPageMargin, 4}, 4));
}

QWidget* RunPage::buildCharts() {
  const auto chart = [](QLabel* head, figure::FigureView* view) {
    view->setCompact(true);
    return widgets::card({head, view});
  };
  rateHead_->setObjectName("rateHead");
  return widgets::boxed(widgets::across({{chart(widgets::label(tr("Accuracy"), "head"), accuracyView_), 3}, {chart(rateHead_, rateView_), 2}}, {widgets::kPageMargin, 8, widgets::kPageMargin, 4}, widgets::kGroupGap));
}

QWidget* RunPage::buildWorkers() {
  nodes_ = widgets::table(workers_, "nodesTable", tr("Nodes"));
  nodes_->setSelectionMode(QAbstractItemView::NoSelection);
  nodes_->setItemDelegateForColumn(WorkersModel::kState, widgets::nodeStateCells(nodes_));
  nodes_->setItemDelegateForColumn(WorkersModel::kUse, timeUseCells(nodes_));
  widgets::setWidths(nodes_, {50, 110, 90, 60, 70, 70, 150, 70, 70, 70}, WorkersModel::kUse);
  nodes_->setMinimumHeight(60);
  return widgets::boxed(widgets::down({{nodes_, 1}}, {}, 0));  // its time use has the colours of the lanes' legend
}

QWidget* RunPage::buildLog() {
  logSearch_ = widgets::searchField(tr("Filter by node or words"), "logSearch", [this](const QString& words) { logFilter_.setWords(words); });
  logSearch_->setMaximumWidth(280);
  auto* levels = new widgets::Segments({tr("Everything"), tr("Warnings and errors")});
  logFilter_.setSourceModel(&log_);
  logView_ = widgets::table(logFilter_, "logTable", tr("Log"), kLogRow);
  QHeaderView* header = logView_->horizontalHeader();
  header->hide();
  logView_->setItemDelegate(widgets::logCells(logView_));
  widgets::setWidths(logView_, {100, 50, 300}, LogModel::kText);
  connect(levels, &widgets::Segments::chosen, this, [this](int index) {
    const auto isProblem = [](const QModelIndex& line) { return line.data(LogModel::kLevelRole).toString() != "info"; };
    logFilter_.setAccepts(index == 1 ? WordsFilter::Accepts(isProblem) : nullptr);
  });
  connect(&logFilter_, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
    const QScrollBar* bar = logView_->verticalScrollBar();
    if (bar->value() >= bar->maximum() - 4) QTimer::singleShot(0, logView_, &QTableView::scrollToBottom);
  });
  QHBoxLayout* row = widgets::across({widgets::label(tr("Log"), "section"), widgets::gap(widgets::kGap), {logSearch_, 1}, levels, widgets::room()}, {widgets::kPageMargin, 0, widgets::kPageMargin, 0});
  QWidget* box = widgets::boxed(widgets::down({row, {logView_, 1}}, {0, 8, 0, 0}));
  box->setMinimumHeight(80);
  return box;
}

void RunPage::open(const std::string& run) {
  bar_->setValue(0);
  logSearch_->clear();
  lanes_->setHeld(false);
  lanes_->showAll();
  live_.follow(run);
  feed_.follow(run);
  why_.follow(run);
  tick_.start();
}

void RunPage::follow() {
  const LiveSnapshot& shot = live_.snapshot();
  name_->setFullText(qtext(shot.run.name.empty() ? shot.run.id : shot.run.name));
  state_->setState(shot.run.state);
  simulated_->setVisible(shot.run.source == "simulated");
  widgets::tell(error_, qtext(shot.run.error));
  widgets::tell(diverged_, asSentence(said(shot.diverged)));
  before_->setVisible(!shot.diverged.empty());
  accuracy_->setValue(percentText(shot.accuracyLast), shot.accuracyBest ? tr("best %1").arg(percentText(shot.accuracyBest)) : QString());
  double rate = 0;
  for (const WorkerLine& line : shot.nodes) rate += line.samplesPerSecond;
  const bool ended = store::isEnded(shot.run.state);
  if (ended && shot.seconds > 0) rate = static_cast<double>(shot.samples) / shot.seconds;
  rate_->setValue(rate > 0 ? rateText(rate) : "—", ended ? tr("all workers, mean") : tr("all workers, lately"));
  rounds_->setValue(QString::number(shot.rounds), tr("of the coordinator"));
  const bool untold = shot.run.state == store::RunState::kImported;  // another tool's files may not say: that is not 0
  samples_->setValue(untold && shot.samples == 0 ? "—" : countText(shot.samples), tr("trained by all"));
  traffic_->setValue(untold && shot.bytes == 0 ? "—" : bytesText(static_cast<double>(shot.bytes)), tr("sent and received"));
  workers_.take(shot.nodes);
  followPrediction(rate);
  why_.look(shot.run);
  showCharts();
  followProgress();
  refreshActions();
  tick();
}

// What was predicted before the run, and what came of it.
void RunPage::followPrediction(double rate) {
  const std::optional<predict::Kept> kept = predict::keptOf(live_.snapshot().run);
  rateView_->setToolTip({});
  if (!kept) return rateHead_->setFullText(tr("Samples per second"));
  const QString predicted = rateText(kept->samplesPerSecond);
  QStringList by;
  for (const std::string& source : kept->sources) by << said(source);
  rateHead_->setFullText(rate > 0 ? tr("Predicted %1 samples/s, measured %2").arg(predicted, rateText(rate)) : tr("Predicted %1 samples/s").arg(predicted));
  rateView_->setToolTip(tr("Predicted by %1.").arg(by.join("; ")));
}

void RunPage::followLanes() {
  const LanesView::Range range = lanes_->range();
  LanesFeed::Part part{.rounds = lanes_->spansWanted()};
  if (!lanes_->showsAll()) part.begin = range.begin, part.end = range.end;
  feed_.want(part);
  showCharts();
}

void RunPage::showPlace(const why::Place& place) {
  const double beside = kBeside * (place.end - place.begin);
  lanes_->setRange({std::max(0.0, place.begin - beside), place.end + beside});
}

void RunPage::applyRemedy(int cause) {
  const why::Diagnosis* told = why_.diagnosis();
  if (!told || cause < 0 || cause >= static_cast<int>(told->causes.size())) return;
  const std::optional<why::Remedy>& remedy = told->causes[static_cast<std::size_t>(cause)].remedy;
  if (remedy && remedy->change) shell_.changeCopy(run(), remedy->words, remedy->change);
}

// Over the same time as the lanes. Their cards name what they show.
void RunPage::showCharts() {
  const auto shown = [this](Figure figure) {
    figure.y.title.clear();
    if (!lanes_->showsAll()) figure.x.min = lanes_->range().begin / live_.secondsPerUnit(), figure.x.max = lanes_->range().end / live_.secondsPerUnit();
    return figure;
  };
  accuracyView_->setFigure(shown(live_.accuracyFigure()));
  rateView_->setFigure(shown(live_.throughputFigure()));
}

void RunPage::setCursor(std::optional<double> seconds) {
  const auto x = seconds ? std::optional(*seconds / live_.secondsPerUnit()) : std::nullopt;
  for (figure::FigureView* chart : {accuracyView_, rateView_}) chart->setCursor(x);
}

void RunPage::followProgress() {
  const store::RunRow& row = live_.snapshot().run;
  const recorder::Entry* entry = shell_.queue.find(run());
  if (entry && !entry->waiting) bar_->setValue(std::max(bar_->value(), static_cast<int>(1000 * entry->progress.fraction)));
  bar_->setVisible(entry && !entry->waiting);
  widgets::tell(eta_, entry && entry->state != store::RunState::kStopping ? leftText(entry->progress) : QString());  // of all that was planned
  QStringList doing;
  if (entry && (entry->waiting || entry->state != store::RunState::kRunning)) doing << entryWord(*entry);
  else if (entry) doing << QString("%1 %").arg(bar_->value() / 10);
  if (entry && !entry->text.empty()) doing << said(entry->text);
  if (!entry && store::isEnded(row.state) && row.error.empty() && !row.reason.empty()) doing << reasonWord(row.reason);
  widgets::tell(doing_, doing.join(", "));
}

void RunPage::tick() {
  const store::RunRow& row = live_.snapshot().run;
  const double elapsed = elapsedSeconds(live_.snapshot(), live_.now());
  elapsed_->setValue(elapsed > 0 ? durationText(elapsed) : "—", row.source == "simulated" ? tr("of virtual time") : isActive(row.state) ? tr("since the start") : tr("of training"));
  if (store::isEnded(row.state)) tick_.stop();
}

void RunPage::showDiverged() { (new DivergedDialog(this, shell_.recorder.storePath(), run()))->open(); }

bool RunPage::canStop() const { return stop_->isVisibleTo(this) && stop_->isEnabled(); }

void RunPage::refreshActions() {
  const store::RunRow& row = live_.snapshot().run;
  const bool own = shell_.queue.find(run()) != nullptr;
  stop_->setVisible(own || isActive(row.state));
  stop_->setEnabled(row.state != store::RunState::kStopping);
  attach_->setVisible(row.state == store::RunState::kStale && !own);
  resume_->setVisible(run::canResume(row) && !own);
  rerun_->setEnabled(!row.specText.empty());
  copyError_->setVisible(!row.error.empty());
}

}  // namespace paceline::runs
