#include "app/ui/experiment/sections.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>

#include "app/models/experiment/topology_file.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/field.h"
#include "app/ui/experiment/topology_preview.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {

TopologySection::TopologySection(ExperimentDraft& draft, QWidget* parent)
    : FormSection(draft, "Topology", parent), edges_(draft), table_(widgets::formTable(edges_, "edgeTable", "Edges")), preview_(new TopologyPreview),
      problem_(widgets::wrapped(widgets::label("", "finding"))) {
  topology_ = choice("Who exchanges", &RunSpec::topology, "/topology", entriesOf(&Catalog::topologies));
  add(preview_);
  table_->horizontalHeader()->setSectionResizeMode(EdgesModel::kFrom, QHeaderView::Stretch);
  table_->horizontalHeader()->setSectionResizeMode(EdgesModel::kTo, QHeaderView::Stretch);
  tableField_ = keep(new widgets::Field("Edges", table_, "/edges"));
  add(edgeButtons_ = buttons());
  problem_->hide();
  add(problem_);
}

QWidget* TopologySection::buttons() {
  asEdges_ = widgets::button("List its edges", "", [this] { listEdges(); },
                    {.name = "listEdges", .help = "Writes the preset's edges into the document, to be changed by hand"});
  return widgets::boxed(widgets::across({widgets::button("Add edge", "plus", [this] { edges_.addEdge(); }, {.name = "addEdge"}),
                       widgets::button("Remove", "minus", [this] { edges_.removeRows(widgets::selectedRows(table_)); }, {.name = "removeEdge"}), asEdges_,
                       widgets::button("From file…", "imported", [this] { openFile(); }, {.name = "topologyFile", .help = "Workers and edges of ECL's node_list.json"}), widgets::room()}));
}

void TopologySection::follow() {
  const bool applies = !algorithm() || algorithm()->topology == Topology::kDecentralised;
  setVisible((applies && algorithm()) || spec().topology.id != "edges" || !spec().edges.empty());
  topology_->follow();
  const bool listed = spec().topology.id == "edges" || !spec().edges.empty();
  tableField_->setVisible(listed);
  for (const char* name : {"addEdge", "removeEdge"}) edgeButtons_->findChild<QPushButton*>(name)->setVisible(listed);
  widgets::fitFormTable(table_);
  preview_->show(topologyGraph(spec(), draft().catalog() ? draft().catalog()->topologies : std::vector<CatalogEntry>()));
  asEdges_->setVisible(spec().topology.id != "edges");
  asEdges_->setEnabled(!preview_->graph().edges.empty());
}

void TopologySection::listEdges() {
  tell({});
  const std::vector<CatalogEntry> entries = draft().catalog() ? draft().catalog()->topologies : std::vector<CatalogEntry>();
  try {
    const std::vector<Edge> edges = presetEdges(spec(), entries);
    draft().edit([&edges](RunSpec& spec) { spec.topology = {.id = "edges", .params = {}}, spec.edges = edges; });
  } catch (const Error& error) {
    tell(QString::fromUtf8(error.what()));
  }
}

void TopologySection::openFile() {
  const QString path = QFileDialog::getOpenFileName(this, "Read workers and edges", {}, "ECL node lists (*.json);;All files (*)");
  if (!path.isEmpty()) importFile(path);
}

bool TopologySection::importFile(const QString& path) {
  tell(importNodeList(draft(), path));
  return problem().isEmpty();
}

void TopologySection::tell(const QString& problem) {
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
}

QString TopologySection::problem() const { return problem_->text(); }

}  // namespace paceline::experiment
