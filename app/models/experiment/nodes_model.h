// The nodes of a draft as an editable table: one row a node, one column a property. GUI thread. A value that is no number is refused
// with a finding; what can be read goes into the draft, whose validation judges it.
#pragma once

#include <functional>

#include <QStringList>

#include "app/models/experiment/draft_table.h"

namespace paceline::experiment {

class NodesModel : public DraftTable {
  Q_OBJECT
 public:
  enum Column { kId, kRole, kHost, kDevice, kThreads, kSlowdown, kStep, kJitter, kBandwidth, kLatency, kShare, kColumns };

  // Chooser of hosts and of a host's devices; empty: this computer only.
  struct Choices {
    std::function<QStringList()> hosts;
    std::function<QStringList(const std::string& host)> devices;
  };
  void setChoices(Choices choices) { choices_ = std::move(choices); }

  explicit NodesModel(ExperimentDraft& draft, QObject* parent = nullptr);

  void addNode(Role role);  // a copy of the last of that role, with the next free name
  void removeRows(std::vector<int> rows);

  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  int documentRows() const override { return static_cast<int>(draft().spec().nodes.size()); }
  std::string pointer(const QModelIndex& index) const;
  QString shown(const NodeSpec& node, int column) const;

  Choices choices_;
};

}  // namespace paceline::experiment
