// A host that a run can use at once: connected, with our programs on it.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cluster/hosts/host.h"

namespace paceline::hosts {

struct ReadyHost {
  std::unique_ptr<Host> host;
  Installation installation;
  std::string dataAddress;  // where its nodes listen when the run spans hosts; "": other hosts cannot reach it
};

// What a run wants of a host, and how the host's opening is watched and given up.
struct HostNeeds {
  std::vector<std::string> datasets{};  // ids whose files shall be there
  std::stop_token stop{};
  std::function<void(const std::string& text, double fraction)> onProgress{};  // "sending libtorch_cpu.so"; on the thread that opens
};

// Connects, deploys what is missing. May be called from several threads at once; the result is used by the calling thread alone.
// Throws Error{kHost} whose message names the host and what to do.
using HostOpener = std::function<ReadyHost(const std::string& name, const HostNeeds& needs)>;

HostOpener localOpener();  // knows "local" only

}  // namespace paceline::hosts
