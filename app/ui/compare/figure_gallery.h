// All figures of the chosen runs in small: a strip of which one is shown large, or all of them at once. What does not apply is one line that unfolds to the
// reasons. Arrows move, Enter or a click shows. Pictures are painted one at a time between events, those that are seen first. GUI thread.
#pragma once

#include <map>

#include <QListWidget>
#include <QPushButton>
#include <QTimer>

#include "app/models/compare/comparison.h"
#include "app/ui/figure/figure_style.h"

namespace paceline::compare {

class FigureGallery : public QWidget {
  Q_OBJECT
 public:
  FigureGallery();

  void setGallery(const Gallery& gallery);  // empty: no runs are chosen
  void setShown(const QString& id);         // which one is large
  void setFigureStyle(figure::FigureStyle style);
  bool isOpen() const { return open_; }  // all at once, in the place of the large one
  void setOpen(bool open);
  int waiting() const;            // pictures that are still to be painted
  bool seenArePainted() const;    // all that are in sight
  void setLow(bool low);  // there is no height for pictures: names in one row

 signals:
  void chosen(const QString& id);
  void opened(bool open);

 protected:
  bool eventFilter(QObject* list, QEvent* event) override;  // Escape closes, a change of size shows others
  void changeEvent(QEvent* event) override;

 private:
  QListWidgetItem* itemOf(const QString& id) const;
  void rebuild(const Gallery& gallery);
  void layOut();
  void repaintAll();
  void paintNext();
  bool isSeen(const QListWidgetItem* item) const;

  QListWidget *list_ = new QListWidget, *reasons_ = new QListWidget;
  QPushButton *fold_, *all_;
  QWidget* below_;  // the row with both
  std::map<QString, Figure> figures_;  // that apply, by id
  QString shown_;
  figure::FigureStyle style_ = figure::FigureStyle::kModern;
  bool open_ = false, low_ = false;
  QTimer paint_;
};

}  // namespace paceline::compare
