#include "storage/summary/traffic.h"

#include <algorithm>

#include "engine/core/spec/run_spec.h"

namespace paceline::summary {

Traffic::Traffic(const std::string& specText, std::span<const store::NodeRow> nodes)
    : throughServers_(std::any_of(nodes.begin(), nodes.end(), [](const store::NodeRow& node) { return node.role == "server"; })) {
  if (throughServers_ && !specText.empty()) throughServers_ = parseRunSpec(specText).spec.aggregation.id == Aggregation{}.id;
}

}  // namespace paceline::summary
