#include "storage/summary/traffic.h"

#include <algorithm>

#include "engine/core/json/json_number.h"

namespace paceline::summary {

std::optional<bool> recordedSynchronous(const store::RunRow& run) {
  const Json versions = Json::parse(run.versions, nullptr, false);
  if (!versions.is_object() || !versions.contains("synchronous")) return std::nullopt;
  return versions["synchronous"] == true;
}

// Asynchronous methods exchange with servers and read no aggregation, whatever their document names.
TrafficRule::TrafficRule(const store::RunRow& run, std::span<const store::NodeRow> nodes)
    : throughServers_(std::any_of(nodes.begin(), nodes.end(), [](const store::NodeRow& node) { return node.role == "server"; })) {
  if (throughServers_ && !run.specText.empty() && recordedSynchronous(run).value_or(true))
    throughServers_ = parseRunSpec(run.specText).spec.aggregation.id == Aggregation{}.id;
}

}  // namespace paceline::summary
