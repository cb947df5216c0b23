// Checks of hosts in the background, several hosts at a time; their lines appear in the hosts' model as they come. GUI thread.
#pragma once

#include <map>
#include <stop_token>
#include <string>

#include <QObject>

#include "app/models/gui_prompts.h"
#include "app/models/clusters/hosts_model.h"
#include "app/models/task_queue.h"

namespace paceline::clusters {

class HostChecks : public QObject {
  Q_OBJECT
 public:
  HostChecks(HostsModel& hosts, GuiPrompts& prompts, QObject* parent = nullptr);
  ~HostChecks() override;

  void check(const std::string& host, const std::string& only = {});  // only: one line and its prerequisites; ignored while a check is under way
  void checkAll();
  void stop(const std::string& host);
  int running() const { return static_cast<int>(stops_.size()); }

 signals:
  void changed();                    // how many run
  void ended(const QString& host);

 private:
  void onLine(const std::string& host, const check::CheckLine& line);
  void onEnded(const std::string& host, const std::optional<hosts::HostFacts>& facts, const QString& error);

  HostsModel& hosts_;
  GuiPrompts& prompts_;
  std::map<std::string, std::stop_source> stops_;
  TaskQueue pool_;
};

}  // namespace paceline::clusters
