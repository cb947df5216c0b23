#include "app/ui/runs/runs_page.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QSettings>
#include <QSplitter>

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/runs/queue_pane.h"
#include "app/ui/runs/run_details.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {

RunsPage::RunsPage(Shell& shell, QWidget* parent)
    : widgets::Page("Runs", parent), shell_(shell), queue_(new QueuePane(shell)), table_(new QTableView), stack_(new QStackedWidget),
      details_(new RunDetails(shell)), splitter_(new QSplitter) {
  titleRow()->addWidget(widgets::button("New experiment", "plus", [this] { shell_.newExperiment(); }, {.kind = "primary", .help = "Ctrl+N"}));
  buildFilterRow();
  splitter_->setObjectName("runsSplitter");
  splitter_->setChildrenCollapsible(false);
  splitter_->addWidget(buildTable());
  splitter_->addWidget(details_);
  splitter_->setStretchFactor(0, 1);
  splitter_->setSizes({830, 272});
  widgets::addAll(body(), {widgets::horizontalLine(), queue_, {splitter_, 1}});
  connect(&shell_.runs, &RunsModel::refreshed, this, &RunsPage::follow);
  connect(&filter_, &QAbstractItemModel::rowsInserted, this, &RunsPage::showEmpty);
  connect(&filter_, &QAbstractItemModel::rowsRemoved, this, &RunsPage::showEmpty);
  connect(&filter_, &QAbstractItemModel::modelReset, this, &RunsPage::showEmpty);
  follow();
}

void RunsPage::buildFilterRow() {
  search_ = widgets::searchField("Search name, tag, algorithm, model, data, state", "runsSearch", [this](const QString& text) {
    filter_.setWords(text);
    QSettings().setValue("runs/search", text);
    showEmpty();
  });
  search_->setMinimumWidth(280);
  search_->setMaximumWidth(380);
  states_ = new widgets::Segments({"All", "Active", "Finished", "Problems"});
  trash_ = widgets::button("Trash", "trash", {}, {.kind = "quiet"});
  trash_->setCheckable(true);
  count_ = widgets::label("", "muted");
  widgets::addAll(addRow(), {{search_, 2}, states_, widgets::room(), count_, trash_});
  connect(states_, &widgets::Segments::chosen, this, [this](int index) {
    filter_.setStates(static_cast<RunsFilter::States>(index));
    QSettings().setValue("runs/states", index);
    showEmpty();
  });
  connect(trash_, &QPushButton::toggled, this, &RunsPage::setTrash);
}

QWidget* RunsPage::buildTable() {
  filter_.setSourceModel(&shell_.runs);
  table_->setModel(&filter_);
  table_->setObjectName("runsTable");
  widgets::styleTable(table_);
  table_->setSortingEnabled(true);
  table_->sortByColumn(RunsModel::kCreated, Qt::DescendingOrder);
  table_->setItemDelegateForColumn(RunsModel::kName, new widgets::RunNameDelegate(table_));
  table_->setItemDelegateForColumn(RunsModel::kState, new widgets::RunStateDelegate(table_));
  QHeaderView* header = table_->horizontalHeader();
  widgets::setWidths(table_, {216, 104, 90, 80, 80, 90, 104, 80, 110});
  header->setMinimumSectionSize(56);
  header->setSectionsMovable(true);
  const QByteArray layout = QSettings().value("runs/header").toByteArray();
  if (!layout.isEmpty()) header->restoreState(layout);
  const auto remember = [header] { QSettings().setValue("runs/header", header->saveState()); };
  connect(header, &QHeaderView::sectionResized, this, remember);
  connect(header, &QHeaderView::sectionMoved, this, remember);
  connect(header, &QHeaderView::sortIndicatorChanged, this, remember);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPage::follow);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    shell_.openRun(index.data(RunsModel::kIdRole).toString().toStdString());
  });
  empty_ = new widgets::EmptyState("runs", "", "", "New experiment");
  connect(empty_, &widgets::EmptyState::acted, this, [this] { shell_.newExperiment(); });
  stack_->addWidget(table_);
  stack_->addWidget(empty_);
  search_->setText(QSettings().value("runs/search").toString());
  states_->setCurrent(QSettings().value("runs/states", 0).toInt());
  return stack_;
}

std::vector<std::string> RunsPage::selected() const {
  std::vector<std::string> runs;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows())
    runs.push_back(index.data(RunsModel::kIdRole).toString().toStdString());
  return runs;
}

void RunsPage::follow() {
  const std::vector<std::string> runs = selected();
  details_->present(runs.size() == 1 ? shell_.runs.find(runs.front()) : nullptr, static_cast<int>(runs.size()));
  showEmpty();
}

void RunsPage::showEmpty() {
  const int all = shell_.runs.rowCount(), shown = filter_.rowCount();
  count_->setText(shown == all ? plural(all, "run") : QString("%1 of %2").arg(shown).arg(plural(all, "run")));
  if (!shell_.runs.loaded())
    empty_->setWords("Reading the store", "");
  else if (all > 0)
    empty_->setWords("Nothing matches", "No run has all of these words and that state.");
  else if (shell_.runs.trashed())
    empty_->setWords("The trash is empty", "Runs that are moved to the trash wait here until they are restored or deleted for ever.");
  else
    empty_->setWords("No runs yet", "A run is one training: real worker and server processes, measured round by round. Set one up, or import results with paceline import.");
  empty_->setActionVisible(shell_.runs.loaded() && all == 0 && !shell_.runs.trashed());
  stack_->setCurrentIndex(shown > 0 ? 0 : 1);
  details_->setVisible(shown > 0);
}

void RunsPage::setTrash(bool on) {
  trash_->setText(on ? "Back to runs" : "Trash");
  title()->setText(on ? "Trash" : "Runs");
  shell_.runs.setTrashed(on);
}

void RunsPage::trashSelected() {
  if (queue_->hasKeyboard()) return queue_->stopSelected();
  if (shell_.runs.trashed()) return;
  std::vector<std::string> runs;
  for (const std::string& run : selected())
    if (const RunItem* item = shell_.runs.find(run); item && !isActive(item->row.state)) runs.push_back(run);
  if (!runs.empty()) shell_.trashRuns(runs);
}

void RunsPage::selectFirst() {
  if (filter_.rowCount() > 0) table_->selectRow(0);
}

void RunsPage::hideEvent(QHideEvent*) { trash_->setChecked(false); }

void RunsPage::find() { widgets::focusAll(search_); }

void RunsPage::entered() {
  shell_.runs.refresh();
  if (table_->isVisible() && !search_->hasFocus()) table_->setFocus(Qt::OtherFocusReason);
}

}  // namespace paceline::runs
