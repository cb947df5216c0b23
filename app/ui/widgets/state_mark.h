// A state is icon + word + colour, the same everywhere. GUI thread.
#pragma once

#include <functional>

#include <QLabel>
#include <QStyledItemDelegate>
#include <QWidget>

#include "app/ui/widgets/theme.h"
#include "storage/store/run_state.h"

namespace paceline::widgets {

struct StateMark {
  const char* icon;
  Token token;
};
StateMark stateMark(store::RunState state);
StateMark nodeStateMark(const QString& word);  // of a node: "training", "failed", ...
StateMark levelMark(const QString& level);     // of a log line

class StateBadge : public QWidget {
  Q_OBJECT
 public:
  explicit StateBadge(QWidget* parent = nullptr);
  void setState(store::RunState state);
  void setMark(const StateMark& mark, const QString& word);

 private:
  void follow();
  StateMark mark_;
  QLabel *icon_, *word_;
};

// Paints a table cell: background, then icon and word. Shared by the delegates.
void paintCell(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index);
void paintMarked(QPainter* painter, const QRect& rect, const StateMark& mark, const QString& word, const QFont& font, double ratio);

// The name, then its tags as chips while there is room.
class RunNameDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// A cell with a state's word and the mark of `markOf`.
class MarkedDelegate : public QStyledItemDelegate {
 public:
  using MarkOf = std::function<StateMark(const QModelIndex& index)>;
  explicit MarkedDelegate(MarkOf markOf, QObject* parent = nullptr) : QStyledItemDelegate(parent), markOf_(std::move(markOf)) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  MarkOf markOf_;
};

class RunStateDelegate : public MarkedDelegate {
 public:
  explicit RunStateDelegate(QObject* parent = nullptr);
};

class NodeStateDelegate : public MarkedDelegate {
 public:
  explicit NodeStateDelegate(QObject* parent = nullptr);
};

// computing | exchanging | waiting as one bar, the first as a number beside it.
class TimeUseDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// A line of the log: time and node muted, problems with their mark, all in the monospace caption font.
class LogDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace paceline::widgets
