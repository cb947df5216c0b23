#include "app/ui/experiment/prediction_pane.h"

#include "app/models/words.h"
#include "app/ui/widgets/controls.h"

namespace paceline::experiment {
namespace {

constexpr int kLanesHeight = 84;  // px at normal text, at most

}  // namespace

PredictionPane::PredictionPane(RunPrediction& prediction)
    : prediction_(prediction), head_(widgets::label("", "caption")), words_(widgets::selectable(widgets::wrapped(widgets::label("", "small")))),
      sources_(widgets::wrapped(widgets::label("", "caption"))) {
  words_->setObjectName("predictionWords");
  sources_->setObjectName("predictionSources");
  lanes_->setObjectName("predictionLanes");
  lanes_->setAccessibleName(tr("Predicted timeline of the first rounds"));
  setLayout(widgets::down({head_, words_, lanes_, sources_}, {}, 4));
  connect(&prediction_, &RunPrediction::changed, this, &PredictionPane::follow);
  connect(&widgets::Theme::instance(), &widgets::Theme::changed, this, &PredictionPane::follow);
  follow();
}

// What was last predicted stays until the next one is there.
void PredictionPane::follow() {
  const bool told = prediction_.prediction() != nullptr;
  head_->setText(prediction_.pending() ? tr("Simulating…") : told ? tr("Simulated") : "");
  words_->setText(told ? prediction_.lines().join("\n") : !prediction_.problem().isEmpty() ? tr("%1.", "a sentence").arg(said(prediction_.problem().toStdString())) : prediction_.pending() ? QString() : tr("Told once the document has no errors."));
  widgets::setLook(words_, "role", told ? "small" : "caption");
  sources_->setText(prediction_.sources());
  sources_->setVisible(told);
  lanes_->setVisible(told);
  lanes_->setMaximumHeight(widgets::scaled(kLanesHeight));
  lanes_->setTimeline(prediction_.timeline());
}

}  // namespace paceline::experiment
