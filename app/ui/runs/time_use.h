// What a node's time went into, as recorded: one bar a node, split by phase, and the legend of its colours. GUI thread.
#pragma once

#include <QAbstractItemDelegate>
#include <QColor>
#include <QWidget>

#include "app/figures/lanes/lanes.h"

namespace paceline::runs {

QColor phaseColour(lanes::Phase phase);  // as the theme is now
QColor exchangeColour();

QAbstractItemDelegate* timeUseCells(QObject* parent);  // of WorkersModel::kUse: the bar, and beside it the text of the cell; `parent` owns it

// Of the lanes too: servers that are busy, and what is under way, below.
class TimeUseLegend : public QWidget {
 public:
  TimeUseLegend();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace paceline::runs
