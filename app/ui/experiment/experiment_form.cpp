#include "app/ui/experiment/experiment_form.h"

#include <QHeaderView>

#include "app/ui/experiment/placement_board.h"
#include "app/ui/experiment/sections.h"
#include "app/ui/widgets/controls.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {
namespace {

constexpr int kRoleWidth = 74;  // "evaluator"

// "/nodes/4/emulate/step_s" -> "w3, step_s"
std::string nodePlace(const RunSpec& spec, const std::string& pointer) {
  const QStringList parts = qtext(pointer).split('/');
  const auto index = static_cast<std::size_t>(parts.value(2).toUInt());
  const std::string id = index < spec.nodes.size() ? spec.nodes[index].id : parts.value(2).toStdString();
  return parts.size() > 3 ? strCat(id, ", ", parts.last().toStdString()) : id;
}

}  // namespace

ExperimentForm::ExperimentForm(ExperimentDraft& draft, clusters::HostsModel& hosts, QUndoStack& undo, SplitPreview::Ask splits, QWidget* parent)
    : QScrollArea(parent), draft_(draft), nodes_(draft), placement_(draft, hosts) {
  nodes_.setChoices({.hosts = [this] { return placement_.hosts(); }, .devices = [this](const std::string& host) { return placement_.devices(host); }});
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  FormSection* groups = groupsSection(draft_, [this](const RunSpec& spec) { return placement_.speeds(spec); });
  sections_ = {identitySection(draft_), methodSection(draft_), optimizerSection(draft_), problemSection(draft_, std::move(splits)),
               cluster(undo), groups, new TopologySection(draft_), endingSection(draft_)};
  QVBoxLayout* column = widgets::down({}, {widgets::kPageMargin, widgets::kGroupGap, widgets::kGroupGap, widgets::kPageMargin}, widgets::kGroupGap);
  for (FormSection* each : sections_) column->addWidget(each);
  column->addStretch(1);
  setWidget(widgets::boxed(column));
  widget()->setObjectName("plain");
  const auto follow = [this] {
    for (FormSection* section : sections_) section->follow();
    followFindings();
  };
  connect(&draft_, &ExperimentDraft::specChanged, this, follow);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &ExperimentForm::followFindings);
  connect(&placement_, &PlacementModel::changed, groups, &FormSection::follow);
  follow();
}

FormSection* ExperimentForm::cluster(QUndoStack& undo) {
  auto* section = new FormSection(draft_, "Cluster");
  QTableView* table = widgets::formTable(nodes_, "nodeTable", "Nodes");
  QHeaderView* header = table->horizontalHeader();
  header->resizeSection(NodesModel::kRole, std::max(kRoleWidth, header->sectionSize(NodesModel::kRole)));
  header->setSectionResizeMode(NodesModel::kId, QHeaderView::Stretch);
  QScrollArea* board = placementBoard(placement_);
  board->hide();
  QWidget* bar = placementBar(placement_, undo, [table, board](bool chosen) { table->setVisible(!chosen), board->setVisible(chosen); });
  QPushButton* addEvaluator = widgets::button("Add evaluator", "plus", [this] { nodes_.addNode(Role::kEvaluator); },
                                              {.name = "addEvaluator", .help = "A node that evaluates while the workers go on; one at most"});
  QHBoxLayout* row = widgets::across({widgets::button("Add worker", "plus", [this] { nodes_.addNode(Role::kWorker); }, {.name = "addWorker"}),
                                      widgets::button("Add server", "plus", [this] { nodes_.addNode(Role::kServer); }), addEvaluator,
                                      widgets::button("Remove", "minus", [this, table] { nodes_.removeRows(widgets::selectedRows(table)); }), widgets::room()});
  widgets::addAll(qobject_cast<QVBoxLayout*>(section->layout()), {bar, table, board, row});
  clusterField_ = section->keepNote("/nodes");
  section->onFollow([this, table, addEvaluator] {
    addEvaluator->setEnabled(draft_.spec().evaluators().empty());
    widgets::fitFormTable(table);
  });
  return section;
}

std::vector<widgets::Field*> ExperimentForm::fields() const {
  std::vector<widgets::Field*> all;
  for (const FormSection* section : sections_) {
    const std::vector<widgets::Field*> own = section->fields();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void ExperimentForm::followFindings() {
  for (widgets::Field* field : fields()) {
    std::optional<Finding> finding = draft_.findingAt(field->pointer());
    // What belongs to a field below is told there.
    if (finding && field->pointer() == "/stop" && finding->pointer != "/stop") finding.reset();
    if (finding && field->pointer() == "/nodes" && finding->pointer != "/nodes")
      finding->message = nodePlace(draft_.spec(), finding->pointer) + ": " + finding->message;
    field->showFinding(finding);
  }
  clusterField_->setVisible(draft_.findingAt("/nodes").has_value());
}

void ExperimentForm::reveal(const std::string& pointer) {
  widgets::Field* best = nullptr;
  for (widgets::Field* field : fields())
    if (pointer.rfind(field->pointer(), 0) == 0 && (!best || field->pointer().size() > best->pointer().size())) best = field;
  if (!best) {  // of a part as a whole: its first field
    const std::string part = pointer.substr(0, pointer.find('/', 1));
    for (widgets::Field* field : fields())
      if (!best && field->pointer().rfind(part + "/", 0) == 0) best = field;
  }
  if (!best) return;
  ensureWidgetVisible(best, 0, 80);
  best->editor()->setFocus(Qt::OtherFocusReason);
}

}  // namespace paceline::experiment
