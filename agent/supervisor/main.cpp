// paceline-agent: what runs on every host. Needs neither torch nor Qt, starts in milliseconds.
#include <signal.h>

#include <iostream>
#include <string>

#include "agent/supervisor/probe.h"
#include "agent/supervisor/supervisor.h"
#include "agent/supervisor/up.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

constexpr const char* kUsage =
    "usage: paceline-agent COMMAND\n"
    "  version    print the version\n"
    "  probe      print what this host has, as JSON\n"
    "  up         start this user's supervisor unless one runs\n"
    "  attach     the same, then pass stdin to it and what it says to stdout\n"
    "  supervise  be the supervisor, in the foreground\n";

int perform(const std::string& command) {
  if (command == "version") {
    std::cout << PACELINE_VERSION << std::endl;
  } else if (command == "probe") {
    std::cout << probeJson(agentPaths().folder) << std::endl;
  } else if (command == "up") {
    connectOrStart(agentPaths());
  } else if (command == "attach") {
    bridge(connectOrStart(agentPaths()));
  } else if (command == "supervise") {
    Supervisor supervisor(agentPaths(), idleSeconds());
    std::cout << "ready" << std::endl;
    supervisor.run();
  } else {
    std::cerr << kUsage;
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace paceline

int main(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  try {
    return paceline::perform(argc == 2 ? argv[1] : "");
  } catch (const std::exception& error) {
    std::cerr << "paceline-agent: " << error.what() << std::endl;
    return 1;
  }
}
