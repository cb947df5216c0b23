#include "app/models/experiment/nodes_model.h"

#include <algorithm>
#include <set>

#include "app/models/words.h"
#include "engine/core/base/error.h"
#include "engine/core/spec/schema.h"

namespace paceline::experiment {
namespace {

constexpr ColumnTable::Heading kHeadings[NodesModel::kColumns] = {
    {"Node"}, {"Role"}, {"Host"}, {"Device"}, {"Threads", "", true}, {"Slowdown", "", true}, {"Step s", "", true}, {"Jitter", "", true},
    {"Mbit/s", "", true}, {"Latency ms", "", true}, {"Share", "", true}};
constexpr const char* kMembers[NodesModel::kColumns] = {"id", "role", "host", "device", "threads", "emulate/slowdown", "emulate/step_s", "emulate/jitter", "emulate/bandwidth_mbps", "emulate/latency_ms", "share"};

QString number(double value) { return QString::number(value, 'g', 10); }
QString number(const std::optional<double>& value) { return value ? number(*value) : QString(); }

constexpr Role kRoles[] = {Role::kWorker, Role::kServer, Role::kEvaluator};

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

NodesModel::NodesModel(ExperimentDraft& draft, QObject* parent) : DraftTable(draft, "/nodes", kHeadings, kMembers, parent) { watch(); }

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

QString NodesModel::shown(int row, int column) const {
  const NodeSpec& node = draft().spec().nodes[static_cast<std::size_t>(row)];
  switch (column) {
    case kId: return qtext(node.id);
    case kRole: return QString::fromUtf8(roleName(node.role));
    case kHost: return qtext(node.host);
    case kDevice: return qtext(node.device);
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

QString NodesModel::help(int column) const { return qtext(fieldHelp(strCat("/nodes/0/", kMembers[column]))); }

QStringList NodesModel::choices(int row, int column) const {
  if (column == kRole) {
    QStringList roles;
    for (const Role each : kRoles) roles << QString::fromUtf8(roleName(each));
    return roles;
  }
  if (column == kHost && choices_.hosts) return choices_.hosts();
  if (column == kDevice && choices_.devices) return choices_.devices(draft().spec().nodes[static_cast<std::size_t>(row)].host);
  return column == kDevice && draft().catalog() ? qtexts(draft().catalog()->devices) : QStringList();
}

DraftTable::Change NodesModel::changeTo(int row, int column, const QString& text, std::string& wrong) {
  std::optional<double> read;
  bool ok = true;
  if (heading(column).number && !(text.isEmpty() && mayBeEmpty(column))) {
    read = text.toDouble(&ok);
    if (column == kThreads) ok = ok && *read >= 0 && *read <= 1e6 && *read == static_cast<int>(*read);
  }
  if (!ok) wrong = strCat("must be a ", column == kThreads ? "whole number" : "number", ", got \"", text.toStdString(), "\"");
  return [row, column, text, read](RunSpec& spec) {
    NodeSpec& node = spec.nodes[static_cast<std::size_t>(row)];
    const std::string before = node.id;
    assign(node, column, text, read);
    if (column == kId) renameNode(spec, before, text.toStdString());
  };
}

}  // namespace paceline::experiment
