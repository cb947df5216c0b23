// The nodes of a followed run as a table: rows keep their place while values change. GUI thread.
#pragma once

#include "app/models/column_table.h"
#include "app/models/runs/live_fold.h"

namespace paceline::runs {

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
  static QVariant shown(const WorkerLine& line, int column);
  std::vector<WorkerLine> lines_;
};

}  // namespace paceline::runs
