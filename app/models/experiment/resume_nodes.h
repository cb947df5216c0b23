// Where the nodes of an ended run go on: a row for each, with the host, the device and the threads that it had, to be chosen anew. GUI thread.
#pragma once

#include <map>
#include <vector>

#include "app/models/clusters/hosts_model.h"
#include "app/models/column_table.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::experiment {

class ResumeNodes : public ColumnTable {
  Q_OBJECT
 public:
  enum Column { kNode, kRole, kHost, kDevice, kThreads, kColumns };

  // catalog: nullptr where it is not known; hosts outlives this.
  ResumeNodes(RunSpec spec, const clusters::HostsModel& hosts, std::shared_ptr<const Catalog> catalog, QObject* parent = nullptr);

  const RunSpec& spec() const { return spec_; }  // of the run, with its nodes as they are chosen
  QString error() const;                         // a sentence: why it cannot go on so; "": it can
  QString warning() const;                       // a sentence: what the last check of a host says against it

  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 private:
  int rows() const override { return static_cast<int>(spec_.nodes.size()); }
  QVariant cell(int row, int column, int role) const override;
  QString shown(int row, int column) const;
  QStringList choices(int row, int column) const;
  const Finding* findingAt(int row, int column) const;
  QString first(bool error) const;
  void judge();

  RunSpec spec_;
  const clusters::HostsModel& hosts_;
  std::shared_ptr<const Catalog> catalog_;
  std::vector<Finding> findings_;      // of nodes
  std::map<int, QString> refused_;  // typed for the threads of a row
};

}  // namespace paceline::experiment
