#include "app/cluster/run/placement.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "app/cluster/worker/worker_answer.h"

namespace paceline::run {
namespace {

constexpr int kMaxSlots = 100'000;
constexpr double kParts = 1e6;  // shares are written with six decimals

const PlacementHost& hostNamed(const std::vector<PlacementHost>& hosts, const std::string& name) {
  const auto found = std::ranges::find(hosts, name, &PlacementHost::name);
  if (found != hosts.end()) return *found;
  throw Error(Errc::kHost, strCat("host \"", quotable(name), "\" of a node is none of those whose speeds are known"));
}

PlacementHost parseHost(std::string_view word) {
  const std::size_t colon = word.find(':');
  PlacementHost host{.name = std::string(word.substr(0, colon))};
  if (host.name.empty()) throw Error(Errc::kUsage, "--hosts has an empty name; give names with commas between, as a,b:2");
  if (colon == std::string_view::npos) return host;
  const std::string_view digits = word.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), host.slots);
  if (error != std::errc() || end != digits.data() + digits.size() || host.slots < 1 || host.slots > kMaxSlots)
    throw Error(Errc::kUsage, strCat("--hosts: \"", quotable(word), "\": what follows the colon must be 1 to ", kMaxSlots, " nodes"));
  return host;
}

// What a node's cores can do: its host's speed per CPU times its threads, cut down evenly where those of its role on the host have
// more threads than it has CPUs. Where every node's step time is emulated, that is what counts: steps per second.
std::vector<double> speedsOf(const std::vector<const NodeSpec*>& nodes, const std::vector<PlacementHost>& hosts) {
  if (std::ranges::all_of(nodes, [](const NodeSpec* node) { return node->emulate.stepSeconds.has_value(); })) {
    std::vector<double> steps;
    for (const NodeSpec* node : nodes) steps.push_back(1 / *node->emulate.stepSeconds);
    return steps;
  }
  std::map<std::string, int> threads;
  for (const NodeSpec* node : nodes) threads[node->host] += std::max(1, node->threads);
  std::vector<double> speeds;
  for (const NodeSpec* node : nodes) {
    const PlacementHost& host = hostNamed(hosts, node->host);
    if (!(host.speed > 0)) throw Error(Errc::kHost, strCat("the speed of \"", host.name, "\" was never measured; run paceline hosts check ", host.name));
    const double used = threads[node->host];
    const double cpus = host.cpus > 0 ? host.cpus : used;
    const double cores = std::max(1, node->threads) * std::min(1.0, cpus / used);
    speeds.push_back(host.speed / cpus * cores / std::max(1.0, node->emulate.slowdown));
  }
  return speeds;
}

}  // namespace

std::vector<PlacementHost> parsePlacementHosts(std::string_view text) {
  std::vector<PlacementHost> hosts;
  for (;;) {
    const std::size_t comma = text.find(',');
    PlacementHost host = parseHost(text.substr(0, comma));
    if (std::ranges::find(hosts, host.name, &PlacementHost::name) != hosts.end())
      throw Error(Errc::kUsage, strCat("--hosts names \"", quotable(host.name), "\" twice; give \"", quotable(host.name), ":2\" for two nodes a turn"));
    hosts.push_back(std::move(host));
    if (comma == std::string_view::npos) return hosts;
    text.remove_prefix(comma + 1);
  }
}

void placeRoundRobin(std::vector<NodeSpec>& nodes, const std::vector<PlacementHost>& hosts) {
  PACELINE_CHECK(!hosts.empty(), "hosts to place nodes on");
  std::size_t host = 0;
  int taken = 0;
  for (NodeSpec& node : nodes) {
    node.host = hosts[host].name;
    if (++taken < hosts[host].slots) continue;
    taken = 0;
    host = (host + 1) % hosts.size();
  }
}

std::vector<double> exactShares(const std::vector<double>& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  PACELINE_CHECK(std::isfinite(total) && std::all_of(weights.begin(), weights.end(), [](double w) { return w > 0; }), "weights above 0");
  std::vector<double> shares, remainders;
  double left = kParts;
  for (const double weight : weights) {  // every worker has at least one part
    const double wanted = weight / total * kParts;
    shares.push_back(std::max(1.0, std::floor(wanted)));
    remainders.push_back(wanted - std::floor(wanted));
    left -= shares.back();
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (std::size_t i = 0; left > 0; ++i, --left) ++shares[order[i % order.size()]];
  for (; left < 0; ++left) --*std::max_element(shares.begin(), shares.end());
  double before = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] /= kParts;
    if (i + 1 == shares.size() && before + shares[i] != 1) shares[i] = 1 - before;  // what adding up doubles lost
    before += shares[i];
  }
  return shares;
}

void shareBySpeed(std::vector<NodeSpec>& nodes, const std::vector<PlacementHost>& hosts) {
  for (const Role role : {Role::kWorker, Role::kServer}) {
    std::vector<const NodeSpec*> members;
    for (const NodeSpec& node : nodes)
      if (node.role == role) members.push_back(&node);
    if (members.empty() || (role == Role::kServer && members.size() == 1)) continue;  // one server owns everything anyway
    const std::vector<double> shares = exactShares(speedsOf(members, hosts));
    std::size_t next = 0;
    for (NodeSpec& node : nodes)
      if (node.role == role) node.share = shares[next++];
  }
}

std::string placedDocument(const std::string& text, const std::vector<PlacementHost>& hosts, bool bySpeed) {
  OrderedJson document = worker::documentOf(text);
  OrderedJson& members = worker::nodesOf(document);
  std::vector<NodeSpec> nodes(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    OrderedJson& node = members[i];
    const auto is = [&](const char* key, const char* value) { return node.contains(key) && node[key] == value; };
    nodes[i].role = is("role", "server") ? Role::kServer : is("role", "evaluator") ? Role::kEvaluator : Role::kWorker;
    if (node.contains("threads") && node["threads"].is_number_integer()) nodes[i].threads = static_cast<int>(std::clamp<std::int64_t>(node["threads"].get<std::int64_t>(), 1, 4096));
    if (node.contains("emulate") && node["emulate"].is_object() && node["emulate"].contains("slowdown") && node["emulate"]["slowdown"].is_number())
      nodes[i].emulate.slowdown = node["emulate"]["slowdown"].get<double>();
    if (node.contains("emulate") && node["emulate"].is_object() && node["emulate"].contains("step_s") && node["emulate"]["step_s"].is_number() && node["emulate"]["step_s"].get<double>() > 0)
      nodes[i].emulate.stepSeconds = node["emulate"]["step_s"].get<double>();
  }
  placeRoundRobin(nodes, hosts);
  if (bySpeed) shareBySpeed(nodes, hosts);
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i]["host"] = nodes[i].host;
    if (nodes[i].share) members[i]["share"] = *nodes[i].share;
  }
  return worker::textOf(document);
}

}  // namespace paceline::run
