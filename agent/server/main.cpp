// paceline-server: one parameter server or ESync state server. Links no torch: algorithms see floats.
#include <iostream>
#include <string>
#include <string_view>

#include "agent/node/node_process.h"
#include "agent/simulation/simulation.h"
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

// The catalogue is that of an agent with LibTorch, which alone knows what a network is made of.
void simulateWithoutLearning(const std::string& path, const std::string& cataloguePath) {
  const Catalog catalog = parseCatalog(simulation::textOf(cataloguePath));
  const RunSpec spec = simulation::simulable(path, catalog);
  if (spec.learn) throw Error(Errc::kUnsupported, strCat(path, ": this program simulates without learning only: set \"learn\" to false, or take paceline-worker"));
  simulation::printEvents(spec, simulation::withoutLearning(spec, catalog, *loadDataset(spec)));
}

int main(int count, char** arguments) {
  const std::string_view command = count >= 2 ? arguments[1] : "";
  if (count == 2 && command == "run") return node::runNode(serverWork);
  if (count == 4 && command == "simulate") return node::runCommand("paceline-server", [&] { simulateWithoutLearning(arguments[2], arguments[3]); });
  if (count == 2 && (command == "version" || command == "--version")) {
    std::cout << "paceline-server " PACELINE_VERSION "\n";
    return 0;
  }
  std::cerr << "usage: paceline-server run | simulate SPEC.json|- CATALOGUE.json | version\n"
               "  run       serve one run; orders on stdin, events on stdout, one JSON object a line (agent/README.md)\n"
               "  simulate  a whole experiment document without learning, in virtual time; events on stdout. The catalogue is what\n"
               "            \"paceline-worker describe SPEC.json\" prints\n";
  return 2;
}

}  // namespace
}  // namespace paceline

int main(int count, char** arguments) {
  paceline::disk::tellFileSizeLimits();
  return paceline::main(count, arguments);
}
