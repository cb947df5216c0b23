#include "app/ui/experiment/form_cards.h"

#include <QPlainTextEdit>

#include "app/models/experiment/draft_vary.h"
#include "app/models/experiment/draft_words.h"
#include "app/ui/figure/label_map.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/input_rules.h"

namespace paceline::experiment {
namespace {

using Words = FormSection::Words;

template <class Ids>
Words worded(const Ids& ids, const std::string& pointer = {}) {
  Words all;
  for (const auto& id : ids) all.emplace_back(wordOf(pointer, id), qtext(id));
  return all;
}

Words yesNo() { return {{QObject::tr("yes"), "true"}, {QObject::tr("no"), "false"}}; }

// Model, data, how it is divided; no `ask`: no preview of the split.
class ProblemSection : public FormSection {
 public:
  ProblemSection(ExperimentDraft& draft, const SplitPreview::Ask& ask) : FormSection(draft, tr("Learning problem")), asked_(static_cast<bool>(ask)), split_(draft, ask, this) {
    choice(tr("Model"), &RunSpec::model, "/model");
    choice(tr("Data set"), &RunSpec::dataset, "/dataset");
    choice(tr("Partition"), &RunSpec::partition, "/partition");
    map_->setToolTip(tr("Samples of each class at each worker. JS distance: the mean Jensen-Shannon distance of a worker's classes from everyone's; 0 the same, 1 none in common."));
    mapField_->setVisible(asked_);
    add(mapField_);
    connect(&split_, &SplitPreview::changed, this, [this] { followSplit(); });
    number("batchSize", tr("Batch size"), "/batch_size", [](auto& spec) -> auto& { return spec.batchSize; });
  }

 protected:
  // Dividing a data set takes a second of a core: only while it can be seen.
  void showEvent(QShowEvent* event) override {
    FormSection::showEvent(event);
    split_.setWatched(true);
  }

  void hideEvent(QHideEvent* event) override {
    FormSection::hideEvent(event);
    split_.setWatched(false);
  }

 private:
  void followSplit() {
    const QString problem = split_.problem();
    mapField_->setVisible(asked_ && !split_.missing());
    map_->setStale(split_.asking() || !problem.isEmpty());
    if (!split_.asking()) map_->show(problem.isEmpty() ? split_.split().value_or(worker::SplitCounts()) : worker::SplitCounts());
    map_->setWords(split_.asking() ? tr("Dividing the data set…") : problem.isEmpty() ? split_.summary() : tr("No split to show"));
    mapField_->showFinding(problem.isEmpty() || split_.asking() ? std::nullopt : std::optional(Finding{"/partition/labels", problem.toStdString(), false}));
  }

  bool asked_;
  figure::LabelMap* map_ = new figure::LabelMap;
  widgets::Field* mapField_ = new widgets::Field(tr("Labels"), map_, "/partition/labels");
  SplitPreview split_;
};

// "auto" is an older name of "paceline"; a document keeps the one it has.
bool isOurs(const std::string& engine) { return engine == "auto" || engine == "paceline"; }

void addOptimizer(FormSection* section) {
  QComboBox* optimizer = section->list("optimizer", QObject::tr("Optimizer"), "/optimizer/id", [] { return worded(kOptimizers); }, [](auto& spec) -> auto& { return spec.optimizer.id; });
  QLineEdit* momentum = section->number("momentum", QObject::tr("Momentum"), "/optimizer/momentum", [](auto& spec) -> auto& { return spec.optimizer.momentum; });
  QComboBox* nesterov = section->list("nesterov", QObject::tr("Nesterov"), "/optimizer/nesterov", yesNo, [](auto& spec) -> auto& { return spec.optimizer.nesterov; });
  section->number("weightDecay", QObject::tr("Weight decay"), "/optimizer/weight_decay", [](auto& spec) -> auto& { return spec.optimizer.weightDecay; });
  QComboBox* decayAll = section->list("decayAll", QObject::tr("Decays"), "/optimizer/decay_all", [] { return worded(std::vector<std::string>{"true", "false"}, "/optimizer/decay_all"); },
                                      [](auto& spec) -> auto& { return spec.optimizer.decayAll; });
  QLineEdit* clip = section->number("clipNorm", QObject::tr("Clip to norm"), "/optimizer/clip_norm", [](auto& spec) -> auto& { return spec.optimizer.clipNorm; });
  QLineEdit* beta1 = section->number("beta1", QObject::tr("Beta 1"), "/optimizer/beta1", [](auto& spec) -> auto& { return spec.optimizer.beta1; });
  QLineEdit* beta2 = section->number("beta2", QObject::tr("Beta 2"), "/optimizer/beta2", [](auto& spec) -> auto& { return spec.optimizer.beta2; });
  QLineEdit* epsilon = section->number("epsilon", QObject::tr("Epsilon"), "/optimizer/epsilon", [](auto& spec) -> auto& { return spec.optimizer.epsilon; });
  QComboBox* format = section->list("wireFormat", QObject::tr("Wire format"), "/wire/format", [] { return worded(kWireFormats); }, [](auto& spec) -> auto& { return spec.wire.format; });
  QComboBox* overlap = section->list("overlap", QObject::tr("Overlap"), "/wire/overlap", yesNo, [](auto& spec) -> auto& { return spec.wire.overlap; });
  QComboBox* feedback = section->list("errorFeedback", QObject::tr("Error feedback"), "/wire/error_feedback", yesNo, [](auto& spec) -> auto& { return spec.wire.errorFeedback; });
  section->onFollow([=] {
    const Optimizer& set = section->spec().optimizer;
    const WireFormat& wire = section->spec().wire;
    const AlgorithmEntry* entry = section->algorithm();
    const bool takesOptimizer = !entry || (entry->momentum && entry->adaptive);
    section->fieldOf(optimizer)->setVisible(takesOptimizer || set.adaptive());
    section->applies(optimizer, takesOptimizer, set.adaptive(), entry ? QObject::tr("%1 takes the steps of its paper").arg(titleOf(*entry)) : QString());
    section->applies(momentum, !set.adaptive() && (!entry || entry->momentum), set.momentum != 0,
                     set.adaptive() ? QObject::tr("It is of sgd") : entry ? QObject::tr("%1 does not use it; its own, if it has one, is a parameter above").arg(titleOf(*entry)) : QString());
    const Optimizer unset;
    for (QLineEdit* beta : {beta1, beta2}) section->fieldOf(beta)->setVisible(set.hasMoments() || set.beta1 != unset.beta1 || set.beta2 != unset.beta2);
    section->fieldOf(epsilon)->setVisible(set.adaptive() || set.epsilon);
    section->fieldOf(nesterov)->setVisible(set.momentum != 0 || set.nesterov);
    section->fieldOf(decayAll)->setVisible(set.weightDecay != 0 || !set.decayAll);
    section->applies(format, !entry || entry->densePushes, wire.format != "fp32", entry ? QObject::tr("%1 pushes no dense vectors").arg(titleOf(*entry)) : QString());
    section->applies(overlap, !entry || entry->overlaps, !wire.overlap, entry ? QObject::tr("Does not apply: %1 sends what it has computed when all of it is there").arg(titleOf(*entry)) : QString());
    section->fieldOf(feedback)->setVisible(wire.format != "fp32" || !wire.errorFeedback);
  });
  section->fold({nesterov, decayAll, clip, beta1, beta2, epsilon, format, overlap, feedback});
}

}  // namespace

FormSection* problemSection(ExperimentDraft& draft, const SplitPreview::Ask& splits) { return new ProblemSection(draft, splits); }

FormSection* identitySection(ExperimentDraft& draft) {
  auto* section = new FormSection(draft, QObject::tr("Experiment"));
  section->text("name", QObject::tr("Name"), "/name", {}, [&draft] { return qtext(draft.spec().name); },
                [&draft](const QString& typed) { draft.edit([&](RunSpec& spec) { spec.name = typed.toStdString(); }); });
  section->text("seeds", QObject::tr("Seeds"), kSeedPlace, QObject::tr("One run for each: 1, 2, 3 or 1-5"), [&draft] { return seedsText(draft.state()); },
                [&draft](const QString& typed) { draft.setSeeds(typed); });
  QLineEdit* tags = section->text("tags", QObject::tr("Tags"), "/tags", {}, [&draft] { return qtexts(draft.spec().tags).join(", "); },
                [&draft](const QString& typed) { draft.edit([&](RunSpec& spec) { spec.tags = tagsIn(typed); }); });
  auto* notes = new QPlainTextEdit;
  notes->setFixedHeight(52);
  notes->setTabChangesFocus(true);
  QObject::connect(notes, &QPlainTextEdit::textChanged, section, [&draft, notes] {
    if (notes->hasFocus()) draft.edit([&](RunSpec& spec) { spec.notes = notes->toPlainText().toStdString(); });
  });
  widgets::Field* notesField = section->keep(new widgets::Field(QObject::tr("Notes"), notes, "/notes"));
  section->onFollow([&draft, notes, notesField] {
    notesField->setChanged(!draft.spec().notes.empty());
    const bool typing = notes->hasFocus() && notes->document()->isModified();
    if (!typing && notes->toPlainText() != qtext(draft.spec().notes)) notes->setPlainText(qtext(draft.spec().notes));
  });
  widgets::Field* tagsField = section->fieldOf(tags);
  section->onFollow([&draft, tagsField] { tagsField->setChanged(!draft.spec().tags.empty()); });
  section->fold({tagsField, notesField});
  auto* vary = new QLabel;
  vary->setObjectName("vary");
  vary->setWordWrap(true);
  widgets::Field* varyField = section->keep(new widgets::Field(QObject::tr("Varies"), vary, "/vary", QObject::tr("This is a suite: a run for each combination that the grid above does not leave out.")));
  section->onFollow([&draft, vary, varyField] {
    vary->setText(varyText(draft.state(), draft.catalog()));
    varyField->setVisible(!vary->text().isEmpty());
  });
  return section;
}

FormSection* methodSection(ExperimentDraft& draft) {
  auto* section = new FormSection(draft, QObject::tr("Method"));
  const auto aggregation = [&draft] { return draft.catalog() ? findEntry(draft.catalog()->aggregations, draft.spec().aggregation.id) : nullptr; };
  const auto aggregations = [&draft] {
    Words words;
    if (!draft.catalog()) return words;
    for (const AggregationEntry& entry : draft.catalog()->aggregations) words.emplace_back(titleOf(entry), qtext(entry.id));
    return words;
  };
  const auto engines = [section, aggregation] {
    std::vector<std::string> ids = {section->spec().aggregation.engine == "paceline" ? "paceline" : "auto"};
    if (const AggregationEntry* now = aggregation()) ids.insert(ids.end(), now->engines.begin(), now->engines.end());
    return worded(ids, "/aggregation/engine");
  };
  section->choice(QObject::tr("Algorithm"), &RunSpec::algorithm, "/algorithm");
  QComboBox* list = section->list("aggregationList", QObject::tr("Aggregation"), "/aggregation/id", aggregations, [&draft] { return draft.spec().aggregation.id; },
                                  [](RunSpec& spec, const std::string& chosen) { spec.aggregation = {.id = chosen, .engine = "auto"}; });
  QComboBox* engine = section->list("engineList", QObject::tr("Engine"), "/aggregation/engine", engines, [](auto& spec) -> auto& { return spec.aggregation.engine; });
  QComboBox* trusted = section->list("trustedNetwork", QObject::tr("Trusted network"), "/aggregation/trusted_network", yesNo, [](auto& spec) -> auto& { return spec.aggregation.trustedNetwork; });
  section->choice(QObject::tr("Rate schedule"), &RunSpec::learningRateSchedule, "/learning_rate_schedule");
  section->fold({engine, trusted});
  addOptimizer(section);
  section->onFollow([section, aggregation, list, engine, trusted] {
    const AggregationEntry* now = aggregation();
    const bool aggregated = !section->algorithm() || section->algorithm()->topology == Topology::kAggregated;
    section->fieldOf(list)->setHelp(now ? said(now->summary) : QString());
    section->fieldOf(list)->setVisible(aggregated);
    section->fieldOf(engine)->setChanged(!isOurs(section->spec().aggregation.engine));
    section->fieldOf(engine)->setVisible((aggregated && engine->count() > 1) || !isOurs(section->spec().aggregation.engine));
    section->fieldOf(trusted)->setChanged(section->spec().aggregation.trustedNetwork);
    section->fieldOf(trusted)->setVisible(!isOurs(section->spec().aggregation.engine) || section->spec().aggregation.trustedNetwork);
  });
  return section;
}

FormSection* endingSection(ExperimentDraft& draft) {
  auto* section = new FormSection(draft, QObject::tr("Evaluate and stop"));
  const auto workers = [&draft] { return worded(workersOf(draft.spec())); };
  const auto evaluating = [&draft] {
    const std::vector<std::string> all = workersOf(draft.spec());
    return draft.spec().evaluate.on.empty() && !all.empty() ? all.front() : draft.spec().evaluate.on;
  };
  const auto sources = [] {
    return worded(kEvaluateSources, "/evaluate/source");
  };
  section->number("evaluateEvery", QObject::tr("Evaluate every"), "/evaluate/every_rounds", [](auto& spec) -> auto& { return spec.evaluate.everyRounds; });
  QComboBox* on = section->list("evaluateOn", QObject::tr("Evaluate on"), "/evaluate/on", workers, evaluating, [](RunSpec& spec, const std::string& chosen) { spec.evaluate.on = chosen; });
  QComboBox* source = section->list("evaluateSource", QObject::tr("Evaluator's source"), "/evaluate/source", sources, [](auto& spec) -> auto& { return spec.evaluate.source; });
  QLineEdit* held = section->number("evaluateHeldOut", QObject::tr("Hold out"), "/evaluate/validation", [](auto& spec) -> auto& { return spec.evaluate.validation; });
  QLineEdit* checkpoint = section->number("checkpointEvery", QObject::tr("Checkpoint every"), "/checkpoint/every_rounds", [](auto& spec) -> auto& { return spec.checkpointEveryRounds; });
  QLineEdit* resumes = section->number("checkpointResumes", QObject::tr("Go on by itself"), "/checkpoint/resumes", [](auto& spec) -> auto& { return spec.checkpointResumes; });
  QLineEdit* norms = section->number("normsEvery", QObject::tr("Record norms every"), "/records/norms_every_rounds", [](auto& spec) -> auto& { return spec.records.normsEveryRounds; });
  QComboBox* layers = section->list("normsPerLayer", QObject::tr("Norms of layers"), "/records/per_layer", yesNo, [](auto& spec) -> auto& { return spec.records.perLayer; });
  QLineEdit* links = section->number("linksEvery", QObject::tr("Record links every"), "/records/links_every_rounds", [](auto& spec) -> auto& { return spec.records.linksEveryRounds; });
  section->number("stopRounds", QObject::tr("Stop after"), "/stop/rounds", [](auto& spec) -> auto& { return spec.stop.rounds; });
  section->number("stopSeconds", QObject::tr("or after"), "/stop/seconds", [](auto& spec) -> auto& { return spec.stop.seconds; });
  section->number("stopSamples", QObject::tr("or after"), "/stop/samples", [](auto& spec) -> auto& { return spec.stop.samples; });
  section->number("stopAccuracy", QObject::tr("or at"), "/stop/accuracy", [](auto& spec) -> auto& { return spec.stop.accuracy; });
  QLineEdit* patience = section->number("stopPatience", QObject::tr("or without a better one for"), "/stop/patience", [](auto& spec) -> auto& { return spec.stop.patience; });
  QComboBox* lostData = section->list("lostData", QObject::tr("Data of a lost worker"), "/lost_data", [] { return worded(kLostData, "/lost_data"); }, [](auto& spec) -> auto& { return spec.lostData; });
  QLineEdit* again = section->number("workerRestarts", QObject::tr("Start a killed worker again"), "/worker_restarts", [](auto& spec) -> auto& { return spec.workerRestarts; });
  QLineEdit* restarts = section->number("serverRestarts", QObject::tr("Start a killed server again"), "/server_restarts", [](auto& spec) -> auto& { return spec.serverRestarts; });
  QLineEdit* silent = section->number("nodeSilent", QObject::tr("Give up a silent node after"), "/node_silent_s", [](auto& spec) -> auto& { return spec.nodeSilentSeconds; });
  section->keepNote("/stop");
  section->fold({on, source, held, patience, checkpoint, resumes, norms, layers, links, lostData, again, restarts, silent});
  section->onFollow([&draft, section, on, source, layers, resumes, lostData, again, restarts] {
    const RunSpec& spec = draft.spec();
    const std::vector<int> evaluators = spec.evaluators();
    const QString who = evaluators.empty() ? QObject::tr("it evaluates itself") : QObject::tr("%1 evaluates").arg(qtext(spec.nodes[static_cast<std::size_t>(evaluators.front())].id));
    section->fieldOf(on)->setChanged(!spec.evaluate.on.empty() && spec.evaluate.on != workersOf(spec).front());
    section->fieldOf(on)->setHelp(QObject::tr("The stop rules count its rounds and its time; %1").arg(who));
    section->applies(layers, spec.records.normsEveryRounds > 0, spec.records.perLayer, QObject::tr("No norms are recorded"));
    section->applies(resumes, spec.checkpointEveryRounds > 0, spec.checkpointResumes != RunSpec().checkpointResumes, QObject::tr("There are no checkpoints"));
    section->applies(lostData, !spec.servers().empty() && spec.workers().size() > 1, spec.dividesLostData(), QObject::tr("The run does not go on without a worker"));
    section->applies(again, !spec.servers().empty() && spec.workers().size() > 1, spec.workerRestarts != RunSpec().workerRestarts, QObject::tr("The run does not go on without a worker"));
    section->applies(restarts, !spec.servers().empty(), spec.serverRestarts != RunSpec().serverRestarts, QObject::tr("There is no server"));
    section->applies(source, !evaluators.empty(), spec.evaluate.source != "auto", QObject::tr("Needs a node with the role evaluator: without one the coordinator evaluates"));
  });
  return section;
}

}  // namespace paceline::experiment
