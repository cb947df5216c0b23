#include "app/models/experiment/edges_model.h"

#include <algorithm>
#include <set>

#include <QStringList>

#include "engine/core/base/error.h"

namespace paceline::experiment {
namespace {

struct Property {
  const char* title;
  const char* pointer;
  const char* help;
};

constexpr Property kProperties[EdgesModel::kColumns] = {
    {"From", "0", "The worker that begins the exchange"},
    {"To", "1", "Its neighbour"},
    {"Every steps", "2/every", "Local steps of the first worker between two exchanges"},
    {"Offset", "2/offset", "The step of the first exchange, counted from 0; below the interval"},
};

bool isNumber(int column) { return column == EdgesModel::kEvery || column == EdgesModel::kOffset; }

QString shown(const Edge& edge, int column) {
  switch (column) {
    case EdgesModel::kFrom: return QString::fromStdString(edge.a);
    case EdgesModel::kTo: return QString::fromStdString(edge.b);
    case EdgesModel::kEvery: return QString::number(edge.every);
    case EdgesModel::kOffset: return QString::number(edge.offset);
    default: return {};
  }
}

std::vector<std::string> workersOf(const RunSpec& spec) {
  std::vector<std::string> ids;
  for (const int worker : spec.workers()) ids.push_back(spec.nodes[static_cast<std::size_t>(worker)].id);
  return ids;
}

}  // namespace

EdgesModel::EdgesModel(ExperimentDraft& draft, QObject* parent) : DraftTable(draft, kColumns, parent) { watch(); }

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

std::string EdgesModel::pointer(const QModelIndex& index) const { return strCat("/edges/", index.row(), "/", kProperties[index.column()].pointer); }

QVariant EdgesModel::data(const QModelIndex& index, int role) const {
  if (index.row() >= static_cast<int>(draft().spec().edges.size())) return {};
  const QString* refused = refusedText(pointer(index));
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return refused != nullptr ? *refused : shown(draft().spec().edges[static_cast<std::size_t>(index.row())], index.column());
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    case kFindingRole:
    case Qt::ToolTipRole: {
      auto finding = draft().findingAt(pointer(index));
      if (!finding && index.column() == kTo) {  // of the edge as a whole: below its pointer there is nothing else
        finding = draft().findingAt(strCat("/edges/", index.row()));
        if (finding && finding->pointer != strCat("/edges/", index.row())) finding.reset();
      }
      if (finding) return QString::fromStdString(finding->message);
      return role == Qt::ToolTipRole ? QVariant(kProperties[index.column()].help) : QVariant();
    }
    case kChoicesRole: {
      if (isNumber(index.column())) return {};
      QStringList workers;
      for (const std::string& id : workersOf(draft().spec())) workers << QString::fromStdString(id);
      return workers;
    }
    default: return {};
  }
}

bool EdgesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.row() >= rowCount()) return false;
  const QString text = value.toString().trimmed();
  const std::string place = pointer(index);
  bool ok = true;
  const int number = isNumber(index.column()) ? text.toInt(&ok) : 0;
  if (!ok) {
    refuse(index, place, text, strCat("must be a whole number, got \"", text.toStdString(), "\""));
    return true;
  }
  accept(place);
  draft().edit([&](RunSpec& spec) {
    Edge& edge = spec.edges[static_cast<std::size_t>(index.row())];
    if (index.column() == kFrom) edge.a = text.toStdString();
    if (index.column() == kTo) edge.b = text.toStdString();
    if (index.column() == kEvery) edge.every = number;
    if (index.column() == kOffset) edge.offset = number;
  });
  return true;
}

QVariant EdgesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::DisplayRole) return QString::fromUtf8(kProperties[section].title);
  if (role == Qt::ToolTipRole) return QString::fromUtf8(kProperties[section].help);
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
  return {};
}

}  // namespace paceline::experiment
