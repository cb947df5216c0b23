// Deployment and clean-up of hosts in the background, several hosts at a time. GUI thread; progress comes at most twice a second.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include <QObject>

#include "app/models/gui_prompts.h"
#include "app/models/clusters/hosts_model.h"
#include "app/models/task_queue.h"

namespace paceline::clusters {

struct DeployView {  // of a deployment under way
  deploy::DeployProgress progress;
  double fraction = 0;  // never decreases
  std::optional<double> etaLow, etaHigh;  // seconds
};

// What the next view is, `seconds` after the start.
DeployView nextView(const DeployView& before, const deploy::DeployProgress& progress, double seconds);

class HostDeploys : public QObject {
  Q_OBJECT
 public:
  HostDeploys(HostsModel& hosts, GuiPrompts& prompts, QObject* parent = nullptr);
  ~HostDeploys() override;

  void deploy(const std::string& host);
  void stop(const std::string& host);
  void askDisk(const std::string& host);              // into HostItem::disk
  void clean(const std::string& host, bool spools);   // old versions and half-sent files; then asks for the disk again
  const DeployView* view(const std::string& host) const;  // nullptr: none under way
  bool asking(const std::string& host) const { return asking_.contains(host); }

 signals:
  void changed(const QString& host);
  void ended(const QString& host, const QString& error);
  void cleaned(const QString& host, double bytes);

 private:
  using Follow = std::function<void()>;  // on the GUI thread
  using Work = std::function<Follow(hosts::CredentialPrompts&, const std::stop_token&)>;
  void post(const std::string& host, const std::stop_token& asked, Work work, std::function<void(const QString& error)> ended);
  void ask(const std::string& host, std::function<std::pair<deploy::HostDisk, double>(hosts::CredentialPrompts&)> question);  // bytes freed: -1, none were to be
  void onProgress(const std::string& host, const deploy::DeployProgress& progress, double seconds);

  HostsModel& hosts_;
  GuiPrompts& prompts_;
  std::map<std::string, DeployView> views_;
  std::map<std::string, std::stop_source> stops_;
  std::map<std::string, std::stop_source> asking_;
  TaskQueue pool_;
};

}  // namespace paceline::clusters
