// Label skew of a chosen strength: of every class, the workers get proportions drawn from Dirichlet(alpha N s_1, ..., alpha N s_N), where
// s_i is worker i's share, 1/N without shares: then all are alpha (Yurochkin et al., ICML 2019; alpha as in Hsu et al. 2019). Large alpha:
// every worker has its share of every class; small alpha: a class belongs to one worker. A draw that leaves a worker with fewer than
// min_samples is drawn again, as the published codes do.
#include <algorithm>
#include <numeric>

#include "engine/core/base/error.h"
#include "engine/data/partitioners/partitioner.h"
#include "engine/data/partitioners/gamma.h"

namespace paceline::partitioners {
namespace {

constexpr std::uint64_t kDraws = 1000;

using Counts = std::vector<std::vector<std::size_t>>;  // [class][rank]

std::vector<double> concentrations(const PartitionRequest& request) {
  const double alpha = request.params.real("alpha");
  std::vector<double> all(static_cast<std::size_t>(request.world), alpha);
  for (std::size_t rank = 0; rank < request.shares.size(); ++rank) all[rank] = alpha * request.world * request.shares[rank];
  return all;
}

Counts drawn(const PartitionRequest& request, const std::vector<std::size_t>& sizes, std::uint64_t seed, std::uint64_t draw) {
  Rng rng = Rng::stream(seed, "dirichlet", draw);
  const std::vector<double> concentration = concentrations(request);
  Counts counts;
  for (const std::size_t size : sizes) counts.push_back(proportional(size, dirichletWeights(rng, concentration)));
  return counts;
}

std::size_t fewest(const Counts& counts, int world) {
  std::vector<std::size_t> held(static_cast<std::size_t>(world));
  for (const auto& ofClass : counts)
    for (std::size_t rank = 0; rank < held.size(); ++rank) held[rank] += ofClass[rank];
  return *std::min_element(held.begin(), held.end());
}

// The first draw that gives every worker enough.
Counts enough(const PartitionRequest& request, const std::vector<std::size_t>& sizes, std::uint64_t seed) {
  const auto wanted = static_cast<std::size_t>(request.params.integer("min_samples"));
  const std::size_t available = request.labels.size();
  if (wanted * static_cast<std::size_t>(request.world) > available)
    throw Error(Errc::kData, strCat("partition \"dirichlet\": ", request.world, " workers with at least ", wanted, " samples each need more than the ",
                                    available, " that there are; lower min_samples"));
  std::size_t best = 0;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    Counts counts = drawn(request, sizes, seed, draw);
    const std::size_t least = fewest(counts, request.world);
    if (least >= wanted) return counts;
    best = std::max(best, least);
  }
  throw Error(Errc::kData, strCat("partition \"dirichlet\": none of ", kDraws, " draws at alpha ", request.params.real("alpha"), " gives each of ",
                                  request.world, " workers ", wanted, " samples, the best one gives ", best, "; raise alpha or lower min_samples"));
}

Partition byDirichlet(const PartitionRequest& request) {
  const std::int64_t own = request.params.integer("seed");
  const std::uint64_t seed = own < 0 ? request.seed : static_cast<std::uint64_t>(own);
  auto buckets = classBuckets(request);
  std::vector<std::size_t> sizes;
  for (const auto& bucket : buckets) sizes.push_back(bucket.size());
  const Counts counts = enough(request, sizes, seed);

  Partition partition{.indices = std::vector<std::vector<std::uint32_t>>(static_cast<std::size_t>(request.world))};
  std::vector<std::size_t> everyone(static_cast<std::size_t>(request.world));
  std::iota(everyone.begin(), everyone.end(), std::size_t{0});
  Rng rng = Rng::stream(seed, "partition");
  for (std::size_t c = 0; c < buckets.size(); ++c) {
    rng.shuffle(std::span<std::uint32_t>(buckets[c]));
    handOut(buckets[c], everyone, counts[c], partition);
  }
  return partition;
}

}  // namespace

PartitionerDef dirichlet() {
  PartitionerDef def;
  def.id = "dirichlet";
  def.title = "Dirichlet (non-i.i.d.)";
  def.summary = "Of every class, workers get random proportions: alpha 100 is nearly i.i.d., 0.1 leaves most workers with a few classes.";
  def.reference = "T.-M. H. Hsu, H. Qi, M. Brown, Measuring the Effects of Non-Identical Data Distribution for Federated Visual Classification, "
                       "2019; M. Yurochkin et al., Bayesian Nonparametric Federated Learning of Neural Networks, ICML 2019";
  def.params = {realParam({"alpha", "Concentration"}, 0.5, 1e-6, 1e9, "Concentration; the smaller, the fewer classes a worker has."),
                advanced(limited(integerParam({"min_samples", "Fewest samples"}, 10, 1, 1e9, "A draw that gives a worker fewer is drawn again, up to 1000 times."), Limit::kSamplesPerWorker)),
                advanced(integerParam("seed", -1, -1, 9007199254740991.0, "Of the draw; -1: the document's, so that every seed of a suite has a split of its own."))};
  def.even = false;
  def.byClass = true;
  def.split = byDirichlet;
  return def;
}

}  // namespace paceline::partitioners
