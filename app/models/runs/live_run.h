// Follows one run of the store: every half second the rows that are new since the last look, by row id, are read in the background
// and folded. GUI thread; signals are queued. A run that has ended is read once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <QObject>
#include <QTimer>

#include "app/figures/figure.h"
#include "app/models/task_queue.h"
#include "app/models/runs/live_fold.h"

namespace paceline::runs {

class LiveRun : public QObject {
  Q_OBJECT
 public:
  explicit LiveRun(std::string storePath, QObject* parent = nullptr);
  ~LiveRun() override;

  void follow(const std::string& run);  // "": stop following
  const std::string& run() const { return run_; }
  const LiveSnapshot& snapshot() const { return *snapshot_; }
  const std::vector<LogLine>& log() const { return log_; }

  Figure accuracyFigure() const;
  Figure throughputFigure() const;

 signals:
  void reset();                 // another run: forget what was shown
  void updated();               // at most twice a second
  void logged(int first);       // lines from this index on are new
  void failed(const QString& sentence);

 private:
  struct Source;
  void poll();
  void read(const std::string& run, int generation);

  std::string path_, run_;
  int generation_ = 0;  // answers for an earlier run are dropped
  bool asking_ = false;
  std::shared_ptr<const LiveSnapshot> snapshot_;
  std::vector<LogLine> log_;
  QTimer timer_;
  std::shared_ptr<Source> source_;  // used by its tasks only
  TaskQueue tasks_;
};

}  // namespace paceline::runs
