// What is known of an experiment's own model before it starts: asked of paceline-worker, which loads it within limits.
#pragma once

#include <string>
#include <vector>

#include "app/cli/document/experiment_file.h"
#include "engine/core/spec/catalog.h"

namespace paceline::cli {

// Of each file of code that the experiment's models name, one line: its parameters and what a step on the document's data takes, or why that could not be
// tried here. It runs what is in the files: only for an experiment without errors, whose files are confirmed.
std::vector<std::string> modelNotes(const Experiment& experiment, const Catalog& catalog);

}  // namespace paceline::cli
