#include "app/ui/data/data_page.h"

#include <QHeaderView>

#include "app/models/words.h"
#include "app/ui/data/data_pane.h"
#include "app/ui/widgets/file_dialog.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::data {

DataPage::DataPage(Shell& shell, DataServices services)
    : widgets::Page(tr("Data")), shell_(shell), sets_(shell.catalogue, std::move(services)), filter_(DataSets::kSearchRole), stack_(new QStackedWidget), pane_(new DataPane(shell, sets_)) {
  titleRow_->addWidget(widgets::button(tr("Check a file…"), "", [this] { addFile(); }, {.name = "addDataFile", .help = tr("Arrays of your own (.npz, .npy, .safetensors, .csv): shapes, ranges, classes, what is no number")}));
  titleRow_->addWidget(widgets::button(tr("Check a folder…"), "search", [this] { addFolder(); }, {.kind = "primary", .name = "addDataFolder", .help = tr("Which data set a folder holds, whether it is whole, a look at it (Ctrl+Return)")}));
  buildRow();
  widgets::addAll(body_, {widgets::horizontalLine(), {widgets::splitter(Qt::Horizontal, {{buildTable(), 620, 1}, {pane_, 460}}), 1}});
  connect(&sets_, &DataSets::reloaded, this, &DataPage::follow);
  connect(&sets_, &QAbstractItemModel::rowsInserted, this, &DataPage::follow);
  follow();
}

void DataPage::buildRow() {
  search_ = widgets::searchField(tr("Search name, state, folder"), "dataSearch", [this](const QString& words) { filter_.setWords(words), follow(); });
  search_->setMaximumWidth(320);
  states_ = new widgets::Segments({tr("All"), tr("Here"), tr("Not here")});
  states_->setObjectName("dataStates");
  count_ = widgets::label("", "muted");
  widgets::addAll(addRow(), {{search_, 1}, states_, widgets::room(), count_});
  connect(states_, &widgets::Segments::chosen, this, [this](int states) {
    filter_.setAccepts([this, states](const QModelIndex& index) {
      const DataSet* set = sets_.find(index.data(DataSets::kKeyRole).toString());
      return states == 0 || !set || set->here() == (states == 1);
    });
    follow();
  });
}

QWidget* DataPage::buildTable() {
  filter_.setSourceModel(&sets_);
  filter_.setSortRole(DataSets::kSortRole);
  table_ = widgets::table(filter_, "dataTable", tr("Data sets"));
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setSortingEnabled(true);
  filter_.sort(-1);  // the catalogue's order until a header is clicked
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  const auto markOf = [](const QModelIndex& index) { return standingMark(static_cast<SetStanding>(index.data(DataSets::kStandingRole).toInt())); };
  table_->setItemDelegateForColumn(DataSets::kState, widgets::markedCells(markOf, table_));
  widgets::setWidths(table_, {120, 96, 72, 150, 72, 64, 64, 80}, DataSets::kWhere);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &DataPage::followSelection);
  connect(table_, &QTableView::activated, this, [this] { pane_->act(); });
  empty_ = new widgets::EmptyState("data", "", "", tr("Try again"), [this] { sets_.load(); });
  stack_->addWidget(table_);
  stack_->addWidget(empty_);
  return stack_;
}

void DataPage::addFolder() { checkFolder(widgets::askFolderPath(this, {.title = tr("A folder that holds a data set")})); }

void DataPage::addFile() { checkFolder(widgets::askOpenPath(this, {.title = tr("A file that holds a data set"), .filters = tr("Arrays (*.npz *.npy *.safetensors *.csv);;All files (*)")})); }

void DataPage::checkFolder(const QString& path) {
  if (path.isEmpty()) return;
  search_->clear();
  states_->setCurrent(0);
  filter_.setAccepts({});
  select(sets_.addFolder(path));
}

void DataPage::select(const QString& key) {
  wanted_ = key;
  const QModelIndexList found = filter_.match(filter_.index(0, 0), DataSets::kKeyRole, key, 1, Qt::MatchExactly);
  if (found.isEmpty()) return;
  table_->setCurrentIndex(found.front());
  table_->selectRow(found.front().row());
}

void DataPage::followSelection() {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  if (rows.isEmpty()) return;  // the list is read again
  wanted_ = rows.front().data(DataSets::kKeyRole).toString();
  pane_->setSet(wanted_);
}

void DataPage::follow() {
  const int all = sets_.rowCount(), shown = filter_.rowCount();
  count_->setText(shown == all ? tr("%n data set(s)", nullptr, all) : tr("%1 of %2").arg(shown).arg(tr("%n data set(s)", nullptr, all)));
  const QString& problem = sets_.problem();
  if (!problem.isEmpty()) empty_->setWords(tr("Data sets cannot be listed"), asSentence(problem));
  else if (!sets_.loaded()) empty_->setWords(tr("Asking the worker program"), tr("It knows the data sets and where they are."));
  else empty_->setWords(tr("No data set matches"), tr("Change the search words or the filter above."));
  empty_->setActionVisible(!problem.isEmpty());
  stack_->setCurrentIndex(shown == 0 ? 1 : 0);
  pane_->setVisible(all > 0);
  if (shown == 0) return;
  if (const DataSet* set = sets_.find(wanted_); !set) wanted_ = filter_.index(0, 0).data(DataSets::kKeyRole).toString();
  if (table_->selectionModel()->selectedRows().isEmpty()) select(wanted_);
  if (pane_->key() != wanted_ || isVisible()) pane_->setSet(wanted_);
}

void DataPage::entered() {
  sets_.load();
  if (!pane_->key().isEmpty()) pane_->setSet(pane_->key());
  if (!search_->hasFocus() && table_->isVisible()) table_->setFocus(Qt::OtherFocusReason);
}

}  // namespace paceline::data
