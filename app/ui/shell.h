// What the pages share: the models that live as long as the window, and where a page may send the user. GUI thread.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <QUndoCommand>
#include <QUndoStack>

#include "app/models/catalogue.h"
#include "app/models/clusters/host_tasks.h"
#include "app/models/clusters/hosts_model.h"
#include "app/models/recorder_link.h"
#include "app/models/runs/run_exports.h"
#include "app/models/runs/run_queue.h"
#include "app/models/runs/runs_model.h"

namespace paceline {

// What can be undone: of the Clusters page, the experiment form, the Runs pages. Each page undoes its own.
struct UndoStacks {
  QUndoStack hosts, drafts, runs;
};

struct RunTexts {  // what a person writes about a run
  std::string name, notes;
  std::vector<std::string> tags;
  bool operator==(const RunTexts&) const = default;
};
inline RunTexts textsOf(const store::RunRow& row) { return {.name = row.name, .notes = row.notes, .tags = row.tags}; }

struct Shell {
  RecorderLink& recorder;
  Catalogue& catalogue;
  runs::RunQueue& queue;
  runs::RunsModel& runs;
  runs::RunExports& exports;
  clusters::HostsModel& hosts;
  clusters::HostChecks& checks;
  clusters::HostDeploys& deploys;
  clusters::LinksModel& links;
  UndoStacks& undo;

  std::function<void()> newExperiment;
  std::function<void(const std::string& run)> openRun;
  std::function<void(const std::vector<std::string>& runs)> compareRuns;
  std::function<void(const std::vector<std::string>& runs)> reportRuns;  // a report to begin with
  std::function<void(const std::string& run)> cloneRun;   // its document into the experiment form
  std::function<void(const std::string& run, const std::string& what, const std::function<void(RunSpec&)>& change)> changeCopy;  // a copy there, changed; both can be undone
  std::function<void(const std::string& run)> rerun;      // the same again
  std::function<void(const std::string& run)> stopRun;    // asks first
  std::function<void(const std::vector<std::string>& runs)> stopRuns;  // asks once
  std::function<void(const std::vector<std::string>& runs, bool toTrash)> moveRuns;  // or out of it; can be undone
  std::function<void(const std::vector<std::pair<std::string, RunTexts>>& texts)> describeRuns;  // each of its own; can be undone
  std::function<void(QUndoStack& stack, const std::string& sentence)> offerUndo;  // of what was done, with a button, while its page is seen
  std::function<void(const std::string& sentence)> tell;  // something went wrong

  // What an empty store offers.
  std::function<void()> watchFirst;
  std::function<QString()> firstProblem;  // why it cannot be watched now; "": it can
  std::function<void()> openSample, hideSample;
  std::function<bool()> sampleShown;
  std::function<void()> connectMachine;
};

// A change that was made when it is pushed.
class Undoable : public QUndoCommand {
 public:
  Undoable(const QString& what, std::function<void()> redo, std::function<void()> undo) : QUndoCommand(what), redo_(std::move(redo)), undo_(std::move(undo)) {}

  void redo() override {
    if (std::exchange(pushed_, true)) redo_();
  }

  void undo() override { undo_(); }

 private:
  std::function<void()> redo_, undo_;
  bool pushed_ = false;
};

}  // namespace paceline
