// Rows of a table that a person drags to another place with the mouse: a line shows where they would stand, Esc leaves them. What is selected goes together. Made of plain
// mouse events, as the placement board's: no system drag and drop. GUI thread; the table owns it.
#pragma once

#include <functional>

#include <QFrame>
#include <QTableView>

namespace paceline::widgets {

class RowDrag : public QObject {
 public:
  using Movable = std::function<bool(int row)>;
  using Dropped = std::function<void(int before)>;  // the row before which they were dropped; the number of rows: behind all
  RowDrag(QTableView* table, Movable movable, Dropped dropped);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  bool press(const QPoint& at, Qt::KeyboardModifiers keys);
  bool moveTo(const QPoint& at);
  bool release();
  void end();
  void scroll(int y);
  int rowBefore(int y) const;

  QTableView* table_;
  Movable movable_;
  Dropped dropped_;
  QFrame* line_;
  QPoint pressed_;
  int row_ = -1, before_ = -1;
  bool dragging_ = false, later_ = false;  // later_: one of several was pressed; alone it is selected when nothing is dragged
};

}  // namespace paceline::widgets
