// The manual pages, from the commands' own help and the catalogue. Main thread.
#pragma once

#include <map>
#include <string>

#include "app/cli/help/command_tree.h"
#include "engine/core/spec/catalog.h"

namespace paceline::cli {

// File names ("paceline.1", "paceline-run.1", "paceline-experiment.5") and their roff.
std::map<std::string, std::string> manPages(const CommandText& program, const Catalog& catalog);

}  // namespace paceline::cli
