// Fields of cards whose problems a model tells. GUI thread.
#pragma once

#include "app/ui/widgets/field.h"

namespace paceline {

// Told when they are left, not while one types.
QLineEdit* textLine(const char* objectName, int leastWidth, const QString& example = {});
QLineEdit* numberLine(const char* objectName);
void showProblem(widgets::Field* field, const QString& problem);  // as a sentence below it; "": none

}  // namespace paceline
