// Why a run takes as long as it does: its causes (app/why), found in the background. Of a run that goes on again and again, without predictions, which would take CPUs from it;
// once it has ended, first what its records say and then what the remedies gain. GUI thread; signals are queued.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "app/models/column_table.h"
#include "app/models/task_queue.h"
#include "app/why/why.h"
#include "storage/store/records.h"

namespace paceline::runs {

class RunWhy : public QObject {
  Q_OBJECT
 public:
  // What simulates for the predictions; by itself the programs of this computer. Called on a thread of this object's.
  using Simulators = std::function<why::Simulator(std::stop_token)>;
  explicit RunWhy(std::string storePath, Simulators simulators = {}, QObject* parent = nullptr);
  ~RunWhy() override;

  void follow(const std::string& run);  // "": stop following
  void look(const store::RunRow& row);  // it may have newer rows, or have ended

  const std::string& run() const { return run_; }
  const why::Diagnosis* diagnosis() const { return diagnosis_.get(); }  // nullptr: not known yet, or problem() says why not
  const QString& problem() const { return problem_; }
  bool predicting() const { return predicting_; }  // what the remedies gain is on its way
  bool settled() const { return store::isEnded(row_.state) && !row_.id.empty() && !reading_ && !newer_ && !predicting_; }  // the run has ended, and all is said of it
  QString sentence() const;  // the first cause; or what is on its way, or why there is none

 signals:
  void updated();

 private:
  struct Source;
  struct Answer {
    std::shared_ptr<why::Diagnosis> diagnosis;
    std::shared_ptr<const why::Explained> explained;
  };
  void read();
  void take(const Answer& answer, const QString& error);
  void predict(std::shared_ptr<const why::Explained> explained);

  std::string path_, run_;
  Simulators simulators_;
  store::RunRow row_;
  std::string looked_;       // what was last looked at: its state and its records
  int generation_ = 0;       // answers for an earlier run are dropped
  bool reading_ = false, newer_ = false, predicting_ = false;
  std::shared_ptr<const why::Diagnosis> diagnosis_;
  QString problem_;
  std::stop_source older_;   // of what is no longer wanted
  QElapsedTimer took_;
  QTimer rest_;
  std::shared_ptr<Source> source_;  // used by its tasks only
  TaskQueue tasks_;
};

// The causes as rows: where the wall time goes, and where it can be seen.
class CausesModel : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kCause, kShare, kSeconds, kNodes, kRounds, kWorst, kGain, kColumns };
  explicit CausesModel(QObject* parent = nullptr);
  void take(const why::Diagnosis* diagnosis);
  const why::Cause* cause(int row) const;  // nullptr: none

 private:
  int rows() const override { return static_cast<int>(diagnosis_.causes.size()) + 1; }  // and computing
  QVariant cell(int row, int column, int role) const override;
  why::Diagnosis diagnosis_;
};

}  // namespace paceline::runs
