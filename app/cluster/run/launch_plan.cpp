#include "app/cluster/run/launch_plan.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/secret.h"

extern char** environ;

namespace paceline::run {
namespace {

constexpr std::size_t kKeyBytes = 32;

struct KeyPair {
  std::string secret, open;  // bytes
};

KeyPair newPair() {
  const auto failed = [] { return Error(Errc::kHost, "local: cannot make keys for the run: OpenSSL has no X25519"); };
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_PKEY_Q_keygen(nullptr, nullptr, "X25519"), EVP_PKEY_free);
  if (!key) throw failed();
  KeyPair pair{.secret = std::string(kKeyBytes, '\0'), .open = std::string(kKeyBytes, '\0')};
  std::size_t secretSize = kKeyBytes, openSize = kKeyBytes;
  const auto bytesOf = [](std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); };
  if (EVP_PKEY_get_raw_private_key(key.get(), bytesOf(pair.secret), &secretSize) != 1 || secretSize != kKeyBytes ||
      EVP_PKEY_get_raw_public_key(key.get(), bytesOf(pair.open), &openSize) != 1 || openSize != kKeyBytes)
    throw failed();
  return pair;
}

// Must be in the environment before the program starts: OpenBLAS and libgomp read it once. Waiting threads that spin would take the cores from
// other nodes of this host, and OpenBLAS's, which spin for 2^26 cycles unless told otherwise (2^4 is its least), from OpenMP's of the same node.
std::map<std::string, std::string> threadVariables(const NodeSpec& node) {
  const std::string threads = std::to_string(node.threads);
  return {{"OPENBLAS_NUM_THREADS", threads}, {"OMP_NUM_THREADS", threads}, {"OMP_WAIT_POLICY", "passive"}, {"GOMP_SPINCOUNT", "0"}, {"OPENBLAS_THREAD_TIMEOUT", "4"}};
}

constexpr const char* kThreadVariables[] = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"};  // a forked worker is told its number by calls instead

// One for each class of workers that differ in their numbers of threads only; a worker that is alone in its class is a program of its own.
void shareForkServers(HostLaunch& host, const RunSpec& spec, const std::set<std::string>& workers) {
  using Class = std::pair<std::vector<std::string>, std::map<std::string, std::string>>;
  std::map<Class, std::vector<NodeLaunch*>> classes;
  for (NodeLaunch& node : host.nodes) {
    const auto wish = node.env.find("PACELINE_FORK");
    if (!workers.contains(node.id) || (wish != node.env.end() && wish->second == "no")) continue;
    Class its{{node.command.front(), "fork"}, node.env};
    for (const char* variable : kThreadVariables) its.second[variable] = "1";  // its own threads would end with a fork
    classes[its].push_back(&node);
  }
  RunSpec loaded;
  loaded.dataset = spec.dataset;
  loaded.seed = spec.seed;
  const std::string first = toJsonText(loaded);
  for (const auto& [its, nodes] : classes) {
    if (nodes.size() < 2) continue;
    for (NodeLaunch* node : nodes) node->forkServer = static_cast<int>(host.forkServers.size());
    host.forkServers.push_back({.command = its.first, .env = its.second, .first = first});
  }
}

// The address of this computer from which packets to `address` leave; "": there is no way. Nothing is sent.
std::string sourceTowards(const std::string& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = AI_NUMERICHOST;
  addrinfo* found = nullptr;
  if (::getaddrinfo(address.c_str(), "9", &hints, &found) != 0) return "";
  char text[INET6_ADDRSTRLEN] = "";
  const Fd socket(::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket && ::connect(socket.get(), found->ai_addr, found->ai_addrlen) == 0) {
    sockaddr_storage source{};
    socklen_t size = sizeof source;
    ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&source), &size);
    ::getnameinfo(reinterpret_cast<sockaddr*>(&source), size, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
  }
  ::freeaddrinfo(found);
  return text;
}

bool isLoopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

}  // namespace

namespace {

int restartsOf(const RunSpec& spec, int index, bool workersReturn) {
  const NodeSpec& node = spec.nodes[static_cast<std::size_t>(index)];
  if (node.role == Role::kServer) return spec.serversReturn() ? spec.serverRestarts : 0;
  const bool isLost = node.emulate.lostAfterRounds.has_value();  // by its document, and stays so
  return node.role == Role::kWorker && index != spec.evaluatorNode() && workersReturn && !isLost ? spec.workerRestarts : 0;
}

}  // namespace

std::string protectionOf(const RunSpec& spec, const std::map<std::string, HostSite>& sites) {
  if (spec.protection != "auto") return spec.protection;
  const std::vector<std::string> hosts = spec.hosts();
  if (hosts.size() <= 1) return "plain";
  return std::ranges::all_of(hosts, [&](const std::string& host) { return sites.at(host).installation.aes; }) ? "aes_gcm" : "curve";
}

std::vector<DataKeys> makeKeys(const std::string& protection, std::size_t nodes) {
  std::vector<DataKeys> keys(nodes);
  if (protection == "plain") return keys;
  std::vector<std::string> publics;
  for (DataKeys& own : keys) {
    KeyPair pair = newPair();
    own.mode = protection;
    own.secret = z85(pair.secret);
    publics.push_back(z85(pair.open));
    wipe(pair.secret);
  }
  for (DataKeys& own : keys) own.publics = publics;
  return keys;
}

std::string z85(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  PACELINE_CHECK(bytes.size() % 4 == 0, "Z85 of a length that is no multiple of 4");
  std::string text;
  text.reserve(bytes.size() / 4 * 5);
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::uint32_t value = 0;
    for (std::size_t j = 0; j < 4; ++j) value = value << 8U | static_cast<unsigned char>(bytes[i + j]);
    for (std::uint32_t divisor = 85U * 85U * 85U * 85U; divisor > 0; divisor /= 85U) text += kDigits[value / divisor % 85U];
  }
  return text;
}

std::vector<HostLaunch> planLaunch(const std::string& run, const RunSpec& spec, const std::map<std::string, HostSite>& sites,
                                   const std::map<std::string, std::string>& binds, const Resumed& resumed, bool workersReturn) {
  std::vector<HostLaunch> hosts;
  std::vector<DataKeys> keys = makeKeys(protectionOf(spec, sites), spec.nodes.size());
  for (const std::string& host : spec.hosts()) hosts.push_back({.host = host, .nodes = {}});
  std::set<std::string> ofWorkerProgram;
  std::vector<int> order = spec.servers();
  for (const std::vector<int>& more : {spec.workers(), spec.evaluators()}) order.insert(order.end(), more.begin(), more.end());
  for (const int index : order) {
    const NodeSpec& node = spec.nodes[static_cast<std::size_t>(index)];
    const hosts::Installation& installed = sites.at(node.host).installation;
    Prepare prepare{.run = run, .spec = spec, .node = index, .bind = binds.at(node.host), .keys = std::move(keys.at(static_cast<std::size_t>(index)))};
    if (spec.checkpointEveryRounds > 0 || !resumed.run.empty()) prepare.checkpoints = strCat(run, "/", node.id);
    if (spec.keepWeights && (node.role == Role::kEvaluator || index == spec.evaluatorNode())) prepare.weights = strCat(run, "/", node.id);
    if (!resumed.run.empty() && node.role != Role::kEvaluator) prepare.resume = strCat(resumed.run, "/", node.id);
    prepare.serversReturn = spec.serversReturn();
    NodeLaunch launch{.id = node.id,
                      .command = {installed.program(node.role == Role::kServer ? "paceline-server" : "paceline-worker"), "run"},
                      .env = threadVariables(node),
                      .prepareLine = toLine(Control(prepare)),
                      .restarts = restartsOf(spec, index, workersReturn)};
    wipe(prepare.keys.secret);
    launch.env.insert(installed.env.begin(), installed.env.end());
    if (const auto kernels = resumed.kernels.find(node.id); kernels != resumed.kernels.end()) launch.env.insert(kernels->second.begin(), kernels->second.end());
    if (node.role != Role::kServer) ofWorkerProgram.insert(node.id);
    std::ranges::find(hosts, node.host, &HostLaunch::host)->nodes.push_back(std::move(launch));
  }
  for (HostLaunch& host : hosts) shareForkServers(host, spec, ofWorkerProgram);
  return hosts;
}

std::map<std::string, std::string> bindAddresses(const std::string& protection, const std::map<std::string, HostSite>& sites) {
  std::map<std::string, std::string> binds;
  if (sites.size() <= 1) {
    for (const auto& [host, site] : sites) binds[host] = protection == "plain" ? "ipc" : "127.0.0.1";
    return binds;
  }
  for (const auto& [host, site] : sites) binds[host] = site.dataAddress;
  if (const auto local = binds.find("local"); local != binds.end() && local->second.empty())
    for (const auto& [host, address] : binds)
      if (local->second.empty() && !address.empty()) local->second = sourceTowards(address);
  std::string loopback, reachable;  // a host of each kind
  for (const auto& [host, address] : binds) {
    if (address.empty())
      throw Error(Errc::kHost, strCat(host, ": it is not known on which address its nodes can be reached by those of other hosts; set it with "
                                            "paceline hosts add ", host, " --data-address IP"));
    (isLoopback(address) ? loopback : reachable) = host;
  }
  if (!loopback.empty() && !reachable.empty())
    throw Error(Errc::kHost, strCat(loopback, ": its nodes would listen on ", binds[loopback], ", which ", reachable,
                                    " cannot reach; set another with paceline hosts add ", loopback, " --data-address IP"));
  return binds;
}

std::string startLine(const RunSpec& spec, const std::map<std::string, std::string>& endpoints) {
  Start start;
  for (const NodeSpec& node : spec.nodes) {
    const auto found = endpoints.find(node.id);
    PACELINE_CHECK(found != endpoints.end(), strCat("node ", node.id, " has no endpoint"));
    start.endpoints.push_back(found->second);
  }
  return toLine(Control(start));
}

std::map<std::string, std::string> inheritedVariables() {
  const std::set<std::string_view> own = {"PACELINE_AGENT_DIR", "PACELINE_AGENT_IDLE_S", "PACELINE_STORE", "PACELINE_BIN", "PACELINE_NODE"};
  const std::set<std::string_view> needed = {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "TMPDIR"};
  std::map<std::string, std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view assignment = *entry;
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = assignment.substr(0, equals);
    if (needed.contains(name) || (name.starts_with("PACELINE_") && !own.contains(name)))
      found.emplace(name, assignment.substr(equals + 1));
  }
  return found;
}

}  // namespace paceline::run
