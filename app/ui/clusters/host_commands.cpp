#include "app/ui/clusters/host_commands.h"

namespace paceline::clusters {

HostsCommand::HostsCommand(const QString& what, HostsModel& hosts, std::vector<HostChange> changes, Failed failed)
    : QUndoCommand(what), hosts_(hosts), changes_(std::move(changes)), failed_(std::move(failed)) {}

void HostsCommand::apply(const std::optional<hosts::HostEntry>& from, const std::optional<hosts::HostEntry>& to) {
  const auto told = [failed = failed_](const QString& error) {
    if (!error.isEmpty() && failed) failed(error);
  };
  if (to) return hosts_.put(*to, from ? from->name : std::string(), told);
  if (from) hosts_.remove(from->name, told);
}

void HostsCommand::redo() {
  if (!done_)
    for (const HostChange& change : changes_) apply(change.before, change.after);
  done_ = false;
}

void HostsCommand::undo() {
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) apply(change->after, change->before);
}

}  // namespace paceline::clusters
