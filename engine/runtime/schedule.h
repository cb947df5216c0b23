// Learning-rate schedules: a factor on the algorithm's rates by the samples that all workers have trained together, so that the same
// document means the same on two workers and on twenty, with equal and with unequal speeds. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

// "constant"; "step" {every_samples, factor}; "multi_step" {at_samples, factor}; "cosine" {total_samples, floor}: Loshchilov & Hutter
// 2017, one period, then the floor. Each with a linear warm-up {warmup_samples, warmup_from} that it is multiplied by: Goyal et al. 2017.
const std::vector<CatalogEntry>& schedules();

// The factor after `samples` of all workers; the schedule's parameters are complete. Throws Error{kSpec} for an unknown schedule.
double scheduleFactor(const Choice& schedule, std::int64_t samples);

// It is 1 for ever: nobody has to count.
bool isConstant(const Choice& schedule);

}  // namespace paceline
