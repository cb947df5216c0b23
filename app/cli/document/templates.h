// Experiment documents to begin from (resources/presets), and the same with a comment at each member. Main thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"

namespace paceline::cli {

struct Template {
  std::string id, name, notes, text;
};

const std::vector<Template>& templates();
const Template& chosenTemplate(const std::string& id);  // throws Error{kUsage} that lists them

// The document with what its members mean before them, and at its end those that it leaves out. Says the same as its text.
std::string commentedDocument(const Template& chosen, const Catalog& catalog);

}  // namespace paceline::cli
