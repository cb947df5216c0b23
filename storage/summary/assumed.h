// What the simulator takes for what a document does not say. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/spec/run_spec.h"
#include "engine/core/spec/speed_groups.h"
#include "storage/summary/summary.h"

namespace paceline::summary {

// "a step of w0, w1 takes 0.1 s (no emulate.step_s); links of s0 take no time (no emulate.bandwidth_mbps)"; "": the document says all.
inline std::string assumedOf(const RunSpec& spec) {
  std::vector<std::string> steps, links;
  for (const NodeSpec& node : spec.nodes) {
    if (node.role == Role::kWorker && !node.emulate.stepSeconds && node.emulate.steps.empty()) steps.push_back(node.id);
    if (!node.emulate.bandwidthMbps) links.push_back(node.id);
  }
  std::string text;
  if (!steps.empty()) text = strCat("a step of ", listed(steps), " takes ", kNominalStepSeconds, " s times its slowdown (no emulate.step_s)");
  if (!links.empty() && spec.nodes.size() > 1) text += strCat(text.empty() ? "" : "; ", "links of ", listed(links), " carry any number of bytes at once (no emulate.bandwidth_mbps)");
  return text;
}

inline std::string assumedOf(const RunSummary& run) { return isSimulated(run) && !run.document.empty() ? assumedOf(parseRunSpec(run.document).spec) : ""; }

}  // namespace paceline::summary
