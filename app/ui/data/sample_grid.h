// Samples of a data set as a grid of pictures with their classes; the one under the mouse, or chosen with the arrow keys, is told in words below. What is no
// picture (neither one nor three channels) shows its shape, what does not decode a mark. GUI thread.
#pragma once

#include <memory>
#include <vector>

#include <QImage>
#include <QMouseEvent>
#include <QWidget>

#include "app/models/data/data_sets.h"

namespace paceline::data {

class SampleGrid : public QWidget {
  Q_OBJECT
 public:
  SampleGrid();

  void show(std::shared_ptr<const worker::LookedData> looked);  // nullptr: nothing
  void setStale(bool stale);  // others are on their way: painted faintly
  QString words() const;      // of the chosen sample; how many there are while none is

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {320, heightForWidth(320)}; }
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override { choose(at(event->position())); }
  void leaveEvent(QEvent*) override { choose(-1); }
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  int count() const { return looked_ ? static_cast<int>(looked_->samples.size()) : 0; }
  int columns(int width) const;
  QRect cell(int index) const;
  int at(const QPointF& position) const;  // -1: none
  void choose(int index);
  void paintSample(QPainter& painter, int index) const;

  std::shared_ptr<const worker::LookedData> looked_;
  std::vector<QImage> pictures_;  // null: no picture
  bool stale_ = false;
  int chosen_ = -1;
};

}  // namespace paceline::data
