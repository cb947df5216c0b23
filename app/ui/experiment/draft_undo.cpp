#include "app/ui/experiment/draft_undo.h"

#include <QApplication>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QUndoCommand>
#include <QUndoStack>
#include <memory>
#include <utility>

#include "app/models/experiment/draft_words.h"

namespace paceline::experiment {
namespace {

constexpr int kMostSteps = 200;

// A change that was made when it is pushed.
class DraftStep : public QUndoCommand {
 public:
  DraftStep(ExperimentDraft& draft, DraftState before, const QString& what, int typing)
      : draft_(draft), before_(std::move(before)), after_(draft.state()), place_(changedPlace(before_, after_)), typing_(what.isEmpty() ? typing : -1) {
    setText(what.isEmpty() ? changeText(before_, after_, draft_.catalog()) : what);
  }
  DraftStep(ExperimentDraft& draft, DraftState before, DraftState after, const QString& what)  // of an earlier start
      : QUndoCommand(what), draft_(draft), before_(std::move(before)), after_(std::move(after)), typing_(-1) {}

  PastDraft past() const {
    if (stored_.empty()) stored_ = stored(before_);
    return {text(), stored_};
  }

  int id() const override { return typing_; }

  bool mergeWith(const QUndoCommand* later) override {
    const auto* next = static_cast<const DraftStep*>(later);
    if (next->place_ != place_) return false;
    after_ = next->after_;
    setText(changeText(before_, after_, draft_.catalog()));
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
  mutable std::string stored_;  // made once, when it is first asked for: it is written again with every later change
  bool pushed_ = false;
};

}  // namespace

DraftUndo::DraftUndo(ExperimentDraft& draft, QUndoStack& stack, QObject* parent) : QObject(parent), draft_(draft), stack_(stack) {
  if (stack.count() == 0) stack.setUndoLimit(kMostSteps);
  connect(qApp, &QApplication::focusChanged, this, [this] { ++visit_; });
  connect(&draft, &ExperimentDraft::specChanged, this, [this](int source) { visit_ += source == static_cast<int>(ExperimentDraft::Source::kLoad) ? 1 : 0; });
  connect(&draft, &ExperimentDraft::edited, this,
          [this, &draft, &stack](const DraftState& before, const QString& what) { stack.push(new DraftStep(draft, before, what, typing())); });
}

std::vector<PastDraft> DraftUndo::past() const {
  std::vector<PastDraft> past;
  for (int i = 0; i < stack_.index(); ++i) past.push_back(static_cast<const DraftStep*>(stack_.command(i))->past());
  return past;
}

void DraftUndo::take(const std::vector<PastDraft>& past) {
  std::vector<std::unique_ptr<DraftStep>> steps;  // the newest first
  DraftState after = draft_.state();
  for (auto step = past.rbegin(); step != past.rend(); ++step) {
    DraftState before;
    if (!readStored(step->before, before)) break;
    steps.push_back(std::make_unique<DraftStep>(draft_, before, std::move(after), step->what));
    after = std::move(before);
  }
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) stack_.push(step->release());
}

int DraftUndo::typing() const {
  const QWidget* field = QApplication::focusWidget();
  return qobject_cast<const QLineEdit*>(field) || qobject_cast<const QPlainTextEdit*>(field) ? visit_ : -1;
}

}  // namespace paceline::experiment
