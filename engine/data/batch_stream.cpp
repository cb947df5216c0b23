#include "engine/data/batch_stream.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/core/base/epochs.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline {

BatchStream::BatchStream(std::vector<std::uint32_t> indices, BatchPlan plan) : plan_(plan) {
  share(0, std::move(indices));
  startEpoch();
}

void BatchStream::share(std::uint64_t epoch, std::vector<std::uint32_t> indices) {
  PACELINE_CHECK(!indices.empty() && plan_.batchSize > 0, "a batch stream needs samples");
  shares_.erase(shares_.lower_bound(epoch), shares_.end());
  shares_.emplace(epoch, std::move(indices));
}

const std::vector<std::uint32_t>& BatchStream::samplesOf(std::uint64_t epoch) const { return std::prev(shares_.upper_bound(epoch))->second; }

void BatchStream::startEpoch() {
  cursor_ = 0;
  order_ = samplesOf(epoch_);
  if (!plan_.shuffled) return;
  const std::uint64_t index = (static_cast<std::uint64_t>(plan_.rank) << 32) + epoch_;
  Rng::stream(plan_.seed, "epoch", index).shuffle(std::span<std::uint32_t>(order_));
}

std::span<const std::uint32_t> BatchStream::peek() {
  if (epochIsOver(order_.size(), cursor_, plan_.minimum)) {
    ++epoch_;
    startEpoch();
  }
  return {order_.data() + cursor_, std::min(plan_.batchSize, order_.size() - cursor_)};
}

std::span<const std::uint32_t> BatchStream::next() {
  const std::span<const std::uint32_t> batch = peek();
  cursor_ += batch.size();
  return batch;
}

void BatchStream::archived(Archive& archive, Place& place) const {
  auto epoch = static_cast<std::int64_t>(place.epoch), cursor = static_cast<std::int64_t>(place.cursor);
  archive.number("epoch", epoch);
  archive.number("cursor", cursor);
  if (!archive.loading()) return;
  const std::size_t samples = epoch < 0 ? 0 : samplesOf(static_cast<std::uint64_t>(epoch)).size();
  if (epoch < 0 || cursor < 0 || static_cast<std::size_t>(cursor) > samples)
    throw Error(Errc::kFormat, strCat("the checkpoint is at sample ", cursor, " of epoch ", epoch, "; an epoch has ", samples));
  place = {.epoch = static_cast<std::uint64_t>(epoch), .cursor = static_cast<std::size_t>(cursor)};
}

void BatchStream::goTo(const Place& place) {
  epoch_ = place.epoch;
  startEpoch();
  cursor_ = place.cursor;
}

}  // namespace paceline
