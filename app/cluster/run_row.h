// The row of a run that begins, from its document.
#pragma once

#include <string>
#include <vector>

#include "engine/core/catalog.h"
#include "engine/core/run_spec.h"
#include "storage/records.h"

namespace paceline {

RunRow newRunRow(const RunSpec& spec, const std::string& source);  // a new id, state checking, no versions yet
std::vector<NodeRow> nodeRows(const std::string& run, const RunSpec& spec);

// JSON: how the run was produced. "parameters": trainable ones of the model, 0 when the catalogue does not know it.
std::string versionsText(const RunSpec& spec, const Catalog& catalog);

}  // namespace paceline
