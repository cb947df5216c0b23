// A host that a run can use at once: connected, with our programs on it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/cluster/host.h"

namespace paceline {

struct ReadyHost {
  std::unique_ptr<Host> host;
  Installation installation;
  std::string dataAddress;  // where its nodes listen when the run spans hosts; "": other hosts cannot reach it
};

// Connects, deploys what is missing. May be called from several threads at once; the result is used by the calling thread alone.
// Throws Error{kHost} whose message names the host and what to do.
using HostOpener = std::function<ReadyHost(const std::string& name)>;

HostOpener localOpener();  // knows "local" only

}  // namespace paceline
