// Where the nodes of a host listen when a run spans hosts. Any thread; may ask the name service.
#pragma once

#include <string>

#include "app/cluster/hosts/host_registry.h"

namespace paceline::hosts {

// The entry's data address, else the IP that its address stands for. "": not known ("local", aliases that need ~/.ssh/config).
std::string dataAddressOf(const HostEntry& entry);

}  // namespace paceline::hosts
