// Beside the form: how fast the run will be, its first rounds as lanes, and by what that is known. GUI thread.
#pragma once

#include <QLabel>
#include <QWidget>

#include "app/models/experiment/run_prediction.h"
#include "app/ui/runs/lanes_view.h"

namespace paceline::experiment {

class PredictionPane : public QWidget {
  Q_OBJECT
 public:
  explicit PredictionPane(RunPrediction& prediction);

 protected:
  void showEvent(QShowEvent*) override { prediction_.setWatched(true, this); }
  void hideEvent(QHideEvent*) override { prediction_.setWatched(false, this); }

 private:
  void follow();

  RunPrediction& prediction_;
  QLabel *head_, *words_, *sources_;
  runs::LanesView* lanes_ = new runs::LanesView;
};

}  // namespace paceline::experiment
