// The nodes of a followed run as a table: rows keep their place while values change. GUI thread.
#pragma once

#include <QAbstractTableModel>

#include "app/models/runs/live_fold.h"

namespace paceline::runs {

class WorkersModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kNode, kPlace, kState, kRounds, kLocalSteps, kRate, kUse, kStaleness, kSent, kReceived, kColumns };
  enum Role { kUseRole = Qt::UserRole, kStateRole };  // kUseRole: QList<double>{compute, exchange, wait}

  using QAbstractTableModel::QAbstractTableModel;
  void take(const std::vector<WorkerLine>& lines);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  static QVariant shown(const WorkerLine& line, int column);
  std::vector<WorkerLine> lines_;
};

}  // namespace paceline::runs
