#include "app/cluster/launch_plan.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "engine/core/control.h"
#include "engine/core/error.h"

extern char** environ;

namespace paceline {
namespace {

// Thread counts must be in the environment before the program starts: OpenBLAS reads them once. Waiting threads that spin would take
// the cores from other nodes of this host.
std::map<std::string, std::string> threadVariables(const NodeSpec& node) {
  const std::string threads = std::to_string(node.threads);
  return {{"OPENBLAS_NUM_THREADS", threads}, {"OMP_NUM_THREADS", threads}, {"OMP_WAIT_POLICY", "passive"}, {"GOMP_SPINCOUNT", "0"}};
}

HostLaunch& launchOn(std::vector<HostLaunch>& hosts, const std::string& host) {
  const auto found = std::find_if(hosts.begin(), hosts.end(), [&](const HostLaunch& h) { return h.host == host; });
  return found != hosts.end() ? *found : hosts.emplace_back(HostLaunch{.host = host, .nodes = {}});
}

}  // namespace

std::vector<HostLaunch> planLaunch(const std::string& run, const RunSpec& spec, const ProgramPath& program,
                                   const std::map<std::string, std::string>& env) {
  std::vector<HostLaunch> hosts;
  for (const NodeSpec& node : spec.nodes) launchOn(hosts, node.host);
  std::vector<int> order = spec.servers();
  const std::vector<int> workers = spec.workers();
  order.insert(order.end(), workers.begin(), workers.end());
  for (const int index : order) {
    const NodeSpec& node = spec.nodes[static_cast<std::size_t>(index)];
    NodeLaunch launch{.id = node.id,
                      .command = {program(node.host, node.role == Role::kServer ? "paceline-server" : "paceline-worker"), "run"},
                      .env = threadVariables(node),
                      .prepareLine = toLine(Control(Prepare{.run = run, .spec = spec, .node = index}))};
    launch.env.insert(env.begin(), env.end());
    launchOn(hosts, node.host).nodes.push_back(std::move(launch));
  }
  return hosts;
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

}  // namespace paceline
