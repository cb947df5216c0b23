// How a person varies things: a button behind each field, one for the cells of a table, and above the form the strip of the suite. GUI thread.
#pragma once

#include <QFrame>
#include <QPushButton>
#include <QTableView>

#include "app/models/experiment/draft_table.h"
#include "app/models/experiment/run_prediction.h"
#include "app/models/experiment/suite_grid.h"
#include "app/ui/experiment/form_section.h"
#include "app/ui/experiment/search_settings.h"

namespace paceline::experiment {

// No words: a list or range is typed into its editor. Else boxes with these words stand in its place while it varies.
void offerVary(widgets::Field& field, ExperimentDraft& draft, std::function<FormSection::Words()> words);

QPushButton* varyCellButton(QTableView* table, DraftTable& model, const char* objectName);
void toggleCell(QTableView* table, DraftTable& model);  // the current one varies, and is being edited; or does so no more

// "5 slowdowns x 2 algorithms = 10 runs, about 16 min (simulated)", or "(by like runs in the store)" where the simulator does not know all of them, and the grid of the runs; or "Search over
// Batch size: 20 runs for best accuracy ..., about 15 min", and its settings. Hidden while there is one run.
class SuiteStrip : public QFrame {
  Q_OBJECT
 public:
  SuiteStrip(ExperimentDraft& draft, const runs::RunsModel& stored, RunPrediction& prediction, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent*) override { prediction_.setWatched(true, this); }
  void hideEvent(QHideEvent*) override { prediction_.setWatched(false, this); }

 private:
  void follow();
  void followTime(const QString& sentence);
  void fitGrid();
  void followSearch();

  ExperimentDraft& draft_;
  const runs::RunsModel& stored_;
  RunPrediction& prediction_;
  SuiteGrid model_;
  QLabel* sentence_;
  QPushButton *searched_, *open_;
  SearchSettings* settings_;
  QWidget* pane_;
  QTableView* grid_;
};

}  // namespace paceline::experiment
