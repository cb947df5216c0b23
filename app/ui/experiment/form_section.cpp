#include "app/ui/experiment/form_section.h"

#include <algorithm>

#include "app/ui/widgets/controls.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/schema.h"

namespace paceline::experiment {
namespace {

// Assigns when the text is a number of that type, or empty where nothing may be given.
template <class T, class Read>
bool assignedOptional(std::optional<T>& into, const QString& typed, const Read& read) {
  const QString text = typed.trimmed();
  if (text.isEmpty()) return into.reset(), true;
  bool ok = false;
  const auto value = static_cast<T>(read(text, ok));
  if (ok) into = value;
  return ok;
}

}  // namespace

bool assigned(std::optional<double>& into, const QString& typed) {
  return assignedOptional(into, typed, [](const QString& text, bool& ok) { return text.toDouble(&ok); });
}

bool assigned(std::optional<std::int64_t>& into, const QString& typed) {
  return assignedOptional(into, typed, [](const QString& text, bool& ok) { return text.toLongLong(&ok); });
}

bool assigned(double& into, const QString& typed) {
  bool ok = false;
  const double value = typed.trimmed().toDouble(&ok);
  if (ok) into = value;
  return ok;
}

bool assigned(int& into, const QString& typed) {
  bool ok = false;
  const int value = typed.trimmed().toInt(&ok);
  if (ok) into = value;
  return ok;
}

QString shown(const std::optional<double>& value) { return value ? QString::number(*value, 'g', 10) : QString(); }
QString shown(const std::optional<std::int64_t>& value) { return value ? QString::number(*value) : QString(); }

void showChoice(QComboBox* list, const std::vector<std::pair<QString, QString>>& words, const std::string& now) {
  bool same = list->count() == static_cast<int>(words.size());
  for (int i = 0; same && i < list->count(); ++i)
    same = list->itemText(i) == words[static_cast<std::size_t>(i)].first && list->itemData(i).toString() == words[static_cast<std::size_t>(i)].second;
  if (!same) {
    list->clear();
    for (const auto& [word, meaning] : words) list->addItem(word, meaning);
  }
  list->setPlaceholderText(qtext(now));
  list->setCurrentIndex(list->findData(qtext(now)));
}

FormSection::FormSection(ExperimentDraft& draft, const QString& title, QWidget* parent) : QFrame(parent), draft_(draft) {
  widgets::styleCard(this);
  if (!title.isEmpty()) layout()->addWidget(widgets::label(title, "section"));
}

void FormSection::add(QWidget* widget) { layout()->addWidget(widget); }

widgets::Field* FormSection::keep(widgets::Field* field) {
  fields_.push_back(field);
  add(field);
  return field;
}

ChoiceFields* FormSection::choice(const QString& name, Choice RunSpec::*choice, const std::string& pointer, ChoiceFields::Entries entries) {
  choices_.push_back(new ChoiceFields(draft_, name, choice, pointer, std::move(entries)));
  add(choices_.back());
  return choices_.back();
}

QLineEdit* FormSection::numberField(const char* objectName, const QString& name, const std::string& pointer,
                                    std::function<bool(RunSpec&, const QString&)> assign) {
  QLineEdit* editor = widgets::textEditor(
      objectName,
      [this, pointer, assign = std::move(assign)](const QString& typed) {
        bool ok = true;
        draft_.edit([&](RunSpec& spec) { ok = assign(spec, typed); });
        if (ok) return draft_.accept(pointer);
        draft_.refuse(pointer, strCat("must be a number, got \"", typed.toStdString(), "\""));
      },
      true);
  const FieldInfo* info = fieldAt(pointer);
  keep(new widgets::Field(name, editor, pointer, qtext(fieldHelp(pointer)), qtext(info ? info->unit : "")));
  return editor;
}

QComboBox* FormSection::listField(const char* objectName, const QString& name, const std::string& pointer, TextChange assign) {
  auto* list = new QComboBox;
  list->setObjectName(objectName);
  connect(list, &QComboBox::activated, this, [this, list, assign = std::move(assign)](int index) {
    const std::string chosen = list->itemData(index).toString().toStdString();
    draft_.edit([&](RunSpec& spec) { assign(spec, chosen); });
  });
  keep(new widgets::Field(name, list, pointer, qtext(fieldHelp(pointer))));
  return list;
}

widgets::Field* FormSection::fieldOf(const QWidget* editor) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [editor](const widgets::Field* field) { return field->editor() == editor; });
  PACELINE_CHECK(found != fields_.end(), "an editor of this section");
  return *found;
}

void FormSection::applies(QWidget* editor, bool applies, bool set, const QString& reason) {
  editor->setEnabled(applies || set);
  widgets::Field* field = fieldOf(editor);
  field->setHelp(applies ? qtext(fieldHelp(field->pointer())) : reason);
}

std::vector<widgets::Field*> FormSection::fields() const {
  std::vector<widgets::Field*> all = fields_;
  for (const ChoiceFields* each : choices_)
    for (widgets::Field* field : each->fields()) all.push_back(field);
  return all;
}

const AlgorithmEntry* FormSection::algorithm() const {
  return draft_.catalog() ? findEntry(draft_.catalog()->algorithms, spec().algorithm.id) : nullptr;
}

}  // namespace paceline::experiment
