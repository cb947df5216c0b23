// Every change of a draft as a step of an undo stack, which says what it changed. What is typed into one field without leaving it is one step.
// GUI thread; draft and stack outlive it, and its steps are used while the draft lives.
#pragma once

#include <QObject>

#include "app/models/experiment/experiment_draft.h"

class QUndoStack;

namespace paceline::experiment {

class DraftUndo : public QObject {
 public:
  DraftUndo(ExperimentDraft& draft, QUndoStack& stack, QObject* parent = nullptr);

  KeptSteps kept() const;             // that can be undone and done again now
  void take(const KeptSteps& steps);  // of the last start, before any step of this one; the draft is as they left it

 private:
  int typing() const;  // -1: the change did not come from a text field

  ExperimentDraft& draft_;
  QUndoStack& stack_;
  int visit_ = 0;  // of a field: another one whenever the focus moves or an earlier state comes back
};

}  // namespace paceline::experiment
