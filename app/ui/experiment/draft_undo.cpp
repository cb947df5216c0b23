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
  DraftStep(ExperimentDraft& draft, DraftState before, DraftState after, const QString& what, bool undone)  // of an earlier start
      : QUndoCommand(what), draft_(draft), before_(std::move(before)), after_(std::move(after)), typing_(-1), silent_(undone ? 2 : 1) {}

  KeptStep back() const { return kept(keptBefore_, before_); }
  KeptStep again() const { return kept(keptAfter_, after_); }

  int id() const override { return typing_; }

  bool mergeWith(const QUndoCommand* later) override {
    const auto* next = static_cast<const DraftStep*>(later);
    if (next->place_ != place_) return false;
    after_ = next->after_;
    keptAfter_.reset();
    setText(changeText(before_, after_, draft_.catalog()));
    setObsolete(before_ == after_);
    return true;
  }

  void undo() override { lead(before_); }
  void redo() override { lead(after_); }

 private:
  using Kept = std::shared_ptr<const std::string>;

  void lead(const DraftState& to) {
    if (silent_ > 0) --silent_;
    else draft_.restore(to);
  }

  KeptStep kept(Kept& made, const DraftState& state) const {
    if (!made) made = std::make_shared<const std::string>(stored(state));
    return {text(), made};
  }

  ExperimentDraft& draft_;
  DraftState before_, after_;
  std::string place_;
  int typing_;
  int silent_ = 1;  // moves of the stack that find the draft where they lead: being pushed, and undone as it was at the last start
  mutable Kept keptBefore_, keptAfter_;  // made once, when first asked for: they are written again with every later change
};

}  // namespace

DraftUndo::DraftUndo(ExperimentDraft& draft, QUndoStack& stack, QObject* parent) : QObject(parent), draft_(draft), stack_(stack) {
  if (stack.count() == 0) stack.setUndoLimit(kMostSteps);
  connect(qApp, &QApplication::focusChanged, this, [this] { ++visit_; });
  connect(&draft, &ExperimentDraft::specChanged, this, [this](int source) { visit_ += source == static_cast<int>(ExperimentDraft::Source::kLoad) ? 1 : 0; });
  connect(&draft, &ExperimentDraft::edited, this,
          [this, &draft, &stack](const DraftState& before, const QString& what) { stack.push(new DraftStep(draft, before, what, typing())); });
}

KeptSteps DraftUndo::kept() const {
  KeptSteps steps;
  const auto step = [this](int i) { return static_cast<const DraftStep*>(stack_.command(i)); };
  for (int i = stack_.index() - 1; i >= 0; --i) steps.back.push_back(step(i)->back());
  for (int i = stack_.index(); i < stack_.count(); ++i) steps.again.push_back(step(i)->again());
  return steps;
}

void DraftUndo::take(const KeptSteps& steps) {
  std::vector<std::unique_ptr<DraftStep>> done;  // the newest first
  DraftState after = draft_.state();
  for (const KeptStep& step : steps.back) {
    DraftState before;
    if (!readStored(*step.draft, before)) break;
    done.push_back(std::make_unique<DraftStep>(draft_, before, std::move(after), step.what, false));
    after = std::move(before);
  }
  for (auto step = done.rbegin(); step != done.rend(); ++step) stack_.push(step->release());
  int undone = 0;
  DraftState before = draft_.state();
  for (const KeptStep& step : steps.again) {
    DraftState later;
    if (!readStored(*step.draft, later)) break;
    stack_.push(new DraftStep(draft_, std::move(before), later, step.what, true));
    before = std::move(later);
    ++undone;
  }
  stack_.setIndex(stack_.count() - undone);
}

int DraftUndo::typing() const {
  const QWidget* field = QApplication::focusWidget();
  return qobject_cast<const QLineEdit*>(field) || qobject_cast<const QPlainTextEdit*>(field) ? visit_ : -1;
}

}  // namespace paceline::experiment
