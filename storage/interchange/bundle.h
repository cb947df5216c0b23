// Reading back what runToJson wrote: one such document, or an array of them. Ids and sequence numbers stay; a run that is in the
// store already is refused. Private to storage.
#pragma once

#include <string>
#include <vector>

#include "storage/store/store.h"

namespace paceline::interchange {

std::vector<std::string> importBundle(store::StoreWriter& store, const std::string& file);

}  // namespace paceline::interchange
