#include "engine/comm/shm/vector_arena.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "engine/comm/shm/mapping.h"

namespace paceline::shm {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kSegmentBytes = std::size_t{64} << 20;  // at least; only what is written takes memory

}  // namespace

struct VectorArena::State {
  struct Segment {
    Fd descriptor;
    Mapping memory;
    std::size_t used = 0;  // bytes from its beginning that were given away once
  };
  mutable std::mutex mutex;  // guards what follows
  std::vector<Segment> segments;
  std::map<std::size_t, std::vector<std::byte*>> free;  // by length

  std::byte* take(std::size_t bytes) {
    const std::lock_guard lock(mutex);
    if (const auto found = free.find(bytes); found != free.end() && !found->second.empty()) {
      std::byte* const at = found->second.back();
      found->second.pop_back();
      return at;
    }
    if (segments.empty() || segments.back().memory.bytes().size() - segments.back().used < bytes) {
      Fd descriptor;
      std::optional<Mapping> memory = Mapping::make(std::max(bytes, kSegmentBytes), descriptor);
      if (!memory) return nullptr;
      segments.push_back({.descriptor = std::move(descriptor), .memory = *std::move(memory)});
    }
    Segment& last = segments.back();
    std::byte* const at = last.memory.bytes().data() + last.used;
    last.used += bytes;
    return at;
  }
  void give(std::byte* at, std::size_t bytes) {
    const std::lock_guard lock(mutex);
    free[bytes].push_back(at);
  }
};

VectorArena::VectorArena() : state_(std::make_shared<State>()) {}

std::shared_ptr<void> VectorArena::allocate(std::size_t bytes) const {
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + kPage - 1) / kPage * kPage;
  std::byte* const at = state_->take(rounded);
  if (at == nullptr) return nullptr;
  return {at, [state = state_, at, rounded](void*) { state->give(at, rounded); }};
}

std::optional<VectorArena::Place> VectorArena::placeOf(const void* at, std::size_t bytes) const {
  const std::lock_guard lock(state_->mutex);
  const auto* const first = static_cast<const std::byte*>(at);
  for (std::size_t i = 0; i < state_->segments.size(); ++i) {
    const std::span<std::byte> all = state_->segments[i].memory.bytes();
    if (std::less<>()(first, all.data()) || !std::less<>()(first, all.data() + all.size())) continue;
    const auto offset = static_cast<std::size_t>(first - all.data());
    if (bytes > all.size() - offset) return std::nullopt;
    return Place{.segment = static_cast<std::uint32_t>(i), .offset = offset};
  }
  return std::nullopt;
}

int VectorArena::descriptor(std::uint32_t segment) const {
  const std::lock_guard lock(state_->mutex);
  return state_->segments.at(segment).descriptor.get();
}

}  // namespace paceline::shm
