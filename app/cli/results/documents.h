// The JSON documents that scripts rely on (see the README's table): fields may be added, never renamed. Pure.
#pragma once

#include <string>
#include <vector>

#include "app/cluster/recorder/client.h"
#include "engine/core/json/finding.h"
#include "storage/summary/summary.h"

namespace paceline::cli {

std::string outcomesDocument(const std::vector<recorder::Entry>& entries);  // {"runs": [{"id", "name", "state", "error"}]}
std::string runsDocument(const std::vector<store::RunRow>& runs);  // the same with algorithm, model, dataset, created_utc, tags ...
std::string showDocument(const summary::RunData& data, const summary::RunSummary& summary);
std::string findingsDocument(const std::vector<Finding>& findings);

struct Difference {
  std::string pointer, left, right;  // JSON texts; "" = absent
};
// Between two spec documents; every pointer whose values differ, sorted.
std::vector<Difference> differences(const std::string& left, const std::string& right);
std::string differencesDocument(const std::vector<Difference>& differences);

std::string indented(const std::string& json);  // unchanged when it is no JSON

}  // namespace paceline::cli
