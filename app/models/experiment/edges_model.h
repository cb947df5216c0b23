// The edges that a draft lists, as an editable table: one row an edge. GUI thread. A value that is no number is refused with a finding.
#pragma once

#include <vector>

#include "app/models/experiment/draft_table.h"

namespace paceline::experiment {

class EdgesModel : public DraftTable {
  Q_OBJECT
 public:
  enum Column { kFrom, kTo, kEvery, kOffset, kColumns };

  explicit EdgesModel(ExperimentDraft& draft, QObject* parent = nullptr);

  void addEdge();  // between the first two workers that are not joined; with the intervals of the last edge
  void removeRows(const std::vector<int>& rows);

  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  int documentRows() const override { return static_cast<int>(draft().spec().edges.size()); }
  std::string pointer(const QModelIndex& index) const;
};

}  // namespace paceline::experiment
