#include "engine/core/base/vector_memory.h"

#include <mutex>
#include <utility>

namespace paceline {
namespace {

struct Chosen {
  std::mutex mutex;  // guards memory
  VectorMemory memory;
};
Chosen& chosen() {
  static Chosen chosen;
  return chosen;
}

}  // namespace

void useVectorMemory(VectorMemory memory) {
  const std::lock_guard lock(chosen().mutex);
  chosen().memory = std::move(memory);
}

std::shared_ptr<void> vectorMemory(std::size_t bytes) {
  const std::lock_guard lock(chosen().mutex);
  return chosen().memory ? chosen().memory(bytes) : nullptr;
}

}  // namespace paceline
