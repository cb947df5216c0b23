#include "app/ui/runs/queue_pane.h"

#include <QHeaderView>
#include <QShortcut>
#include <algorithm>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {
namespace {

constexpr int kMostRows = 6;  // then it scrolls

widgets::StateMark markOf(const QModelIndex& index) {
  const QString word = index.data().toString();
  if (word == "Held") return {"lock", widgets::Token::kWarn};
  if (word == "Waiting") return {"waiting", widgets::Token::kTextMuted};
  return widgets::stateMark(static_cast<store::RunState>(index.data(RunQueue::kStateRole).toInt()));
}

}  // namespace

QueuePane::QueuePane(Shell& shell, QWidget* parent)
    : QWidget(parent), shell_(shell), count_(widgets::label("", "muted")),
      go_(widgets::button("Go", "play", [this] { shell_.queue.go(); }, {.kind = "primary", .name = "queueGo", .help = "Starts the runs held since the restart of this computer"})),
      up_(widgets::button("Up", "", [this] { move(-1); }, {.name = "queueUp", .help = "Before the one above (Alt+Up)"})),
      down_(widgets::button("Down", "", [this] { move(1); }, {.name = "queueDown", .help = "Behind the one below (Alt+Down)"})),
      stop_(widgets::button("Stop", "stop", [this] { stopSelected(); }, {.kind = "bad", .name = "queueStop"})), table_(new QTableView) {
  setObjectName("queuePane");
  table_->setObjectName("queueTable");
  table_->setAccessibleName("Queue");
  table_->setModel(&shell_.queue);
  widgets::styleTable(table_);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setItemDelegateForColumn(RunQueue::kState, new widgets::MarkedDelegate(markOf, table_));
  widgets::setWidths(table_, {260, 110, 200, 200});
  table_->horizontalHeader()->setSectionResizeMode(RunQueue::kText, QHeaderView::Stretch);
  setLayout(widgets::down({widgets::across({widgets::label("Queue", "section"), count_, widgets::room(), go_, up_, down_, stop_}, {widgets::kPageMargin, 0, widgets::kPageMargin, 0}), table_, widgets::horizontalLine()}));
  connect(&shell_.queue, &RunQueue::changed, this, &QueuePane::follow);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
    if (now.isValid()) selected_ = now.data(RunQueue::kRunRole).toString().toStdString(), follow();
  });
  connect(table_, &QTableView::activated, this, [this] {
    if (const recorder::Entry* entry = shell_.queue.find(selected_); entry && !entry->waiting) shell_.openRun(selected_);
  });
  const auto onKey = [this](int key, int by) {
    auto* shortcut = new QShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(key)), table_);
    shortcut->setContext(Qt::WidgetShortcut);
    connect(shortcut, &QShortcut::activated, this, [this, by] { move(by); });
  };
  onKey(Qt::Key_Up, -1);
  onKey(Qt::Key_Down, 1);
  follow();
}

void QueuePane::follow() {
  const RunQueue& queue = shell_.queue;
  setVisible(queue.busy());
  const auto waiting = std::ranges::count(queue.entries(), true, &recorder::Entry::waiting);
  count_->setText(QString("%1 in progress, %2 waiting").arg(queue.rowCount() - waiting).arg(waiting));
  const int row = queue.rowOf(selected_);
  if (row >= 0 && table_->currentIndex().row() != row) table_->selectRow(row);
  const recorder::Entry* entry = queue.find(selected_);
  go_->setVisible(queue.held() > 0);
  for (QPushButton* each : {up_, down_}) each->setEnabled(entry && entry->waiting && waiting > 1);
  stop_->setEnabled(entry && entry->state != store::RunState::kStopping);
  stop_->setText(entry && entry->waiting ? "Remove" : "Stop");
  const int rows = std::clamp(queue.rowCount(), 1, kMostRows);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() + rows * widgets::kRowHeight + 2);
}

void QueuePane::stopSelected() {
  if (shell_.queue.find(selected_)) shell_.queue.stop(selected_);
}

}  // namespace paceline::runs
