// What a server makes of the contributions to one shard beside their mean: rules that a minority of arbitrary contributions does not move far. Yin et al. 2018,
// "Byzantine-Robust Distributed Learning: Towards Optimal Statistical Rates" (median, trimmed mean by coordinate); Blanchard et al. 2017, "Machine Learning with Adversaries:
// Byzantine Tolerant Gradient Descent" (Krum). Pure functions; of hollow contributions the result is hollow.
#pragma once

#include <span>
#include <vector>

#include "engine/comm/aggregators/aggregator.h"

namespace paceline::aggregators {

// Of parts in rank order, all as long. A trimmed mean of nothing left out is the mean, to the last bit. What is no number counts as larger than all numbers.
// Throws Error{kFormat} where a trimmed mean leaves nothing.
Dense combined(std::span<const Dense> parts, const CombineFields& how);

// Squared, parts x parts; zeros of hollow parts.
Dense distancesOf(std::span<const Dense> parts);

// Krum: the `count` ranks whose N - byzantine - 2 (at least 1) nearest others are nearest in sum, in rank order; of equals the lower rank. `distances`: N x N. An infinite
// distance, or one that is no number, is farther than all others.
std::vector<int> krum(std::span<const double> distances, int byzantine, int count);

}  // namespace paceline::aggregators
