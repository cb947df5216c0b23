#include "engine/data/partitioners/partitioner.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline::partitioners {
namespace {

std::vector<std::size_t> stretches(const PartitionRequest& request, std::size_t count, Remainder remainder) {
  const auto world = static_cast<std::size_t>(request.world);
  std::vector<std::size_t> sizes(world, count / world);
  for (std::size_t r = 0; r < request.shares.size(); ++r)  // the nudge: 0.1 * 60000 is 6000, whatever binary says
    sizes[r] = static_cast<std::size_t>(std::floor(request.shares[r] * static_cast<double>(count) + 1e-6));
  const std::size_t given = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  PACELINE_CHECK(given <= count, "shares sum to more than 1");
  if (remainder == Remainder::kToFirstRanks)
    for (std::size_t i = 0; i < count - given; ++i) ++sizes[i % world];
  return sizes;
}

[[noreturn]] void refuseEmpty(const std::string& partition, const PartitionRequest& request, std::size_t rank) {
  throw Error(Errc::kData, strCat("partition \"", partition, "\": rank ", rank, " of ", request.world, " workers would get none of ",
                                  request.labels.size(), " samples"));
}

}  // namespace

std::vector<std::vector<std::uint32_t>> cut(const std::string& partition, const PartitionRequest& request,
                                            const std::vector<std::uint32_t>& order, Remainder remainder) {
  PACELINE_CHECK(request.world >= 1, "a partition needs a worker");
  PACELINE_CHECK(request.shares.empty() || request.shares.size() == static_cast<std::size_t>(request.world), "one share per rank");
  const std::vector<std::size_t> sizes = stretches(request, order.size(), remainder);
  std::vector<std::vector<std::uint32_t>> parts;
  auto from = order.begin();
  for (const std::size_t size : sizes) {
    if (size == 0) refuseEmpty(partition, request, parts.size());
    const auto to = from + static_cast<std::ptrdiff_t>(size);
    parts.emplace_back(from, to);
    from = to;
  }
  return parts;
}

std::vector<std::uint32_t> fileOrder(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

std::vector<std::vector<std::uint32_t>> classBuckets(const PartitionRequest& request) {
  std::vector<std::vector<std::uint32_t>> buckets(static_cast<std::size_t>(request.classes));
  for (std::size_t i = 0; i < request.labels.size(); ++i) {
    PACELINE_CHECK(request.labels[i] < request.classes, "a label is not below the number of classes");
    buckets[request.labels[i]].push_back(static_cast<std::uint32_t>(i));
  }
  return buckets;
}

std::vector<std::size_t> proportional(std::size_t count, const std::vector<double>& weights) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  PACELINE_CHECK(all > 0, "weights to divide by");
  std::vector<std::size_t> counts;
  double before = 0;
  std::size_t given = 0;
  for (const double weight : weights) {
    before += weight;
    const auto end = static_cast<std::size_t>(static_cast<double>(count) * std::min(1.0, before / all) + 0.5);
    counts.push_back(end - given);
    given = end;
  }
  counts.back() += count - given;  // sums in another order may miss 1 by rounding
  return counts;
}

void handOut(const std::vector<std::uint32_t>& bucket, const std::vector<std::size_t>& owners, const std::vector<std::size_t>& counts, Partition& partition) {
  auto from = bucket.begin();
  for (std::size_t j = 0; j < owners.size(); ++j) {
    const auto to = from + static_cast<std::ptrdiff_t>(counts[j]);
    partition.indices[owners[j]].insert(partition.indices[owners[j]].end(), from, to);
    from = to;
  }
}

void refuseEmptyRanks(const std::string& partition, const PartitionRequest& request, const Partition& made) {
  for (std::size_t rank = 0; rank < made.indices.size(); ++rank)
    if (made.indices[rank].empty()) refuseEmpty(partition, request, rank);
}

ParamSpec dropRemainderParam() {
  return advanced(booleanParam("drop_remainder", true, "Leave out the last samples that do not divide evenly, as ESync does; off: the first workers get one more each."));
}

Remainder remainderOf(const Params& params) { return params.boolean("drop_remainder") ? Remainder::kDropped : Remainder::kToFirstRanks; }

std::vector<std::uint32_t> heldOut(const RunSpec& spec, std::size_t samples) {
  if (spec.evaluate.validation <= 0) return {};
  const auto count = static_cast<std::size_t>(heldOutOf(spec, static_cast<std::int64_t>(samples)));
  if (count == 0 || count >= samples)
    throw Error(Errc::kSpec, strCat("/evaluate/validation: ", spec.evaluate.validation, " of ", samples, " training samples are ", count, "; it must be at least one of them, and leave some"));
  std::vector<std::uint32_t> order = fileOrder(samples);
  Rng::stream(spec.seed, "validation", 0).shuffle(std::span<std::uint32_t>(order));
  order.resize(count);
  std::ranges::sort(order);
  return order;
}

Partition splitOf(const RunSpec& spec, const datasets::Dataset& data) {
  const PartitionerDef* def = findPartitioner(spec.partition.id);
  if (def == nullptr) throw Error(Errc::kSpec, unknownId("partition", spec.partition.id, partitioners()));
  const std::vector<int> workers = spec.workers();
  if (def->byClass && !data.hasClasses) throw Error(Errc::kSpec, strCat("/partition/id: \"", def->id, "\" divides by classes; data set \"", spec.dataset.id, "\" has none"));
  if (workers.empty()) throw Error(Errc::kSpec, "nodes: there is no worker to divide the data among");
  const std::vector<std::uint32_t> held = heldOut(spec, data.train.labels.size());
  std::vector<std::uint32_t> left;  // where samples are held out and the others are divided: the others
  std::vector<std::uint16_t> leftLabels;
  if (!held.empty() && !def->namesSamples) {
    std::ranges::set_difference(fileOrder(data.train.labels.size()), held, std::back_inserter(left));
    for (const std::uint32_t sample : left) leftLabels.push_back(data.train.labels[sample]);
  }
  PartitionRequest request{.labels = left.empty() ? std::span<const std::uint16_t>(data.train.labels) : std::span<const std::uint16_t>(leftLabels),
                           .classes = data.classes,
                           .world = static_cast<int>(workers.size()),
                           .seed = spec.seed,
                           .params = completed(def->params, spec.partition.params, "/partition/params")};
  for (const int worker : workers)
    if (const auto share = spec.nodes[static_cast<std::size_t>(worker)].share) request.shares.push_back(*share);
  if (!request.shares.empty() && request.shares.size() != workers.size())
    throw Error(Errc::kSpec, strCat("share: ", request.shares.size(), " of ", workers.size(), " workers have one; give it to all or to none"));
  Partition partition = def->split(request);
  if (held.empty()) return partition;
  for (std::vector<std::uint32_t>& mine : partition.indices) {
    if (def->namesSamples) std::erase_if(mine, [&held](std::uint32_t sample) { return std::ranges::binary_search(held, sample); });
    else std::ranges::transform(mine, mine.begin(), [&left](std::uint32_t sample) { return left[sample]; });
  }
  refuseEmptyRanks(def->id, request, partition);
  return partition;
}

Partition withoutRanks(Partition partition, const std::vector<int>& lost) {
  std::vector<std::size_t> left;
  for (std::size_t rank = 0; rank < partition.indices.size(); ++rank)
    if (std::ranges::count(lost, static_cast<int>(rank)) == 0) left.push_back(rank);
  PACELINE_CHECK(!left.empty(), "a worker is left");
  std::vector<bool> held;  // by sample
  const auto take = [&held](std::uint32_t sample) {
    if (sample >= held.size()) held.resize(sample + 1);
    const bool isNew = !held[sample];
    held[sample] = true;
    return isNew;
  };
  std::vector<double> weights, credit(left.size());
  double all = 0;
  for (const std::size_t rank : left) {
    std::ranges::for_each(partition.indices[rank], take);
    all += weights.emplace_back(static_cast<double>(partition.indices[rank].size()));
  }
  for (const int rank : lost)
    for (const std::uint32_t sample : partition.indices.at(static_cast<std::size_t>(rank))) {
      if (!take(sample)) continue;
      for (std::size_t i = 0; i < left.size(); ++i) credit[i] += weights[i] / all;
      const auto next = std::ranges::max_element(credit);
      *next -= 1;
      partition.indices[left[static_cast<std::size_t>(next - credit.begin())]].push_back(sample);
    }
  return partition;
}

LabelCounts labelCountsOf(std::span<const std::uint32_t> samples, std::span<const std::uint16_t> labels, int classes) {
  LabelCounts counts(static_cast<std::size_t>(classes));
  for (const std::uint32_t sample : samples) ++counts.at(labels[sample]);
  return counts;
}

std::vector<LabelCounts> labelCountsOf(const Partition& partition, std::span<const std::uint16_t> labels, int classes) {
  std::vector<LabelCounts> counts;
  for (const auto& samples : partition.indices) counts.push_back(labelCountsOf(samples, labels, classes));
  return counts;
}

}  // namespace paceline::partitioners
