// The nodes of a draft as an editable table: one row a node, one column a property. GUI thread. A value that is no number is refused
// with a finding; a readable one goes into the draft and its validation.
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

 private:
  int documentRows() const override { return static_cast<int>(draft().spec().nodes.size()); }
  QString shown(int row, int column) const override;
  QString help(int column) const override;
  QStringList choices(int row, int column) const override;
  Change changeTo(int row, int column, const QString& text, std::string& wrong) override;
  QString empty() const override { return "–"; }

  Choices choices_;
};

}  // namespace paceline::experiment
