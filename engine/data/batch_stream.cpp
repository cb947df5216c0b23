#include "engine/data/batch_stream.h"

#include <algorithm>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline {

BatchStream::BatchStream(std::vector<std::uint32_t> indices, BatchPlan plan) : indices_(std::move(indices)), plan_(plan) {
  PACELINE_CHECK(!indices_.empty() && plan_.batchSize > 0, "a batch stream needs samples");
  startEpoch();
}

void BatchStream::startEpoch() {
  cursor_ = 0;
  order_ = indices_;
  if (!plan_.shuffled) return;
  const std::uint64_t index = (static_cast<std::uint64_t>(plan_.rank) << 32) + epoch_;
  Rng::stream(plan_.seed, "epoch", index).shuffle(std::span<std::uint32_t>(order_));
}

std::span<const std::uint32_t> BatchStream::peek() {
  const std::size_t left = order_.size() - cursor_;
  if (left == 0 || (cursor_ > 0 && left < plan_.minimum)) {
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
  if (epoch < 0 || cursor < 0 || static_cast<std::size_t>(cursor) > indices_.size())
    throw Error(Errc::kFormat, strCat("the checkpoint is at sample ", cursor, " of epoch ", epoch, "; an epoch has ", indices_.size()));
  place = {.epoch = static_cast<std::uint64_t>(epoch), .cursor = static_cast<std::size_t>(cursor)};
}

void BatchStream::goTo(const Place& place) {
  epoch_ = place.epoch;
  startEpoch();
  cursor_ = place.cursor;
}

void BatchStream::state(Archive& archive) {
  Place at = place();
  archived(archive, at);
  if (archive.loading()) goTo(at);
}

}  // namespace paceline
