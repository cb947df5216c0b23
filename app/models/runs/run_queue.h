// Runs experiments one after the other with RunController, on its own thread, on the hosts of the list as it is when each is opened.
// GUI thread; signals are queued.
// Destroying it asks the run in progress to stop and waits for it.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "app/models/gui_prompts.h"
#include "app/models/clusters/host_services.h"
#include "app/models/task_queue.h"
#include "app/models/workspace.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::runs {

enum class QueueAction { kRun, kSimulate, kAttach, kResume };

struct QueueItem {
  int ticket = 0;
  QueueAction action = QueueAction::kRun;
  std::string name{};
  std::string run{};  // "" until the store knows it
  store::RunState state = store::RunState::kDraft;
  std::string error{};
  std::string doing{};  // while hosts are opened: "gpu1: sending libtorch_cpu.so ..."
  bool waiting = true;
};

class RunQueue : public QObject {
  Q_OBJECT
 public:
  RunQueue(Workspace& workspace, clusters::HostServices services, GuiPrompts& prompts, QObject* parent = nullptr);
  ~RunQueue() override;

  int submit(RunSpec spec, QueueAction action = QueueAction::kRun);  // the ticket
  int attach(const std::string& run);
  int resume(const std::string& run);  // an ended run, from its last checkpoint, as a new one
  void stop(int ticket);            // takes it out of the queue or ends it
  void stopRunOf(const std::string& run);  // by this queue, else by asking its supervisor

  const std::vector<QueueItem>& items() const { return items_; }  // those that have not ended, in order
  const QueueItem* find(const std::string& run) const;
  bool busy() const { return !items_.empty(); }

 signals:
  void changed();
  void started(int ticket, const QString& run);  // the store knows it now
  void ended(int ticket, const QString& run, const QString& error);
  void failed(const QString& sentence);  // to ask a run's supervisors to stop it

 private:
  int enqueue(QueueItem item, RunSpec spec);
  void execute(int ticket, QueueAction action, const RunSpec& spec, const std::string& run, const std::stop_token& asked);
  void onState(int ticket, const std::string& run, store::RunState state, const std::string& text);
  void onEnded(int ticket, const std::string& run, const std::string& error);
  void onProgress(int ticket, const std::string& text);
  QueueItem* item(int ticket);
  hosts::HostOpener opener(hosts::CredentialPrompts& prompts) const;  // any thread

  Workspace& workspace_;
  const clusters::HostServices services_;
  GuiPrompts& prompts_;
  std::vector<QueueItem> items_;
  std::map<int, std::stop_source> stops_;
  int next_ = 1;
  TaskQueue asking_;  // stop requests to supervisors
  TaskQueue tasks_;   // the runs
};

}  // namespace paceline::runs
