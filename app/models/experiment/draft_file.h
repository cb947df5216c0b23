// Keeps a draft and the steps that can be undone across restarts: in a file that is written a moment after each change, and when this ends. Each window has a file of its own, the
// first that no other one has: "draft-1.json", "draft-2.json". GUI thread; files are written on a thread of its own.
#pragma once

#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/models/experiment/experiment_draft.h"
#include "app/models/task_queue.h"

namespace paceline::experiment {

// Who has the steps that can be undone. Without: only the draft is kept.
struct DraftPast {
  std::function<std::vector<PastDraft>()> steps{};                   // oldest first
  std::function<void(const std::vector<PastDraft>& steps)> take{};  // of the last start; the draft has come back
};

class DraftFile : public QObject {
  Q_OBJECT
 public:
  DraftFile(const QString& folder, ExperimentDraft& draft, DraftPast past = {}, QObject* parent = nullptr);
  ~DraftFile() override;

  QString restore();  // what the file holds, into the draft; "" or why it does not: then the file is beside it as ".bad"

 signals:
  void failed(const QString& sentence);  // the draft cannot be kept; said once until it can

 private:
  void write();
  void tell(const QString& problem);

  std::vector<PastDraft> steps() const { return past_.steps ? past_.steps() : std::vector<PastDraft>(); }

  ExperimentDraft& draft_;
  DraftPast past_;
  std::string path_;  // "": no folder can be made
  std::unique_ptr<QLockFile> lock_;
  QString told_;
  QTimer soon_;
  std::unique_ptr<TaskQueue> writing_ = std::make_unique<TaskQueue>();  // ends before the last words
};

}  // namespace paceline::experiment
