// The card "Method": algorithm, how workers' contributions are brought together and by which engine, optimiser, rate schedule, wire format.
// GUI thread.
#pragma once

#include "app/ui/experiment/form_section.h"

namespace paceline::experiment {

class MethodSection : public FormSection {
  Q_OBJECT
 public:
  explicit MethodSection(ExperimentDraft& draft, QWidget* parent = nullptr);
  void follow() override;

 private:
  void followAggregation();

  ChoiceFields *algorithm_, *schedule_;
  QComboBox *aggregation_, *engine_;
};

class OptimizerSection : public FormSection {
  Q_OBJECT
 public:
  explicit OptimizerSection(ExperimentDraft& draft, QWidget* parent = nullptr);
  void follow() override;

 private:
  void followMomentum();
  void followWire();

  QLineEdit *momentum_, *weightDecay_, *clipNorm_;
  QComboBox *nesterov_, *decayAll_, *format_, *errorFeedback_;
};

}  // namespace paceline::experiment
