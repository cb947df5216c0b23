#include "app/ui/experiment/experiment_form.h"

#include <QApplication>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QShortcut>

#include "app/models/experiment/draft_vary.h"
#include "app/models/experiment/draft_words.h"
#include "app/models/experiment/topology_graph.h"
#include "app/ui/experiment/vary_controls.h"
#include "app/ui/figure/label_map.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/flow_layout.h"
#include "app/ui/widgets/input_rules.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {
namespace {

constexpr int kRoleWidth = 74;  // "evaluator"

using Words = FormSection::Words;

template <class Ids>
Words worded(const Ids& ids, const std::string& pointer = {}) {
  Words all;
  for (const auto& id : ids) all.emplace_back(wordOf(pointer, id), qtext(id));
  return all;
}

Words yesNo() { return {{"yes", "true"}, {"no", "false"}}; }

// Model, data, how it is divided; no `ask`: no preview of the split.
class ProblemSection : public FormSection {
 public:
  ProblemSection(ExperimentDraft& draft, const SplitPreview::Ask& ask) : FormSection(draft, "Learning problem"), asked_(static_cast<bool>(ask)), split_(draft, ask, this) {
    choice("Model", &RunSpec::model, "/model");
    choice("Data set", &RunSpec::dataset, "/dataset");
    choice("Partition", &RunSpec::partition, "/partition");
    map_->setToolTip("Samples of each class at each worker. JS distance: the mean Jensen-Shannon distance of a worker's classes from everyone's; 0 the same, 1 none in common.");
    mapField_->setVisible(asked_);
    add(mapField_);
    connect(&split_, &SplitPreview::changed, this, [this] { followSplit(); });
    number("batchSize", "Batch size", "/batch_size", [](auto& spec) -> auto& { return spec.batchSize; });
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
    map_->setWords(split_.asking() ? "Dividing the data set…" : problem.isEmpty() ? split_.summary() : "No split to show");
    mapField_->showFinding(problem.isEmpty() || split_.asking() ? std::nullopt : std::optional(Finding{"/partition/labels", problem.toStdString(), false}));
  }

  bool asked_;
  figure::LabelMap* map_ = new figure::LabelMap;
  widgets::Field* mapField_ = new widgets::Field("Labels", map_, "/partition/labels");
  SplitPreview split_;
};

// Of methods that have them: the group of every worker.
class GroupsSection : public FormSection {
 public:
  GroupsSection(ExperimentDraft& draft, GroupsModel::Speeds speeds) : FormSection(draft, "Groups"), groups_(draft, std::move(speeds)) {
    QTableView* table = widgets::formTable(groups_, "groupTable", "Groups");
    add(buttons());
    table->horizontalHeader()->setSectionResizeMode(GroupsModel::kWorker, QHeaderView::Stretch);
    table->horizontalHeader()->resizeSection(GroupsModel::kHost, 140);
    table->horizontalHeader()->resizeSection(GroupsModel::kSpeed, 110);
    keep(new widgets::Field("Group of each", table, "/groups", "Workers with the same number train in lock-step; groups do not wait for each other"));
    add(problem_);
    onFollow([this, table] {
      setVisible((algorithm() && algorithm()->groups) || !spec().groups.empty());
      widgets::fitFormTable(table);
    });
  }

 private:
  QWidget* buttons() {
    count_->setFixedWidth(56);
    count_->setPlaceholderText("auto");
    count_->setAccessibleName("Number of groups; empty: as many as fit the speeds best");
    count_->setToolTip(count_->accessibleName());
    QPushButton* speed = widgets::button("By measured speed", "", [this] { groupBySpeed(); },
                                         {.name = "groupsBySpeed", .help = "Workers of like speed together: the hosts' measured speed, the threads of each worker and its emulated slowdown count"});
    return widgets::boxed(new widgets::FlowLayout({speed, widgets::label("into", "muted"), count_, widgets::label("groups", "muted"),
                                           widgets::button("All together", "", [this] { groups_.allTogether(); }, {.kind = "quiet", .name = "groupsTogether"}),
                                           widgets::button("Each alone", "", [this] { groups_.eachAlone(); }, {.kind = "quiet", .name = "groupsAlone"}),
                                           widgets::button("None", "", [this] { groups_.none(); },
                                                           {.kind = "quiet", .name = "groupsNone", .help = "Takes the groups out of the document: the method forms its own, if it can"})}));
  }

  void groupBySpeed() {
    bool ok = count_->text().trimmed().isEmpty();
    const int count = ok ? 0 : count_->text().trimmed().toInt(&ok);
    widgets::tell(problem_, ok && count >= 0 ? groups_.bySpeed(count) : QString("The number of groups must be a whole number; it is \"%1\".").arg(count_->text()));
  }

  GroupsModel groups_;
  QLabel* problem_ = widgets::problemLine();
  QLineEdit* count_ = widgets::textEditor("groupCount", [this](const QString&) { widgets::tell(problem_, {}); }, true);
};

// "auto" is an older name of "paceline"; a document keeps the one it has.
bool isOurs(const std::string& engine) { return engine == "auto" || engine == "paceline"; }

// name, seeds, tags, notes
FormSection* identitySection(ExperimentDraft& draft) {
  auto* section = new FormSection(draft, "Experiment");
  section->text("name", "Name", "/name", {}, [&draft] { return qtext(draft.spec().name); },
                [&draft](const QString& typed) { draft.edit([&](RunSpec& spec) { spec.name = typed.toStdString(); }); });
  section->text("seeds", "Seeds", kSeedPlace, "One run for each: 1, 2, 3 or 1-5", [&draft] { return seedsText(draft.state()); },
                [&draft](const QString& typed) { draft.setSeeds(typed); });
  section->text("tags", "Tags", "/tags", {}, [&draft] { return qtexts(draft.spec().tags).join(", "); },
                [&draft](const QString& typed) { draft.edit([&](RunSpec& spec) { spec.tags = tagsIn(typed); }); });
  auto* notes = new QPlainTextEdit;
  notes->setFixedHeight(52);
  notes->setTabChangesFocus(true);
  QObject::connect(notes, &QPlainTextEdit::textChanged, section, [&draft, notes] {
    if (notes->hasFocus()) draft.edit([&](RunSpec& spec) { spec.notes = notes->toPlainText().toStdString(); });
  });
  section->keep(new widgets::Field("Notes", notes, "/notes"));
  section->onFollow([&draft, notes] {
    const bool typing = notes->hasFocus() && notes->document()->isModified();
    if (!typing && notes->toPlainText() != qtext(draft.spec().notes)) notes->setPlainText(qtext(draft.spec().notes));
  });
  auto* vary = new QLabel;
  vary->setObjectName("vary");
  vary->setWordWrap(true);
  widgets::Field* varyField = section->keep(new widgets::Field("Varies", vary, "/vary", "This is a suite: a run for each combination that the grid above does not leave out."));
  section->onFollow([&draft, vary, varyField] {
    vary->setText(varyText(draft.state(), draft.catalog()));
    varyField->setVisible(!vary->text().isEmpty());
  });
  return section;
}

// algorithm, aggregation and its engine, rate schedule
FormSection* methodSection(ExperimentDraft& draft) {
  auto* section = new FormSection(draft, "Method");
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
  section->choice("Algorithm", &RunSpec::algorithm, "/algorithm");
  QComboBox* list = section->list("aggregationList", "Aggregation", "/aggregation/id", aggregations, [&draft] { return draft.spec().aggregation.id; },
                                  [](RunSpec& spec, const std::string& chosen) { spec.aggregation = {.id = chosen, .engine = "auto"}; });
  QComboBox* engine = section->list("engineList", "Engine", "/aggregation/engine", engines, [](auto& spec) -> auto& { return spec.aggregation.engine; });
  section->choice("Rate schedule", &RunSpec::learningRateSchedule, "/learning_rate_schedule");
  section->onFollow([section, aggregation, list, engine] {
    const AggregationEntry* now = aggregation();
    const bool aggregated = !section->algorithm() || section->algorithm()->topology == Topology::kAggregated;
    section->fieldOf(list)->setHelp(now ? qtext(now->summary) : QString());
    section->fieldOf(list)->setVisible(aggregated);
    section->fieldOf(engine)->setVisible((aggregated && engine->count() > 1) || !isOurs(section->spec().aggregation.engine));
  });
  return section;
}

// and the wire format
FormSection* optimizerSection(ExperimentDraft& draft) {
  auto* section = new FormSection(draft, "Optimiser and wire");
  QLineEdit* momentum = section->number("momentum", "Momentum", "/optimizer/momentum", [](auto& spec) -> auto& { return spec.optimizer.momentum; });
  QComboBox* nesterov = section->list("nesterov", "Nesterov", "/optimizer/nesterov", yesNo, [](auto& spec) -> auto& { return spec.optimizer.nesterov; });
  section->number("weightDecay", "Weight decay", "/optimizer/weight_decay", [](auto& spec) -> auto& { return spec.optimizer.weightDecay; });
  QComboBox* decayAll = section->list("decayAll", "Decays", "/optimizer/decay_all", [] { return worded(std::vector<std::string>{"true", "false"}, "/optimizer/decay_all"); },
                                      [](auto& spec) -> auto& { return spec.optimizer.decayAll; });
  section->number("clipNorm", "Clip to norm", "/optimizer/clip_norm", [](auto& spec) -> auto& { return spec.optimizer.clipNorm; });
  QComboBox* format = section->list("wireFormat", "Wire format", "/wire/format", [] { return worded(kWireFormats); }, [](auto& spec) -> auto& { return spec.wire.format; });
  QComboBox* overlap = section->list("overlap", "Overlap", "/wire/overlap", yesNo, [](auto& spec) -> auto& { return spec.wire.overlap; });
  QComboBox* feedback = section->list("errorFeedback", "Error feedback", "/wire/error_feedback", yesNo, [](auto& spec) -> auto& { return spec.wire.errorFeedback; });
  section->onFollow([=] {
    const Optimizer& optimizer = section->spec().optimizer;
    const WireFormat& wire = section->spec().wire;
    const AlgorithmEntry* entry = section->algorithm();
    section->applies(momentum, !entry || entry->momentum, optimizer.momentum != 0,
                     entry ? titleOf(*entry) + " does not use it; its own, if it has one, is a parameter above" : QString());
    section->fieldOf(nesterov)->setVisible(optimizer.momentum != 0 || optimizer.nesterov);
    section->fieldOf(decayAll)->setVisible(optimizer.weightDecay != 0 || !optimizer.decayAll);
    section->applies(format, !entry || entry->densePushes, wire.format != "fp32", entry ? titleOf(*entry) + " pushes no dense vectors" : QString());
    section->applies(overlap, !entry || entry->overlaps, !wire.overlap, entry ? titleOf(*entry) + " sends what it has computed when all of it is there" : QString());
    section->fieldOf(feedback)->setVisible(wire.format != "fp32" || !wire.errorFeedback);
  });
  return section;
}

// evaluation, checkpoints, stop rules
FormSection* endingSection(ExperimentDraft& draft) {
  auto* section = new FormSection(draft, "Evaluate and stop");
  const auto workers = [&draft] { return worded(workersOf(draft.spec())); };
  const auto evaluating = [&draft] {
    const std::vector<std::string> all = workersOf(draft.spec());
    return draft.spec().evaluate.on.empty() && !all.empty() ? all.front() : draft.spec().evaluate.on;
  };
  const auto sources = [] {
    return worded(kEvaluateSources, "/evaluate/source");
  };
  section->number("evaluateEvery", "Evaluate every", "/evaluate/every_rounds", [](auto& spec) -> auto& { return spec.evaluate.everyRounds; });
  QComboBox* on = section->list("evaluateOn", "Evaluate on", "/evaluate/on", workers, evaluating, [](RunSpec& spec, const std::string& chosen) { spec.evaluate.on = chosen; });
  QComboBox* source = section->list("evaluateSource", "Evaluator's source", "/evaluate/source", sources, [](auto& spec) -> auto& { return spec.evaluate.source; });
  section->number("checkpointEvery", "Checkpoint every", "/checkpoint/every_rounds", [](auto& spec) -> auto& { return spec.checkpointEveryRounds; });
  section->number("stopRounds", "Stop after", "/stop/rounds", [](auto& spec) -> auto& { return spec.stop.rounds; });
  section->number("stopSeconds", "or after", "/stop/seconds", [](auto& spec) -> auto& { return spec.stop.seconds; });
  section->number("stopSamples", "or after", "/stop/samples", [](auto& spec) -> auto& { return spec.stop.samples; });
  section->number("stopAccuracy", "or at", "/stop/accuracy", [](auto& spec) -> auto& { return spec.stop.accuracy; });
  section->number("nodeSilent", "Give up a silent node after", "/node_silent_s", [](auto& spec) -> auto& { return spec.nodeSilentSeconds; });
  section->keepNote("/stop");
  section->onFollow([&draft, section, on, source] {
    const RunSpec& spec = draft.spec();
    const std::vector<int> evaluators = spec.evaluators();
    const QString who = evaluators.empty() ? QString("it evaluates itself") : qtext(spec.nodes[static_cast<std::size_t>(evaluators.front())].id) + " evaluates";
    section->fieldOf(on)->setHelp("The stop rules count its rounds and its time; " + who);
    section->applies(source, !evaluators.empty(), spec.evaluate.source != "auto", "Needs a node with the role evaluator: without one the coordinator evaluates");
  });
  return section;
}

}  // namespace

ExperimentForm::ExperimentForm(ExperimentDraft& draft, clusters::HostsModel& hosts, SplitPreview::Ask splits, QWidget* parent)
    : ColumnScroll(parent), draft_(draft), nodes_(draft), placement_(draft, hosts) {
  nodes_.setChoices({.hosts = [this] { return placement_.hosts(); }, .devices = [this](const std::string& host) { return placement_.devices(host); }});
  auto* groups = new GroupsSection(draft_, [this](const RunSpec& spec) { return placement_.speeds(spec); });
  sections_ = {identitySection(draft_), methodSection(draft_), optimizerSection(draft_), new ProblemSection(draft_, splits),
               cluster(), groups, new TopologySection(draft_), endingSection(draft_)};
  QVBoxLayout* column = widgets::down({}, {widgets::kPageMargin, widgets::kGroupGap, widgets::kGroupGap, widgets::kPageMargin}, widgets::kGroupGap);
  for (FormSection* each : sections_) column->addWidget(each);
  column->addStretch(1);
  setWidget(widgets::boxed(column));
  widget()->setObjectName("plain");
  const auto follow = [this](int source) {
    if (source == static_cast<int>(ExperimentDraft::Source::kLoad)) forgetTyped(), marked_.clear();
    for (FormSection* section : sections_) section->follow();
    followVaried();
    followFindings();
    widgets::orderTabs(widget());
  };
  connect(&draft_, &ExperimentDraft::specChanged, this, follow);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &ExperimentForm::followFindings);
  connect(&placement_, &PlacementModel::changed, groups, &FormSection::follow);
  connect(&placement_, &PlacementModel::changed, this, [this] { widgets::orderTabs(widget()); });  // after the board, which made its chips anew
  auto* shortcut = new QShortcut(QKeySequence("Ctrl+L"), this);
  shortcut->setContext(Qt::WidgetWithChildrenShortcut);
  connect(shortcut, &QShortcut::activated, this, &ExperimentForm::varyFocused);
  follow(static_cast<int>(ExperimentDraft::Source::kLoad));
}

FormSection* ExperimentForm::cluster() {
  auto* section = new FormSection(draft_, "Cluster");
  QTableView* table = nodeTable_ = widgets::formTable(nodes_, "nodeTable", "Nodes");
  QHeaderView* header = table->horizontalHeader();
  header->resizeSection(NodesModel::kRole, std::max(kRoleWidth, header->sectionSize(NodesModel::kRole)));
  header->setSectionResizeMode(NodesModel::kId, QHeaderView::Stretch);
  QScrollArea* board = placementBoard(placement_);
  board->hide();
  QWidget* bar = placementBar(placement_, [table, board](bool chosen) { table->setVisible(!chosen), board->setVisible(chosen); });
  QPushButton* addEvaluator = widgets::button("Add evaluator", "plus", [this] { nodes_.addNode(Role::kEvaluator); },
                                              {.name = "addEvaluator", .help = "A node that evaluates while the workers go on; one at most"});
  auto* row = new widgets::FlowLayout({widgets::button("Add worker", "plus", [this] { nodes_.addNode(Role::kWorker); }, {.name = "addWorker"}),
                                      widgets::button("Add server", "plus", [this] { nodes_.addNode(Role::kServer); }), addEvaluator,
                                      widgets::button("Remove", "minus", [this, table, board] { nodes_.removeRows(board->isHidden() ? widgets::selectedRows(table) : pickedRows(board, draft_.spec())); }, {.name = "removeNodes"})});
  row->addWidget(varyCellButton(table, nodes_, "varyCell"));
  widgets::addAll(qobject_cast<QVBoxLayout*>(section->layout()), {bar, table, board, row});
  clusterField_ = section->keepNote("/nodes");
  section->onFollow([this, table, addEvaluator] {
    addEvaluator->setEnabled(draft_.spec().evaluators().empty());
    widgets::fitFormTable(table);
  });
  return section;
}

// A field that is being typed into shows what is there instead: its text was undone, or belongs to another document.
void ExperimentForm::forgetTyped() {
  for (QLineEdit* each : findChildren<QLineEdit*>()) each->setModified(false);
  for (QPlainTextEdit* each : findChildren<QPlainTextEdit*>()) each->document()->setModified(false);
}

std::vector<widgets::Field*> ExperimentForm::fields() const {
  std::vector<widgets::Field*> all;
  for (const FormSection* section : sections_) {
    const std::vector<widgets::Field*> own = section->fields();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

// What runs of a suite do not take from its base is not edited here; a choice not even where some take it, whose names would no longer tell what they are.
// What is said of a choice is not said again of each of its parameters, which stand below it.
void ExperimentForm::followVaried() {
  QString ofChoice;
  for (widgets::Field* field : fields()) {
    const bool own = field->pointer() != kSeedPlace && varies(draft_.state(), field->pointer());
    const auto varied = own ? std::nullopt : variedAt(draft_.state(), draft_.catalog(), field->pointer());
    const bool parameter = field->pointer().find("/params/") != std::string::npos;
    const QString words = varied ? varied->sentence() : QString();
    if (!parameter) ofChoice = words;
    field->setVaries(own, !varied);
    const auto marked = marked_.find(field->pointer());
    const QString notice = words.isEmpty() && marked != marked_.end() ? marked->second : parameter && words == ofChoice ? QString() : words;
    field->setNotice(notice, varied && (varied->left.isEmpty() || field->pointer().ends_with("/id")));
  }
}

// Of the field, or of the table's cell, that has the keyboard.
void ExperimentForm::varyFocused() {
  for (QWidget* up = QApplication::focusWidget(); up && up != this; up = up->parentWidget()) {
    auto* field = qobject_cast<widgets::Field*>(up);
    if (field && field->mayVary()) return field->toggleVary();
    auto* table = qobject_cast<QTableView*>(up);
    auto* model = table ? qobject_cast<DraftTable*>(table->model()) : nullptr;
    if (model) return toggleCell(table, *model);
  }
}

void ExperimentForm::followFindings() {
  for (widgets::Field* field : fields()) {
    std::optional<Finding> finding = draft_.findingAt(field->pointer());
    // What belongs to a field below is told there.
    if (finding && field->pointer() == "/stop" && finding->pointer != "/stop") finding.reset();
    if (finding && field->pointer() == "/nodes" && finding->pointer != "/nodes")
      finding->message = strCat(placeName(finding->pointer, draft_.spec(), draft_.catalog()).toStdString(), ": ", finding->message);
    field->showFinding(finding);
  }
  clusterField_->setVisible(draft_.findingAt("/nodes").has_value());
}

void ExperimentForm::mark(const std::vector<PlaceChange>& changes) {
  for (const PlaceChange& each : changes)
    marked_[each.pointer] = each.before.isEmpty() ? QString("Changed: not set before") : QString("Changed: it was %1").arg(each.before);
  followVaried();
  if (!changes.empty()) reveal(changes.front().pointer);
}

void ExperimentForm::reveal(const std::string& pointer) {
  const int row = isAtOrBelow(pointer, "/nodes") ? QString::fromStdString(pointer).section('/', 2, 2).toInt() : -1;
  if (row >= 0 && row < nodes_.rowCount() && nodeTable_->isVisibleTo(this) && !clusterField_->isVisibleTo(this)) {
    nodeTable_->setCurrentIndex(nodes_.index(row, NodesModel::kId));
    ensureWidgetVisible(nodeTable_, 0, 80);
    return nodeTable_->setFocus(Qt::OtherFocusReason);
  }
  widgets::Field* best = nullptr;
  for (widgets::Field* field : fields())
    if (isAtOrBelow(pointer, field->pointer()) && (!best || field->pointer().size() > best->pointer().size())) best = field;
  if (!best) {  // of a part as a whole: its first field
    const std::string part = pointer.substr(0, pointer.find('/', 1));
    for (widgets::Field* field : fields())
      if (!best && isAtOrBelow(field->pointer(), part)) best = field;
  }
  if (!best) return;
  ensureWidgetVisible(best, 0, 80);
  best->editor()->setFocus(Qt::OtherFocusReason);
}

}  // namespace paceline::experiment
