#include "engine/algorithms/shard_values.h"

#include <utility>

#include "engine/core/error.h"

namespace paceline {

void ShardValues::reset(std::span<const Real> values) {
  buffers_.clear();
  next_.reset();
  current_ = std::make_shared<Buffer>();
  current_->values.assign(values.begin(), values.end());
  buffers_.push_back(current_);
}

Dense ShardValues::snapshot() const {
  current_->readers.fetch_add(1, std::memory_order_relaxed);
  const std::shared_ptr<const void> reader(current_.get(), [buffer = current_](const void*) { buffer->readers.fetch_sub(1, std::memory_order_release); });
  return Dense::shared(current_->values, reader);
}

std::span<Real> ShardValues::beside() {
  PACELINE_CHECK(current_ != nullptr, "a shard without values is updated");
  next_.reset();
  for (const std::shared_ptr<Buffer>& buffer : buffers_)
    if (buffer != current_ && buffer->readers.load(std::memory_order_acquire) == 0) {
      next_ = buffer;
      break;
    }
  if (!next_) {
    next_ = std::make_shared<Buffer>();
    next_->values.resize(current_->values.size());
    buffers_.push_back(next_);
  }
  return next_->values;
}

void ShardValues::advance() {
  PACELINE_CHECK(next_ != nullptr, "advance() without beside()");
  current_ = std::exchange(next_, nullptr);
}

}  // namespace paceline
