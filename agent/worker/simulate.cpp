#include <iostream>

#include "agent/worker/commands.h"
#include "agent/worker/spec_file.h"
#include "engine/core/base/error.h"
#include "engine/core/record/event.h"
#include "engine/nn/torch_objective.h"
#include "engine/runtime/node_loop.h"

namespace paceline {
namespace {

// Every node is emulated on this host's CPU, whatever device of whatever host the document names.
RunSpec simulable(const std::string& path) {
  ParsedSpec parsed = parseRunSpec(textOf(path));
  refuseErrors(path, parsed.findings);
  for (NodeSpec& node : parsed.spec.nodes) {
    node.host = "local";
    node.device = "cpu";
    node.threads = 1;
  }
  ParsedSpec valid = validate(parsed.spec, describe());
  refuseErrors(path, valid.findings);
  return valid.spec;
}

}  // namespace

void simulateFile(const std::string& path) {
  const RunSpec spec = simulable(path);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(spec);
  const ObjectiveFactory objectives = [&](const RunSpec& run, int rank) {
    useThreads(1);
    useDeterministicKernels(true);
    return makeTorchObjective(run, rank, data);
  };
  simulate(spec, objectives, [&](int node, const Event& event) {
    // An event's line with the node in front: ids hold letters, digits, _, - and . only.
    std::cout << "{\"node\":\"" << spec.nodes[static_cast<std::size_t>(node)].id << "\","
              << std::string_view(toLine(event)).substr(1) << '\n';
  });
  if (!std::cout.flush()) throw Error(Errc::kFile, "cannot write the events to stdout");
}

}  // namespace paceline
