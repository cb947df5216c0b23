// How busy hosts are: what the runs that are recorded now tell of theirs, once a second, read in the background and put into the table of hosts. Of a host
// without such a run nothing is known. GUI thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <QObject>

#include "app/models/clusters/hosts_model.h"
#include "app/models/recorder_link.h"
#include "app/models/runs/run_queue.h"

namespace paceline::runs {

class HostLoads : public QObject {
  Q_OBJECT
 public:
  HostLoads(RecorderLink& recorder, RunQueue& queue, clusters::HostsModel& hosts, QObject* parent = nullptr);
  ~HostLoads() override;

 signals:
  void failed(const QString& sentence);

 private:
  struct Source;
  void look(const std::string& run);
  void take(const std::string& run, const std::vector<store::HostLoadRow>& rows);
  void end(const std::string& run);

  RecorderLink& recorder_;
  RunQueue& queue_;
  clusters::HostsModel& hosts_;
  std::map<std::string, bool> runs_;  // under way that have told something, and whether they are being read
  std::map<std::string, std::string> toldBy_;  // host: the run
  std::shared_ptr<Source> source_;    // used by its tasks only
  TaskQueue tasks_;
};

}  // namespace paceline::runs
