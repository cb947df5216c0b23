// Checks, deployments and clean-up of hosts and measurements of their links in the background, several hosts at a time; what they tell appears as
// it comes. GUI thread; a task only posts to it.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <QObject>

#include "app/models/gui_prompts.h"
#include "app/models/clusters/hosts_model.h"
#include "app/models/task_queue.h"

namespace paceline::clusters {

class HostTasks : public QObject {
 public:
  void stop(const std::string& host = {});  // "": the task of several

 protected:
  using Stops = std::map<std::string, std::stop_source>;  // of what is under way, by host
  using Follow = std::function<void()>;                   // on the GUI thread
  using Work = std::function<Follow(hosts::CredentialPrompts&, const std::stop_token&)>;

  HostTasks(HostsModel& hosts, GuiPrompts& prompts, int atOnce, QObject* parent) : QObject(parent), hosts_(hosts), prompts_(prompts), pool_(atOnce) {}
  ~HostTasks() override;

  // `work` runs on the pool; what it returns and `ended` on the GUI thread, when `underWay` has no entry of the host any more. Nothing while one is.
  // Host "": a task of several hosts.
  bool begin(Stops& underWay, const std::string& host, Work work, std::function<void(const QString& error)> ended);

  HostsModel& hosts_;
  GuiPrompts& prompts_;
  Stops stops_, asking_;
  TaskQueue pool_;  // the last member: its tasks touch no member of a derived class
};

class HostChecks : public HostTasks {
  Q_OBJECT
 public:
  HostChecks(HostsModel& hosts, GuiPrompts& prompts, QObject* parent = nullptr);

  void check(const std::string& host, const std::string& only = {});  // only: one line and its prerequisites; ignored while a check is under way
  void checkAll();
  int running() const { return static_cast<int>(stops_.size()); }

 signals:
  void changed();                    // how many run
  void ended(const QString& host);

 private:
  void onLine(const std::string& host, const check::CheckLine& line);
};

struct DeployView {  // of a deployment under way
  deploy::DeployProgress progress;
  double fraction = 0;  // never decreases
  std::optional<double> etaLow{}, etaHigh{};  // seconds
};

// What the next view is, `seconds` after the start.
DeployView nextView(const DeployView& before, const deploy::DeployProgress& progress, double seconds);

class HostDeploys : public HostTasks {  // progress comes at most twice a second
  Q_OBJECT
 public:
  HostDeploys(HostsModel& hosts, GuiPrompts& prompts, QObject* parent = nullptr);

  void deploy(const std::string& host);
  void askDisk(const std::string& host);              // into HostItem::disk
  void clean(const std::string& host, bool spools);   // old versions and half-sent files; then asks for the disk again
  const DeployView* view(const std::string& host) const;  // nullptr: none under way
  bool asking(const std::string& host) const { return asking_.contains(host); }

 signals:
  void changed(const QString& host);
  void ended(const QString& host, const QString& error);
  void cleaned(const QString& host, double bytes);

 private:
  void ask(const std::string& host, std::function<std::pair<deploy::HostDisk, double>(hosts::CredentialPrompts&)> question);  // bytes freed: -1, none were to be
  void onProgress(const std::string& host, const deploy::DeployProgress& progress, double seconds);

  std::map<std::string, DeployView> views_;
};

// Links between hosts as last measured, and their measuring.
class LinksModel : public HostTasks {
  Q_OBJECT
 public:
  LinksModel(HostsModel& hosts, GuiPrompts& prompts, QObject* parent = nullptr);

  void load();
  void measure(const std::vector<std::string>& hosts);  // every pair, both ways; not while one is under way

  const check::LinkMeasure* at(const std::string& from, const std::string& to) const;  // nullptr: not measured
  std::vector<std::string> measured() const;  // hosts with a measured link, in the book's order
  bool measuring() const { return !stops_.empty(); }
  int done() const { return done_; }
  int total() const { return total_; }

 signals:
  void changed();
  void ended(const QString& error);

 private:
  void take(const check::LinkMeasure& link);

  std::map<std::pair<std::string, std::string>, check::LinkMeasure> links_;
  std::map<std::pair<std::string, std::string>, int> told_;  // in which measuring; not by any since the start: -1
  int round_ = 0, done_ = 0, total_ = 0;
};

// Where a bandwidth lies on a scale from 10 Mbit/s (0) to 10 Gbit/s (1), by its logarithm: links differ by factors.
double linkLevel(double mbps);
QString linkSpeedText(double mbps);  // "940 Mbit/s", "9.4 Gbit/s"
QString linkLatencyText(double ms);  // "0.21 ms", "12 ms"

}  // namespace paceline::clusters
