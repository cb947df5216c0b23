// Tables of a followed run. GUI thread.
#pragma once

#include "app/models/column_table.h"
#include "app/models/runs/live_run.h"

namespace paceline::runs {

// The merged log, one row a line, appended only. LogFilter shows some of it.
class LogModel : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kTime, kNode, kText, kColumns };
  enum Role { kLevelRole = Qt::UserRole, kLineRole };

  explicit LogModel(LiveRun& run, QObject* parent = nullptr);

 private:
  int rows() const override { return rows_; }
  QVariant cell(int row, int column, int role) const override;

  LiveRun& run_;
  int rows_ = 0;
};

class LogFilter : public WordsFilter {
  Q_OBJECT
 public:
  explicit LogFilter(QObject* parent = nullptr) : WordsFilter(LogModel::kLineRole, parent) {}
  void setProblemsOnly(bool only);

 protected:
  bool accepts(const QModelIndex& index) const override;

 private:
  bool problemsOnly_ = false;
};

// The nodes: rows keep their place while values change.
class WorkersModel : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kNode, kPlace, kState, kRounds, kLocalSteps, kRate, kUse, kStaleness, kSent, kReceived, kColumns };
  enum Role { kUseRole = Qt::UserRole };  // QList<double>{compute, exchange, wait}

  explicit WorkersModel(QObject* parent = nullptr);
  void take(const std::vector<WorkerLine>& lines);

 private:
  int rows() const override { return static_cast<int>(lines_.size()); }
  QVariant cell(int row, int column, int role) const override;
  std::vector<WorkerLine> lines_;
};

}  // namespace paceline::runs
