// The merged log of a followed run, one row a line, appended only. GUI thread. LogFilter shows some of it.
#pragma once

#include "app/models/column_table.h"
#include "app/models/runs/live_run.h"

namespace paceline::runs {

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

}  // namespace paceline::runs
