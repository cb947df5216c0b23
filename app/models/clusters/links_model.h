// Links between hosts as last measured, and their measuring in the background. GUI thread.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include <QObject>

#include "app/models/gui_prompts.h"
#include "app/models/clusters/hosts_model.h"
#include "app/models/task_queue.h"

namespace paceline::clusters {

class LinksModel : public QObject {
  Q_OBJECT
 public:
  LinksModel(HostsModel& hosts, GuiPrompts& prompts, QObject* parent = nullptr);
  ~LinksModel() override;

  void load();
  void measure(const std::vector<std::string>& hosts);  // every pair, both ways; not while one is under way
  void stop() { stop_.request_stop(); }

  const check::LinkMeasure* at(const std::string& from, const std::string& to) const;  // nullptr: not measured
  std::vector<std::string> measured() const;  // hosts with a measured link, in the book's order
  bool measuring() const { return measuring_; }
  int done() const { return done_; }
  int total() const { return total_; }
  bool fresh(const std::string& from, const std::string& to) const;  // told by the measuring that runs or ran last

 signals:
  void changed();
  void ended(const QString& error);

 private:
  void take(const check::LinkMeasure& link);

  HostsModel& hosts_;
  GuiPrompts& prompts_;
  std::map<std::pair<std::string, std::string>, check::LinkMeasure> links_;
  std::map<std::pair<std::string, std::string>, int> told_;  // in which measuring
  int round_ = 0, done_ = 0, total_ = 0;
  bool measuring_ = false;
  std::stop_source stop_;
  TaskQueue tasks_;
};

// Where a bandwidth lies on a scale from 10 Mbit/s (0) to 10 Gbit/s (1), by its logarithm: links differ by factors.
double linkLevel(double mbps);
QString linkSpeedText(double mbps);  // "940 Mbit/s", "9.4 Gbit/s"
QString linkLatencyText(double ms);  // "0.21 ms", "12 ms"

}  // namespace paceline::clusters
