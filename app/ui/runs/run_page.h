// One run, live or ended: progress with ETA, why it takes as long as it does, its lanes (who waits for whom), accuracy and throughput charts that share their time, a row for each node, the merged log. GUI thread.
#pragma once

#include <QProgressBar>
#include <QTimer>

#include "app/models/runs/lanes_feed.h"
#include "app/models/runs/live_run.h"
#include "app/models/runs/run_log.h"
#include "app/models/runs/run_why.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/runs/lanes_view.h"
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
  LanesView& lanesView() { return *lanes_; }
  const RunWhy& why() const { return why_; }
  bool canStop() const;  // the run that is shown
  void showDiverged();   // the records before its first loss that is no number
  void find() override { widgets::focusAll(logSearch_); }

 signals:
  void backAsked();

 private:
  void buildTitle();
  QWidget* buildProgress();
  QWidget* buildLanes();
  QWidget* buildCharts();
  QWidget* buildWorkers();
  QWidget* buildLog();
  void follow();          // new numbers
  void followLanes();     // another part of the time is shown
  void showPlace(const why::Place& place);
  void applyRemedy(int cause);
  void showCharts();
  void followPrediction(double rate);
  void setCursor(std::optional<double> seconds);
  void followProgress();
  void tick();            // elapsed time, between numbers
  void refreshActions();

  Shell& shell_;
  LiveRun live_;
  LanesFeed feed_;
  RunWhy why_;
  WorkersModel workers_;
  LogModel log_;
  WordsFilter logFilter_{LogModel::kLineRole};
  widgets::StateBadge* state_ = new widgets::StateBadge;
  widgets::ElidedLabel* name_ = new widgets::ElidedLabel("page");
  QLabel* simulated_ = widgets::label(tr("simulated"), "muted");
  QPushButton *stop_, *rerun_, *copyError_, *attach_, *resume_;
  QPushButton* before_;  // what was recorded before the loss became no number
  QLabel *diverged_ = widgets::selectable(widgets::problemLine());
  QLabel *error_ = widgets::selectable(widgets::problemLine()), *eta_ = widgets::label("", "muted"), *doing_ = widgets::label("", "muted");
  QProgressBar* bar_ = new QProgressBar;
  widgets::Tile *accuracy_, *rate_, *rounds_, *samples_, *traffic_, *elapsed_;
  widgets::ElidedLabel* rateHead_ = new widgets::ElidedLabel("head");
  figure::FigureView *accuracyView_ = new figure::FigureView, *rateView_ = new figure::FigureView;
  LanesView* lanes_ = new LanesView;
  widgets::ElidedLabel* told_ = new widgets::ElidedLabel("muted");
  QTableView *nodes_, *logView_;
  QLineEdit* logSearch_;
  QTimer tick_;
};

}  // namespace paceline::runs
