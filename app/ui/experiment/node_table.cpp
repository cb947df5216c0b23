#include "app/ui/experiment/node_table.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>

#include "app/models/experiment/nodes_model.h"
#include "app/ui/widgets/form_table.h"

namespace paceline::experiment {
namespace {

constexpr int kRoleWidth = 74;  // "evaluator"

}  // namespace

QTableView* nodeTable(NodesModel& model) {
  QTableView* table = widgets::formTable(model, "nodeTable", "Nodes");
  QHeaderView* header = table->horizontalHeader();
  header->resizeSection(NodesModel::kRole, std::max(kRoleWidth, header->sectionSize(NodesModel::kRole)));
  header->setSectionResizeMode(NodesModel::kId, QHeaderView::Stretch);
  return table;
}

}  // namespace paceline::experiment
