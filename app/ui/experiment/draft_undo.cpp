#include "app/ui/experiment/draft_undo.h"

#include <QApplication>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QUndoCommand>
#include <QUndoStack>
#include <utility>

namespace paceline::experiment {
namespace {

constexpr int kMostSteps = 200;

// A change that was made when it is pushed.
class DraftStep : public QUndoCommand {
 public:
  DraftStep(ExperimentDraft& draft, DraftState before, const QString& what, int typing)
      : draft_(draft), before_(std::move(before)), after_(draft.state()), place_(changedPlace(before_, after_)), typing_(what.isEmpty() ? typing : -1) {
    setText(what.isEmpty() ? changeText(before_, after_) : what);
  }

  int id() const override { return typing_; }

  bool mergeWith(const QUndoCommand* later) override {
    const auto* next = static_cast<const DraftStep*>(later);
    if (next->place_ != place_) return false;
    after_ = next->after_;
    setText(changeText(before_, after_));
    setObsolete(before_ == after_);
    return true;
  }

  void undo() override { draft_.restore(before_); }
  void redo() override {
    if (std::exchange(pushed_, true)) draft_.restore(after_);
  }

 private:
  ExperimentDraft& draft_;
  DraftState before_, after_;
  std::string place_;
  int typing_;
  bool pushed_ = false;
};

}  // namespace

DraftUndo::DraftUndo(ExperimentDraft& draft, QUndoStack& stack, QObject* parent) : QObject(parent) {
  if (stack.count() == 0) stack.setUndoLimit(kMostSteps);
  connect(qApp, &QApplication::focusChanged, this, [this] { ++visit_; });
  connect(&draft, &ExperimentDraft::specChanged, this, [this](int source) { visit_ += source == static_cast<int>(ExperimentDraft::Source::kLoad) ? 1 : 0; });
  connect(&draft, &ExperimentDraft::edited, this,
          [this, &draft, &stack](const DraftState& before, const QString& what) { stack.push(new DraftStep(draft, before, what, typing())); });
}

int DraftUndo::typing() const {
  const QWidget* field = QApplication::focusWidget();
  return qobject_cast<const QLineEdit*>(field) || qobject_cast<const QPlainTextEdit*>(field) ? visit_ : -1;
}

}  // namespace paceline::experiment
