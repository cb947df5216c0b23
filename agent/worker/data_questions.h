// What `paceline-worker data ...` answers about the data sets of this host: JSON on stdout. Used by main().
#pragma once

#include <string>
#include <vector>

namespace paceline {

// list [--sizes] | check PATH [--as ID] [--decode] | look [PATH] [--as ID] [--split train|test] [--count N] [--seed N].
// Throws Error{kUsage} for other words, Error{kData, kFile, kFormat} with one sentence.
void answerAboutData(const std::vector<std::string>& words);

}  // namespace paceline
