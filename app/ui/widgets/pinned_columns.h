// Columns of a table that stay at its left edge while it scrolls sideways: a second view of the same rows and the same selection lies over the first as soon as it has
// scrolled. GUI thread; the table owns it.
#pragma once

#include <vector>

#include <QTableView>

namespace paceline::widgets {

class PinnedColumns : public QTableView {
 public:
  PinnedColumns(QTableView* table, std::vector<int> columns);  // after the table has its delegates

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void place();

  QTableView* table_;
  std::vector<int> columns_;
};

}  // namespace paceline::widgets
