// Who trains on which sample. Pure functions: the same request gives the same cut on every node.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/record/label_counts.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/spec/run_spec.h"
#include "engine/data/datasets/dataset.h"

namespace paceline::partitioners {

struct PartitionRequest {
  std::span<const std::uint16_t> labels;  // of the training set
  int classes = 10;
  int world = 1;
  std::vector<double> shares = {};  // empty: equal; else one per rank, sums to 1
  std::uint64_t seed = 1;
  Params params;
};

struct Partition {
  std::vector<std::vector<std::uint32_t>> indices;  // per rank; disjoint where the definition says so
  bool shuffled = true;  // false: the order within a rank is kept in every epoch (ESync's non-i.i.d. split)
};

struct PartitionerDef : PartitionEntry {
  std::function<Partition(const PartitionRequest&)> split;  // throws Error{kData} when a rank would get nothing
  bool namesSamples = false;  // by their numbers in the whole training set; else it divides whatever is not held out
};

const std::vector<PartitionerDef>& partitioners();
const PartitionerDef* findPartitioner(const std::string& id);

// The training samples that the document holds out, of so many, in ascending order: a function of the seed and the share alone. Throws Error{kSpec} where its share is less than one
// sample, or all of them.
std::vector<std::uint32_t> heldOut(const RunSpec& spec, std::size_t samples);

// The cut of a run's training set, without what is held out, that its document asks for: by partition, the workers and their shares. Throws Error{kSpec} for what the document has
// wrong, Error{kData, kFile, kFormat} as the partitioner.
Partition splitOf(const RunSpec& spec, const datasets::Dataset& data);

// What each worker has where those of the ranks `lost` are gone: its own samples, and behind them its part of those that nobody else has. They are dealt one by one, in rank order, in
// proportion to what each has of its own. Those that are gone keep theirs. Throws InvariantError where nobody is left.
Partition withoutRanks(Partition partition, const std::vector<int>& lost);

// What each worker got.
LabelCounts labelCountsOf(std::span<const std::uint32_t> samples, std::span<const std::uint16_t> labels, int classes);
std::vector<LabelCounts> labelCountsOf(const Partition& partition, std::span<const std::uint16_t> labels, int classes);  // by rank

// What partitioners share: from "N samples for these ranks" to one contiguous stretch of an order per rank. Pure functions.
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
