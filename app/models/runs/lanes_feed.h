// The lanes of one run of the store, in as much detail as a view shows: read in the background when the store has newer rows and when another part is wanted.
// GUI thread; signals are queued.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "app/figures/lanes/lanes.h"
#include "app/models/task_queue.h"

namespace paceline::runs {

class LanesFeed : public QObject {
  Q_OBJECT
 public:
  explicit LanesFeed(std::string storePath, QObject* parent = nullptr);
  ~LanesFeed() override;

  struct Part {
    double begin = 0, end = std::numeric_limits<double>::infinity();
    std::size_t rounds = 1000;  // of a lane, about: more than a view has pixels are of no use
    bool operator==(const Part&) const = default;
  };
  void follow(const std::string& run);  // "": stop following
  void look(const std::string& run);    // the store may have newer rows of it: they are read when the last reading is some time ago
  void want(const Part& part);          // at once
  std::shared_ptr<const lanes::Timeline> timeline() const { return timeline_; }

 signals:
  void updated();
  void failed(const QString& sentence);

 private:
  struct Source;
  void read();

  std::string path_, run_;
  Part part_;
  int generation_ = 0;  // answers for an earlier run are dropped
  bool reading_ = false, again_ = false, newer_ = false;  // newer_: rows that no reading has begun for
  std::shared_ptr<const lanes::Timeline> timeline_ = std::make_shared<const lanes::Timeline>();
  std::shared_ptr<Source> source_;  // used by its tasks only
  QElapsedTimer took_;
  QTimer rest_;  // between two readings that nobody waits for
  TaskQueue tasks_;
};

}  // namespace paceline::runs
