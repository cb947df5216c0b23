// Configurations named by what differs between them: pure functions over the documents that runs keep. Private to app/figures.
#pragma once

#include "app/figures/figure.h"

namespace paceline::parts {

using Runs = std::vector<const summary::RunSummary*>;

inline constexpr const char* kSimulated = "simulated";  // said of runs in virtual time beside others

// What sets each run apart from the others, as words: "slowdown 6", "by_class, 8 workers"; "" where nothing does. What differs between runs of one algorithm is
// said of all; what comes with another algorithm (its parameters) is not. Runs without a document differ in partition, model and data set; runs of one
// algorithm that differ in nothing of this, in their names. `seeds`: seeds count, too.
std::vector<std::string> differences(const Runs& runs, bool seeds, const Titles& titles);

}  // namespace paceline::parts
