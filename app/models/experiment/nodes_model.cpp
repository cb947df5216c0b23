#include "app/models/experiment/nodes_model.h"

#include <algorithm>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/spec/field_info.h"

namespace paceline::experiment {
namespace {

struct Property {
  const char* title;
  const char* pointer;
};

constexpr Property kProperties[NodesModel::kColumns] = {
    {"Node", "id"}, {"Role", "role"}, {"Host", "host"}, {"Device", "device"}, {"Threads", "threads"}, {"Slowdown", "emulate/slowdown"}, {"Step s", "emulate/step_s"}, {"Jitter", "emulate/jitter"}, {"Mbit/s", "emulate/bandwidth_mbps"}, {"Latency ms", "emulate/latency_ms"}, {"Share", "share"}};

QString helpOf(int column) { return QString::fromStdString(fieldHelp(strCat("/nodes/0/", kProperties[column].pointer))); }
QString number(double value) { return QString::number(value, 'g', 10); }
QString number(const std::optional<double>& value) { return value ? number(*value) : QString(); }

constexpr Role kRoles[] = {Role::kWorker, Role::kServer, Role::kEvaluator};

bool isNumber(int column) { return column >= NodesModel::kThreads; }
bool mayBeEmpty(int column) { return column == NodesModel::kStep || column == NodesModel::kBandwidth || column == NodesModel::kShare; }

Role roleFrom(const QString& text) {
  for (const Role role : kRoles)
    if (text == roleName(role)) return role;
  return Role::kWorker;
}

void assign(NodeSpec& node, int column, const QString& text, std::optional<double> value) {
  switch (column) {
    case NodesModel::kId: node.id = text.toStdString(); break;
    case NodesModel::kRole: node.role = roleFrom(text); break;
    case NodesModel::kHost: node.host = text.toStdString(); break;
    case NodesModel::kDevice: node.device = text.toStdString(); break;
    case NodesModel::kThreads: node.threads = static_cast<int>(value.value_or(1)); break;
    case NodesModel::kSlowdown: node.emulate.slowdown = value.value_or(1); break;
    case NodesModel::kStep: node.emulate.stepSeconds = value; break;
    case NodesModel::kJitter: node.emulate.jitter = value.value_or(0); break;
    case NodesModel::kBandwidth: node.emulate.bandwidthMbps = value; break;
    case NodesModel::kLatency: node.emulate.latencyMs = value.value_or(0); break;
    case NodesModel::kShare: node.share = value; break;
    default: break;
  }
}

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

NodesModel::NodesModel(ExperimentDraft& draft, QObject* parent) : DraftTable(draft, kColumns, parent) { watch(); }

void NodesModel::addNode(Role role) {
  draft().edit([role](RunSpec& spec) {
    NodeSpec node;
    node.role = role;
    for (const NodeSpec& other : spec.nodes)
      if (other.role == role) node = other;
    std::set<std::string> taken;
    for (const NodeSpec& other : spec.nodes) taken.insert(other.id);
    for (int n = 0; node.id.empty() || taken.contains(node.id); ++n) node.id = strCat(std::string(roleName(role)).substr(0, 1), n);
    node.share.reset();
    spec.nodes.push_back(node);
  });
}

void NodesModel::removeRows(std::vector<int> rows) {
  std::sort(rows.rbegin(), rows.rend());
  draft().edit([&rows](RunSpec& spec) {
    for (const int row : rows)
      if (row >= 0 && row < static_cast<int>(spec.nodes.size())) spec.nodes.erase(spec.nodes.begin() + row);
    if (spec.evaluatorNode() < 0) spec.evaluate.on.clear();
    forgetNames(spec);
  });
}

std::string NodesModel::pointer(const QModelIndex& index) const {
  return strCat("/nodes/", index.row(), "/", kProperties[index.column()].pointer);
}

QString NodesModel::shown(const NodeSpec& node, int column) const {
  switch (column) {
    case kId: return QString::fromStdString(node.id);
    case kRole: return QString::fromUtf8(roleName(node.role));
    case kHost: return QString::fromStdString(node.host);
    case kDevice: return QString::fromStdString(node.device);
    case kThreads: return QString::number(node.threads);
    case kSlowdown: return number(node.emulate.slowdown);
    case kStep: return number(node.emulate.stepSeconds);
    case kJitter: return number(node.emulate.jitter);
    case kBandwidth: return number(node.emulate.bandwidthMbps);
    case kLatency: return number(node.emulate.latencyMs);
    case kShare: return number(node.share);
    default: return {};
  }
}

QVariant NodesModel::data(const QModelIndex& index, int role) const {
  if (index.row() >= static_cast<int>(draft().spec().nodes.size())) return {};
  const NodeSpec& node = draft().spec().nodes[static_cast<std::size_t>(index.row())];
  const QString* refused = refusedText(pointer(index));
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: {
      if (refused != nullptr) return *refused;
      const QString text = shown(node, index.column());
      return text.isEmpty() && role == Qt::DisplayRole ? QString("–") : text;
    }
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    case kFindingRole:
    case Qt::ToolTipRole: {
      const auto finding = draft().findingAt(pointer(index));
      if (finding) return QString::fromStdString(finding->message);
      return role == Qt::ToolTipRole ? QVariant(helpOf(index.column())) : QVariant();
    }
    case kChoicesRole:
      if (index.column() == kRole) {
        QStringList roles;
        for (const Role each : kRoles) roles << QString::fromUtf8(roleName(each));
        return roles;
      }
      if (index.column() == kHost && choices_.hosts) return choices_.hosts();
      if (index.column() == kDevice && choices_.devices) return choices_.devices(node.host);
      if (index.column() == kDevice && draft().catalog()) {
        QStringList devices;
        for (const std::string& device : draft().catalog()->devices) devices << QString::fromStdString(device);
        return devices;
      }
      return {};
    default: return {};
  }
}

bool NodesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid()) return false;
  const QString text = value.toString().trimmed();
  const std::string place = pointer(index);
  std::optional<double> read;
  bool ok = true;
  if (isNumber(index.column()) && !(text.isEmpty() && mayBeEmpty(index.column()))) {
    read = text.toDouble(&ok);
    if (index.column() == kThreads) ok = ok && *read >= 0 && *read <= 1e6 && *read == static_cast<int>(*read);
  }
  if (!ok) {
    refuse(index, place, text, strCat("must be a ", index.column() == kThreads ? "whole number" : "number", ", got \"", text.toStdString(), "\""));
    return true;
  }
  accept(place);
  const auto row = static_cast<std::size_t>(index.row());
  draft().edit([&](RunSpec& spec) {
    const std::string before = spec.nodes[row].id;
    assign(spec.nodes[row], index.column(), text, read);
    if (index.column() == kId) renameNode(spec, before, text.toStdString());
  });
  return true;
}

QVariant NodesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::DisplayRole) return QString::fromUtf8(kProperties[section].title);
  if (role == Qt::ToolTipRole) return helpOf(section);
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
  return {};
}

}  // namespace paceline::experiment
