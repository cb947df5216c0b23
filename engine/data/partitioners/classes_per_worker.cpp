// Every worker holds k of the classes: the split that decentralised methods are compared on (8 of 10), and harder ones (2 of 10).
// "even": worker i of N owns the k classes from place floor(i C / N) of a seeded circle of all C; more than k where a class would belong
// to nobody. A class's samples, shuffled, go to its owners in equal stretches, or in proportion to their shares.
// "published", of the ECL-ISVR comparison (Niwa et al., ICML 2021): the circle is NumPy's RandomState(seed).shuffle of the classes and
// worker i begins at place 4 i; for each class one number u in [0, 1) per owner, whose stretch of the class in file order has
// floor(n (0.8 + 0.2 u) / sum) samples, the last owner the rest. Shares do not apply.
#include <algorithm>
#include <numeric>
#include <random>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/data/partitioners/partitioner.h"

namespace paceline::partitioners {
namespace {

// NumPy's legacy stream: MT19937 with its rejection sampling and 53-bit reals.
class LegacyStream {
 public:
  explicit LegacyStream(std::uint32_t seed) : engine_(seed) {}

  double uniform() {
    const auto high = static_cast<double>(engine_() >> 5), low = static_cast<double>(engine_() >> 6);
    return (high * 67108864 + low) / 9007199254740992;
  }

  void shuffle(std::vector<int>& items) {
    for (std::uint32_t i = static_cast<std::uint32_t>(items.size()) - 1; i > 0; --i) std::swap(items[i], items[upTo(i)]);
  }

 private:
  std::uint32_t upTo(std::uint32_t most) {
    std::uint32_t mask = most;
    for (const int shift : {1, 2, 4, 8, 16}) mask |= mask >> shift;
    std::uint32_t value = static_cast<std::uint32_t>(engine_()) & mask;
    while (value > most) value = static_cast<std::uint32_t>(engine_()) & mask;
    return value;
  }

  std::mt19937 engine_;
};

using Owners = std::vector<std::vector<std::size_t>>;  // ranks by class, growing

Owners ownersOf(const std::vector<int>& circle, int world, std::size_t k, const std::function<std::size_t(std::size_t)>& begins) {
  Owners owners(circle.size());
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(world); ++rank)
    for (std::size_t j = 0; j < k; ++j) owners[static_cast<std::size_t>(circle[(begins(rank) + j) % circle.size()])].push_back(rank);
  for (std::size_t c = 0; c < owners.size(); ++c)
    if (owners[c].empty()) throw Error(Errc::kData, strCat("partition \"classes_per_worker\" leaves class ", c, " to none of ", world, " workers"));
  return owners;
}

void splitEvenly(const PartitionRequest& request, std::vector<int> circle, std::size_t k, Partition& partition) {
  Rng rng = Rng::stream(request.seed, "partition");
  rng.shuffle(std::span<int>(circle));
  const auto world = static_cast<std::size_t>(request.world), classes = circle.size();
  const Owners owners = ownersOf(circle, request.world, std::max(k, (classes + world - 1) / world),
                                 [&](std::size_t rank) { return rank * classes / world; });
  auto buckets = classBuckets(request);
  for (std::size_t c = 0; c < classes; ++c) {
    rng.shuffle(std::span<std::uint32_t>(buckets[c]));
    std::vector<double> weights;
    for (const std::size_t rank : owners[c]) weights.push_back(request.shares.empty() ? 1.0 : request.shares[rank]);
    handOut(buckets[c], owners[c], proportional(buckets[c].size(), weights), partition);
  }
}

void splitAsPublished(const PartitionRequest& request, std::vector<int> circle, std::size_t k, Partition& partition) {
  LegacyStream stream(static_cast<std::uint32_t>(request.params.integer("published_seed")));
  stream.shuffle(circle);
  const Owners owners = ownersOf(circle, request.world, k, [](std::size_t rank) { return 4 * rank; });
  const auto buckets = classBuckets(request);
  for (std::size_t c = 0; c < circle.size(); ++c) {
    std::vector<double> weights;
    for (std::size_t j = 0; j < owners[c].size(); ++j) weights.push_back(0.8 + 0.2 * stream.uniform());
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<std::size_t> counts;
    for (const double weight : weights) counts.push_back(static_cast<std::size_t>(weight / all * static_cast<double>(buckets[c].size())));
    counts.back() = buckets[c].size() - std::accumulate(counts.begin(), counts.end() - 1, std::size_t{0});
    handOut(buckets[c], owners[c], counts, partition);
  }
}

Partition byClassesPerWorker(const PartitionRequest& request) {
  const std::int64_t k = request.params.integer("k");
  if (k > request.classes)
    throw Error(Errc::kData, strCat("partition \"classes_per_worker\": k must be at most the data set's ", request.classes, " classes, got ", k));
  std::vector<int> circle(static_cast<std::size_t>(request.classes));
  std::iota(circle.begin(), circle.end(), 0);
  Partition partition{.indices = std::vector<std::vector<std::uint32_t>>(static_cast<std::size_t>(request.world))};
  const auto divide = request.params.text("variant") == "published" ? splitAsPublished : splitEvenly;
  divide(request, circle, static_cast<std::size_t>(k), partition);
  refuseEmptyRanks("classes_per_worker", request, partition);
  return partition;
}

}  // namespace

PartitionerDef classes_per_worker() {
  PartitionerDef def;
  def.id = "classes_per_worker";
  def.title = "k classes per worker (non-i.i.d.)";
  def.summary = "Every worker holds samples of k classes only; neighbours' classes overlap.";
  def.reference = "K. Niwa et al., Asynchronous Decentralized Optimization With Implicit Stochastic Variance Reduction, ICML 2021";
  def.params = {limited(integerParam({"k", "Classes per worker"}, 8, 1, 65535, "Classes of each worker; more where a class would belong to nobody."), Limit::kClasses),
                choiceParam("variant", "even", {"even", "published"},
                "Equal stretches of every class, or ECL-ISVR's own assignment, class by class and sample by sample."),
                advanced(integerParam("published_seed", 11, 0, 4294967295.0, "Of the published variant's random stream; its comparison used 11."))};
  def.even = false;
  def.byClass = true;
  def.ignoresShares = {.param = "variant", .values = {"published"}};
  def.split = byClassesPerWorker;
  return def;
}

}  // namespace paceline::partitioners
