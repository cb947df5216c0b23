#include <QHeaderView>

#include "app/models/experiment/topology_graph.h"
#include "app/models/words.h"
#include "app/ui/experiment/experiment_form.h"
#include "app/ui/experiment/topology_preview.h"
#include "app/ui/experiment/vary_controls.h"
#include "app/ui/widgets/context_menu.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/file_dialog.h"
#include "app/ui/widgets/flow_layout.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {

TopologySection::TopologySection(ExperimentDraft& draft) : FormSection(draft, tr("Topology")), edges_(draft), problem_(widgets::problemLine()) {
  QTableView* table = widgets::formTable(edges_, "edgeTable", tr("Edges"));
  auto* preview = new TopologyPreview;
  choice(tr("Who exchanges"), &RunSpec::topology, "/topology");
  add(preview);
  for (const int column : {EdgesModel::kFrom, EdgesModel::kTo}) table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
  widgets::Field* tableField = keep(new widgets::Field(tr("Edges"), table, "/edges"));
  QPushButton* more = widgets::button(tr("Add edge"), "plus", [this] { edges_.addEdge(); }, {.name = "addEdge"});
  QPushButton* less = widgets::button(tr("Remove"), "minus", [this, table] { edges_.removeRows(widgets::selectedRows(table)); }, {.name = "removeEdge"});
  QPushButton* cell = varyCellButton(table, edges_, "varyEdge");
  QPushButton* asEdges = widgets::button(tr("List its edges"), "", [this] { listEdges(); },
                                         {.name = "listEdges", .help = tr("Writes the preset's edges into the document, to be changed by hand")});
  QPushButton* file = widgets::button(tr("From file…"), "imported", [this] { openFile(); }, {.name = "topologyFile", .help = tr("Workers and edges of ECL's node_list.json")});
  QWidget* buttons = widgets::boxed(new widgets::FlowLayout({more, less, cell, asEdges, file}));
  widgets::offerButtons(table, buttons);
  add(buttons);
  add(problem_);
  connect(preview, &TopologyPreview::toggled, this, [this, preview](int a, int b) {
    const std::vector<std::string>& names = preview->graph().nodes;
    toggleEdge(names[static_cast<std::size_t>(a)], names[static_cast<std::size_t>(b)]);
  });
  onFollow([=, this] {
    const bool preset = spec().topology.id != "edges", listed = !preset || !spec().edges.empty();
    for (QWidget* each : std::initializer_list<QWidget*>{tableField, more, less, cell}) each->setVisible(listed);
    widgets::fitFormTable(table);
    preview->show(topologyGraph(spec(), this->draft().catalog() ? this->draft().catalog()->topologies : std::vector<CatalogEntry>()));
    asEdges->setVisible(preset);
    asEdges->setEnabled(!preview->graph().edges.empty());
  });
}

bool TopologySection::belongs() const {
  return (algorithm() && algorithm()->topology == Topology::kDecentralised) || spec().topology.id != "edges" || !spec().edges.empty();
}

void TopologySection::listEdges() { changeEdges({}, [](std::vector<Edge> edges) { return edges; }); }

void TopologySection::toggleEdge(const std::string& a, const std::string& b) {
  const std::string before = spec().topology.id;
  changeEdges(tr("changing the edge between %1 and %2").arg(qtext(a), qtext(b)), [&](std::vector<Edge> edges) { return withEdgeToggled(std::move(edges), a, b); });
  if (before == spec().topology.id || !told) return;
  const CatalogEntry* preset = entryAt(draft().catalog(), "/topology", before);
  told(tr("The topology is now a list of edges, as drawn; it was %1").arg(preset ? titleOf(*preset) : qtext(before)));
}

// Those of the preset become the document's own.
void TopologySection::changeEdges(const QString& what, const std::function<std::vector<Edge>(std::vector<Edge>)>& change) {
  widgets::tell(problem_, {});
  try {
    const bool listed = spec().topology.id == "edges";
    const std::vector<Edge> edges = change(listed ? spec().edges : presetEdges(spec(), draft().catalog() ? draft().catalog()->topologies : std::vector<CatalogEntry>()));
    draft().edit([&edges](RunSpec& spec) { spec.topology = {.id = "edges", .params = {}}, spec.edges = edges; }, what);
  } catch (const Error& error) {
    widgets::tell(problem_, QString::fromUtf8(error.what()));
  }
}

void TopologySection::openFile() {
  const QString path = widgets::askOpenPath(this, {.title = tr("Read workers and edges"), .filters = tr("ECL node lists (*.json);;All files (*)")});
  if (!path.isEmpty()) importFile(path);
}

bool TopologySection::importFile(const QString& path) {
  widgets::tell(problem_, importNodeList(draft(), path));
  return problem().isEmpty();
}

}  // namespace paceline::experiment
