// The catalogue of a host's worker program, kept in the cache folder so that asking again takes milliseconds.
#pragma once

#include <string>

#include "engine/core/spec/catalog.h"

namespace paceline::worker {

// Describes `worker` (a path on this computer). What it said is reused while the program, the installed packages, the folders that hold
// data sets and the current folder are the same. Throws Error{kHost} with what it said.
Catalog describeWorker(const std::string& worker);
Catalog describeLocal();  // of the worker program beside this one

}  // namespace paceline::worker
