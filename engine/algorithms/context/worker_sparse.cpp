// Exchanges of which only some entries travel.
#include <algorithm>
#include <cmath>

#include "engine/algorithms/context/worker_context.h"
#include "engine/algorithms/context/worker_phase.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

std::size_t trainableElements(std::span<const Block> blocks) {
  std::size_t count = 0;
  for (const Block& block : blocks)
    if (block.trainable) count += block.size;
  return count;
}

}  // namespace

void WorkerContext::pushPullSparse(codecs::SparseVector& entries, codecs::SparseValues format, double scale, std::span<Real> into) {
  PACELINE_CHECK(!shards_.empty() && into.size() == gradient_.size(), "pushPullSparse needs servers and a whole vector to update");
  const Phase phase(*this, Phase::kExchange);
  const auto trained = static_cast<double>(samplesTotal_ - samplesAgreed_);
  samplesAgreed_ = samplesTotal_;
  const std::span<const std::uint32_t> indices(entries.indices);
  std::size_t from = 0;
  for (std::size_t s = 0; s < shards_.size(); ++s) {
    const codecs::SparseRange range{.begin = shards_[s].offset, .count = shards_[s].size};
    const auto end = std::lower_bound(indices.begin() + static_cast<std::ptrdiff_t>(from), indices.end(), range.begin + range.count);
    const std::size_t count = static_cast<std::size_t>(end - indices.begin()) - from;
    Message push;
    push.kind = MessageKind::kPush;
    push.shard = static_cast<std::int32_t>(s);
    push.round = round_;
    push.version = versions_[s];
    push.scalars = {scale, trained};
    push.packed = codecs::packSparse(range, indices.subspan(from, count), std::span(entries.values).subspan(from, count), format);
    setup_.transport.send(shards_[s].server, std::move(push));
    from += count;
  }
  record_.kept = static_cast<double>(indices.size()) / static_cast<double>(std::max<std::size_t>(1, trainableElements(blocks())));

  double staleness = 0;
  std::vector<bool> answered(shards_.size());
  for (std::size_t left = shards_.size(); left > 0; --left) {
    const Message reply = setup_.transport.receive();
    const std::size_t s = takeSparse(reply, into);
    if (answered[s]) throw Error(Errc::kFormat, strCat("node ", reply.from, " answered a push to shard ", s, " twice"));
    answered[s] = true;
    versions_[s] = reply.version;
    staleness += reply.scalars[0];
    if (s == 0) globalSamples_ = static_cast<std::int64_t>(reply.scalars[1]);
  }
  record_.staleness += staleness / static_cast<double>(shards_.size());
}

std::size_t WorkerContext::takeSparse(const Message& reply, std::span<Real> into) {
  const auto s = static_cast<std::size_t>(reply.shard);
  const bool whole = reply.packed.empty();
  const bool countsSamples = reply.scalars.size() == 2 && reply.scalars[1] >= 0 && reply.scalars[1] < 1e15;
  if (reply.kind != MessageKind::kReply || s >= shards_.size() || reply.from != shards_[s].server || !countsSamples ||
      (whole && reply.dense.values().size() != shards_[s].size))
    throw Error(Errc::kFormat, strCat("node ", reply.from, " answered a push with message kind ", static_cast<int>(reply.kind), ", shard ",
                                      reply.shard, ", ", reply.dense.values().size(), " values and ", reply.scalars.size(), " scalars"));
  const std::span<Real> shard = into.subspan(shards_[s].offset, shards_[s].size);
  if (whole) {
    std::copy(reply.dense.values().begin(), reply.dense.values().end(), shard.begin());
    return s;
  }
  codecs::unpackSparse(reply.packed, shard.size(), strCat("node ", reply.from), difference_);
  for (std::size_t i = 0; i < difference_.indices.size(); ++i) shard[difference_.indices[i]] += difference_.values[i];
  return s;
}

}  // namespace paceline
