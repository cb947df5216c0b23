// What a search tried, on stdout: a table and a sentence, or a JSON document.
#pragma once

#include "app/cluster/recorder/search_story.h"

namespace paceline::cli {

recorder::SearchStory printSearch(const std::string& storePath, const std::string& suite, bool json);  // by word; Error{kStore}: no such suite, or it is not searched

}  // namespace paceline::cli
