#include "app/ui/settings/card_fields.h"

#include "app/models/words.h"

namespace paceline {

QLineEdit* textLine(const char* objectName, int leastWidth, const QString& example) {
  auto* made = new QLineEdit;
  made->setObjectName(objectName);
  made->setPlaceholderText(example);
  made->setMinimumWidth(leastWidth);
  return made;
}

QLineEdit* numberLine(const char* objectName) {
  return widgets::textEditor(objectName, [](const QString&) {}, true);
}

void showProblem(widgets::Field* field, const QString& problem) {
  field->showFinding(problem.isEmpty() ? std::nullopt : std::optional(Finding{"", asSentence(problem).toStdString() + "."}));
}

}  // namespace paceline
