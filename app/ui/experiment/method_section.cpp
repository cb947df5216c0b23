#include "app/ui/experiment/sections.h"

#include "app/ui/widgets/controls.h"

namespace paceline::experiment {
namespace {

const std::vector<std::pair<QString, QString>> kYesNo = {{"yes", "true"}, {"no", "false"}};

QString engineWord(const std::string& engine) {
  if (engine == "auto") return "automatic";
  if (engine == "paceline") return "Paceline's own";
  if (engine == "gloo") return "Gloo";
  return engine == "nccl" ? "NCCL" : qtext(engine);
}

QString flag(bool value) { return value ? "true" : "false"; }

}  // namespace

MethodSection::MethodSection(ExperimentDraft& draft, QWidget* parent) : FormSection(draft, "Method", parent) {
  algorithm_ = choice("Algorithm", &RunSpec::algorithm, "/algorithm", entriesOf(&Catalog::algorithms));
  aggregation_ = listField("aggregationList", "Aggregation", "/aggregation/id",
                           [](RunSpec& spec, const std::string& chosen) { spec.aggregation = {.id = chosen, .engine = "auto"}; });
  engine_ = listField("engineList", "Engine", "/aggregation/engine",
                      [](RunSpec& spec, const std::string& chosen) { spec.aggregation.engine = chosen; });
  schedule_ = choice("Rate schedule", &RunSpec::learningRateSchedule, "/learning_rate_schedule", entriesOf(&Catalog::schedules));
}

void MethodSection::follow() {
  algorithm_->follow();
  schedule_->follow();
  followAggregation();
}

void MethodSection::followAggregation() {
  Words words;
  const AggregationEntry* now = nullptr;
  if (const Catalog* catalog = draft().catalog()) {
    for (const AggregationEntry& entry : catalog->aggregations) words.emplace_back(qtext(entry.title.empty() ? entry.id : entry.title), qtext(entry.id));
    now = findEntry(catalog->aggregations, spec().aggregation.id);
  }
  showChoice(aggregation_, words, spec().aggregation.id);
  fieldOf(aggregation_)->setHelp(now ? qtext(now->summary) : QString());
  Words engines;
  std::vector<std::string> ids = {"auto", "paceline"};
  if (now) ids.insert(ids.end(), now->engines.begin(), now->engines.end());
  for (const std::string& id : ids) engines.emplace_back(engineWord(id), qtext(id));
  showChoice(engine_, engines, spec().aggregation.engine);
  const bool aggregated = !algorithm() || algorithm()->topology == Topology::kAggregated;
  fieldOf(aggregation_)->setVisible(aggregated);
  fieldOf(engine_)->setVisible((aggregated && ids.size() > 2) || spec().aggregation.engine != "auto");
}

OptimizerSection::OptimizerSection(ExperimentDraft& draft, QWidget* parent) : FormSection(draft, "Optimiser and wire", parent) {
  momentum_ = numberField("momentum", "Momentum", "/optimizer/momentum",
                          [](RunSpec& spec, const QString& typed) { return assigned(spec.optimizer.momentum, typed); });
  nesterov_ = listField("nesterov", "Nesterov", "/optimizer/nesterov",
                        [](RunSpec& spec, const std::string& chosen) { spec.optimizer.nesterov = chosen == "true"; });
  weightDecay_ = numberField("weightDecay", "Weight decay", "/optimizer/weight_decay",
                             [](RunSpec& spec, const QString& typed) { return assigned(spec.optimizer.weightDecay, typed); });
  decayAll_ = listField("decayAll", "Decays", "/optimizer/decay_all",
                        [](RunSpec& spec, const std::string& chosen) { spec.optimizer.decayAll = chosen == "true"; });
  clipNorm_ = numberField("clipNorm", "Clip to norm", "/optimizer/clip_norm",
                          [](RunSpec& spec, const QString& typed) { return assigned(spec.optimizer.clipNorm, typed); });
  format_ = listField("wireFormat", "Wire format", "/wire/format",
                      [](RunSpec& spec, const std::string& chosen) { spec.wire.format = chosen; });
  errorFeedback_ = listField("errorFeedback", "Error feedback", "/wire/error_feedback",
                             [](RunSpec& spec, const std::string& chosen) { spec.wire.errorFeedback = chosen == "true"; });
}

void OptimizerSection::follow() {
  const Optimizer& optimizer = spec().optimizer;
  widgets::showText(momentum_, QString::number(optimizer.momentum, 'g', 10));
  showChoice(nesterov_, kYesNo, flag(optimizer.nesterov).toStdString());
  widgets::showText(weightDecay_, QString::number(optimizer.weightDecay, 'g', 10));
  showChoice(decayAll_, {{"everything", "true"}, {"all but biases and norms", "false"}}, flag(optimizer.decayAll).toStdString());
  widgets::showText(clipNorm_, shown(optimizer.clipNorm));
  followMomentum();
  followWire();
}

void OptimizerSection::followMomentum() {
  const Optimizer& optimizer = spec().optimizer;
  const AlgorithmEntry* entry = algorithm();
  applies(momentum_, !entry || entry->momentum, optimizer.momentum != 0,
          entry ? qtext(entry->title.empty() ? entry->id : entry->title) + " does not use it; its own, if it has one, is a parameter above" : QString());
  fieldOf(nesterov_)->setVisible(optimizer.momentum != 0 || optimizer.nesterov);
  fieldOf(decayAll_)->setVisible(optimizer.weightDecay != 0 || !optimizer.decayAll);
}

void OptimizerSection::followWire() {
  const WireFormat& wire = spec().wire;
  Words formats;
  for (const char* format : kWireFormats) formats.emplace_back(format, format);
  showChoice(format_, formats, wire.format);
  showChoice(errorFeedback_, kYesNo, flag(wire.errorFeedback).toStdString());
  const AlgorithmEntry* entry = algorithm();
  applies(format_, !entry || entry->densePushes, wire.format != "fp32",
          entry ? qtext(entry->title.empty() ? entry->id : entry->title) + " pushes no dense vectors" : QString());
  fieldOf(errorFeedback_)->setVisible(wire.format != "fp32" || !wire.errorFeedback);
}

}  // namespace paceline::experiment
