// The cards "Experiment" (name, seeds, tags, notes) and "Learning problem" (model, data, how it is divided). GUI thread.
#pragma once

#include <QPlainTextEdit>

#include "app/models/experiment/split_preview.h"
#include "app/ui/experiment/form_section.h"

namespace paceline::figure {
class LabelMap;
}

namespace paceline::experiment {

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
  explicit ProblemSection(ExperimentDraft& draft, SplitPreview::Ask ask = {}, QWidget* parent = nullptr);  // no `ask`: no preview of the split
  void follow() override;

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void followSplit();
  ChoiceFields *model_, *dataset_, *partition_;
  QLineEdit* batch_;
  figure::LabelMap* map_;
  widgets::Field* mapField_;
  SplitPreview split_;
};

}  // namespace paceline::experiment
