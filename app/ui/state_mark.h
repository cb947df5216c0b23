// A state is icon + word + colour, the same everywhere. GUI thread.
#pragma once

#include <QLabel>
#include <QStyledItemDelegate>
#include <QWidget>

#include "app/ui/theme.h"
#include "storage/run_state.h"

namespace paceline {

struct StateMark {
  const char* icon;
  Token token;
};
StateMark stateMark(RunState state);
StateMark nodeStateMark(const QString& word);  // of a node: "training", "failed", ...
StateMark levelMark(const QString& level);     // of a log line

class StateBadge : public QWidget {
  Q_OBJECT
 public:
  explicit StateBadge(QWidget* parent = nullptr);
  void setState(RunState state);

 private:
  void follow();
  RunState state_ = RunState::kDraft;
  QLabel *icon_, *word_;
};

// Paints a table cell: background, then icon and word. Shared by the delegates.
void paintCell(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index);
void paintMarked(QPainter* painter, const QRect& rect, const StateMark& mark, const QString& word, const QFont& font, double ratio);

class RunStateDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// The name, then its tags as chips while there is room.
class RunNameDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

class NodeStateDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// computing | exchanging | waiting as one bar, the first as a number beside it.
class TimeUseDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace paceline
