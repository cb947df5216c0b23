// The words of the catalogue, of the document's fields, of the figures' registry and of how reports are written that a person reads in the window, each once: what a translation must have beside
// the sources' own texts. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"

namespace paceline {

std::vector<std::string> catalogueTexts(const Catalog& catalog);

}  // namespace paceline
