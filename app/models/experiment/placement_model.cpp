#include "app/models/experiment/placement_model.h"

#include <algorithm>
#include <cmath>

#undef slots  // Qt's; a PlacementHost has a member of that name
#include "app/cluster/run/placement.h"
#include "app/cluster/worker/own_files.h"
#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline::experiment {
namespace {

QString capabilities(const clusters::HostFigures& figures) {
  QStringList parts;
  if (figures.cpus > 0) parts << QObject::tr("%n CPU(s)", nullptr, figures.cpus);
  if (!figures.gpus.isEmpty()) parts << QObject::tr("%n GPU(s)", nullptr, static_cast<int>(figures.gpus.size()));
  if (figures.memoryBytes > 0) parts << bytesText(figures.memoryBytes);
  QStringList lines;
  if (!parts.isEmpty()) lines << parts.join(", ");
  if (figures.speed > 0) lines << clusters::speedNumber(figures) + " GFLOP/s";
  return lines.isEmpty() ? QObject::tr("not measured yet") : lines.join('\n');
}

std::vector<run::PlacementHost> measuredHosts(const std::vector<clusters::HostItem>& hosts) {
  std::vector<run::PlacementHost> measured;
  for (const clusters::HostItem& item : hosts) measured.push_back({.name = item.entry.name, .speed = item.figures.speed, .cpus = item.figures.cpus});
  return measured;
}

// What the last check found bad, as one sentence.
std::string problemOf(const clusters::HostItem& item) {
  for (const check::CheckLine& line : item.lines)
    if (line.state == check::CheckState::kBad) return strCat(line.title, ": ", line.found);
  return {};
}

// What the last checks say against a placement (that a host is known at all is validate()'s business).
std::vector<Finding> placementFindings(const RunSpec& spec, const clusters::HostsModel& hosts) {
  std::vector<Finding> findings;
  const auto tell = [&findings](std::size_t node, const char* member, std::string message) {
    findings.push_back({.pointer = strCat("/nodes/", node, "/", member), .message = std::move(message), .error = false});
  };
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    const NodeSpec& node = spec.nodes[i];
    const clusters::HostItem* item = hosts.find(node.host);
    if (!item || item->entry.kind == "local") continue;  // not known: validate() says so; of this computer the catalogue knows all
    const clusters::HostStanding standing = item->standing();
    if (standing == clusters::HostStanding::kNotChecked) tell(i, "host", strCat("host ", node.host, " has not been checked yet"));
    if (standing == clusters::HostStanding::kProblem) tell(i, "host", strCat("host ", node.host, ": the last check found a problem: ", problemOf(*item)));
    const QStringList& devices = item->figures.devices;
    if (!devices.isEmpty() && !devices.contains(QString::fromStdString(node.device)))
      tell(i, "device", strCat("host ", node.host, " has no device \"", node.device, "\"; have ", devices.join(", ").toStdString()));
  }
  return findings;
}

}  // namespace

ParsedSpec judged(const RunSpec& spec, const Catalog& catalog, const clusters::HostsModel& hosts) {
  ParsedSpec judged = validate(spec, catalog, hosts.loaded() ? hosts.book().names() : spec.hosts());
  const std::vector<Finding> places = placementFindings(spec, hosts);
  judged.findings.insert(judged.findings.end(), places.begin(), places.end());
  worker::pinFiles(judged, catalog);
  return judged;
}

PlacementModel::PlacementModel(ExperimentDraft& draft, clusters::HostsModel& hosts, QObject* parent) : QObject(parent), draft_(draft), hosts_(hosts) {
  draft_.setJudge([this](const RunSpec& spec, const Catalog& catalog) { return judged(spec, catalog, hosts_); });
  for (const auto news : {&PlacementModel::changed, &PlacementModel::edited}) connect(&draft_, &ExperimentDraft::specChanged, this, news);
  connect(&hosts_, &clusters::HostsModel::reloaded, this, [this] { draft_.validateNow(), emit changed(); });
  connect(&hosts_, &clusters::HostsModel::changed, this, [this] { draft_.validateSoon(), emit changed(); });
}

const NodeSpec* PlacementModel::node(const std::string& id) const {
  const int index = draft_.spec().nodeIndex(id);
  return index < 0 ? nullptr : &draft_.spec().nodes[static_cast<std::size_t>(index)];
}

QStringList PlacementModel::hosts() const { return hosts_.names(); }
QStringList PlacementModel::devices(const std::string& host) const { return hosts_.devicesOf(host, draft_.catalog()); }

std::vector<PlaceCard> PlacementModel::cards() const {
  std::vector<PlaceCard> cards;
  for (const clusters::HostItem& item : hosts_.items())
    cards.push_back({.host = item.entry.name, .standing = item.standing(), .capabilities = capabilities(item.figures), .devices = devices(item.entry.name), .nodes = {}});
  for (const NodeSpec& node : draft_.spec().nodes) {
    auto card = std::find_if(cards.begin(), cards.end(), [&node](const PlaceCard& each) { return each.host == node.host; });
    if (card == cards.end())
      card = cards.insert(cards.end(), {.host = node.host, .known = false, .capabilities = tr("not in the list of hosts"), .devices = {"cpu"}, .nodes = {}});
    card->nodes.push_back(node.id);
  }
  return cards;
}

// A device that the node's host does not have becomes its first one.
void PlacementModel::fitDevice(NodeSpec& node) const {
  const QStringList there = devices(node.host);
  if (!there.contains(QString::fromStdString(node.device))) node.device = there.front().toStdString();
}

void PlacementModel::move(const std::vector<std::string>& nodes, const std::string& host) {
  const QString what = tr("moving %1 to %2").arg(nodes.size() == 1 ? QString::fromStdString(nodes.front()) : tr("%n node(s)", nullptr, static_cast<int>(nodes.size())),
                                                      QString::fromStdString(host));
  draft_.edit([&](RunSpec& spec) {
    for (NodeSpec& node : spec.nodes) {
      if (std::find(nodes.begin(), nodes.end(), node.id) == nodes.end() || node.host == host) continue;
      node.host = host;
      fitDevice(node);
    }
  }, what);
}

void PlacementModel::setDevice(const std::string& id, const std::string& device) {
  draft_.edit([&](RunSpec& spec) {
    for (NodeSpec& node : spec.nodes)
      if (node.id == id) node.device = device;
  }, tr("putting %1 on %2").arg(QString::fromStdString(id), QString::fromStdString(device)));
}

void PlacementModel::spreadEvenly(const std::vector<std::string>& hosts) {
  if (hosts.empty()) return;
  std::vector<run::PlacementHost> places;
  for (const std::string& host : hosts) places.push_back({.name = host});
  draft_.edit([&](RunSpec& spec) {
    run::placeRoundRobin(spec.nodes, places);
    for (NodeSpec& node : spec.nodes) fitDevice(node);
  }, tr("spreading the nodes evenly"));
}

QString PlacementModel::sharesBySpeed() {
  RunSpec shared = draft_.spec();
  try {
    run::shareBySpeed(shared.nodes, measuredHosts(hosts_.items()));
  } catch (const Error& error) {
    return QString::fromStdString(error.what());
  }
  draft_.edit([&shared](RunSpec& spec) { spec.nodes = shared.nodes; }, tr("setting shares by measured speed"));
  return {};
}

std::map<std::string, double> PlacementModel::speeds(const RunSpec& spec) const {
  const std::vector<run::PlacementHost> hosts = measuredHosts(hosts_.items());
  std::vector<NodeSpec> workers;
  const auto emulated = [](const NodeSpec& node) { return node.role != Role::kWorker || node.emulate.stepSeconds; };
  const bool allEmulated = std::ranges::all_of(spec.nodes, emulated);  // beside measured ones a step time tells no speed
  for (const NodeSpec& node : spec.nodes) {
    const bool measured = std::any_of(hosts.begin(), hosts.end(), [&node](const run::PlacementHost& host) { return host.name == node.host && host.speed > 0; });
    if (node.role == Role::kWorker && (allEmulated || (measured && !node.emulate.stepSeconds))) workers.push_back(node);
  }
  run::shareBySpeed(workers, hosts);  // in proportion to their speeds
  double most = 0;
  for (const NodeSpec& worker : workers) most = std::max(most, worker.share.value_or(0));
  std::map<std::string, double> speeds;
  for (const NodeSpec& worker : workers) speeds[worker.id] = worker.share.value_or(0) / most;
  return speeds;
}

QString PlacementModel::normaliseShares() {
  RunSpec shared = draft_.spec();
  for (const Role role : {Role::kWorker, Role::kServer}) {
    std::vector<NodeSpec*> nodes;
    for (NodeSpec& node : shared.nodes)
      if (node.role == role) nodes.push_back(&node);
    const auto given = std::count_if(nodes.begin(), nodes.end(), [](const NodeSpec* node) { return node->share.has_value(); });
    if (given == 0) continue;
    std::vector<double> weights;
    for (const NodeSpec* node : nodes) {
      if (!node->share || !(*node->share > 0) || !std::isfinite(*node->share))
        return QString::fromStdString(strCat(roleName(role), " \"", node->id, "\" needs a share above 0, as the others of its role have one"));
      weights.push_back(*node->share);
    }
    const std::vector<double> shares = run::exactShares(weights);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i]->share = shares[i];
  }
  draft_.edit([&shared](RunSpec& spec) { spec.nodes = shared.nodes; }, tr("making shares sum to 1"));
  return {};
}

void PlacementModel::equalShares() {
  draft_.edit([](RunSpec& spec) {
    for (NodeSpec& node : spec.nodes) node.share.reset();
  }, tr("making shares equal"));
}

}  // namespace paceline::experiment
