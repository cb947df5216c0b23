// paceline-server: one parameter server or ESync state server. Links no torch: algorithms see floats.
#include <iostream>
#include <string_view>

#include "agent/node/node_process.h"
#include "engine/core/base/error.h"
#include "engine/runtime/node_loop.h"

namespace paceline {
namespace {

std::string serve(node::ControlInput& input, node::EventOutput& output) {
  std::optional<Prepare> prepare = input.expect<Prepare>("prepare");
  if (!prepare) return "asked";
  const NodeSpec& node = prepare->spec.nodes.at(static_cast<std::size_t>(prepare->node));
  if (node.role != Role::kServer)
    throw Error(Errc::kSpec, strCat("node ", node.id, " is a ", roleName(node.role), ", this program runs servers"));
  node::NodeFolders folders(*prepare);
  node::NodeWire wire(*prepare);
  output.notice("listening", wire.wire().endpoint());
  const std::optional<Start> start = input.expect<Start>("start");
  if (!start) return "asked";
  wire.connect(*start, prepare->spec, output);
  output.notice("started", strCat(node.id, " serves ", prepare->spec.algorithm.id));
  const std::unique_ptr<Clock> clock = steadyClock();
  // A server that is asked to stop goes on: it ends when every worker has left.
  const std::string reason = runServer({.spec = prepare->spec,
                                        .node = prepare->node,
                                        .wire = wire.wire(),
                                        .clock = *clock,
                                        .emit = [&](const Event& event) { output.write(event); },
                                        .askedToStop = &input.askedToStop(),
                                        .checkpoints = folders.checkpoints(),
                                        .resume = folders.resume()});
  wire.close(output);
  return reason;
}

int main(int count, char** arguments) {
  const std::string_view command = count == 2 ? arguments[1] : "";
  if (command == "run") return node::runNode(serve);
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

int main(int count, char** arguments) { return paceline::main(count, arguments); }
