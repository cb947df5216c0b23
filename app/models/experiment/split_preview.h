// How the draft's data set would be divided: asked anew in the background a moment after data set, partition, seed, workers or shares have
// changed. GUI thread. An answer to an older question is dropped.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include <QObject>
#include <QTimer>

#include "app/cluster/worker/worker_answer.h"
#include "app/models/experiment/experiment_draft.h"
#include "app/models/task_queue.h"

namespace paceline::experiment {

class SplitPreview : public QObject {
  Q_OBJECT
 public:
  using Ask = std::function<worker::SplitCounts(const RunSpec&, const std::stop_token&)>;  // called on a thread of its own; throws Error
  SplitPreview(ExperimentDraft& draft, Ask ask, QObject* parent = nullptr);

  const std::optional<worker::SplitCounts>& split() const { return split_; }  // the last that was found; of the draft as it is unless asking() or problem()
  QString problem() const { return problem_; }                       // why there is none; "" while there is or while it is asked
  bool asking() const { return answered_ != asked_; }
  bool missing() const;  // the data set is not on this computer: nothing is asked
  bool due() const { return asking() || soon_.isActive(); }
  void setWatched(bool watched);  // nothing is asked while nobody looks
  // "6 workers, 9 973 to 10 007 samples, 2 to 3 of 10 classes each, JS distance 0.61"; of labelDistances, the mean
  QString summary() const;

 signals:
  void changed();

 private:
  void follow();
  void ask();

  ExperimentDraft& draft_;
  Ask ask_;
  QTimer soon_;
  bool watched_ = false;
  std::string key_;  // of the last question
  std::uint64_t asked_ = 0, answered_ = 0;
  std::optional<worker::SplitCounts> split_;
  QString problem_;
  std::stop_source older_;  // stops the question that runs
  TaskQueue tasks_;
};

}  // namespace paceline::experiment
