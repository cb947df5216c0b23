#include "app/ui/widgets/pinned_columns.h"

#include <algorithm>

#include <QCoreApplication>
#include <QEvent>
#include <QHeaderView>
#include <QMouseEvent>
#include <QScrollBar>

#include "app/ui/widgets/tables.h"

namespace paceline::widgets {

PinnedColumns::PinnedColumns(QTableView* table, std::vector<int> columns) : QTableView(table), table_(table), columns_(std::move(columns)) {
  setObjectName("pinnedColumns");
  setModel(table->model());
  setSelectionModel(table->selectionModel());
  styleTable(this);
  setSelectionMode(table->selectionMode());
  setFocusPolicy(Qt::NoFocus);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (const int column : columns_)
    if (QAbstractItemDelegate* cells = table->itemDelegateForColumn(column)) setItemDelegateForColumn(column, cells);
  for (int column = 0; column < model()->columnCount(); ++column) setColumnHidden(column, std::ranges::find(columns_, column) == columns_.end());
  connect(table->verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(), &QScrollBar::setValue);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, table->verticalScrollBar(), &QScrollBar::setValue);
  connect(table->horizontalScrollBar(), &QScrollBar::valueChanged, this, [this] { place(); });
  connect(table->horizontalHeader(), &QHeaderView::sectionResized, this, [this] { place(); });
  connect(this, &QTableView::activated, table, &QTableView::activated);
  horizontalHeader()->setSectionsClickable(true);
  connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int column) {
    const QHeaderView* header = table_->horizontalHeader();
    const bool turn = header->sortIndicatorSection() == column && header->sortIndicatorOrder() == Qt::AscendingOrder;
    table_->sortByColumn(column, turn ? Qt::DescendingOrder : Qt::AscendingOrder);
  });
  table->installEventFilter(this);
  table->viewport()->installEventFilter(this);
  hide();
}

bool PinnedColumns::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Resize) place();
  return QTableView::eventFilter(object, event);
}

void PinnedColumns::mousePressEvent(QMouseEvent* event) {
  QTableView::mousePressEvent(event);
  table_->setFocus(Qt::MouseFocusReason);
}

void PinnedColumns::wheelEvent(QWheelEvent* event) { QCoreApplication::sendEvent(table_->viewport(), event); }

// At most half of the table: what scrolls must be seen.
void PinnedColumns::place() {
  const bool shown = table_->horizontalScrollBar()->value() > 0;
  setVisible(shown);
  if (!shown) return;
  int others = 0;
  for (std::size_t i = 1; i < columns_.size(); ++i) others += table_->columnWidth(columns_[i]);
  const int first = std::max(std::min(table_->columnWidth(columns_.front()), table_->viewport()->width() / 2 - others), scaled(96));
  for (const int column : columns_) {
    setColumnHidden(column, table_->isColumnHidden(column));
    setColumnWidth(column, column == columns_.front() ? first : table_->columnWidth(column));
  }
  setGeometry(table_->viewport()->x(), table_->horizontalHeader()->y(), horizontalHeader()->length() + 1, table_->horizontalHeader()->height() + table_->viewport()->height());
  verticalScrollBar()->setValue(table_->verticalScrollBar()->value());
  raise();
}

}  // namespace paceline::widgets
