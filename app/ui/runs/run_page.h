// One run, live or ended: progress with ETA, accuracy and throughput charts, a row for each node, the merged log. GUI thread.
#pragma once

#include <QProgressBar>
#include <QPushButton>
#include <QTimer>

#include "app/models/runs/live_run.h"
#include "app/models/runs/log_model.h"
#include "app/models/runs/workers_model.h"
#include "app/ui/widgets/page.h"
#include "app/ui/shell.h"

class QLineEdit;

namespace paceline::widgets {
class ElidedLabel;
class StateBadge;
class Tile;
}
namespace paceline::figure {
class FigureView;
}

namespace paceline::runs {

class RunPage : public widgets::Page {
  Q_OBJECT
 public:
  explicit RunPage(Shell& shell, QWidget* parent = nullptr);

  void open(const std::string& run);
  const std::string& run() const { return live_.run(); }
  const LiveSnapshot& snapshot() const { return live_.snapshot(); }
  void find() override;
  void entered() override {}

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
  LogFilter logFilter_;
  widgets::StateBadge* state_;
  widgets::ElidedLabel* name_;
  QPushButton *stop_, *rerun_, *compare_, *copyError_, *attach_, *resume_;
  QLabel *error_, *eta_, *doing_;
  QProgressBar* bar_;
  widgets::Tile *accuracy_, *rate_, *rounds_, *samples_, *traffic_, *elapsed_;
  figure::FigureView *accuracyView_, *rateView_;
  QTableView *nodes_, *logView_;
  QLineEdit* logSearch_;
  QTimer tick_;
};

}  // namespace paceline::runs
