// How partitioners turn "N samples for these ranks" into one contiguous stretch of an order per rank. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/data/partitioner.h"

namespace paceline {

enum class Remainder { kToFirstRanks, kDropped };

// Cuts `order` into one stretch per rank, in rank order: equal ones, or in proportion to request.shares (rounded down). What
// rounding leaves over goes one each to the first ranks, or to nobody. Throws Error{kData} when a rank would get nothing.
std::vector<std::vector<std::uint32_t>> cut(const std::string& partition, const PartitionRequest& request,
                                            const std::vector<std::uint32_t>& order, Remainder remainder);

std::vector<std::uint32_t> fileOrder(std::size_t count);  // 0, 1, ... count - 1

ParamSpec dropRemainderParam();  // "drop_remainder", default true as in ESync
Remainder remainderOf(const Params& params);

}  // namespace paceline
