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

 private:
  int typing() const;  // -1: the change did not come from a text field

  int visit_ = 0;  // of a field: another one whenever the focus moves or an earlier state comes back
};

}  // namespace paceline::experiment
