// A vector that is sent without being copied and written again: what is still under way keeps its memory, and the next values take other memory then.
// Of hollow vectors there is only the length. Used by one thread.
#pragma once

#include <memory>
#include <span>

#include "engine/core/base/hollow.h"
#include "engine/core/base/vec.h"
#include "engine/core/base/vector_memory.h"

namespace paceline {

class SendVector {
 public:
  SendVector() = default;
  static SendVector zeros(std::span<const Real> like) {
    SendVector made;
    if (isHollow(like)) made.values_ = hollow<Real>(like.size());
    else made.take(like.size());
    return made;
  }
  // Before its values are written anew; they may be any afterwards.
  void renew() {
    if (memory_.use_count() > 1) take(values_.size());
  }
  std::span<Real> span() const { return values_; }
  operator std::span<Real>() const { return values_; }
  const std::shared_ptr<const void>& owner() const { return memory_; }  // of its parts, while they are sent; null: hollow
  const Real* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }

 private:
  void take(std::size_t size) {
    const std::shared_ptr<Real[]> memory = newVector<Real>(size);
    std::fill_n(memory.get(), size, Real{0});
    values_ = {memory.get(), size};
    memory_ = memory;
  }

  std::shared_ptr<const void> memory_;
  std::span<Real> values_;
};

}  // namespace paceline
