// Paints a line of the log: time and node muted, problems with their mark, all in the monospace caption font. GUI thread.
#pragma once

#include <QStyledItemDelegate>

namespace paceline::runs {

class LogDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace paceline::runs
