#include "app/ui/widgets/row_drag.h"

#include <algorithm>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include "app/ui/widgets/theme.h"

namespace paceline::widgets {

RowDrag::RowDrag(QTableView* table, Movable movable, Dropped dropped)
    : QObject(table), table_(table), movable_(std::move(movable)), dropped_(std::move(dropped)), line_(new QFrame(table->viewport())) {
  line_->setObjectName("dropLine");
  line_->hide();
  table->viewport()->installEventFilter(this);
  table->installEventFilter(this);
  connect(table->model(), &QAbstractItemModel::modelAboutToBeReset, this, [this] { end(); });
}

bool RowDrag::eventFilter(QObject* object, QEvent* event) {
  const auto* mouse = dynamic_cast<QMouseEvent*>(event);
  if (object == table_) {
    const bool escape = dragging_ && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (escape) end(), event->accept();
    return escape;
  }
  switch (event->type()) {
    case QEvent::MouseButtonPress: return mouse->button() == Qt::LeftButton && press(mouse->position().toPoint(), mouse->modifiers());
    case QEvent::MouseMove: return (mouse->buttons() & Qt::LeftButton) != 0 && moveTo(mouse->position().toPoint());
    case QEvent::MouseButtonRelease: return mouse->button() == Qt::LeftButton && release();
    default: return false;
  }
}

bool RowDrag::press(const QPoint& at, Qt::KeyboardModifiers keys) {
  const int row = table_->rowAt(at.y());
  row_ = row >= 0 && movable_(row) && keys == Qt::NoModifier ? row : -1;
  pressed_ = at;
  const QItemSelectionModel* chosen = table_->selectionModel();
  later_ = row_ >= 0 && chosen->isRowSelected(row_, {}) && chosen->selectedRows().size() > 1;
  if (later_) table_->setFocus(Qt::MouseFocusReason);
  return later_;
}

bool RowDrag::moveTo(const QPoint& at) {
  if (row_ < 0) return false;
  if (!dragging_ && (at - pressed_).manhattanLength() < QApplication::startDragDistance()) return true;
  if (!std::exchange(dragging_, true)) table_->viewport()->setCursor(Qt::ClosedHandCursor);
  scroll(at.y());
  before_ = rowBefore(at.y());
  const int rows = table_->model()->rowCount();
  const int y = before_ < rows ? table_->rowViewportPosition(before_) : table_->rowViewportPosition(rows - 1) + table_->rowHeight(rows - 1);
  line_->setStyleSheet(QString("background: %1;").arg(hex(Token::kAccent)));
  line_->setGeometry(0, std::clamp(y - 1, 0, table_->viewport()->height() - 2), table_->viewport()->width(), 2);
  line_->show();
  line_->raise();
  return true;
}

// Above the middle of a row: before it. Never before those that cannot be moved and stand at the top.
int RowDrag::rowBefore(int y) const {
  const int rows = table_->model()->rowCount(), row = table_->rowAt(std::clamp(y, 0, table_->viewport()->height() - 1));
  int before = row < 0 ? rows : y > table_->rowViewportPosition(row) + table_->rowHeight(row) / 2 ? row + 1 : row;
  while (before < rows && !movable_(before)) ++before;
  return before;
}

void RowDrag::scroll(int y) {
  QScrollBar* bar = table_->verticalScrollBar();
  const int edge = table_->rowHeight(row_) / 2;
  if (y < edge) bar->setValue(bar->value() - edge);
  else if (y > table_->viewport()->height() - edge) bar->setValue(bar->value() + edge);
}

bool RowDrag::release() {
  const int before = before_, row = row_;
  const bool dropped = dragging_, select = std::exchange(later_, false) && !dropped;
  end();
  if (dropped) dropped_(before);
  else if (select) table_->selectRow(row);
  return dropped || select;
}

void RowDrag::end() {
  row_ = before_ = -1;
  line_->hide();
  if (std::exchange(dragging_, false)) table_->viewport()->unsetCursor();
}

}  // namespace paceline::widgets
