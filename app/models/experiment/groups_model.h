// The workers of a draft with the group of each, as a table whose last column is chosen. GUI thread. Groups are numbered from 1 in the
// document's order; a group that loses its last member is gone.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/models/column_table.h"
#include "app/models/experiment/experiment_draft.h"

namespace paceline::experiment {

class GroupsModel : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kWorker, kHost, kSpeed, kGroup, kColumns };
  // Steps per second of every worker against the fastest, 0 to 1, by id; a worker whose host was never measured is missing.
  using Speeds = std::function<std::map<std::string, double>(const RunSpec&)>;

  GroupsModel(ExperimentDraft& draft, Speeds speeds, QObject* parent = nullptr);

  void eachAlone();
  void allTogether();
  void none();                // takes the groups out of the document
  QString bySpeed(int groups);  // 0: as many as fit the speeds best. "" or why not: then nothing is changed

  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  int rows() const override { return static_cast<int>(workers_.size()); }
  QVariant cell(int row, int column, int role) const override;
  QVariant shown(const std::string& worker, int column) const;
  int groupOf(const std::string& worker) const;  // 0: none
  void put(const std::vector<int>& groups);      // of every worker, 0: none
  std::vector<int> groups() const;
  void follow();

  ExperimentDraft& draft_;
  Speeds speeds_;
  std::vector<std::string> workers_;  // ids, by rank
};

}  // namespace paceline::experiment
