// Follows one run of the store: at each look the rows that are new since the last one, by row id, are read in the background and folded.
// The recorder says when a look is worth it. GUI thread; signals are queued.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <QObject>

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
  void look(const std::string& run);    // the store may have newer rows of it
  const std::string& run() const { return run_; }
  const LiveSnapshot& snapshot() const { return *snapshot_; }
  const std::vector<LogLine>& log() const { return log_; }

  Figure accuracyFigure() const;
  Figure throughputFigure() const;

 signals:
  void reset();                 // another run is followed
  void updated();
  void logged(int first);       // lines from this index on are new
  void failed(const QString& sentence);

 private:
  struct Source;
  struct Answer {
    std::shared_ptr<const LiveSnapshot> snapshot;
    std::vector<LogLine> lines;
  };
  void read();
  void take(const Answer& answer);

  std::string path_, run_;
  int generation_ = 0;  // answers for an earlier run are dropped
  bool reading_ = false, again_ = false;
  std::shared_ptr<const LiveSnapshot> snapshot_;
  std::vector<LogLine> log_;
  std::shared_ptr<Source> source_;  // used by its tasks only
  TaskQueue tasks_;
};

}  // namespace paceline::runs
