// What has to be started where for a run: pure, from the experiment document.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/core/run_spec.h"

namespace paceline {

struct NodeLaunch {
  std::string id;
  std::vector<std::string> command;
  std::map<std::string, std::string> env;
  std::string prepareLine;  // its first order
};

struct HostLaunch {
  std::string host;
  std::vector<NodeLaunch> nodes;  // servers first
};

using ProgramPath = std::function<std::string(const std::string& host, const std::string& program)>;

// Hosts in order of appearance. `env` goes to every node, below what the node itself needs.
std::vector<HostLaunch> planLaunch(const std::string& run, const RunSpec& spec, const ProgramPath& program,
                                   const std::map<std::string, std::string>& env = {});

// The order to begin, the same for all. Every node has an endpoint (by node id).
std::string startLine(const RunSpec& spec, const std::map<std::string, std::string>& endpoints);

// Variables of this process that its nodes need too: where data and libraries are, which devices may be used.
std::map<std::string, std::string> inheritedVariables();

}  // namespace paceline
