#include "app/ui/experiment_form.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include "app/ui/controls.h"
#include "app/ui/node_table.h"
#include "app/ui/placement_bar.h"
#include "app/ui/placement_board.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

template <class Entry>
ChoiceFields::Entries all(std::vector<Entry> Catalog::*list) {
  return [list](const Catalog& catalog) {
    std::vector<const CatalogEntry*> entries;
    for (const Entry& entry : catalog.*list) entries.push_back(&entry);
    return entries;
  };
}

QFrame* section(const QString& title) {
  QFrame* frame = card();
  frame->layout()->addWidget(label(title, "section"));
  return frame;
}

QString shown(const std::optional<double>& value) { return value ? QString::number(*value, 'g', 10) : QString(); }
QString shown(const std::optional<std::int64_t>& value) { return value ? QString::number(*value) : QString(); }

template <class T>
std::optional<T> number(const QString& typed, bool& ok) {
  if (typed.isEmpty()) return std::nullopt;
  if constexpr (std::is_same_v<T, double>) return typed.toDouble(&ok);
  return static_cast<T>(typed.toLongLong(&ok));
}

// Assigns when the text is a number of that type, or empty where nothing may be given.
template <class T>
bool assigned(std::optional<T>& into, const QString& typed) {
  bool ok = true;
  const auto value = number<T>(typed.trimmed(), ok);
  if (ok) into = value;
  return ok;
}

bool assigned(int& into, const QString& typed) {
  bool ok = false;
  const int value = typed.trimmed().toInt(&ok);
  if (ok) into = value;
  return ok;
}

// "/nodes/4/emulate/step_s" -> "w3, step_s"
std::string nodePlace(const RunSpec& spec, const std::string& pointer) {
  const QStringList parts = text(pointer).split('/');
  const auto index = static_cast<std::size_t>(parts.value(2).toUInt());
  const std::string id = index < spec.nodes.size() ? spec.nodes[index].id : parts.value(2).toStdString();
  return parts.size() > 3 ? strCat(id, ", ", parts.last().toStdString()) : id;
}

}  // namespace

ExperimentForm::ExperimentForm(ExperimentDraft& draft, HostsModel& hosts, QUndoStack& undo, QWidget* parent)
    : QScrollArea(parent), draft_(draft), nodes_(draft), placement_(draft, hosts), undo_(undo) {
  nodes_.setChoices({.hosts = [this] { return placement_.hosts(); }, .devices = [this](const std::string& host) { return placement_.devices(host); }});
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* inside = new QWidget;
  inside->setObjectName("plain");
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(kPageMargin, kGroupGap, kGroupGap, kPageMargin);
  column->setSpacing(kGroupGap);
  for (QWidget* each : {identity(), method(), problem(), cluster(), ending()}) column->addWidget(each);
  column->addStretch(1);
  setWidget(inside);
  connect(&draft_, &ExperimentDraft::specChanged, this, &ExperimentForm::follow);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &ExperimentForm::followFindings);
  follow();
}

Field* ExperimentForm::keep(Field* field) {
  fields_.push_back(field);
  return field;
}

QLineEdit* ExperimentForm::countField(QLayout* layout, const char* objectName, const QString& name, const std::string& pointer,
                                      const QString& help, const QString& unit,
                                      std::function<bool(RunSpec&, const QString&)> assign) {
  QLineEdit* editor = textEditor(
      objectName,
      [this, pointer, assign = std::move(assign)](const QString& typed) {
        bool ok = true;
        draft_.edit([&](RunSpec& spec) { ok = assign(spec, typed); });
        if (ok) return draft_.accept(pointer);
        draft_.refuse(pointer, strCat("must be a number, got \"", typed.toStdString(), "\""));
      },
      true);
  layout->addWidget(keep(new Field(name, editor, pointer, help, unit)));
  return editor;
}

QWidget* ExperimentForm::identity() {
  QFrame* frame = section("Experiment");
  name_ = textEditor("name", [this](const QString& typed) { draft_.edit([&](RunSpec& s) { s.name = typed.toStdString(); }); });
  seeds_ = textEditor("seeds", [this](const QString& typed) { draft_.setSeeds(typed); });
  tags_ = textEditor("tags", [this](const QString& typed) {
    draft_.edit([&](RunSpec& spec) {
      spec.tags.clear();
      for (const QString& tag : typed.split(',', Qt::SkipEmptyParts))
        if (!tag.trimmed().isEmpty()) spec.tags.push_back(tag.trimmed().toStdString());
    });
  });
  notes_ = new QPlainTextEdit;
  notes_->setFixedHeight(52);
  notes_->setTabChangesFocus(true);
  connect(notes_, &QPlainTextEdit::textChanged, this, [this] {
    if (notes_->hasFocus()) draft_.edit([&](RunSpec& spec) { spec.notes = notes_->toPlainText().toStdString(); });
  });
  frame->layout()->addWidget(keep(new Field("Name", name_, "/name")));
  frame->layout()->addWidget(keep(new Field("Seeds", seeds_, "/seed", "One run for each: 1, 2, 3 or 1-5")));
  frame->layout()->addWidget(keep(new Field("Tags", tags_, "/tags")));
  frame->layout()->addWidget(keep(new Field("Notes", notes_, "/notes")));
  return frame;
}

QWidget* ExperimentForm::method() {
  QFrame* frame = section("Method");
  choices_.push_back(new ChoiceFields(draft_, "Algorithm", &RunSpec::algorithm, "/algorithm", all(&Catalog::algorithms)));
  frame->layout()->addWidget(choices_.back());
  aggregation_ = new QComboBox;
  aggregation_->setObjectName("aggregationList");
  connect(aggregation_, &QComboBox::activated, this, [this](int index) {
    draft_.edit([&](RunSpec& spec) { spec.aggregation.id = aggregation_->itemData(index).toString().toStdString(); });
  });
  aggregationField_ = keep(new Field("Aggregation", aggregation_, "/aggregation"));
  frame->layout()->addWidget(aggregationField_);
  choices_.push_back(new ChoiceFields(draft_, "Rate schedule", &RunSpec::learningRateSchedule, "/learning_rate_schedule",
                                      all(&Catalog::schedules)));
  frame->layout()->addWidget(choices_.back());
  return frame;
}

QWidget* ExperimentForm::problem() {
  QFrame* frame = section("Learning problem");
  choices_.push_back(new ChoiceFields(draft_, "Model", &RunSpec::model, "/model", all(&Catalog::models)));
  frame->layout()->addWidget(choices_.back());
  choices_.push_back(new ChoiceFields(draft_, "Data set", &RunSpec::dataset, "/dataset", all(&Catalog::datasets)));
  frame->layout()->addWidget(choices_.back());
  choices_.push_back(new ChoiceFields(draft_, "Partition", &RunSpec::partition, "/partition", all(&Catalog::partitions)));
  frame->layout()->addWidget(choices_.back());
  batch_ = countField(frame->layout(), "batchSize", "Batch size", "/batch_size", "Samples in a mini-batch of one worker",
                      "samples", [](RunSpec& spec, const QString& typed) { return assigned(spec.batchSize, typed); });
  return frame;
}

QWidget* ExperimentForm::cluster() {
  QFrame* frame = section("Cluster");
  auto* column = qobject_cast<QVBoxLayout*>(frame->layout());
  auto* bar = new PlacementBar(placement_, undo_);
  column->addWidget(bar);
  table_ = nodeTable(nodes_);
  column->addWidget(table_);
  board_ = new PlacementBoard(placement_);
  board_->hide();
  column->addWidget(board_);
  connect(bar, &PlacementBar::boardChosen, this, [this](bool board) { table_->setVisible(!board), board_->setVisible(board); });
  auto* row = new QHBoxLayout;
  QPushButton* worker = button("Add worker", "plus");
  QPushButton* server = button("Add server", "plus");
  QPushButton* remove = button("Remove", "minus");
  worker->setObjectName("addWorker");
  row->addWidget(worker);
  row->addWidget(server);
  row->addWidget(remove);
  row->addStretch(1);
  column->addLayout(row);
  auto* nothing = new QWidget;
  nothing->setFixedHeight(0);
  clusterField_ = keep(new Field("", nothing, "/nodes"));
  column->addWidget(clusterField_);
  connect(worker, &QPushButton::clicked, this, [this] { nodes_.addNode(Role::kWorker); });
  connect(server, &QPushButton::clicked, this, [this] { nodes_.addNode(Role::kServer); });
  connect(remove, &QPushButton::clicked, this, [this] {
    std::vector<int> rows;
    for (const QModelIndex& index : table_->selectionModel()->selectedIndexes())
      if (std::find(rows.begin(), rows.end(), index.row()) == rows.end()) rows.push_back(index.row());
    nodes_.removeRows(rows);
  });
  return frame;
}

QWidget* ExperimentForm::ending() {
  QFrame* frame = section("Evaluate and stop");
  QLayout* layout = frame->layout();
  every_ = countField(layout, "evaluateEvery", "Evaluate every", "/evaluate/every_rounds", "0: never", "rounds",
                      [](RunSpec& spec, const QString& typed) { return assigned(spec.evaluate.everyRounds, typed); });
  evaluateOn_ = new QComboBox;
  connect(evaluateOn_, &QComboBox::activated, this, [this](int index) {
    draft_.edit([&](RunSpec& spec) { spec.evaluate.on = evaluateOn_->itemText(index).toStdString(); });
  });
  layout->addWidget(
      keep(new Field("Evaluate on", evaluateOn_, "/evaluate/on", "Its rounds and time are what the stop rules mean")));
  rounds_ = countField(layout, "stopRounds", "Stop after", "/stop/rounds", "", "rounds",
                       [](RunSpec& spec, const QString& typed) { return assigned(spec.stop.rounds, typed); });
  seconds_ = countField(layout, "stopSeconds", "or after", "/stop/seconds", "", "s",
                        [](RunSpec& spec, const QString& typed) { return assigned(spec.stop.seconds, typed); });
  samples_ = countField(layout, "stopSamples", "or after", "/stop/samples", "", "samples of all workers",
                        [](RunSpec& spec, const QString& typed) { return assigned(spec.stop.samples, typed); });
  accuracy_ =
      countField(layout, "stopAccuracy", "or at", "/stop/accuracy", "A fraction, 0 to 1; the first rule that is met ends the run",
                 "test accuracy", [](RunSpec& spec, const QString& typed) { return assigned(spec.stop.accuracy, typed); });
  auto* nothing = new QWidget;
  nothing->setFixedHeight(0);
  layout->addWidget(keep(new Field("", nothing, "/stop")));
  return frame;
}

void ExperimentForm::follow() {
  const RunSpec& spec = draft_.spec();
  showText(name_, text(spec.name));
  showText(seeds_, draft_.seedsText());
  QStringList tags;
  for (const std::string& tag : spec.tags) tags << text(tag);
  showText(tags_, tags.join(", "));
  if (!notes_->hasFocus() && notes_->toPlainText() != text(spec.notes)) notes_->setPlainText(text(spec.notes));
  showText(batch_, QString::number(spec.batchSize));
  showText(every_, QString::number(spec.evaluate.everyRounds));
  showText(rounds_, shown(spec.stop.rounds));
  showText(seconds_, shown(spec.stop.seconds));
  showText(samples_, shown(spec.stop.samples));
  showText(accuracy_, shown(spec.stop.accuracy));
  for (ChoiceFields* choice : choices_) choice->follow();
  followLists();
  followFindings();
}

void ExperimentForm::followLists() {
  const RunSpec& spec = draft_.spec();
  if (const Catalog* catalog = draft_.catalog();
      catalog && aggregation_->count() != static_cast<int>(catalog->aggregations.size())) {
    aggregation_->clear();
    for (const AggregationEntry& entry : catalog->aggregations)
      aggregation_->addItem(text(entry.title.empty() ? entry.id : entry.title), text(entry.id));
  }
  aggregation_->setCurrentIndex(aggregation_->findData(text(spec.aggregation.id)));
  const AlgorithmEntry* algorithm = draft_.catalog() ? findEntry(draft_.catalog()->algorithms, spec.algorithm.id) : nullptr;
  aggregationField_->setVisible(!algorithm || algorithm->topology == Topology::kAggregated);
  evaluateOn_->clear();
  for (const int worker : spec.workers()) evaluateOn_->addItem(text(spec.nodes[static_cast<std::size_t>(worker)].id));
  evaluateOn_->setCurrentIndex(spec.evaluate.on.empty() ? 0 : evaluateOn_->findText(text(spec.evaluate.on)));
  fitNodeTable(table_);
}

void ExperimentForm::followFindings() {
  const auto show = [this](Field* field) {
    std::optional<Finding> finding = draft_.findingAt(field->pointer());
    // What belongs to a field below is told there.
    const bool gathers = field->pointer() == "/stop" || field->pointer() == "/nodes";
    if (finding && gathers && finding->pointer != field->pointer() && field->pointer() == "/stop") finding.reset();
    if (finding && field->pointer() == "/nodes" && finding->pointer != "/nodes")
      finding->message = nodePlace(draft_.spec(), finding->pointer) + ": " + finding->message;
    field->showFinding(finding);
  };
  for (Field* field : fields_) show(field);
  for (ChoiceFields* choice : choices_)
    for (Field* field : choice->fields()) show(field);
  clusterField_->setVisible(draft_.findingAt("/nodes").has_value());
}

void ExperimentForm::reveal(const std::string& pointer) {
  std::vector<Field*> all = fields_;
  for (ChoiceFields* choice : choices_)
    for (Field* field : choice->fields()) all.push_back(field);
  Field* best = nullptr;
  for (Field* field : all)
    if (pointer.rfind(field->pointer(), 0) == 0 && (!best || field->pointer().size() > best->pointer().size())) best = field;
  if (!best) return;
  ensureWidgetVisible(best, 0, 80);
  best->editor()->setFocus(Qt::OtherFocusReason);
}

}  // namespace paceline
