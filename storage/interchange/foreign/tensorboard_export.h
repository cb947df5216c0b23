// A run of ours as TensorBoard reads it.
#pragma once

#include <string>
#include <vector>

#include "storage/summary/summary.h"

namespace paceline::interchange {

struct EventFile {
  std::string folder;  // below the run's own; "": that itself
  std::string bytes;
};

// In the run's own folder accuracy and loss of evaluations over rounds, a histogram of staleness over every twentieth of the rounds, and its settings with the group of
// its seeds (HParams); below it a folder for each worker: loss, times, bytes and the method's own metrics of its rounds. Values are of 32 bits there, times those of the run.
std::vector<EventFile> eventFilesOf(const summary::RunData& data);

// Below folder/NAME-END_OF_ID/; an older export of the same run is replaced. Throws Error{kNoSpace, kFile}.
std::string exportEventFiles(const summary::RunData& data, const std::string& folder);  // the folder that it made

}  // namespace paceline::interchange
