// One run, live or ended: progress with ETA, accuracy and throughput charts, a row for each node, the merged log. GUI thread.
#pragma once

#include <QProgressBar>
#include <QTimer>

#include "app/models/runs/live_run.h"
#include "app/models/runs/run_log.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/shell.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/page.h"
#include "app/ui/widgets/state_mark.h"

namespace paceline::runs {

class RunPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit RunPage(Shell& shell);

  void open(const std::string& run);
  const std::string& run() const { return live_.run(); }
  const LiveSnapshot& snapshot() const { return live_.snapshot(); }
  bool canStop() const;  // the run that is shown
  void find() override { widgets::focusAll(logSearch_); }

 signals:
  void backAsked();

 private:
  void buildTitle();
  QWidget* buildProgress();
  QWidget* buildCharts();
  QWidget* buildWorkers();
  QWidget* buildLog();
  void follow();          // new numbers
  void followProgress();
  void tick();            // elapsed time, between numbers
  void refreshActions();

  Shell& shell_;
  LiveRun live_;
  WorkersModel workers_;
  LogModel log_;
  WordsFilter logFilter_{LogModel::kLineRole};
  widgets::StateBadge* state_ = new widgets::StateBadge;
  widgets::ElidedLabel* name_ = new widgets::ElidedLabel("page");
  QPushButton *stop_, *rerun_, *copyError_, *attach_, *resume_;
  QLabel *error_ = widgets::selectable(widgets::problemLine()), *eta_ = widgets::label("", "muted"), *doing_ = widgets::label("", "muted");
  QProgressBar* bar_ = new QProgressBar;
  widgets::Tile *accuracy_, *rate_, *rounds_, *samples_, *traffic_, *elapsed_;
  figure::FigureView *accuracyView_ = new figure::FigureView, *rateView_ = new figure::FigureView;
  QTableView *nodes_, *logView_;
  QLineEdit* logSearch_;
  QTimer tick_;
};

}  // namespace paceline::runs
