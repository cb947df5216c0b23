// The row of a run, made of its document and of what it is run with.
#pragma once

#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/run_spec.h"
#include "storage/store/records.h"

namespace paceline::run {

// State checking. `id`: "" for a new one. `resumed`: the run that it goes on from.
// versions: how it was produced. "parameters": trainable ones of the model, 0 when the catalogue does not know it.
store::RunRow newRunRow(const RunSpec& spec, const std::string& id, const Catalog& catalog, const std::string& source, const std::string& resumed = "");
std::vector<store::NodeRow> nodeRows(const std::string& run, const RunSpec& spec);

bool canResume(const store::RunRow& run);  // it has ended, was real, and its document asks for checkpoints; whether its hosts still have them is seen there
std::string resumedFrom(const store::RunRow& run);  // "": it began at the beginning

}  // namespace paceline::run
