// Runs experiments one after the other with RunController, on its own thread. GUI thread; signals are queued.
// Destroying it asks the run in progress to stop and waits for it.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "app/models/lane.h"
#include "app/models/workspace.h"
#include "engine/core/run_spec.h"

namespace paceline {

enum class QueueAction { kRun, kSimulate, kAttach };

struct QueueItem {
  int ticket = 0;
  QueueAction action = QueueAction::kRun;
  std::string name{};
  std::string run{};  // "" until the store knows it
  RunState state = RunState::kDraft;
  std::string error{};
  bool waiting = true;
};

class RunQueue : public QObject {
  Q_OBJECT
 public:
  explicit RunQueue(Workspace& workspace, QObject* parent = nullptr);
  ~RunQueue() override;

  int submit(RunSpec spec, QueueAction action = QueueAction::kRun);  // the ticket
  int attach(const std::string& run);
  void stop(int ticket);            // takes it out of the queue or ends it
  void stopRunOf(const std::string& run);  // by this queue, else by asking its supervisor

  const std::vector<QueueItem>& items() const { return items_; }  // those that have not ended, in order
  const QueueItem* find(const std::string& run) const;
  bool busy() const { return !items_.empty(); }

 signals:
  void changed();
  void started(int ticket, const QString& run);  // the store knows it now
  void ended(int ticket, const QString& run, const QString& error);

 private:
  int enqueue(QueueItem item, RunSpec spec);
  void execute(int ticket, QueueAction action, const RunSpec& spec, const std::string& run, const std::stop_token& asked);
  void onState(int ticket, const std::string& run, RunState state, const std::string& text);
  void onEnded(int ticket, const std::string& run, const std::string& error);
  QueueItem* item(int ticket);

  Workspace& workspace_;
  std::vector<QueueItem> items_;
  std::map<int, std::stop_source> stops_;
  int next_ = 1;
  Lane asking_;  // stop requests to supervisors
  Lane lane_;    // the runs
};

}  // namespace paceline
