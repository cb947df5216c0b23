#include "app/ui/widgets/field.h"

#include "app/models/experiment/experiment_draft.h"
#include "app/ui/widgets/controls.h"

namespace paceline::widgets {
namespace {

constexpr int kNameWidth = 132, kNumberWidth = 132;

}  // namespace

Field::Field(const QString& name, QWidget* editor, std::string pointer, const QString& help, const QString& unit)
    : pointer_(std::move(pointer)), help_(help), editor_(editor), note_(wrapped(label("", "caption"))) {
  auto* caption = label(name);
  caption->setFixedWidth(static_cast<int>(kNameWidth * std::max(1.0, Theme::instance().scale())));
  caption->setFixedHeight(kControlHeight);
  caption->setBuddy(editor);
  editor->setAccessibleName(name);
  const bool number = editor->property("number").toBool();
  QHBoxLayout* line = across({{editor, number ? 0 : 1}});
  if (!unit.isEmpty()) line->addWidget(label(unit, "muted"));
  if (number) line->addStretch(1);
  setLayout(across({{caption, 0, Qt::AlignTop}, {down({line, note_}, {}, 2), 1}}));
  note();
}

void Field::setHelp(const QString& help) {
  help_ = help;
  note();
}

void Field::showFinding(const std::optional<Finding>& finding) {
  if (finding == finding_) return;
  finding_ = finding;
  note();
}

void Field::note() {
  note_->setText(finding_ ? QString::fromStdString(finding_->message) : help_);
  note_->setVisible(!note_->text().isEmpty());
  setLook(note_, "role", finding_ ? (finding_->error ? "finding" : "warning") : "caption");
  setLook(editor_, "invalid", finding_ && finding_->error);
}

QLineEdit* textEditor(const char* objectName, const std::function<void(const QString&)>& changed, bool number) {
  auto* editor = new QLineEdit;
  editor->setObjectName(objectName);
  editor->setProperty("number", number);
  if (number) {
    editor->setFixedWidth(kNumberWidth);
    editor->setAlignment(Qt::AlignRight);
  }
  QObject::connect(editor, &QLineEdit::textEdited, editor, changed);
  return editor;
}

void showText(QLineEdit* editor, const QString& text) {
  if (editor->hasFocus() || editor->text() == text) return;
  editor->setText(text);
  editor->setCursorPosition(0);
}

QString boundsText(const ParamSpec& param) {
  const auto number = [](double x) { return QString::number(x, 'g', 7).replace("e+", "e").replace("e0", "e"); };  // 1000000, 1e15
  if (param.min && param.max) return QString("%1 to %2").arg(number(*param.min), number(*param.max));
  if (param.min) return "at least " + number(*param.min);
  if (param.max) return "at most " + number(*param.max);
  return {};
}

}  // namespace paceline::widgets
