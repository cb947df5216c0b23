// paceline-server: one parameter server or ESync state server. Links no torch: algorithms see floats.
#include <iostream>
#include <string_view>

#include "agent/node/node_process.h"
#include "engine/core/base/disk.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

// A server that is asked to stop goes on: it ends when every worker has left.
node::NodeWork serverWork(const Prepare& prepare) {
  const NodeSpec& node = prepare.spec.nodes.at(static_cast<std::size_t>(prepare.node));
  if (node.role != Role::kServer)
    throw Error(Errc::kSpec, strCat("node ", node.id, " is a ", roleName(node.role), ", this program runs servers"));
  return {.what = "serves " + prepare.spec.algorithm.id, .run = runServer};
}

int main(int count, char** arguments) {
  const std::string_view command = count == 2 ? arguments[1] : "";
  if (command == "run") return node::runNode(serverWork);
  if (command == "version" || command == "--version") {
    std::cout << "paceline-server " PACELINE_VERSION "\n";
    return 0;
  }
  std::cerr << "usage: paceline-server run | version\n"
               "  run      serve one run; orders on stdin, events on stdout, one JSON object a line (agent/README.md)\n";
  return 2;
}

}  // namespace
}  // namespace paceline

int main(int count, char** arguments) {
  paceline::disk::tellFileSizeLimits();
  return paceline::main(count, arguments);
}
