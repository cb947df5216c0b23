// The merged log of a run, one row a line, in the order of time; lines of one moment by node, then as that node told them. A line that comes late
// (a slow host, a resumed link) takes its place. GUI thread.
#pragma once

#include <vector>

#include "app/models/runs/live_run.h"

namespace paceline::runs {

class LogModel : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kTime, kNode, kText, kColumns };
  enum Role { kLevelRole = Qt::UserRole, kLineRole };

  explicit LogModel(LiveRun& run, QObject* parent = nullptr);
  explicit LogModel(QObject* parent = nullptr);  // of no run: for tests

  void add(const std::vector<LogLine>& lines);
  void clear();

 private:
  int rows() const override { return static_cast<int>(lines_.size()); }
  QVariant cell(int row, int column, int role) const override;

  std::vector<LogLine> lines_;
};

}  // namespace paceline::runs
