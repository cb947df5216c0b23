// One card of the experiment form. Its fields show the draft, write into it, and give the reason where they do not apply. Help, limits and unit
// of fixed members come from their description. What few people set is folded away at its foot. GUI thread.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <QFrame>
#include <QLayout>

#include "app/models/experiment/experiment_draft.h"
#include "app/models/words.h"
#include "app/ui/widgets/field.h"
#include "app/ui/widgets/fold.h"

namespace paceline::experiment {

class ChoiceFields;

class FormSection : public QFrame {
 public:
  using Words = std::vector<std::pair<QString, QString>>;  // shown word, value

  FormSection(ExperimentDraft& draft, const QString& title);
  virtual bool belongs() const { return true; }  // to the document; else it is hidden
  void onFollow(std::function<void()> act) { followers_.push_back(std::move(act)); }
  void follow();      // the draft's spec or catalogue changed
  void followFold();  // a finding came or went, a value varies or does so no more
  std::vector<widgets::Field*> fields() const;  // those of its choices too
  widgets::Field* fieldOf(const QWidget* editor) const;
  const AlgorithmEntry* algorithm() const;  // nullptr: not known
  ExperimentDraft& draft() const { return draft_; }
  const RunSpec& spec() const { return draft_.spec(); }

  void add(QWidget* widget) { rows_->addWidget(widget); }
  void fold(std::initializer_list<widgets::Field*> fields);  // away
  void fold(std::initializer_list<QWidget*> editors);
  widgets::Fold& more() { return *more_; }
  widgets::Field* keep(widgets::Field* field);           // adds it below the others
  widgets::Field* keepNote(const std::string& pointer);  // no editor: room for a finding
  QLineEdit* text(const char* objectName, const QString& name, const std::string& pointer, const QString& help, std::function<QString()> read,
                  const std::function<void(const QString&)>& write);
  QComboBox* list(const char* objectName, const QString& name, const std::string& pointer, std::function<Words()> words,
                  std::function<std::string()> read, std::function<void(RunSpec&, const std::string&)> write);
  void choice(const QString& name, Choice RunSpec::*choice, const std::string& pointer);

  // A number or a choice of words (a flag: "true", "false") that is the member which `member` finds in a spec.
  template <class Member>
  QLineEdit* number(const char* objectName, const QString& name, const std::string& pointer, Member member) {
    QLineEdit* editor = numberEditor(objectName, name, pointer, [member](RunSpec& spec, const QString& typed) { return readValue(typed, member(spec)); });
    followText(editor, pointer, [this, member] { return valueText(member(spec())); });
    followChange(editor, member);
    return editor;
  }
  template <class Member>
  QComboBox* list(const char* objectName, const QString& name, const std::string& pointer, std::function<Words()> words, Member member) {
    QComboBox* made = list(objectName, name, pointer, std::move(words), [this, member] { return valueOf(member(spec())); },
                           [member](RunSpec& spec, const std::string& chosen) { assign(member(spec), chosen); });
    followChange(made, member);
    return made;
  }
  // Enabled, or disabled with the reason below it; a value that is set without effect can still be changed.
  void applies(QWidget* editor, bool applies, bool set, const QString& reason);

 private:
  QLineEdit* numberEditor(const char* objectName, const QString& name, const std::string& pointer, std::function<const char*(RunSpec&, const QString&)> read);
  void followText(QLineEdit* editor, const std::string& pointer, std::function<QString()> read);
  template <class Member>
  void followChange(const QWidget* editor, Member member) {
    onFollow([this, field = fieldOf(editor), member, unset = RunSpec()] { field->setChanged(member(spec()) != member(unset)); });
  }
  static std::string valueOf(const std::string& value) { return value; }
  static std::string valueOf(bool value) { return value ? "true" : "false"; }
  static void assign(std::string& into, const std::string& chosen) { into = chosen; }
  static void assign(bool& into, const std::string& chosen) { into = chosen == "true"; }

  ExperimentDraft& draft_;
  QVBoxLayout* rows_;
  widgets::Fold* more_ = new widgets::Fold;
  std::vector<std::function<void()>> followers_;
  std::vector<widgets::Field*> fields_;
  std::vector<ChoiceFields*> choices_;
};

}  // namespace paceline::experiment
