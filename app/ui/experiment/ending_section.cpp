#include "app/ui/experiment/sections.h"

#include "app/ui/widgets/controls.h"

namespace paceline::experiment {
namespace {

QString sourceWord(const std::string& source) {
  if (source == "server") return "asks the servers";
  if (source == "worker") return "the evaluating worker sends them";
  if (source == "checkpoints") return "follows the checkpoint files";
  return source == "auto" ? "automatic" : qtext(source);
}

}  // namespace

EndingSection::EndingSection(ExperimentDraft& draft, QWidget* parent) : FormSection(draft, "Evaluate and stop", parent) {
  every_ = numberField("evaluateEvery", "Evaluate every", "/evaluate/every_rounds",
                       [](RunSpec& spec, const QString& typed) { return assigned(spec.evaluate.everyRounds, typed); });
  on_ = listField("evaluateOn", "Evaluate on", "/evaluate/on", [](RunSpec& spec, const std::string& chosen) { spec.evaluate.on = chosen; });
  source_ = listField("evaluateSource", "Evaluator's source", "/evaluate/source",
                      [](RunSpec& spec, const std::string& chosen) { spec.evaluate.source = chosen; });
  checkpoint_ = numberField("checkpointEvery", "Checkpoint every", "/checkpoint/every_rounds",
                            [](RunSpec& spec, const QString& typed) { return assigned(spec.checkpointEveryRounds, typed); });
  stopRules();
}

void EndingSection::stopRules() {
  rounds_ = numberField("stopRounds", "Stop after", "/stop/rounds",
                        [](RunSpec& spec, const QString& typed) { return assigned(spec.stop.rounds, typed); });
  seconds_ = numberField("stopSeconds", "or after", "/stop/seconds",
                         [](RunSpec& spec, const QString& typed) { return assigned(spec.stop.seconds, typed); });
  samples_ = numberField("stopSamples", "or after", "/stop/samples",
                         [](RunSpec& spec, const QString& typed) { return assigned(spec.stop.samples, typed); });
  accuracy_ = numberField("stopAccuracy", "or at", "/stop/accuracy",
                          [](RunSpec& spec, const QString& typed) { return assigned(spec.stop.accuracy, typed); });
  auto* nothing = new QWidget;
  nothing->setFixedHeight(0);
  keep(new widgets::Field("", nothing, "/stop"));
}

void EndingSection::follow() {
  widgets::showText(every_, QString::number(spec().evaluate.everyRounds));
  widgets::showText(checkpoint_, QString::number(spec().checkpointEveryRounds));
  widgets::showText(rounds_, shown(spec().stop.rounds));
  widgets::showText(seconds_, shown(spec().stop.seconds));
  widgets::showText(samples_, shown(spec().stop.samples));
  widgets::showText(accuracy_, shown(spec().stop.accuracy));
  Words workers;
  for (const int worker : spec().workers()) {
    const QString id = qtext(spec().nodes[static_cast<std::size_t>(worker)].id);
    workers.emplace_back(id, id);
  }
  const std::string first = workers.empty() ? "" : workers.front().second.toStdString();
  showChoice(on_, workers, spec().evaluate.on.empty() ? first : spec().evaluate.on);
  followEvaluator();
}

void EndingSection::followEvaluator() {
  const std::vector<int> evaluators = spec().evaluators();
  const QString rules = "The stop rules count its rounds and its time";
  fieldOf(on_)->setHelp(evaluators.empty() ? rules + "; it evaluates itself"
                                           : rules + "; " + qtext(spec().nodes[static_cast<std::size_t>(evaluators.front())].id) + " evaluates");
  Words sources;
  for (const char* source : kEvaluateSources) sources.emplace_back(sourceWord(source), source);
  showChoice(source_, sources, spec().evaluate.source);
  applies(source_, !evaluators.empty(), spec().evaluate.source != "auto", "Needs a node with the role evaluator: the evaluating worker evaluates itself");
}

}  // namespace paceline::experiment
