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

 private:
  int documentRows() const override { return static_cast<int>(draft().spec().edges.size()); }
  QString shown(int row, int column) const override;
  QStringList choices(int row, int column) const override;
  Change changeTo(int row, int column, const QString& text, std::string& wrong) override;
  std::optional<Finding> finding(int row, int column) const override;
};

}  // namespace paceline::experiment
