// The edges that a draft lists, as an editable table: one row an edge. GUI thread. A value that is no number is refused with a finding.
#pragma once

#include <map>
#include <vector>

#include <QAbstractTableModel>

#include "app/models/experiment_draft.h"
#include "app/models/table_roles.h"

namespace paceline {

class EdgesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kFrom, kTo, kEvery, kOffset, kColumns };

  explicit EdgesModel(ExperimentDraft& draft, QObject* parent = nullptr);

  void addEdge();  // between the first two workers that are not joined; with the intervals of the last edge
  void removeRows(const std::vector<int>& rows);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  std::string pointer(const QModelIndex& index) const;
  void follow();

  ExperimentDraft& draft_;
  int rows_ = 0;
  std::map<std::string, QString> refused_;  // pointer -> the text that was typed
};

}  // namespace paceline
