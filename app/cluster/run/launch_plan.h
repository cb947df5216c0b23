// What has to be started where for a run, from the experiment document and what is known of its hosts.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cluster/hosts/host.h"
#include "engine/core/record/control.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::run {

struct NodeLaunch {
  std::string id;
  std::vector<std::string> command;
  std::map<std::string, std::string> env;
  std::string prepareLine;  // its first order; holds its keys, so whoever has sent it wipes it
};

// What is launched on a host; planLaunch() knows host and nodes.
struct HostLaunch {
  std::string host{};
  std::vector<NodeLaunch> nodes{};                            // servers first
  std::string folder{};                                       // where they work
  std::optional<double> endAloneSeconds{};                    // the supervisor ends the run when nobody has followed it for this long
  std::string title{};                                        // of the run, for others who wait for it
  bool beside = true;                                         // other runs may be active there
  std::function<bool(const std::string& run)> isRecorded{};  // it has ended and is in our store: its spool is of no use any more
};

struct HostSite {
  hosts::Installation installation;  // its env goes to every node there, below what the node itself needs
  std::string dataAddress;    // "": other hosts cannot reach it
};

// Hosts in order of appearance, nodes with new keys (run_keys.h). `binds`: bindAddresses(). `resumed`: the run whose checkpoints this one goes
// on from.
std::vector<HostLaunch> planLaunch(const std::string& run, const RunSpec& spec, const std::map<std::string, HostSite>& sites,
                                   const std::map<std::string, std::string>& binds, const std::string& resumed = "");

// Where each host's nodes listen: "ipc" (a private folder) when the run stays on one host and its data is plain, else the host's
// address; "local" without one listens where this computer's packets to the others leave. Throws Error{kHost} naming the host that the
// others could not reach.
std::map<std::string, std::string> bindAddresses(const std::string& protection, const std::map<std::string, HostSite>& sites);

// The order to begin, the same for all. Every node has an endpoint (by node id).
std::string startLine(const RunSpec& spec, const std::map<std::string, std::string>& endpoints);

// Variables of this process that its nodes on this computer need too: where data and libraries are, which devices may be used.
std::map<std::string, std::string> inheritedVariables();

}  // namespace paceline::run
