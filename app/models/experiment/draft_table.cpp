#include "app/models/experiment/draft_table.h"

#include <algorithm>
#include <set>

#include "app/models/experiment/draft_vary.h"
#include "app/models/experiment/draft_words.h"
#include "app/models/experiment/topology_graph.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/run_spec_fields.h"
#include "engine/core/spec/schema.h"
#include "engine/core/spec/speed_groups.h"

namespace paceline::experiment {
namespace {

QString valueText(Role value) { return QString::fromUtf8(roleName(value)); }

const char* readValue(const QString& text, Role& into) {
  const auto words = wordsOf(Role());
  const auto named = std::ranges::find(words, text.toStdString());
  into = named == words.end() ? Role::kWorker : static_cast<Role>(named - words.begin());
  return "";
}

// A distribution of times, as a list: "0.05, 0.2".
QString valueText(const std::vector<double>& values) {
  QStringList words;
  for (const double value : values) words << experiment::valueText(value);
  return words.join(", ");
}

const char* readValue(const QString& text, std::vector<double>& into) {
  std::vector<double> values;
  for (const QString& word : text.split(',', Qt::SkipEmptyParts)) {
    double value = 0;
    if (*experiment::readValue(word, value)) return "numbers with commas between them, as 0.05, 0.2";
    values.push_back(value);
  }
  into = std::move(values);
  return "";
}

// A column of a table and the member that it shows.
template <class Element>
struct MemberColumn : DraftTable::Column {
  DraftTable::Member (*of)(Element& element);
};

using Member = DraftTable::Member;

constexpr MemberColumn<NodeSpec> kNodeTable[NodesModel::kColumns] = {
    {{{QT_TR_NOOP("Node")}, "id"}, [](NodeSpec& node) -> Member { return &node.id; }},
    {{{QT_TR_NOOP("Role")}, "role"}, [](NodeSpec& node) -> Member { return &node.role; }},
    {{{QT_TR_NOOP("Host")}, "host"}, [](NodeSpec& node) -> Member { return &node.host; }},
    {{{QT_TR_NOOP("Device")}, "device"}, [](NodeSpec& node) -> Member { return &node.device; }},
    {{{QT_TR_NOOP("Threads"), "", true}, "threads"}, [](NodeSpec& node) -> Member { return &node.threads; }},
    {{{QT_TR_NOOP("Slowdown"), "", true}, "emulate/slowdown"}, [](NodeSpec& node) -> Member { return &node.emulate.slowdown; }},
    {{{QT_TR_NOOP("Step s"), "", true}, "emulate/step_s"}, [](NodeSpec& node) -> Member { return &node.emulate.stepSeconds; }},
    {{{QT_TR_NOOP("Jitter"), "", true}, "emulate/jitter"}, [](NodeSpec& node) -> Member { return &node.emulate.jitter; }},
    {{{QT_TR_NOOP("Steps s"), "", true}, "emulate/steps_s"}, [](NodeSpec& node) -> Member { return &node.emulate.steps; }},
    {{{QT_TR_NOOP("Batch s"), "", true}, "emulate/fetch_s"}, [](NodeSpec& node) -> Member { return &node.emulate.fetchSeconds; }},
    {{{QT_TR_NOOP("Evaluation s"), "", true}, "emulate/evaluate_s"}, [](NodeSpec& node) -> Member { return &node.emulate.evaluateSeconds; }},
    {{{"Mbit/s", "", true}, "emulate/bandwidth_mbps"}, [](NodeSpec& node) -> Member { return &node.emulate.bandwidthMbps; }},
    {{{QT_TR_NOOP("Latency ms"), "", true}, "emulate/latency_ms"}, [](NodeSpec& node) -> Member { return &node.emulate.latencyMs; }},
    {{{QT_TR_NOOP("Server Mbit/s"), "", true}, "emulate/serve_mbps"}, [](NodeSpec& node) -> Member { return &node.emulate.serveMbps; }},
    {{{QT_TR_NOOP("Lost after rounds"), "", true}, "emulate/lost_after_rounds"}, [](NodeSpec& node) -> Member { return &node.emulate.lostAfterRounds; }},
    {{{QT_TR_NOOP("Share"), "", true}, "share"}, [](NodeSpec& node) -> Member { return &node.share; }}};

constexpr MemberColumn<Edge> kEdgeTable[EdgesModel::kColumns] = {
    {{{QT_TR_NOOP("From"), QT_TR_NOOP("The worker that begins the exchange")}, "0"}, [](Edge& edge) -> Member { return &edge.a; }},
    {{{QT_TR_NOOP("To"), QT_TR_NOOP("Its neighbour")}, "1"}, [](Edge& edge) -> Member { return &edge.b; }},
    {{{QT_TR_NOOP("Every steps"), QT_TR_NOOP("Local steps of the first worker between two exchanges"), true}, "2/every"}, [](Edge& edge) -> Member { return &edge.every; }},
    {{{QT_TR_NOOP("Offset"), QT_TR_NOOP("The step of the first exchange, counted from 0; below the interval"), true}, "2/offset"}, [](Edge& edge) -> Member { return &edge.offset; }}};

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

constexpr ColumnTable::Heading kGroupHeadings[GroupsModel::kColumns] = {
    {QT_TR_NOOP("Worker"), QT_TR_NOOP("Its name in the document")},
    {QT_TR_NOOP("Host"), QT_TR_NOOP("Where it runs")},
    {QT_TR_NOOP("Speed"), QT_TR_NOOP("Of its threads on its host as last measured, against the fastest worker; emulated slowdown counts"), true},
    {QT_TR_NOOP("Group"), QT_TR_NOOP("Workers with the same number work in lock-step; groups do not wait for each other"), true},
};

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
  draft_.accept(list_);
  rows_ = rows;
  endResetModel();
}

std::string DraftTable::pointer(int row, int column) const { return strCat(list_, "/", row, "/", members_[static_cast<std::size_t>(column)]); }

Qt::ItemFlags DraftTable::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags shown = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
  const std::string place = pointer(index.row(), index.column());
  if (varies(draft_.state(), place)) return shown | Qt::ItemIsEditable;
  const auto varied = variedAt(draft_.state(), nullptr, place);
  return varied && varied->left.isEmpty() ? shown : shown | Qt::ItemIsEditable;  // what the base has there is nobody's
}

std::optional<Finding> DraftTable::finding(int row, int column) const { return draft_.findingAt(pointer(row, column)); }

QString DraftTable::shown(int row, int column) const {
  if (const QString* refused = draft_.refused(pointer(row, column))) return *refused;
  if (const auto axis = axisOf(draft_.state(), pointer(row, column))) return axisText(draft_.state(), *axis);
  auto& spec = const_cast<RunSpec&>(draft_.spec());  // member() is one for readers and writers; this one only reads
  return std::visit([](const auto* value) { return valueText(*value); }, member(spec, row, column));
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
      if (role != Qt::ToolTipRole) return {};
      if (const auto varied = variedAt(draft_.state(), draft_.catalog(), pointer(row, column))) return varied->sentence();
      return help(column);
    case kWarningRole: {
      const auto found = finding(row, column);
      return found && !found->error;
    }
    case kChoicesRole: return varies(draft_.state(), pointer(row, column)) ? QStringList() : choices(row, column);
    case kVariedRole: return varies(draft_.state(), pointer(row, column));
    default: return {};
  }
}

bool DraftTable::mayVary(const QModelIndex& index) const {
  if (!index.isValid() || index.row() >= documentRows() || !(flags(index) & Qt::ItemIsEditable)) return false;
  auto& spec = const_cast<RunSpec&>(draft_.spec());  // member() is one for readers and writers; this one only reads
  const bool list = std::holds_alternative<std::vector<double>*>(member(spec, index.row(), index.column()));
  return !list && members_[static_cast<std::size_t>(index.column())] != std::string_view("id");
}

bool DraftTable::setVaries(const QModelIndex& index, bool on) {
  if (!mayVary(index)) return false;
  const std::string place = pointer(index.row(), index.column());
  on ? draft_.vary(place) : draft_.endVary(place);
  return varies(draft_.state(), place) == on;
}

bool DraftTable::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.row() >= documentRows()) return false;
  const QString text = value.toString().trimmed();
  const std::string place = pointer(index.row(), index.column());
  if (varies(draft_.state(), place)) return draft_.setVaried(place, text), emit dataChanged(index, index), true;
  RunSpec changed = draft_.spec();
  const char* wanted = std::visit([&text](auto* into) { return readValue(text, *into); }, member(changed, index.row(), index.column()));
  if (*wanted) {
    draft_.refuse(place, wanted, text);
    emit dataChanged(index, index);
    return true;
  }
  draft_.accept(place);
  follow(draft_.spec(), changed, index.row());
  draft_.edit([&changed](RunSpec& spec) { spec = std::move(changed); });
  return true;
}

NodesModel::NodesModel(ExperimentDraft& draft, QObject* parent) : DraftTable(draft, "/nodes", kNodeTable, parent) { watch(); }

void NodesModel::addNode(Role role) {
  draft().edit([role](RunSpec& spec) {
    NodeSpec node;
    node.role = role;
    for (const NodeSpec& other : spec.nodes)
      if (other.role == role) node = other;
    for (int n = 0; node.id.empty() || spec.nodeIndex(node.id) >= 0; ++n) node.id = strCat(std::string(roleName(role)).substr(0, 1), n);
    node.share.reset();
    spec.nodes.push_back(node);
  }, tr("adding a %1").arg(said(roleName(role))));
}

void NodesModel::removeRows(const std::vector<int>& rows) {
  draft().removeRows("/nodes", rows, [&rows](RunSpec& spec) {
    erase(spec.nodes, rows);
    if (spec.evaluatorNode() < 0) spec.evaluate.on.clear();
    forgetNames(spec);
  }, tr("removing %n node(s)", nullptr, static_cast<int>(rows.size())));
}

DraftTable::Member NodesModel::member(RunSpec& spec, int row, int column) const { return kNodeTable[column].of(spec.nodes[static_cast<std::size_t>(row)]); }

QString NodesModel::help(int column) const { return helpAt(pointer(0, column)); }

QStringList NodesModel::choices(int row, int column) const {
  if (column == kRole) {
    const auto words = wordsOf(Role());
    return {words.begin(), words.end()};
  }
  if (column == kHost && choices_.hosts) return choices_.hosts();
  if (column == kDevice && choices_.devices) return choices_.devices(draft().spec().nodes[static_cast<std::size_t>(row)].host);
  return column == kDevice && draft().catalog() ? qtexts(draft().catalog()->devices) : QStringList();
}

void NodesModel::follow(const RunSpec& before, RunSpec& after, int row) const {
  const std::string &was = before.nodes[static_cast<std::size_t>(row)].id, &is = after.nodes[static_cast<std::size_t>(row)].id;
  if (was != is) renameNode(after, was, is);
}

EdgesModel::EdgesModel(ExperimentDraft& draft, QObject* parent) : DraftTable(draft, "/edges", kEdgeTable, parent) { watch(); }

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
  }, tr("adding an edge"));
}

void EdgesModel::removeRows(const std::vector<int>& rows) {
  draft().removeRows("/edges", rows, [&rows](RunSpec& spec) { erase(spec.edges, rows); }, tr("removing %n edge(s)", nullptr, static_cast<int>(rows.size())));
}

DraftTable::Member EdgesModel::member(RunSpec& spec, int row, int column) const { return kEdgeTable[column].of(spec.edges[static_cast<std::size_t>(row)]); }

QStringList EdgesModel::choices(int /*row*/, int column) const { return heading(column).number ? QStringList() : qtexts(workersOf(draft().spec())); }

// What is wrong with an edge as a whole is told at its end.
std::optional<Finding> EdgesModel::finding(int row, int column) const {
  auto found = DraftTable::finding(row, column);
  if (found || column != kTo) return found;
  const std::string whole = strCat("/edges/", row);
  found = draft().findingAt(whole);
  return found && found->pointer == whole ? found : std::nullopt;
}

GroupsModel::GroupsModel(ExperimentDraft& draft, Speeds speeds, QObject* parent)
    : ColumnTable(kGroupHeadings, parent), draft_(draft), speeds_(std::move(speeds)), workers_(workersOf(draft.spec())) {
  connect(&draft_, &ExperimentDraft::specChanged, this, &GroupsModel::follow);
  connect(&draft_, &ExperimentDraft::findingsChanged, this, [this] { allChanged({kFindingRole, Qt::ToolTipRole}); });
}

void GroupsModel::follow() {
  std::vector<std::string> workers = workersOf(draft_.spec());
  if (workers.size() != workers_.size()) {
    beginResetModel();
    workers_ = std::move(workers);
    endResetModel();
    return;
  }
  workers_ = std::move(workers);
  allChanged();
}

int GroupsModel::groupOf(const std::string& worker) const {
  const auto& all = draft_.spec().groups;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::find(all[i].begin(), all[i].end(), worker) != all[i].end()) return static_cast<int>(i) + 1;
  return 0;
}

std::vector<int> GroupsModel::groups() const {
  std::vector<int> all;
  for (const std::string& worker : workers_) all.push_back(groupOf(worker));
  return all;
}

void GroupsModel::put(const std::vector<int>& groups) {
  std::map<int, std::vector<std::string>> members;  // empty groups are none
  for (std::size_t i = 0; i < workers_.size(); ++i)
    if (groups[i] > 0) members[groups[i]].push_back(workers_[i]);
  draft_.edit([&members](RunSpec& spec) {
    spec.groups.clear();
    for (auto& [number, ids] : members) spec.groups.push_back(std::move(ids));
  }, tr("changing the groups"));
}

void GroupsModel::eachAlone() {
  std::vector<int> groups;
  for (std::size_t i = 0; i < workers_.size(); ++i) groups.push_back(static_cast<int>(i) + 1);
  put(groups);
}

void GroupsModel::allTogether() { put(std::vector<int>(workers_.size(), 1)); }
void GroupsModel::none() { put(std::vector<int>(workers_.size(), 0)); }

QString GroupsModel::bySpeed(int groups) {
  const std::map<std::string, double> speeds = speeds_(draft_.spec());
  if (workers_.empty()) return "There are no workers to group.";
  std::vector<double> stepSeconds;
  for (const std::string& worker : workers_) {
    const auto speed = speeds.find(worker);
    if (speed == speeds.end() || !(speed->second > 0))
      return qtext(strCat("The speed of the host of worker \"", worker, "\" was never measured: check it on the Clusters page."));
    stepSeconds.push_back(1 / speed->second);
  }
  if (groups > static_cast<int>(workers_.size()))
    return QString("%1 groups need as many workers; there are %2.").arg(groups).arg(workers_.size());
  std::vector<int> numbers = groupsBySpeed(stepSeconds, groups);
  for (int& number : numbers) ++number;  // ours count from 1
  put(numbers);
  return {};
}

QVariant GroupsModel::shown(const std::string& worker, int column) const {
  if (column == kWorker) return qtext(worker);
  if (column == kGroup) return groupOf(worker) == 0 ? QString("–") : QString::number(groupOf(worker));
  if (column == kSpeed) {
    const auto speeds = speeds_(draft_.spec());
    const auto speed = speeds.find(worker);
    return speed == speeds.end() ? tr("not measured") : QString::number(speed->second, 'f', 2);
  }
  const int node = draft_.spec().nodeIndex(worker);
  return node < 0 ? QVariant() : qtext(draft_.spec().nodes[static_cast<std::size_t>(node)].host);
}

QVariant GroupsModel::cell(int row, int column, int role) const {
  const std::string& worker = workers_[static_cast<std::size_t>(row)];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return shown(worker, column);
    case kFindingRole:
    case Qt::ToolTipRole:
      if (column == kGroup && groupOf(worker) == 0 && !draft_.spec().groups.empty()) return QString("worker \"%1\" is in no group").arg(qtext(worker));
      return role == Qt::ToolTipRole ? QVariant(heading(column).help) : QVariant();
    case kChoicesRole: {
      if (column != kGroup) return {};
      QStringList numbers{"–"};
      const int most = std::min(static_cast<int>(draft_.spec().groups.size()) + 1, rowCount());
      for (int n = 1; n <= most; ++n) numbers << QString::number(n);
      return numbers;
    }
    default: return {};
  }
}

bool GroupsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != kGroup || index.row() >= rowCount()) return false;
  bool ok = false;
  const int typed = value.toString().trimmed().toInt(&ok);
  if (!ok && value.toString().trimmed() != "–") return false;
  std::vector<int> all = groups();
  all[static_cast<std::size_t>(index.row())] = ok ? std::max(0, typed) : 0;
  put(all);
  return true;
}

Qt::ItemFlags GroupsModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags shown = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
  return index.column() == kGroup ? shown | Qt::ItemIsEditable : shown;
}

}  // namespace paceline::experiment
