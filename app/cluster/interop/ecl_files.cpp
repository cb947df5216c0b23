#include "app/cluster/interop/ecl_files.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/base/text.h"
#include "engine/core/spec/topologies.h"

namespace paceline::interop {
namespace {

struct EclNode {
  std::int64_t round = 0;                     // 0: was not sound
  std::map<std::string, std::int64_t> slots;  // by neighbour
};

constexpr std::int64_t kNever = -1;

class Reader {
 public:
  Reader(const EclText& file, std::vector<std::string>& problems) : path_(file.path), problems_(problems) {
    std::vector<Finding> findings;
    json_ = parseJson(file.text, findings);
    for (const Finding& finding : findings) refuse(finding.pointer, finding.message);
  }

  void refuse(const std::string& pointer, const std::string& message) {
    problems_.push_back(strCat(path_, ": ", pointer.empty() ? "" : strCat(pointer, ": "), message));
  }

  // The member `key` of the right kind; nullptr: a problem was added.
  const Json* member(const Json& object, const std::string& pointer, const char* key, Json::value_t kind, const char* what) {
    if (!object.is_object()) return refuse(pointer, strCat("must be an object, got ", described(object))), nullptr;
    const auto found = object.find(key);
    if (found == object.end()) return refuse(pointer, strCat(key, " is missing")), nullptr;
    const bool whole = kind == Json::value_t::number_integer && found->is_number_integer();
    if (!whole && found->type() != kind) return refuse(pointerTo(pointer, key), strCat("must be ", what, ", got ", described(*found))), nullptr;
    return &*found;
  }

  const std::optional<Json>& json() const { return json_; }

 private:
  std::string path_;
  std::vector<std::string>& problems_;
  std::optional<Json> json_;
};

void readSlots(Reader& reader, const Json& edges, const std::string& pointer, EclNode& node) {
  for (const auto& [neighbour, slot] : edges.items()) {
    const std::string at = pointerTo(pointer, neighbour);
    if (!slot.is_number_integer()) {
      reader.refuse(at, strCat("must be a whole number, got ", described(slot)));
    } else if (const auto value = slot.get<std::int64_t>(); value < kNever || (node.round > 0 && value >= node.round)) {
      reader.refuse(at, strCat("must be a step from 0 to round - 1, which is ", node.round - 1, ", or -1 for never, got ", value));
    } else {
      node.slots[neighbour] = value;
    }
  }
}

std::map<std::string, EclNode> readNodes(Reader& reader) {
  std::map<std::string, EclNode> nodes;
  if (!reader.json()) return nodes;
  const Json* list = reader.member(*reader.json(), "", "nodes", Json::value_t::object, "an object of nodes by name");
  if (list == nullptr) return nodes;
  for (const auto& [name, given] : list->items()) {
    const std::string pointer = pointerTo("/nodes", name);
    EclNode& node = nodes[name];
    if (const Json* round = reader.member(given, pointer, "round", Json::value_t::number_integer, "a whole number")) {
      const auto value = round->get<std::int64_t>();
      if (value < 1 || value > 1'000'000) reader.refuse(pointerTo(pointer, "round"), strCat("must be from 1 to 1000000, got ", value));
      else node.round = value;
    }
    if (given.is_object())
      if (const Json* edges = reader.member(given, pointer, "edges", Json::value_t::object, "an object of steps by neighbour"))
        readSlots(reader, *edges, pointerTo(pointer, "edges"), node);
  }
  if (nodes.empty()) reader.refuse("/nodes", "must name at least one node");
  return nodes;
}

void checkPairs(Reader& reader, const std::map<std::string, EclNode>& nodes) {
  for (const auto& [name, node] : nodes)
    for (const auto& [neighbour, slot] : node.slots) {
      const std::string at = pointerTo(pointerTo(pointerTo("/nodes", name), "edges"), neighbour);
      const auto other = nodes.find(neighbour);
      if (neighbour == name) reader.refuse(at, strCat("joins \"", quotable(name), "\" with itself"));
      else if (other == nodes.end()) reader.refuse(at, strCat("node \"", quotable(neighbour), "\" is not in the list"));
      else if (!other->second.slots.contains(name))
        reader.refuse(at, strCat("is listed by this end only; \"", quotable(neighbour), "\" must list \"", quotable(name), "\" too, with -1 if it never begins"));
      else if (slot == kNever && other->second.slots.at(name) == kNever && name < neighbour)
        reader.refuse(at, "neither end ever begins an exchange");
    }
}

std::vector<EclWorker> readHosts(Reader& reader, const std::map<std::string, EclNode>& nodes) {
  std::vector<EclWorker> workers;
  if (!reader.json()) return workers;
  const Json* list = reader.member(*reader.json(), "", "hosts", Json::value_t::array, "an array of hosts");
  if (list == nullptr) return workers;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string pointer = pointerTo("/hosts", i);
    const Json* name = reader.member((*list)[i], pointer, "name", Json::value_t::string, "a text");
    if (name == nullptr) continue;
    const Json* address = reader.member((*list)[i], pointer, "addr", Json::value_t::string, "a text");
    const Json* port = reader.member((*list)[i], pointer, "port", Json::value_t::string, "a text of digits");
    if (address == nullptr || port == nullptr) continue;
    const auto& digits = port->get_ref<const std::string&>();
    if (digits.empty() || digits.size() > 5 || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }) || std::stoi(digits) > 65535)
      reader.refuse(pointerTo(pointer, "port"), strCat("must be a port from 0 to 65535, got ", described(*port)));
    const std::string id = name->get<std::string>();
    if (!seen.insert(id).second) reader.refuse(pointerTo(pointer, "name"), strCat("\"", quotable(id), "\" is listed already"));
    else if (nodes.contains(id)) workers.push_back({.id = id, .address = address->get<std::string>()});
    else reader.refuse(pointerTo(pointer, "name"), strCat("node \"", quotable(id), "\" is not in the node list"));
  }
  for (const auto& [id, node] : nodes)
    if (!seen.contains(id)) reader.refuse("/hosts", strCat("node \"", quotable(id), "\" of the node list is missing"));
  return workers;
}

Json hostEntry(const std::string& name, const std::string& address, int port) {
  return {{"name", name}, {"addr", address}, {"port", std::to_string(port)}};
}

}  // namespace

EclCluster readEclFiles(const EclText& nodeList, const std::optional<EclText>& hosts) {
  EclCluster cluster;
  Reader reader(nodeList, cluster.problems);
  const std::map<std::string, EclNode> nodes = readNodes(reader);
  if (cluster.problems.empty()) checkPairs(reader, nodes);
  if (hosts) {
    Reader places(*hosts, cluster.problems);
    cluster.workers = readHosts(places, nodes);
  } else {
    for (const auto& [id, node] : nodes) cluster.workers.push_back({.id = id});
    cluster.notes.push_back(strCat(nodeList.path, ": without a hosts file the workers' ranks follow their names"));
  }
  if (!cluster.problems.empty()) return cluster;
  for (const EclWorker& worker : cluster.workers)
    for (const auto& [neighbour, slot] : nodes.at(worker.id).slots)
      if (slot != kNever)
        cluster.edges.push_back({.a = worker.id, .b = neighbour, .every = static_cast<int>(nodes.at(worker.id).round), .offset = static_cast<int>(slot)});
  return cluster;
}

std::string eclNodeList(const RunSpec& spec) {
  std::map<std::string, EclNode> nodes;
  for (const int worker : spec.workers()) nodes[spec.nodes[static_cast<std::size_t>(worker)].id].round = 0;
  for (const Edge& edge : edgesOf(spec)) {
    if (!nodes.contains(edge.a) || !nodes.contains(edge.b))
      throw Error(Errc::kSpec, strCat("edges: \"", edge.a, "\" and \"", edge.b, "\" are not both workers of the run"));
    for (const auto& [from, to, slot] : {std::tuple(edge.a, edge.b, std::int64_t{edge.offset}), std::tuple(edge.b, edge.a, kNever)}) {
      EclNode& node = nodes[from];
      if (node.round != 0 && node.round != edge.every)
        throw Error(Errc::kSpec, strCat("worker \"", from, "\" has edges with intervals ", node.round, " and ", edge.every, "; a node list has one for each node"));
      node.round = edge.every;
      std::int64_t& known = node.slots.try_emplace(to, kNever).first->second;
      if (slot != kNever && known != kNever)
        throw Error(Errc::kSpec, strCat("\"", from, "\" begins two exchanges with \"", to, "\"; a node list has one for each neighbour"));
      known = std::max(known, slot);
    }
  }
  Json list = Json::object();
  for (const auto& [id, node] : nodes) {
    list[id] = {{"device", "cpu"}, {"round", std::max<std::int64_t>(1, node.round)}, {"edges", Json::object()}};
    for (const auto& [neighbour, slot] : node.slots) list[id]["edges"][neighbour] = slot;
  }
  return Json{{"nodes", list}}.dump(2) + "\n";
}

std::string eclHosts(const RunSpec& spec, const std::function<std::string(const std::string&)>& addressOf, int firstPort) {
  Json hosts = Json::array();
  for (const int worker : spec.workers()) {
    const NodeSpec& node = spec.nodes[static_cast<std::size_t>(worker)];
    hosts.push_back(hostEntry(node.id, addressOf(node.host), firstPort + static_cast<int>(hosts.size())));
  }
  return Json{{"hosts", hosts}}.dump(2) + "\n";
}

}  // namespace paceline::interop
