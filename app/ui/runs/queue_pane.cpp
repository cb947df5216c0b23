#include "app/ui/runs/queue_pane.h"

#include <algorithm>

#include <QScopedValueRollback>
#include <QShortcut>

#include "app/models/words.h"
#include "app/ui/palette/keys.h"
#include "app/ui/widgets/context_menu.h"
#include "app/ui/widgets/row_drag.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {
namespace {

constexpr int kMostQueued = 6;  // rows; then the queue scrolls
constexpr int kFarthest = 1 << 20;

widgets::StateMark queueMark(const QModelIndex& index) {
  if (index.data(RunQueue::kHeldRole).toBool()) return widgets::standingMark(recorder::CellStanding::kHeld);
  if (index.data(RunQueue::kWaitsRole).toBool()) return widgets::standingMark(recorder::CellStanding::kWaiting);
  return widgets::stateMark(static_cast<store::RunState>(index.data(RunQueue::kStateRole).toInt()));
}

bool waits(const recorder::Entry& entry) { return entry.waiting; }
bool isHeld(const recorder::Entry& entry) { return entry.held; }
bool mayBeHeld(const recorder::Entry& entry) { return entry.waiting && !entry.held; }
bool mayStop(const recorder::Entry& entry) { return entry.state != store::RunState::kStopping; }

}  // namespace

QueuePane::QueuePane(Shell& shell) : shell_(shell), table_(widgets::table(shell.queue, "queueTable", tr("Queue"))) {
  setObjectName("queuePane");
  const auto button = [](const QString& text, const char* icon, std::function<void()> act, const widgets::ButtonLook& look) { return widgets::button(text, icon, std::move(act), look); };
  go_ = button(tr("Go"), "play", [this] { shell_.queue.go(selectedThat(isHeld)); }, {.kind = "primary", .name = "queueGo", .help = tr("Starts held runs in turn: those that are selected, else all (Space)")});
  hold_ = button(tr("Hold"), "", [this] { shell_.queue.hold(selectedThat(mayBeHeld)); }, {.name = "queueHold", .help = tr("Pauses waiting runs until Go: those that are selected, else all (Space)")});
  up_ = button(tr("Up"), "", [this] { move(-1); }, {.name = "queueUp", .help = tr("Before the one above (Alt+Up; Alt+Home: before all). Rows can be dragged, too")});
  down_ = button(tr("Down"), "", [this] { move(1); }, {.name = "queueDown", .help = tr("Behind the one below (Alt+Down; Alt+End: behind all). Rows can be dragged, too")});
  stop_ = button(tr("Stop"), "stop", [this] { stopSelected(); }, {.kind = "bad", .name = "queueStop"});
  QSizePolicy stays = go_->sizePolicy();
  stays.setRetainSizeWhenHidden(true);  // it is higher than the others
  go_->setSizePolicy(stays);
  table_->setItemDelegateForColumn(RunQueue::kState, widgets::markedCells(queueMark, table_));
  widgets::setWidths(table_, {220, 96, 150, 150}, RunQueue::kText);
  QHBoxLayout* title = widgets::across({widgets::label(tr("Queue"), "section"), count_, widgets::room(), go_, hold_, up_, down_, stop_}, {widgets::kPageMargin, 12, widgets::kPageMargin, 0});
  setLayout(widgets::down({title, table_, widgets::horizontalLine()}));
  widgets::offerButtons(table_, this);
  connect(&shell_.queue, &RunQueue::changed, this, &QueuePane::follow);
  connect(&shell_.queue, &QAbstractItemModel::modelReset, this, &QueuePane::select);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &QueuePane::follow);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueuePane::takeSelection);
  connect(&shell_.queue, &RunQueue::leaves, this, [this](const std::string& run) {
    if (std::erase(selected_, run) > 0) select();  // else the view selects its neighbour
  });
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const std::string run = index.data(RunQueue::kRunRole).toString().toStdString();
    if (const recorder::Entry* entry = shell_.queue.find(run); entry && !entry->waiting) shell_.openRun(run);
  });
  new widgets::RowDrag(table_, [this](int row) { return shell_.queue.entries()[static_cast<std::size_t>(row)].waiting; },
                       [this](int before) { shell_.queue.moveToRow(selected_, before); });
  const auto shortcut = [this](QKeySequence keys, const QString& does, auto act) {
    palette::tellKeys(new QShortcut(keys, table_, this, act, Qt::WidgetShortcut), tr("Queue"), does);
  };
  shortcut(Qt::ALT | Qt::Key_Up, tr("Earlier by one"), [this] { move(-1); });
  shortcut(Qt::ALT | Qt::Key_Down, tr("Later by one"), [this] { move(1); });
  shortcut(Qt::ALT | Qt::Key_Home, tr("First of those that wait"), [this] { shell_.queue.moveToRow(selected_, 0); });
  shortcut(Qt::ALT | Qt::Key_End, tr("Last"), [this] { shell_.queue.moveToRow(selected_, kFarthest); });
  shortcut(Qt::Key_Space, tr("Hold, or let go"), [this] { holdOrGo(); });
  follow();
}

std::vector<std::string> QueuePane::selectedThat(bool (*fits)(const recorder::Entry&)) const {
  std::vector<std::string> runs;
  for (const std::string& run : selected_)
    if (const recorder::Entry* entry = shell_.queue.find(run); entry && fits(*entry)) runs.push_back(run);
  return runs;
}

void QueuePane::holdOrGo() {
  const std::vector<std::string> held = selectedThat(isHeld), waiting = selectedThat(mayBeHeld);
  if (!held.empty()) shell_.queue.go(held);
  else if (!waiting.empty()) shell_.queue.hold(waiting);
}

void QueuePane::stopSelected() {
  if (const std::vector<std::string> runs = selectedThat(mayStop); !runs.empty()) shell_.stopRuns(runs);
}

// In the queue's order.
void QueuePane::takeSelection() {
  if (selecting_) return;
  QModelIndexList rows = table_->selectionModel()->selectedRows();
  std::ranges::sort(rows, {}, &QModelIndex::row);
  selected_.clear();
  for (const QModelIndex& row : rows) selected_.push_back(row.data(RunQueue::kRunRole).toString().toStdString());
  follow();
}

void QueuePane::select() {
  const QScopedValueRollback ours(selecting_, true);
  QItemSelectionModel* chosen = table_->selectionModel();
  chosen->clear();
  for (const std::string& run : selected_) {
    const QModelIndex index = shell_.queue.index(std::max(shell_.queue.rowOf(run), 0), 0);
    if (shell_.queue.find(run) == nullptr) continue;
    if (!chosen->currentIndex().isValid()) chosen->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    chosen->select(index, QItemSelectionModel::Select | QItemSelectionModel::Rows);
  }
}

void QueuePane::follow() {
  const RunQueue& queue = shell_.queue;
  setVisible(queue.busy());
  const auto waiting = std::ranges::count_if(queue.entries(), waits);
  count_->setText(tr("%1 in progress, %2 waiting").arg(queue.rowCount() - waiting).arg(waiting));
  const bool none = selectedThat([](const recorder::Entry&) { return true; }).empty(), onlyWaiting = !none && selectedThat(waits).size() == selected_.size();
  go_->setVisible(none ? queue.held() > 0 : !selectedThat(isHeld).empty());
  hold_->setEnabled(none ? waiting > queue.held() : !selectedThat(mayBeHeld).empty());
  for (QPushButton* each : {up_, down_}) each->setEnabled(!selectedThat(waits).empty() && waiting > 1);
  stop_->setEnabled(!selectedThat(mayStop).empty());
  stop_->setText(onlyWaiting ? tr("Remove") : tr("Stop"));
  most_ = queue.busy() ? std::max(most_, std::min(queue.rowCount(), kMostQueued)) : 0;
  widgets::fitRows(table_, kMostQueued, most_);
}

// While it is seen it does not get lower, so that the runs below it stay where the pointer is.
void QueuePane::hideEvent(QHideEvent*) { most_ = 0; }

}  // namespace paceline::runs
