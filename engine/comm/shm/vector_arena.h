// Memory for the vectors of a node that other nodes of its host read in place. Freed memory is kept for vectors of the same length, which is what comes
// again. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace paceline::shm {

class VectorArena {
 public:
  struct Place {
    std::uint32_t segment = 0;  // memory comes in segments, which others map one by one
    std::uint64_t offset = 0;   // bytes
  };

  VectorArena();
  // Aligned to a page, not initialised; back when its last owner goes, which may be after the arena. Null: this host gives no more.
  std::shared_ptr<void> allocate(std::size_t bytes) const;
  std::optional<Place> placeOf(const void* at, std::size_t bytes) const;  // nullopt: it is not, or not all, in here
  int descriptor(std::uint32_t segment) const;  // of a segment that placeOf() named

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace paceline::shm
