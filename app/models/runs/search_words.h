// A search as the window says it: the form's labels in place of keys, the catalogue's titles in place of ids, in the interface's language. Pure.
#pragma once

#include <QString>

#include "app/cluster/recorder/search_story.h"
#include "app/figures/figure.h"

namespace paceline::runs {

QString searchedField(const recorder::SearchStory& story, std::size_t axis, const Titles& titles);  // "Local learning rate", "Slowdown of w2"
QString searchedValue(const recorder::SearchStory& story, std::size_t axis, const std::string& value, const Titles& titles);  // "0.0316", "SSGD"
// "The best of 5 points has learning_rate 0.1, algorithm ssgd; ..." with both.
QString searchSentence(const recorder::SearchStory& story, const std::string& english, const Titles& titles);

}  // namespace paceline::runs
