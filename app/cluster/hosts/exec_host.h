// A host that is whatever a command gives a shell on: a container, a Kubernetes pod, ssh itself with what libssh lacks.
#pragma once

#include <memory>
#include <string>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/host_registry.h"

namespace paceline::hosts {

// `entry.command` is a line of this computer's shell, run with " /bin/sh" behind it for each command: "kubectl exec -i pod-0 --", "docker exec -i box". What it starts must join stdin, stdout and
// stderr to that shell, keep its exit code, and add no terminal. A command begins when the shell there has answered; until then it is told why it did not.
std::unique_ptr<Host> execHost(const HostEntry& entry);

// IP at which the other machines reach it, as it knows itself: "" when it knows none but its loopback.
std::string execDataAddress(Host& host);

}  // namespace paceline::hosts
