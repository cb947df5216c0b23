// paceline-worker: one worker of one run; also says what this agent can do, and simulates whole runs.
#include <iostream>
#include <string_view>

#include "agent/worker/commands.h"
#include "engine/nn/torch_objective.h"

namespace paceline {
namespace {

int usage() {
  std::cerr << "usage: paceline-worker run | describe | simulate SPEC.json|- | split SPEC.json|- | data list|check PATH | version\n"
               "  run       train in one run; orders on stdin, events on stdout, one JSON object a line (agent/README.md)\n"
               "  describe  the catalogue of this agent as JSON\n"
               "  simulate  a whole experiment document in virtual time; events on stdout\n"
               "  split     how many samples of each class every worker gets, as JSON\n"
               "  data      the data sets of this host as JSON; check PATH [--as ID] [--decode]: what lies in a folder\n";
  return 2;
}

int report(const std::function<void()>& command) {
  try {
    command();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "paceline-worker: " << error.what() << '\n';
    return 1;
  }
}

int main(int count, char** arguments) {
  const std::string_view command = count >= 2 ? arguments[1] : "";
  if (count == 2 && command == "run") return node::runNode(train);
  if (count == 2 && command == "describe") return report([] { std::cout << toJsonText(describe(), 2) << '\n'; });
  if (count == 3 && command == "simulate") return report([&] { simulateFile(arguments[2]); });
  if (count == 3 && command == "split") return report([&] { splitFile(arguments[2]); });
  if (count >= 3 && command == "data") return report([&] { data({arguments + 2, arguments + count}); });
  if (count == 2 && (command == "version" || command == "--version"))
    return report([] { std::cout << "paceline-worker " PACELINE_VERSION " (LibTorch " << torchVersion() << ")\n"; });
  return usage();
}

}  // namespace
}  // namespace paceline

int main(int count, char** arguments) { return paceline::main(count, arguments); }
