// Changes of the host list that can be undone. GUI thread. What cannot be done any more (its name was taken, another host jumps over it)
// is told to the listener of failures.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QUndoCommand>

#include "app/models/clusters/hosts_model.h"
#include "app/models/experiment/placement_model.h"

namespace paceline::clusters {

struct HostChange {
  std::optional<hosts::HostEntry> before, after;  // no before: added; no after: removed
};

// The change was made when the command is pushed.
class HostsCommand : public QUndoCommand {
 public:
  using Failed = std::function<void(const QString& sentence)>;
  HostsCommand(const QString& what, HostsModel& hosts, std::vector<HostChange> changes, Failed failed);
  void redo() override;
  void undo() override;

 private:
  void apply(const std::optional<hosts::HostEntry>& from, const std::optional<hosts::HostEntry>& to);
  HostsModel& hosts_;
  std::vector<HostChange> changes_;
  Failed failed_;
  bool done_ = true;
};

class PlacesCommand : public QUndoCommand {
 public:
  PlacesCommand(const QString& what, experiment::PlacementModel& placement, experiment::Places before, experiment::Places after)
      : QUndoCommand(what), placement_(placement), before_(std::move(before)), after_(std::move(after)) {}
  void redo() override {
    if (!done_) placement_.put(after_);
    done_ = false;
  }
  void undo() override { placement_.put(before_); }

 private:
  experiment::PlacementModel& placement_;
  experiment::Places before_, after_;
  bool done_ = true;
};

}  // namespace paceline::clusters
