// One line of a run's page: why it takes as long as it does, with the numbers behind it in a window of their own and the remedy as a copy of the run's document. GUI thread.
#pragma once

#include <QDialog>
#include <QPushButton>

#include "app/models/runs/run_why.h"
#include "app/ui/widgets/labels.h"

class QTableView;

namespace paceline::runs {

// The causes as a table, the chosen one as a sentence. Beside the page, not in front of it: what is chosen is seen in the lanes.
class WhyEvidence : public QDialog {
  Q_OBJECT
 public:
  explicit WhyEvidence(RunWhy& why, QWidget* page);

 signals:
  void placeChosen(const paceline::why::Place& place);
  void applied(int cause);

 private:
  void follow();
  void followRow();
  void showPlace(int row);

  RunWhy& why_;
  CausesModel causes_;
  QTableView* table_;
  widgets::BreakingLabel* words_ = new widgets::BreakingLabel;
  QPushButton *lanes_, *apply_;
};

class WhyStrip : public QWidget {
  Q_OBJECT
 public:
  explicit WhyStrip(RunWhy& why, QWidget* page);

 signals:
  void placeChosen(const paceline::why::Place& place);
  void applied(int cause);  // into a copy of the run's document

 private:
  void follow();
  void fit();
  void showEvidence();

  RunWhy& why_;
  QLabel* words_;  // two lines
  QPushButton *evidence_, *apply_;
  WhyEvidence* shown_;
};

}  // namespace paceline::runs
