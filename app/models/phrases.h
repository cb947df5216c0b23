// What code without Qt says in English and a person reads in the window: states, axes, legends and notes of figures, sentences about a run's time. Whole
// sentences, %1 for what varies. Titles, summaries and help of the catalogue and of the document's fields need no entry here.
#pragma once

#include <span>

namespace paceline::language {

std::span<const char* const> phrases();

}  // namespace paceline::language
