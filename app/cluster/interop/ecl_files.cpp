#include "app/cluster/interop/cluster_files.h"

#include <algorithm>
#include <set>

#include "engine/core/json/fields.h"
#include "engine/core/json/describe.h"
#include "engine/core/spec/topologies.h"

namespace paceline::interop {
namespace {

struct EclNode {
  std::int64_t round = 0;                          // 0: was not sound
  std::map<std::string, std::int64_t> slots = {};  // by neighbour
};

void describe(auto& visit, EclNode& node) {
  visit(Field{.key = "round", .bounds = {.min = 1, .max = 1'000'000}, .required = true}, node.round);
  visit(Field{.key = "edges", .required = true}, node.slots);
}

struct EclHost {
  std::string name, address, port;
};

void describe(auto& visit, EclHost& host) {
  visit(Field{.key = "name", .required = true}, host.name);
  visit(Field{.key = "addr", .required = true}, host.address);
  visit(Field{.key = "port", .required = true}, host.port);
}

constexpr std::int64_t kNever = -1;

// The member `key` of the file's object.
template <class T>
T read(const NamedText& text, std::string_view key, std::vector<Finding>& findings) {
  T value;
  if (const auto json = parseJson(text.text, findings)) {
    Fields fields(*json, "", findings);
    MemberReader(fields, UnknownKeys::kPassedOver)(Field{.key = key, .required = true}, value);
  }
  return value;
}

void addProblems(const NamedText& file, const std::vector<Finding>& findings, EclCluster& cluster) {
  for (const Finding& finding : findings)
    cluster.problems.push_back(strCat(file.path, ": ", finding.pointer, finding.pointer.empty() ? "" : ": ", finding.message));
}

// What is wrong with an end's edge to `neighbour`; "": nothing.
std::string edgeProblem(const std::map<std::string, EclNode>& nodes, const std::string& name, const std::string& neighbour, std::int64_t slot) {
  const std::int64_t round = nodes.at(name).round;
  if (slot < kNever || slot >= round) return strCat("must be a step from 0 to round - 1, which is ", round - 1, ", or -1 for never, got ", slot);
  if (neighbour == name) return strCat("joins \"", quotable(name), "\" with itself");
  const auto other = nodes.find(neighbour);
  if (other == nodes.end()) return strCat("node \"", quotable(neighbour), "\" is not in the list");
  const auto theirs = other->second.slots.find(name);
  if (theirs == other->second.slots.end())
    return strCat("is listed by this end only; \"", quotable(neighbour), "\" must list \"", quotable(name), "\" too, with -1 if it never begins");
  return slot == kNever && theirs->second == kNever && name < neighbour ? "neither end ever begins an exchange" : "";
}

std::map<std::string, EclNode> readNodes(const NamedText& file, EclCluster& cluster) {
  std::vector<Finding> findings;
  const auto nodes = read<std::map<std::string, EclNode>>(file, "nodes", findings);
  if (nodes.empty() && findings.empty()) findings.push_back({"/nodes", "must name at least one node"});
  const bool sound = findings.empty();
  for (const auto& [name, node] : nodes)
    for (const auto& [neighbour, slot] : node.slots)
      if (const std::string problem = sound ? edgeProblem(nodes, name, neighbour, slot) : ""; !problem.empty())
        findings.push_back({pointerTo(pointerTo(pointerTo("/nodes", name), "edges"), neighbour), problem});
  addProblems(file, findings, cluster);
  return nodes;
}

void readHosts(const NamedText& file, const std::map<std::string, EclNode>& nodes, EclCluster& cluster) {
  std::vector<Finding> findings;
  const auto hosts = read<std::vector<EclHost>>(file, "hosts", findings);
  const bool sound = findings.empty();
  std::set<std::string> seen;
  for (std::size_t i = 0; sound && i < hosts.size(); ++i) {
    const auto& [name, address, port] = hosts[i];
    const std::string pointer = pointerTo("/hosts", i);
    if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos || std::stoi(port) > 65535)
      findings.push_back({pointerTo(pointer, "port"), strCat("must be a port from 0 to 65535, got \"", quotable(port), "\"")});
    if (!seen.insert(name).second) findings.push_back({pointerTo(pointer, "name"), strCat("\"", quotable(name), "\" is listed already")});
    else if (nodes.contains(name)) cluster.workers.push_back({.id = name, .address = address});
    else findings.push_back({pointerTo(pointer, "name"), strCat("node \"", quotable(name), "\" is not in the node list")});
  }
  for (const auto& [id, node] : nodes)
    if (sound && !seen.contains(id)) findings.push_back({"/hosts", strCat("node \"", quotable(id), "\" of the node list is missing")});
  addProblems(file, findings, cluster);
}

}  // namespace

EclCluster readEclFiles(const NamedText& nodeList, const std::optional<NamedText>& hosts) {
  EclCluster cluster;
  const std::map<std::string, EclNode> nodes = readNodes(nodeList, cluster);
  if (hosts) {
    readHosts(*hosts, nodes, cluster);
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
  std::vector<EclHost> hosts;
  for (const int worker : spec.workers()) {
    const NodeSpec& node = spec.nodes[static_cast<std::size_t>(worker)];
    hosts.push_back({.name = node.id, .address = addressOf(node.host), .port = std::to_string(firstPort++)});
  }
  return Json{{"hosts", written(hosts)}}.dump(2) + "\n";
}

}  // namespace paceline::interop
