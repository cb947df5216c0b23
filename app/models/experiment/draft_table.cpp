#include "app/models/experiment/draft_table.h"

#include <algorithm>
#include <set>

#include "app/models/experiment/topology_graph.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/schema.h"

namespace paceline::experiment {
namespace {

constexpr Role kRoles[] = {Role::kWorker, Role::kServer, Role::kEvaluator};

QString textOf(const std::string& value) { return qtext(value); }
QString textOf(Role value) { return QString::fromUtf8(roleName(value)); }
QString textOf(int value) { return QString::number(value); }
QString textOf(double value) { return QString::number(value, 'g', 10); }
QString textOf(const std::optional<double>& value) { return value ? textOf(*value) : QString(); }

// "" or the finding of a text that cannot be read.
const char* read(const QString& text, std::string& into) {
  into = text.toStdString();
  return "";
}

const char* read(const QString& text, Role& into) {
  const auto named = std::ranges::find(kRoles, text, [](Role role) { return textOf(role); });
  into = named == std::end(kRoles) ? Role::kWorker : *named;
  return "";
}

const char* read(const QString& text, int& into) {
  bool ok = false;
  into = text.toInt(&ok);
  return ok ? "" : "must be a whole number";
}

const char* read(const QString& text, double& into) {
  bool ok = false;
  into = text.toDouble(&ok);
  return ok ? "" : "must be a number";
}

const char* read(const QString& text, std::optional<double>& into) {
  into.reset();
  return text.isEmpty() ? "" : read(text, into.emplace());
}

}  // namespace

void DraftTable::watch() {
  connect(&draft_, &ExperimentDraft::specChanged, this, &DraftTable::followDraft);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, [this] { allChanged({kFindingRole, Qt::ToolTipRole}); });
  followDraft();
}

void DraftTable::followDraft() {
  const int rows = documentRows();
  if (rows == rows_) return allChanged();
  beginResetModel();
  for (const auto& [place, typed] : refused_) draft_.accept(place);
  refused_.clear();
  rows_ = rows;
  endResetModel();
}

std::string DraftTable::pointer(int row, int column) const { return strCat(list_, "/", row, "/", members_[static_cast<std::size_t>(column)]); }

Qt::ItemFlags DraftTable::flags(const QModelIndex& index) const {
  return index.isValid() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsEditable : Qt::NoItemFlags;
}

std::optional<Finding> DraftTable::finding(int row, int column) const { return draft_.findingAt(pointer(row, column)); }

QString DraftTable::shown(int row, int column) const {
  const auto refused = refused_.find(pointer(row, column));
  if (refused != refused_.end()) return refused->second;
  auto& spec = const_cast<RunSpec&>(draft_.spec());  // member() is one for readers and writers; this one only reads
  return std::visit([](const auto* value) { return textOf(*value); }, member(spec, row, column));
}

QVariant DraftTable::cell(int row, int column, int role) const {
  if (row >= documentRows()) return {};  // the draft is ahead
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: {
      const QString text = shown(row, column);
      return text.isEmpty() && role == Qt::DisplayRole ? empty() : text;
    }
    case kFindingRole:
    case Qt::ToolTipRole:
      if (const auto found = finding(row, column)) return qtext(found->message);
      return role == Qt::ToolTipRole ? QVariant(help(column)) : QVariant();
    case kChoicesRole: return choices(row, column);
    default: return {};
  }
}

bool DraftTable::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.row() >= documentRows()) return false;
  const QString text = value.toString().trimmed();
  const std::string place = pointer(index.row(), index.column());
  RunSpec changed = draft_.spec();
  const std::string wrong = std::visit([&text](auto* into) { return read(text, *into); }, member(changed, index.row(), index.column()));
  if (wrong.empty()) {
    refused_.erase(place);
    draft_.accept(place);
    follow(draft_.spec(), changed, index.row());
    draft_.edit([&changed](RunSpec& spec) { spec = std::move(changed); });
  } else {
    refused_[place] = text;
    draft_.refuse(place, strCat(wrong, ", got \"", text.toStdString(), "\""));
    emit dataChanged(index, index);
  }
  return true;
}

namespace {

// Groups and edges follow their nodes.
void renameNode(RunSpec& spec, const std::string& before, const std::string& after) {
  const auto rename = [&](std::string& name) {
    if (name == before) name = after;
  };
  rename(spec.evaluate.on);
  for (std::vector<std::string>& group : spec.groups)
    for (std::string& member : group) rename(member);
  for (Edge& edge : spec.edges) rename(edge.a), rename(edge.b);
}

void forgetNames(RunSpec& spec) {
  const auto gone = [&spec](const std::string& name) { return spec.nodeIndex(name) < 0; };
  for (std::vector<std::string>& group : spec.groups) std::erase_if(group, gone);
  std::erase_if(spec.groups, [](const std::vector<std::string>& group) { return group.empty(); });
  std::erase_if(spec.edges, [&gone](const Edge& edge) { return gone(edge.a) || gone(edge.b); });
}

}  // namespace

NodesModel::NodesModel(ExperimentDraft& draft, QObject* parent)
    : DraftTable(draft, "/nodes",
                 std::initializer_list<DraftTable::Column>{{{"Node"}, "id"},
                                                           {{"Role"}, "role"},
                                                           {{"Host"}, "host"},
                                                           {{"Device"}, "device"},
                                                           {{"Threads", "", true}, "threads"},
                                                           {{"Slowdown", "", true}, "emulate/slowdown"},
                                                           {{"Step s", "", true}, "emulate/step_s"},
                                                           {{"Jitter", "", true}, "emulate/jitter"},
                                                           {{"Mbit/s", "", true}, "emulate/bandwidth_mbps"},
                                                           {{"Latency ms", "", true}, "emulate/latency_ms"},
                                                           {{"Share", "", true}, "share"}},
                 parent) {
  watch();
}

void NodesModel::addNode(Role role) {
  draft().edit([role](RunSpec& spec) {
    NodeSpec node;
    node.role = role;
    for (const NodeSpec& other : spec.nodes)
      if (other.role == role) node = other;
    for (int n = 0; node.id.empty() || spec.nodeIndex(node.id) >= 0; ++n) node.id = strCat(std::string(roleName(role)).substr(0, 1), n);
    node.share.reset();
    spec.nodes.push_back(node);
  });
}

void NodesModel::removeRows(const std::vector<int>& rows) {
  draft().edit([&rows](RunSpec& spec) {
    erase(spec.nodes, rows);
    if (spec.evaluatorNode() < 0) spec.evaluate.on.clear();
    forgetNames(spec);
  });
}

DraftTable::Member NodesModel::member(RunSpec& spec, int row, int column) const {
  NodeSpec& node = spec.nodes[static_cast<std::size_t>(row)];
  switch (column) {
    case kRole: return &node.role;
    case kHost: return &node.host;
    case kDevice: return &node.device;
    case kThreads: return &node.threads;
    case kSlowdown: return &node.emulate.slowdown;
    case kStep: return &node.emulate.stepSeconds;
    case kJitter: return &node.emulate.jitter;
    case kBandwidth: return &node.emulate.bandwidthMbps;
    case kLatency: return &node.emulate.latencyMs;
    case kShare: return &node.share;
    default: return &node.id;
  }
}

QString NodesModel::help(int column) const { return qtext(fieldHelp(pointer(0, column))); }

QStringList NodesModel::choices(int row, int column) const {
  if (column == kRole) {
    QStringList roles;
    for (const Role each : kRoles) roles << textOf(each);
    return roles;
  }
  if (column == kHost && choices_.hosts) return choices_.hosts();
  if (column == kDevice && choices_.devices) return choices_.devices(draft().spec().nodes[static_cast<std::size_t>(row)].host);
  return column == kDevice && draft().catalog() ? qtexts(draft().catalog()->devices) : QStringList();
}

void NodesModel::follow(const RunSpec& before, RunSpec& after, int row) const {
  const std::string &was = before.nodes[static_cast<std::size_t>(row)].id, &is = after.nodes[static_cast<std::size_t>(row)].id;
  if (was != is) renameNode(after, was, is);
}

EdgesModel::EdgesModel(ExperimentDraft& draft, QObject* parent)
    : DraftTable(draft, "/edges",
                 std::initializer_list<DraftTable::Column>{
                     {{"From", "The worker that begins the exchange"}, "0"},
                     {{"To", "Its neighbour"}, "1"},
                     {{"Every steps", "Local steps of the first worker between two exchanges", true}, "2/every"},
                     {{"Offset", "The step of the first exchange, counted from 0; below the interval", true}, "2/offset"}},
                 parent) {
  watch();
}

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
  draft().edit([&rows](RunSpec& spec) { erase(spec.edges, rows); });
}

DraftTable::Member EdgesModel::member(RunSpec& spec, int row, int column) const {
  Edge& edge = spec.edges[static_cast<std::size_t>(row)];
  switch (column) {
    case kFrom: return &edge.a;
    case kTo: return &edge.b;
    case kEvery: return &edge.every;
    default: return &edge.offset;
  }
}

QStringList EdgesModel::choices(int /*row*/, int column) const { return heading(column).number ? QStringList() : qtexts(workersOf(draft().spec())); }

// What is wrong with an edge as a whole is told at its end.
std::optional<Finding> EdgesModel::finding(int row, int column) const {
  auto found = DraftTable::finding(row, column);
  if (found || column != kTo) return found;
  const std::string whole = strCat("/edges/", row);
  found = draft().findingAt(whole);
  return found && found->pointer == whole ? found : std::nullopt;
}

}  // namespace paceline::experiment
