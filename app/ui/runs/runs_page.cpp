#include "app/ui/runs/runs_page.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSettings>
#include <algorithm>
#include <set>

#include "app/models/words.h"
#include "app/ui/runs/queue_pane.h"
#include "app/ui/runs/run_details.h"
#include "app/ui/runs/view_menu.h"
#include "app/ui/runs/welcome.h"
#include "app/ui/widgets/context_menu.h"
#include "app/ui/widgets/pinned_columns.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {

RunsPage::RunsPage(Shell& shell)
    : widgets::Page(tr("Runs")), shell_(shell), rows_(shell.runs, shell.queue), queue_(new QueuePane(shell)), stack_(new QStackedWidget), details_(new RunDetails(shell, rows_)) {
  titleRow_->addWidget(widgets::button(tr("New experiment"), "plus", [this] { shell_.newExperiment(); }, {.kind = "primary", .help = "Ctrl+N"}));
  buildRow();
  QSplitter* splitter = widgets::splitter(Qt::Horizontal, {{buildTable(), 830, 1}, {details_, 272}});
  splitter->setObjectName("runsSplitter");
  widgets::addAll(body_, {widgets::horizontalLine(), queue_, {splitter, 1}});
  connect(&shell_.runs, &RunsModel::refreshed, this, &RunsPage::follow);
  connect(&shell_.catalogue, &Catalogue::changed, this, [this] { welcome_->follow(); });
  for (const auto change : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) connect(&rows_, change, this, &RunsPage::showEmpty);
  connect(&rows_, &QAbstractItemModel::dataChanged, this, &RunsPage::follow);
  connect(&rows_, &QAbstractItemModel::modelAboutToBeReset, this, [this] { kept_ = chosen(), keptCurrent_ = rows_.idAt(table_->currentIndex().row()); });
  connect(&rows_, &QAbstractItemModel::modelReset, this, [this] { select(kept_, keptCurrent_), showEmpty(); });
  follow();
}

void RunsPage::buildRow() {
  search_ = widgets::searchField(tr("Search name, tag, algorithm, model, data, state"), "runsSearch", [this](const QString& text) {
    rows_.setWords(text);
    QSettings().setValue("runs/search", text);
    showEmpty();
  });
  search_->setMinimumWidth(200);
  search_->setMaximumWidth(380);
  states_ = new widgets::Segments({tr("All"), tr("Active"), tr("Finished"), tr("Problems")});
  trash_ = widgets::button(tr("Trash"), "trash", {}, {.kind = "quiet", .name = "showTrash"});
  trash_->setCheckable(true);
  count_ = widgets::label("", "muted");
  sample_ = widgets::button(tr("Hide the sample"), "", [this] { shell_.hideSample(); }, {.kind = "quiet", .name = "hideSample", .help = tr("Moves the runs of the sample project to the trash; Open a sample project brings them back")});
  views_ = new ViewMenu(RunsModel::headings(), {.present = [this] { return view(); }, .show = [this](const RunView& view) { setView(view); },
                                                .setColumn = [this](int column, bool shown) { table_->setColumnHidden(column, !shown); }});
  widgets::addAll(addRow(), {{search_, 2}, states_, views_, widgets::room(), count_, trash_});
  titleRow_->insertWidget(titleRow_->count() - 1, sample_);
  connect(states_, &widgets::Segments::chosen, this, [this](int index) {
    rows_.setStates(static_cast<RunRows::States>(index));
    QSettings().setValue("runs/states", index);
    showEmpty();
  });
  connect(trash_, &QPushButton::toggled, this, &RunsPage::setTrash);
}

QWidget* RunsPage::buildTable() {
  for (const QString& suite : QSettings().value("runs/unfolded").toStringList()) rows_.setFolded(suite.toStdString(), false);
  table_ = widgets::table(rows_, "runsTable", tr("Runs"));
  table_->setSortingEnabled(true);
  table_->sortByColumn(RunsModel::kCreated, Qt::DescendingOrder);
  table_->setItemDelegateForColumn(RunsModel::kName, widgets::runNameCells(table_));
  table_->setItemDelegateForColumn(RunsModel::kState, widgets::runStateCells(table_));
  for (const int column : {RunsModel::kAccuracy, RunsModel::kThroughput, RunsModel::kWall}) table_->setItemDelegateForColumn(column, widgets::runNumberCells(table_));
  QHeaderView* header = table_->horizontalHeader();
  widgets::setWidths(table_, {190, 56, 100, 90, 80, 80, 90, 104, 80, 110});
  header->setMinimumSectionSize(56);
  header->setSectionsMovable(true);
  widgets::keepColumns(table_, "runs/columns");
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPage::follow);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const std::string id = rows_.idAt(index.row());
    if (rows_.kindAt(index.row()) == RunRows::Kind::kSuite) return setFolded(id, !rows_.folded(id));
    if (shell_.runs.find(id)) shell_.openRun(id);
  });
  pinned_ = new widgets::PinnedColumns(table_, {RunsModel::kName, RunsModel::kSeed});
  for (QTableView* each : {table_, static_cast<QTableView*>(pinned_)}) {
    each->viewport()->installEventFilter(this);
    widgets::offerButtons(each, details_);
  }
  table_->installEventFilter(this);
  empty_ = new widgets::EmptyState("runs", "", "");
  welcome_ = new Welcome(shell_);
  stack_->addWidget(table_);
  stack_->addWidget(empty_);
  stack_->addWidget(welcome_);
  search_->setText(QSettings().value("runs/search").toString());
  states_->setCurrent(QSettings().value("runs/states", 0).toInt());
  return stack_;
}

std::vector<std::string> RunsPage::chosen() const {
  QModelIndexList rows = table_->selectionModel()->selectedRows();
  std::ranges::sort(rows, {}, &QModelIndex::row);
  std::vector<std::string> ids;
  for (const QModelIndex& index : rows) ids.push_back(rows_.idAt(index.row()));
  return ids;
}

// A suite stands for its runs.
std::vector<std::string> RunsPage::selected() const {
  std::vector<std::string> runs;
  std::set<std::string> known;
  const auto add = [&](const std::string& run) {
    if (known.insert(run).second) runs.push_back(run);
  };
  for (const std::string& id : chosen()) {
    const SuiteFacts* suite = rows_.suite(id);
    if (suite == nullptr) add(id);
    else std::ranges::for_each(suite->attempts, add);
  }
  return runs;
}

void RunsPage::select(const std::vector<std::string>& ids, const std::string& current) {
  QItemSelection selection;
  for (const std::string& id : ids)
    if (const int row = rows_.rowOf(id); row >= 0) selection.select(rows_.index(row, 0), rows_.index(row, rows_.columnCount() - 1));
  if (const int row = rows_.rowOf(current); row >= 0) table_->selectionModel()->setCurrentIndex(rows_.index(row, 0), QItemSelectionModel::NoUpdate);
  table_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

void RunsPage::setFolded(const std::string& suite, bool folded) {
  rows_.setFolded(suite, folded);
  QStringList open;
  for (const std::string& each : rows_.unfolded())
    if (rows_.suite(each) != nullptr) open << qtext(each);  // those that are gone are forgotten
  QSettings().setValue("runs/unfolded", open);
}

bool RunsPage::foldByKey(int key) {
  const int row = table_->currentIndex().row();
  const std::string suite = rows_.suiteAt(row);
  if (suite.empty()) return false;
  if (rows_.kindAt(row) == RunRows::Kind::kSuite) {
    setFolded(suite, key == Qt::Key_Left);
  } else if (const int head = rows_.rowOf(suite); key == Qt::Key_Left && head >= 0) {
    table_->setCurrentIndex(rows_.index(head, table_->currentIndex().column()));
  }
  return true;
}

// Left and Right fold and unfold, as in a tree; so does the triangle before a suite's name.
bool RunsPage::eventFilter(QObject* object, QEvent* event) {
  if (object == table_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if ((key->key() == Qt::Key_Left || key->key() == Qt::Key_Right) && key->modifiers() == Qt::NoModifier && foldByKey(key->key())) return true;
  }
  QTableView* view = object == pinned_->viewport() ? pinned_ : object == table_->viewport() ? table_ : nullptr;
  if (view && event->type() == QEvent::MouseButtonPress) {
    const QPoint at = static_cast<QMouseEvent*>(event)->position().toPoint();
    const QModelIndex index = view->indexAt(at);
    const bool triangle = index.isValid() && index.column() == RunsModel::kName && at.x() - view->visualRect(index).left() < widgets::foldWidth();
    if (triangle && rows_.kindAt(index.row()) == RunRows::Kind::kSuite) {
      const std::string suite = rows_.idAt(index.row());
      table_->setFocus(Qt::MouseFocusReason);
      return setFolded(suite, !rows_.folded(suite)), true;
    }
  }
  return widgets::Page::eventFilter(object, event);
}

RunView RunsPage::view() const {
  RunView view{.name = {}, .words = search_->text(), .states = states_->current(), .column = table_->horizontalHeader()->sortIndicatorSection(),
               .descending = table_->horizontalHeader()->sortIndicatorOrder() == Qt::DescendingOrder, .hidden = {}};
  for (int column = 0; column < rows_.columnCount(); ++column)
    if (table_->isColumnHidden(column)) view.hidden << column;
  return view;
}

void RunsPage::setView(const RunView& view) {
  search_->setText(view.words);
  states_->setCurrent(view.states);
  table_->sortByColumn(view.column, view.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
  for (int column = 0; column < rows_.columnCount(); ++column) table_->setColumnHidden(column, view.hidden.contains(column));
}

void RunsPage::follow() {
  const bool here = isAncestorOf(QApplication::focusWidget());
  const std::vector<std::string> ids = chosen();
  details_->present(selected(), ids.size() == 1 ? rows_.suite(ids.front()) : nullptr);
  showEmpty();
  if (here && !isAncestorOf(QApplication::focusWidget())) takeKeyboard();  // a button of the details has gone; the next in turn is one of a message
}

void RunsPage::showEmpty() {
  const bool inTable = table_->hasFocus(), here = isAncestorOf(QApplication::focusWidget());
  const int all = rows_.allRuns(), shown = rows_.shownRuns();
  count_->setText(shown == all ? tr("%n run(s)", nullptr, all) : tr("%1 of %2").arg(shown).arg(tr("%n run(s)", nullptr, all)));
  if (!shell_.runs.loaded()) empty_->setWords(tr("Reading the store"), "");
  else if (all > 0) empty_->setWords(tr("Nothing matches"), tr("No run has all of these words and that state."));
  else if (shell_.runs.trashed()) empty_->setWords(tr("The trash is empty"), tr("Runs that are moved to the trash wait here until they are restored or deleted for ever."));
  const bool welcome = shell_.runs.loaded() && all == 0 && !shell_.runs.trashed();
  if (welcome) welcome_->follow();
  QWidget* seen = shown > 0 ? static_cast<QWidget*>(table_) : welcome ? static_cast<QWidget*>(welcome_) : empty_;
  stack_->setCurrentWidget(seen);
  sample_->setVisible(shell_.sampleShown());
  details_->setVisible(shown > 0);
  if ((inTable && shown == 0) || (here && !isAncestorOf(QApplication::focusWidget()))) takeKeyboard();  // else the rail or a message has it
}

void RunsPage::setTrash(bool on) {
  trash_->setText(on ? tr("Back to runs") : tr("Trash"));
  title_->setText(on ? tr("Trash") : tr("Runs"));
  shell_.runs.setTrashed(on);
}

void RunsPage::trashSelected() {
  if (queue_->hasKeyboard()) return queue_->stopSelected();
  if (shell_.runs.trashed()) return;
  if (const std::vector<std::string> runs = details_->ended(); !runs.empty()) shell_.moveRuns(runs, true);
}

void RunsPage::takeKeyboard() {
  (table_->isVisible() ? static_cast<QWidget*>(table_) : this)->setFocus(Qt::OtherFocusReason);
}

void RunsPage::entered() {
  shell_.runs.refresh();
  if (!search_->hasFocus()) takeKeyboard();
}

}  // namespace paceline::runs
