#include "app/ui/node_table.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>

#include "app/models/nodes_model.h"
#include "app/ui/form_table.h"

namespace paceline {
namespace {

constexpr int kRoleWidth = 74;  // "evaluator"

}  // namespace

QTableView* nodeTable(NodesModel& model) {
  QTableView* table = formTable(model, "nodeTable", "Nodes");
  QHeaderView* header = table->horizontalHeader();
  header->resizeSection(NodesModel::kRole, std::max(kRoleWidth, header->sectionSize(NodesModel::kRole)));
  header->setSectionResizeMode(NodesModel::kId, QHeaderView::Stretch);
  return table;
}

}  // namespace paceline
