// The runs of a suite as a table with a box a run: the last list that varies goes across, all others down. A box that is not checked is left out.
// And the time that the runs take. GUI thread.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include <QAbstractTableModel>

#include "app/models/experiment/draft_vary.h"
#include "app/models/experiment/experiment_draft.h"
#include "app/models/runs/runs_model.h"

namespace paceline::experiment {

class SuiteGrid : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit SuiteGrid(ExperimentDraft& draft, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  void set(const QModelIndexList& cells, bool run);  // one change; the last run stays

 private:
  void follow();
  Cell cellAt(int row, int column) const;
  QString nameOf(const Cell& cell, std::size_t first, std::size_t last) const;  // of these axes: "ESync, 32"

  ExperimentDraft& draft_;
  std::vector<SuiteAxis> axes_;
  std::vector<QStringList> values_;  // of each axis, as the form calls them
  std::set<Cell> runs_;
};

// "about 16 min, by 12 like runs in the store", "at most 5 min, by the stop rules", "30 runs, no estimate of their time"; runs are taken one after the other.
// of: so many runs that are like these on the mean; 0: these.
QString timeText(const std::vector<RunSpec>& runs, const runs::RunsModel& stored, std::int64_t of = 0);

}  // namespace paceline::experiment
