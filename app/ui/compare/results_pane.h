// The results table below the figure. A column that says the same of every row stands in one line above instead, until all columns are asked for. GUI thread.
#pragma once

#include <QStackedWidget>
#include <QTableWidget>

#include "app/figures/results.h"
#include "app/ui/widgets/controls.h"

namespace paceline::compare {

class ResultsPane : public QWidget {
  Q_OBJECT
 public:
  ResultsPane();
  void setResults(const Results& results);
  void setLow(bool low);  // the notes in one line

 protected:
  void resizeEvent(QResizeEvent*) override { fitNote(); }

 private:
  void fillPublished();
  void put(int row, int column, const QString& words, bool best, bool number);
  void fold();
  void fitNote();

  Results results_;
  QTableWidget* table_ = new QTableWidget;
  widgets::ElidedLabel* same_ = new widgets::ElidedLabel("caption");  // "The same in every row: Runs 3"
  QPushButton* all_;
  QTableWidget* published_ = new QTableWidget;  // what papers report, beside ours; hidden where nothing is reported
  QStackedWidget* tables_ = new QStackedWidget;
  QLabel* head_ = widgets::label(tr("Results"), "section");
  widgets::Segments* which_;
  bool low_ = false;
  QScrollArea* noteScroll_ = new QScrollArea;
  QLabel* note_ = widgets::wrapped(widgets::label("", "caption"));    // why a column has no best, and how sure one is
};

}  // namespace paceline::compare
