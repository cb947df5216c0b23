// A state is icon + word + colour, the same everywhere. GUI thread.
#pragma once

#include <functional>

#include <QLabel>
#include <QStyleOptionViewItem>

#include "app/cluster/recorder/suites.h"
#include "app/models/clusters/hosts_model.h"
#include "app/ui/widgets/theme.h"
#include "storage/store/records.h"

class QAbstractItemDelegate;

namespace paceline::widgets {

struct StateMark {
  const char* icon;
  Token token;
};
StateMark stateMark(store::RunState state);
StateMark standingMark(clusters::HostStanding standing);
StateMark standingMark(recorder::CellStanding standing);

class StateBadge : public QWidget {
 public:
  StateBadge();
  void setState(store::RunState state);
  void setMark(const StateMark& mark, const QString& word);

 private:
  void follow();
  StateMark mark_;
  QLabel *icon_, *word_;
};

// How the cells of a column or table are painted; `parent` owns the delegate.
using Paint = std::function<void(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)>;
QAbstractItemDelegate* paintedCells(Paint paint, QObject* parent, int beside = 0, TextRole font = TextRole::kBody);  // beside: px that a cell needs with its text, which is in `font`
void paintCell(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index);  // as the style does, without icon and words
QAbstractItemDelegate* markedCells(std::function<StateMark(const QModelIndex& index)> markOf, QObject* parent);  // a state's mark and word
QAbstractItemDelegate* runStateCells(QObject* parent);   // of RunRows
QAbstractItemDelegate* runNameCells(QObject* parent);    // of RunRows: the name, then its tags as chips while there is room; suites fold, their cells stand further in
int foldWidth();                                         // px at the left of a suite's name that fold and unfold it
QAbstractItemDelegate* runNumberCells(QObject* parent);  // of RunRows: those of suites say which number it is where there is room
QAbstractItemDelegate* nodeStateCells(QObject* parent);  // of WorkersModel: "training", "failed", ...
QAbstractItemDelegate* logCells(QObject* parent);        // time and node muted, problems with their mark, all in the monospace caption font

}  // namespace paceline::widgets
