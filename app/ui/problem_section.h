// The cards "Experiment" (name, seeds, tags, notes) and "Learning problem" (model, data, how it is divided). GUI thread.
#pragma once

#include <QPlainTextEdit>

#include "app/ui/form_section.h"

namespace paceline {

class IdentitySection : public FormSection {
  Q_OBJECT
 public:
  explicit IdentitySection(ExperimentDraft& draft, QWidget* parent = nullptr);
  void follow() override;

 private:
  QLineEdit *name_, *seeds_, *tags_;
  QPlainTextEdit* notes_;
};

class ProblemSection : public FormSection {
  Q_OBJECT
 public:
  explicit ProblemSection(ExperimentDraft& draft, QWidget* parent = nullptr);
  void follow() override;

 private:
  ChoiceFields *model_, *dataset_, *partition_;
  QLineEdit* batch_;
};

}  // namespace paceline
