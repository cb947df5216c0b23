// Fault proxies between the real nodes of a run on this computer: what a node says when it listens is read on its way to the run's session, and
// names a proxy instead, so that all others reach it through that. Nodes and supervisor know nothing of it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "app/cluster/hosts/access.h"
#include "tests/support/fault_proxy.h"

namespace paceline::tests {

// For one run. Outlives its session; functions from any thread.
class ProxiedNodes {
 public:
  explicit ProxiedNodes(std::map<std::string, FaultPlan> plans) : plans_(std::move(plans)) {}  // by node; others are reached as always

  hosts::HostOpener opener();
  FaultProxy& before(const std::string& node) const;  // once it has said that it listens
  int faults() const;                                 // of all
  std::string redirected(const std::string& line);    // of the supervisor

 private:
  const std::map<std::string, FaultPlan> plans_;
  mutable std::mutex mutex_;  // guards proxies_
  std::map<std::string, std::unique_ptr<FaultProxy>> proxies_;
};

}  // namespace paceline::tests
