// Keeps a draft and the steps that can be undone or done again across restarts: in a file that is written a moment after each change, and when this ends. Each window has a file of its own, the
// first that no other one has: "draft-1.json", "draft-2.json". GUI thread; files are written on a thread of its own.
#pragma once

#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>

#include "app/models/experiment/experiment_draft.h"
#include "app/models/task_queue.h"

namespace paceline::experiment {

// Who has the steps. Without: only the draft is kept.
struct StepKeeper {
  std::function<KeptSteps()> steps{};
  std::function<void(const KeptSteps& steps)> take{};  // of the last start; the draft has come back
};

class DraftFile : public QObject {
  Q_OBJECT
 public:
  DraftFile(const QString& folder, ExperimentDraft& draft, StepKeeper keeper = {}, QObject* parent = nullptr);
  ~DraftFile() override;

  QString restore();  // what the file holds, into the draft; "" or why it does not: then the file is beside it as ".bad"

 signals:
  void failed(const QString& sentence);  // the draft cannot be kept; said once until it can

 private:
  void write();
  void tell(const QString& problem);

  KeptSteps steps() const { return keeper_.steps ? keeper_.steps() : KeptSteps(); }

  ExperimentDraft& draft_;
  StepKeeper keeper_;
  std::string path_;  // "": no folder can be made
  std::unique_ptr<QLockFile> lock_;
  QString told_;
  QTimer soon_;
  std::unique_ptr<TaskQueue> writing_ = std::make_unique<TaskQueue>();  // ends before the last words
};

}  // namespace paceline::experiment
