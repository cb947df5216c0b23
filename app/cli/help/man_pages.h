// The manual pages of commands and documents, from the commands' own help, the manual's chapters and the catalogue. Main thread.
#pragma once

#include <map>
#include <string>

#include "app/cli/help/command_tree.h"
#include "app/cli/help/manual_text.h"
#include "engine/core/spec/catalog.h"

namespace paceline::cli {

// File names ("paceline.1", "paceline-run.1", "paceline-experiment.5") and their roff. Without chapters a command's page has what its help says.
std::map<std::string, std::string> manPages(const CommandText& program, const Catalog& catalog, const std::vector<ManualChapter>& chapters);

}  // namespace paceline::cli
