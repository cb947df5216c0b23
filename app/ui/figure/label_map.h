// Samples of each class at each worker as a map: a row for each worker, a column for each class, the darker the more; numbers where they
// fit. The cell under the mouse, or chosen with the arrow keys, is told in words. GUI thread.
#pragma once

#include <QWidget>

#include "app/cluster/worker/worker_answer.h"

namespace paceline::figure {

class LabelMap : public QWidget {
  Q_OBJECT
 public:
  LabelMap();

  void show(worker::SplitCounts split);  // empty: a quiet field of the same height
  void setStale(bool stale);     // it is none of the document as it is: painted faintly
  void setWords(const QString& words);  // below the map while no cell is chosen
  QString words() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent*) override { choose(-1, -1); }
  void keyPressEvent(QKeyEvent* event) override;

 private:
  int rows() const;     // that are drawn
  int columns() const;  // classes
  double rowHeight() const;
  QRectF cells() const;
  QRectF cell(int row, int column) const;
  std::int64_t count(int row, int column) const;
  void choose(int row, int column);
  void paintCells(QPainter& painter) const;
  void paintNames(QPainter& painter) const;

  worker::SplitCounts split_;
  std::int64_t most_ = 0;  // in one cell
  QString words_;
  bool stale_ = false;
  int row_ = -1, column_ = -1;
};

}  // namespace paceline::figure
