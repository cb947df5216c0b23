#include "app/models/placement_model.h"

#include <algorithm>

#undef slots  // Qt's; a PlacementHost has a member of that name
#include "app/cluster/placement.h"
#include "app/models/words.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

Places placesOf(const RunSpec& spec) {
  Places places;
  for (const NodeSpec& node : spec.nodes) places[node.id] = {node.host, node.device, node.share};
  return places;
}

QString capabilities(const HostFigures& figures) {
  QStringList parts;
  if (figures.cpus > 0) parts << plural(figures.cpus, "CPU");
  if (!figures.gpus.isEmpty()) parts << plural(static_cast<int>(figures.gpus.size()), "GPU");
  if (figures.memoryBytes > 0) parts << bytesText(figures.memoryBytes);
  QStringList lines;
  if (!parts.isEmpty()) lines << parts.join(", ");
  if (figures.speed > 0) lines << speedText(figures.speed) + " GFLOP/s";
  return lines.isEmpty() ? QString("not measured yet") : lines.join('\n');
}

const HostItem* itemOf(const std::vector<HostItem>& hosts, const std::string& name) {
  const auto found = std::find_if(hosts.begin(), hosts.end(), [&name](const HostItem& item) { return item.entry.name == name; });
  return found == hosts.end() ? nullptr : &*found;
}

// What the last check found bad, as one sentence.
std::string problemOf(const HostItem& item) {
  for (const CheckLine& line : item.lines)
    if (line.state == CheckState::kBad) return strCat(line.title, ": ", line.found);
  return {};
}

}  // namespace

std::vector<Finding> placementFindings(const RunSpec& spec, const std::vector<HostItem>& hosts) {
  std::vector<Finding> findings;
  const auto tell = [&findings](std::size_t node, const char* member, std::string message) {
    findings.push_back({.pointer = strCat("/nodes/", node, "/", member), .message = std::move(message), .error = false});
  };
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    const NodeSpec& node = spec.nodes[i];
    const HostItem* item = itemOf(hosts, node.host);
    if (!item || item->entry.kind == "local") continue;  // not known: validate() says so; of this computer the catalogue knows all
    const HostStanding standing = item->standing();
    if (standing == HostStanding::kNotChecked) tell(i, "host", strCat("host ", node.host, " has not been checked yet"));
    if (standing == HostStanding::kProblem) tell(i, "host", strCat("host ", node.host, ": the last check found a problem: ", problemOf(*item)));
    const QStringList& devices = item->figures.devices;
    if (!devices.isEmpty() && !devices.contains(QString::fromStdString(node.device)))
      tell(i, "device", strCat("host ", node.host, " has no device \"", node.device, "\"; have ", devices.join(", ").toStdString()));
  }
  return findings;
}

PlacementModel::PlacementModel(ExperimentDraft& draft, HostsModel& hosts, QObject* parent) : QObject(parent), draft_(draft), hosts_(hosts) {
  draft_.setPlaceRules({.hosts = [this] { return hosts_.loaded() ? std::optional(hosts_.book().names()) : std::nullopt; },
                        .judge = [this](const RunSpec& spec) { return placementFindings(spec, hosts_.items()); }});
  connect(&draft_, &ExperimentDraft::specChanged, this, &PlacementModel::changed);
  connect(&hosts_, &HostsModel::reloaded, this, [this] { draft_.validateNow(), emit changed(); });
  connect(&hosts_, &HostsModel::changed, this, [this] { draft_.validateSoon(), emit changed(); });
}

const NodeSpec* PlacementModel::node(const std::string& id) const {
  const int index = draft_.spec().nodeIndex(id);
  return index < 0 ? nullptr : &draft_.spec().nodes[static_cast<std::size_t>(index)];
}

QStringList PlacementModel::hosts() const {
  QStringList names;
  for (const HostItem& item : hosts_.items()) names << QString::fromStdString(item.entry.name);
  return names.isEmpty() ? QStringList{"local"} : names;
}

QStringList PlacementModel::devices(const std::string& host) const {
  const HostItem* item = hosts_.find(host);
  if (item && !item->figures.devices.isEmpty()) return item->figures.devices;
  QStringList known;
  if (host == "local" && draft_.catalog())
    for (const std::string& device : draft_.catalog()->devices) known << QString::fromStdString(device);
  return known.isEmpty() ? QStringList{"cpu"} : known;
}

std::vector<PlaceCard> PlacementModel::cards() const {
  std::vector<PlaceCard> cards;
  for (const HostItem& item : hosts_.items())
    cards.push_back({.host = item.entry.name, .standing = item.standing(), .capabilities = capabilities(item.figures), .devices = devices(item.entry.name), .nodes = {}});
  for (const NodeSpec& node : draft_.spec().nodes) {
    auto card = std::find_if(cards.begin(), cards.end(), [&node](const PlaceCard& each) { return each.host == node.host; });
    if (card == cards.end())
      card = cards.insert(cards.end(), {.host = node.host, .known = false, .capabilities = "not in the list of hosts", .devices = {"cpu"}, .nodes = {}});
    card->nodes.push_back(node.id);
  }
  return cards;
}

void PlacementModel::edit(const QString& what, const std::function<void(RunSpec&)>& change) {
  const Places before = placesOf(draft_.spec());
  draft_.edit(change);
  const Places after = placesOf(draft_.spec());
  if (before != after) emit placed(what, before, after);
}

// A device that the node's host does not have becomes its first one.
void PlacementModel::fitDevice(NodeSpec& node) const {
  const QStringList there = devices(node.host);
  if (!there.contains(QString::fromStdString(node.device))) node.device = there.front().toStdString();
}

void PlacementModel::move(const std::vector<std::string>& nodes, const std::string& host) {
  const QString what = QString("moving %1 to %2").arg(nodes.size() == 1 ? QString::fromStdString(nodes.front()) : plural(static_cast<int>(nodes.size()), "node"),
                                                      QString::fromStdString(host));
  edit(what, [&](RunSpec& spec) {
    for (NodeSpec& node : spec.nodes) {
      if (std::find(nodes.begin(), nodes.end(), node.id) == nodes.end() || node.host == host) continue;
      node.host = host;
      fitDevice(node);
    }
  });
}

void PlacementModel::setDevice(const std::string& id, const std::string& device) {
  edit(QString("putting %1 on %2").arg(QString::fromStdString(id), QString::fromStdString(device)), [&](RunSpec& spec) {
    for (NodeSpec& node : spec.nodes)
      if (node.id == id) node.device = device;
  });
}

void PlacementModel::spreadEvenly(const std::vector<std::string>& hosts) {
  if (hosts.empty()) return;
  std::vector<PlacementHost> places;
  for (const std::string& host : hosts) places.push_back({.name = host});
  edit("spreading the nodes evenly", [&](RunSpec& spec) {
    placeRoundRobin(spec.nodes, places);
    for (NodeSpec& node : spec.nodes) fitDevice(node);
  });
}

QString PlacementModel::sharesBySpeed() {
  std::vector<PlacementHost> measured;
  for (const HostItem& item : hosts_.items()) measured.push_back({.name = item.entry.name, .speed = item.figures.speed, .cpus = item.figures.cpus});
  RunSpec shared = draft_.spec();
  try {
    shareBySpeed(shared.nodes, measured);
  } catch (const Error& error) {
    return QString::fromStdString(error.what());
  }
  edit("setting shares by measured speed", [&shared](RunSpec& spec) { spec.nodes = shared.nodes; });
  return {};
}

void PlacementModel::equalShares() {
  edit("making shares equal", [](RunSpec& spec) {
    for (NodeSpec& node : spec.nodes) node.share.reset();
  });
}

void PlacementModel::put(const Places& places) {
  draft_.edit([&places](RunSpec& spec) {
    for (NodeSpec& node : spec.nodes)
      if (const auto place = places.find(node.id); place != places.end())
        node.host = place->second.host, node.device = place->second.device, node.share = place->second.share;
  });
}

}  // namespace paceline
