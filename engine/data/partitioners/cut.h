// How partitioners turn "N samples for these ranks" into one contiguous stretch of an order per rank. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/data/partitioners/partitioner.h"

namespace paceline::partitioners {

enum class Remainder { kToFirstRanks, kDropped };

// Cuts `order` into one stretch per rank, in rank order: equal ones, or in proportion to request.shares (rounded down). What
// rounding leaves over goes one each to the first ranks, or to nobody. Throws Error{kData} when a rank would get nothing.
std::vector<std::vector<std::uint32_t>> cut(const std::string& partition, const PartitionRequest& request,
                                            const std::vector<std::uint32_t>& order, Remainder remainder);

std::vector<std::uint32_t> fileOrder(std::size_t count);  // 0, 1, ... count - 1

// The samples of each class in file order.
std::vector<std::vector<std::uint32_t>> classBuckets(const PartitionRequest& request);

// `count` samples as stretches in proportion to `weights`, all of them: each end is at the nearest whole number. weights sum to more than 0.
std::vector<std::size_t> proportional(std::size_t count, const std::vector<double>& weights);

// counts[j] samples of `bucket` go to rank owners[j], one stretch after the other.
void handOut(const std::vector<std::uint32_t>& bucket, const std::vector<std::size_t>& owners, const std::vector<std::size_t>& counts, Partition& partition);

// Throws Error{kData} that names the first rank which has nothing.
void refuseEmptyRanks(const std::string& partition, const PartitionRequest& request, const Partition& made);

ParamSpec dropRemainderParam();  // "drop_remainder", default true as in ESync
Remainder remainderOf(const Params& params);

}  // namespace paceline::partitioners
