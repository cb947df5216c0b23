#include "app/ui/experiment/experiment_form.h"

#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "app/ui/widgets/controls.h"
#include "app/ui/experiment/sections.h"
#include "app/ui/widgets/field.h"
#include "app/ui/experiment/placement_bar.h"
#include "app/ui/experiment/placement_board.h"
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
    : QScrollArea(parent), draft_(draft), nodes_(draft), placement_(draft, hosts), undo_(undo) {
  nodes_.setChoices({.hosts = [this] { return placement_.hosts(); }, .devices = [this](const std::string& host) { return placement_.devices(host); }});
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* inside = new QWidget;
  inside->setObjectName("plain");
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(widgets::kPageMargin, widgets::kGroupGap, widgets::kGroupGap, widgets::kPageMargin);
  column->setSpacing(widgets::kGroupGap);
  auto* groups = new GroupsSection(draft_, [this](const RunSpec& spec) { return placement_.speeds(spec); });
  sections_ = {new IdentitySection(draft_), new MethodSection(draft_), new OptimizerSection(draft_), new ProblemSection(draft_, std::move(splits)),
               groups, new TopologySection(draft_), new EndingSection(draft_)};
  for (FormSection* each : sections_) {
    if (each == groups) column->addWidget(cluster());
    column->addWidget(each);
  }
  column->addStretch(1);
  setWidget(inside);
  connect(&draft_, &ExperimentDraft::specChanged, this, &ExperimentForm::follow);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, &ExperimentForm::followFindings);
  connect(&placement_, &PlacementModel::changed, groups, &FormSection::follow);
  follow();
}

QWidget* ExperimentForm::cluster() {
  auto* bar = new PlacementBar(placement_, undo_);
  table_ = widgets::formTable(nodes_, "nodeTable", "Nodes");
  QHeaderView* header = table_->horizontalHeader();
  header->resizeSection(NodesModel::kRole, std::max(kRoleWidth, header->sectionSize(NodesModel::kRole)));
  header->setSectionResizeMode(NodesModel::kId, QHeaderView::Stretch);
  board_ = new PlacementBoard(placement_);
  board_->hide();
  connect(bar, &PlacementBar::boardChosen, this, [this](bool board) { table_->setVisible(!board), board_->setVisible(board); });
  addEvaluator_ = widgets::button("Add evaluator", "plus", [this] { nodes_.addNode(Role::kEvaluator); },
                         {.name = "addEvaluator", .help = "A node that evaluates while the workers go on; one at most"});
  QHBoxLayout* row = widgets::across({widgets::button("Add worker", "plus", [this] { nodes_.addNode(Role::kWorker); }, {.name = "addWorker"}),
                             widgets::button("Add server", "plus", [this] { nodes_.addNode(Role::kServer); }), addEvaluator_,
                             widgets::button("Remove", "minus", [this] { nodes_.removeRows(widgets::selectedRows(table_)); }), widgets::room()});
  auto* nothing = new QWidget;
  nothing->setFixedHeight(0);
  clusterField_ = new widgets::Field("", nothing, "/nodes");
  QFrame* frame = widgets::card();
  widgets::addAll(qobject_cast<QVBoxLayout*>(frame->layout()), {widgets::label("Cluster", "section"), bar, table_, board_, row, clusterField_});
  return frame;
}

std::vector<widgets::Field*> ExperimentForm::fields() const {
  std::vector<widgets::Field*> all{clusterField_};
  for (const FormSection* section : sections_) {
    const std::vector<widgets::Field*> own = section->fields();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void ExperimentForm::follow() {
  for (FormSection* section : sections_) section->follow();
  addEvaluator_->setEnabled(draft_.spec().evaluators().empty());
  widgets::fitFormTable(table_);
  followFindings();
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
