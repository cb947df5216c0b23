#include <algorithm>
#include <iostream>

#include "agent/worker/commands.h"
#include "agent/worker/spec_file.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_number.h"
#include "engine/core/spec/run_spec.h"
#include "engine/data/partitioners/split.h"
#include "engine/nn/torch_objective.h"

namespace paceline {
namespace {

// A document that is still being written has a split as soon as these parts of it are sound.
bool aboutTheSplit(const Finding& finding) {
  const std::string_view parts[] = {"/dataset", "/partition", "/nodes", "/seed"};
  return finding.pointer.empty() || std::any_of(std::begin(parts), std::end(parts), [&](std::string_view part) { return finding.pointer.starts_with(part); });
}

}  // namespace

void splitFile(const std::string& path) {
  ParsedSpec parsed = parseRunSpec(textOf(path));
  std::erase_if(parsed.findings, [](const Finding& finding) { return !aboutTheSplit(finding); });
  refuseErrors(path, parsed.findings);
  const std::shared_ptr<const datasets::Dataset> data = loadDataset(parsed.spec);
  Json workers = Json::array();
  for (const int worker : parsed.spec.workers()) workers.push_back(parsed.spec.nodes[static_cast<std::size_t>(worker)].id);
  const Json document = {{"workers", workers}, {"counts", partitioners::labelCountsOf(partitioners::splitOf(parsed.spec, *data), data->train.labels, data->classes)}};
  std::cout << document.dump() << '\n';
  if (!std::cout.flush()) throw Error(Errc::kFile, "cannot write the counts to stdout");
}

}  // namespace paceline
