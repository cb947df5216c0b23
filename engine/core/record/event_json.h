// An event from JSON that has been parsed already.
#pragma once

#include "engine/core/json/json_number.h"
#include "engine/core/record/event.h"

namespace paceline {

Event readEvent(const Json& object);  // throws Error{kFormat}

}  // namespace paceline
