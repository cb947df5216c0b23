// Learning-rate schedules: a factor per round on the algorithm's rates. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/catalog.h"
#include "engine/core/run_spec.h"

namespace paceline {

// "constant"; "step" {every_rounds, factor}: rates are multiplied by factor each time that many rounds are done.
const std::vector<CatalogEntry>& schedules();

// The factor for `round` (from 1) of the worker's own rounds. Throws Error{kSpec} for an unknown schedule.
double scheduleFactor(const Choice& schedule, std::int64_t round);

}  // namespace paceline
