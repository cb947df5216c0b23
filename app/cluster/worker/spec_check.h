// Findings of a document before its run, the same for window and terminal. Any thread; reads hosts.json.
#pragma once

#include "engine/core/spec/catalog.h"

namespace paceline::worker {

// validate() with the hosts of the default book; a book that cannot be read is a finding of every node that is not on this computer.
ParsedSpec checkedSpec(const RunSpec& spec, const Catalog& catalog);

}  // namespace paceline::worker
