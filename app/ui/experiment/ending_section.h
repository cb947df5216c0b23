// The card "Evaluate and stop": evaluation, checkpoints, stop rules. GUI thread.
#pragma once

#include "app/ui/experiment/form_section.h"

namespace paceline::experiment {

class EndingSection : public FormSection {
  Q_OBJECT
 public:
  explicit EndingSection(ExperimentDraft& draft, QWidget* parent = nullptr);
  void follow() override;

 private:
  void stopRules();
  void followEvaluator();

  QLineEdit *every_, *checkpoint_, *rounds_, *seconds_, *samples_, *accuracy_;
  QComboBox *on_, *source_;
};

}  // namespace paceline::experiment
