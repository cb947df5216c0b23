// A cluster whose devices and links have many speeds. Header-only.
#pragma once

#include "engine/core/spec/run_spec.h"

namespace paceline::tests {

inline void makeUnequal(RunSpec& spec) {
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    spec.nodes[i].emulate.slowdown = 1 + static_cast<double>(i * 5 % 4) * 0.7;
    spec.nodes[i].emulate.latencyMs = static_cast<double>(i * 13 % 7) * 9;
    if (i % 2 == 0) spec.nodes[i].emulate.bandwidthMbps = 0.05;
  }
}

}  // namespace paceline::tests
