#include "app/models/experiment/edges_model.h"

#include <algorithm>
#include <set>

#include "app/models/experiment/topology_graph.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {
namespace {

constexpr ColumnTable::Heading kHeadings[EdgesModel::kColumns] = {
    {"From", "The worker that begins the exchange"},
    {"To", "Its neighbour"},
    {"Every steps", "Local steps of the first worker between two exchanges", true},
    {"Offset", "The step of the first exchange, counted from 0; below the interval", true},
};
constexpr const char* kMembers[EdgesModel::kColumns] = {"0", "1", "2/every", "2/offset"};

}  // namespace

EdgesModel::EdgesModel(ExperimentDraft& draft, QObject* parent) : DraftTable(draft, "/edges", kHeadings, kMembers, parent) { watch(); }

void EdgesModel::addEdge() {
  draft().edit([](RunSpec& spec) {
    const std::vector<std::string> workers = workersOf(spec);
    std::set<std::pair<std::string, std::string>> joined;
    for (const Edge& edge : spec.edges) joined.insert(std::minmax(edge.a, edge.b));
    Edge made = spec.edges.empty() ? Edge{} : spec.edges.back();
    made.a = workers.empty() ? "" : workers.front(), made.b = workers.empty() ? "" : workers.back();
    // Neighbours in rank order first, so that adding again and again gives a path before anything denser.
    for (std::size_t apart = workers.size(); apart-- > 1;)
      for (std::size_t i = workers.size() - apart; i-- > 0;)
        if (!joined.contains(std::minmax(workers[i], workers[i + apart]))) made.a = workers[i], made.b = workers[i + apart];
    spec.edges.push_back(made);
  });
}

void EdgesModel::removeRows(const std::vector<int>& rows) {
  std::set<int, std::greater<>> falling(rows.begin(), rows.end());
  draft().edit([&falling](RunSpec& spec) {
    for (const int row : falling)
      if (row >= 0 && row < static_cast<int>(spec.edges.size())) spec.edges.erase(spec.edges.begin() + row);
  });
}

QString EdgesModel::shown(int row, int column) const {
  const Edge& edge = draft().spec().edges[static_cast<std::size_t>(row)];
  if (column == kEvery || column == kOffset) return QString::number(column == kEvery ? edge.every : edge.offset);
  return qtext(column == kFrom ? edge.a : edge.b);
}

QStringList EdgesModel::choices(int /*row*/, int column) const { return heading(column).number ? QStringList() : workerNames(draft().spec()); }

// What is wrong with an edge as a whole is told at its end.
std::optional<Finding> EdgesModel::finding(int row, int column) const {
  auto found = DraftTable::finding(row, column);
  if (found || column != kTo) return found;
  const std::string whole = strCat("/edges/", row);
  found = draft().findingAt(whole);
  return found && found->pointer == whole ? found : std::nullopt;
}

DraftTable::Change EdgesModel::changeTo(int row, int column, const QString& text, std::string& wrong) {
  bool ok = true;
  const int number = heading(column).number ? text.toInt(&ok) : 0;
  if (!ok) wrong = strCat("must be a whole number, got \"", text.toStdString(), "\"");
  return [row, column, number, word = text.toStdString()](RunSpec& spec) {
    Edge& edge = spec.edges[static_cast<std::size_t>(row)];
    if (column == kFrom) edge.a = word;
    if (column == kTo) edge.b = word;
    if (column == kEvery) edge.every = number;
    if (column == kOffset) edge.offset = number;
  };
}

}  // namespace paceline::experiment
