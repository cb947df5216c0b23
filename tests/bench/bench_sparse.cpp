// What sparse methods cost beside learning: choosing the largest entries, against the operators of LibTorch that published code uses,
// and writing and reading them, against the entropy of which they are.
#include <cmath>
#include <limits>

#include <ATen/ATen.h>

#include "engine/comm/codecs/select.h"
#include "engine/comm/transport/layers.h"
#include "engine/comm/codecs/sparse_codec.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "tests/bench/bench.h"

namespace paceline::bench {
namespace {

constexpr std::size_t kElements = 11'173'962;  // ResNet-18 for CIFAR
constexpr double kFraction = 0.01;
constexpr int kTurns = 7;

std::vector<float> gradientLike() {
  Rng rng = Rng::stream(1, "bench");
  std::vector<float> values(kElements);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

template <class Work>
void keepBest(double& best, Work work) {
  const double began = secondsNow();
  work();
  best = std::min(best, secondsNow() - began);
}

// All in turn, so that all see the same machine; the best of each is the machine's limit.
struct Selection {
  double exact = std::numeric_limits<double>::infinity(), sampled = exact, kthvalue = exact, topk = exact;
};

const Selection& selection() {
  static const Selection measured = [] {
    std::vector<float> values = gradientLike();
    const std::size_t k = codecs::keptOf(kElements, kFraction);
    const at::Tensor sizes = at::from_blob(values.data(), {static_cast<std::int64_t>(kElements)}, at::kFloat).abs();
    codecs::Selector exact(codecs::SelectMethod::kExact), sampled(codecs::SelectMethod::kSampled);
    std::vector<std::uint32_t> a, b;
    Selection best;
    for (int turn = 0; turn < kTurns; ++turn) {
      a.clear(), b.clear();
      keepBest(best.exact, [&] { exact.largest(values, k, 0, "the bench's vector", a); });
      keepBest(best.sampled, [&] { sampled.largest(values, k, 0, "the bench's vector", b); });
      if (turn >= 3) continue;  // these take long
      float bound = 0;
      keepBest(best.kthvalue, [&] { bound = std::get<0>(at::kthvalue(sizes, static_cast<std::int64_t>(kElements - k + 1))).item<float>(); });
      keepBest(best.topk, [&] { std::get<1>(at::topk(sizes, static_cast<std::int64_t>(k))).size(0); });
      if (a != b || a.size() != k) throw Error(Errc::kFormat, strCat("selections differ: ", a.size(), " and ", b.size(), " of ", k));
      for (const std::uint32_t i : a)
        if (std::abs(values[i]) < bound) throw Error(Errc::kFormat, strCat("entry ", i, " is below torch's bound"));
    }
    return best;
  }();
  return measured;
}

Result selectionResult(const std::string& id, double ours, double target, const std::string& what) {
  const Selection& s = selection();
  return {.id = id, .value = s.kthvalue / ours, .target = target,
          .note = what + ", the 1 % largest of 11 173 962 floats as indices, one thread, best of 7; torch::kthvalue and topk on the absolute "
                         "values, best of 3, same run",
          .inputs = {{"ours_ms", ours * 1e3}, {"kthvalue_ms", s.kthvalue * 1e3}, {"topk_ms", s.topk * 1e3}, {"vs_topk", s.topk / ours}}};
}

// The vector cut by shards, a random 1 % of it, fp16.
struct Coding {
  double encodeSeconds = std::numeric_limits<double>::infinity(), decodeSeconds = encodeSeconds;
  double kept = 0, bytes = 0, indexBits = 0;  // indexBits: H(rho) / rho of the fraction drawn
};

const Coding& coding() {
  static const Coding measured = [] {
    Rng rng = Rng::stream(2, "bench");
    codecs::SparseVector entries;
    for (std::size_t i = 0; i < kElements; ++i) {
      if (rng.uniform() >= kFraction) continue;
      entries.indices.push_back(static_cast<std::uint32_t>(i));
      entries.values.push_back(static_cast<float>(rng.normal()));
    }
    const std::vector<ShardRange> shards = shardsOf(kElements, {0});
    std::vector<std::size_t> first;  // entry of each shard
    for (const ShardRange& shard : shards)
      first.push_back(static_cast<std::size_t>(std::lower_bound(entries.indices.begin(), entries.indices.end(), shard.offset) - entries.indices.begin()));
    first.push_back(entries.indices.size());
    Coding best;
    std::vector<Packed> packed(shards.size());
    codecs::SparseVector read;
    std::size_t arrived = 0;
    for (int turn = 0; turn < 3 * kTurns; ++turn) {
      keepBest(best.encodeSeconds, [&] {
        for (std::size_t s = 0; s < shards.size(); ++s)
          packed[s] = codecs::packSparse({.begin = shards[s].offset, .count = shards[s].size}, std::span(entries.indices).subspan(first[s], first[s + 1] - first[s]),
                                 std::span(entries.values).subspan(first[s], first[s + 1] - first[s]), codecs::SparseValues::kHalf);
      });
      arrived = 0;
      keepBest(best.decodeSeconds, [&] {
        for (std::size_t s = 0; s < shards.size(); ++s) {
          codecs::unpackSparse(packed[s], shards[s].size, "the bench", read);
          arrived += read.indices.size();
        }
      });
    }
    if (arrived != entries.indices.size()) throw Error(Errc::kFormat, strCat(arrived, " of ", entries.indices.size(), " entries arrived"));
    best.kept = static_cast<double>(entries.indices.size());
    for (const Packed& one : packed) best.bytes += static_cast<double>(one.bytes.size());
    const double rho = best.kept / static_cast<double>(kElements);
    best.indexBits = -std::log2(rho) - (1 - rho) / rho * std::log2(1 - rho);
    return best;
  }();
  return measured;
}

}  // namespace

Result selectionExact() { return selectionResult("selection_exact_vs_kthvalue", selection().exact, 8, "histogram, collection and radix selection"); }

Result selectionSampled() {
  return selectionResult("selection_sampled_vs_kthvalue", selection().sampled, 30, "sampled bound, collection and radix selection; exactly k as well");
}

Result sparseCodecRate() {
  const Coding& c = coding();
  const double encode = c.kept / c.encodeSeconds / 1e6, decode = c.kept / c.decodeSeconds / 1e6;
  return {.id = "sparse_codec_rate", .value = std::min(encode, decode), .unit = "M/s", .target = 200,
          .note = "kept entries per second and core, the slower way of both; a random 1 % of 11 173 962 floats in shards, fp16. Per element of the vector: 100 times that",
          .inputs = {{"encode_kept_per_s", encode * 1e6},
                     {"decode_kept_per_s", decode * 1e6},
                     {"encode_vector_elements_per_s", kElements / c.encodeSeconds},
                     {"decode_vector_elements_per_s", kElements / c.decodeSeconds}}};
}

Result sparseIndexBytes() {
  const Coding& c = coding();
  const double index = c.bytes / c.kept - sizeof(std::uint16_t), bound = c.indexBits / 8;
  return {.id = "sparse_index_vs_entropy", .value = index / bound, .target = 1.05, .higherIsBetter = false,
          .note = "index bytes per kept entry, codec headers included, over H(rho) / rho / 8 at a random 1 %",
          .inputs = {{"index_bytes_per_kept", index}, {"entropy_bytes_per_kept", bound}}};
}

Result sparseBytes() {
  const Coding& c = coding();
  return {.id = "sparse_bytes_per_kept", .value = c.bytes / c.kept, .unit = "B", .target = 3.1, .higherIsBetter = false,
          .note = "index and fp16 value of a kept entry at a random 1 %; published code: 16 (DGS), 12 or 6 (DGC)",
          .inputs = {{"bytes", c.bytes}, {"kept", c.kept}}};
}

}  // namespace paceline::bench
