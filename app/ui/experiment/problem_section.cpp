#include "app/ui/experiment/sections.h"

#include "app/ui/widgets/controls.h"
#include "app/ui/figure/label_map.h"

namespace paceline::experiment {

IdentitySection::IdentitySection(ExperimentDraft& draft, QWidget* parent) : FormSection(draft, "Experiment", parent) {
  name_ = widgets::textEditor("name", [this](const QString& typed) { this->draft().edit([&](RunSpec& s) { s.name = typed.toStdString(); }); });
  seeds_ = widgets::textEditor("seeds", [this](const QString& typed) { this->draft().setSeeds(typed); });
  tags_ = widgets::textEditor("tags", [this](const QString& typed) { this->draft().edit([&](RunSpec& spec) { spec.tags = tagsIn(typed); }); });
  notes_ = new QPlainTextEdit;
  notes_->setFixedHeight(52);
  notes_->setTabChangesFocus(true);
  connect(notes_, &QPlainTextEdit::textChanged, this, [this] {
    if (notes_->hasFocus()) this->draft().edit([&](RunSpec& spec) { spec.notes = notes_->toPlainText().toStdString(); });
  });
  keep(new widgets::Field("Name", name_, "/name"));
  keep(new widgets::Field("Seeds", seeds_, "/seed", "One run for each: 1, 2, 3 or 1-5"));
  keep(new widgets::Field("Tags", tags_, "/tags"));
  keep(new widgets::Field("Notes", notes_, "/notes"));
}

void IdentitySection::follow() {
  widgets::showText(name_, qtext(spec().name));
  widgets::showText(seeds_, draft().seedsText());
  widgets::showText(tags_, qtexts(spec().tags).join(", "));
  if (!notes_->hasFocus() && notes_->toPlainText() != qtext(spec().notes)) notes_->setPlainText(qtext(spec().notes));
}

ProblemSection::ProblemSection(ExperimentDraft& draft, SplitPreview::Ask ask, QWidget* parent)
    : FormSection(draft, "Learning problem", parent), map_(new figure::LabelMap), split_(draft, ask) {
  model_ = choice("Model", &RunSpec::model, "/model", entriesOf(&Catalog::models));
  dataset_ = choice("Data set", &RunSpec::dataset, "/dataset", entriesOf(&Catalog::datasets));
  partition_ = choice("Partition", &RunSpec::partition, "/partition", entriesOf(&Catalog::partitions));
  mapField_ = new widgets::Field("Labels", map_, "/partition/labels");
  map_->setToolTip("Samples of each class at each worker. JS distance: the mean Jensen-Shannon distance of a worker's classes from everyone's; 0 the same, 1 none in common.");
  mapField_->setVisible(static_cast<bool>(ask));
  add(mapField_);
  connect(&split_, &SplitPreview::changed, this, &ProblemSection::followSplit);
  batch_ = numberField("batchSize", "Batch size", "/batch_size",
                       [](RunSpec& spec, const QString& typed) { return assigned(spec.batchSize, typed); });
}

void ProblemSection::follow() {
  model_->follow();
  dataset_->follow();
  partition_->follow();
  widgets::showText(batch_, QString::number(spec().batchSize));
}

void ProblemSection::followSplit() {
  const QString problem = split_.problem();
  map_->setPending(split_.due());
  map_->setStale(split_.asking() || !problem.isEmpty());
  if (!split_.asking() && split_.split()) map_->show(*split_.split());
  map_->setWords(split_.asking() ? "Dividing the data set…" : problem.isEmpty() ? split_.summary() : "No split to show");
  mapField_->showFinding(problem.isEmpty() || split_.asking() ? std::nullopt : std::optional(Finding{"/partition/labels", problem.toStdString(), false}));
}

// Dividing a data set takes a second of a core: only while it can be seen.
void ProblemSection::showEvent(QShowEvent* event) {
  FormSection::showEvent(event);
  split_.setWatched(true);
}

void ProblemSection::hideEvent(QHideEvent* event) {
  FormSection::hideEvent(event);
  split_.setWatched(false);
}

}  // namespace paceline::experiment
