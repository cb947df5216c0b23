// The nodes of a draft as an editable table: one row a node, one column a property. GUI thread. A value that is no number is refused
// with a finding; what can be read goes into the draft, whose validation judges it.
#pragma once

#include <functional>
#include <map>

#include <QAbstractTableModel>
#include <QStringList>

#include "app/models/experiment_draft.h"
#include "app/models/table_roles.h"

namespace paceline {

class NodesModel : public QAbstractTableModel {
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

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  std::string pointer(const QModelIndex& index) const;
  QString shown(const NodeSpec& node, int column) const;
  void follow();

  ExperimentDraft& draft_;
  Choices choices_;
  int rows_ = 0;
  std::map<std::string, QString> refused_;  // pointer -> the text that was typed
};

}  // namespace paceline
