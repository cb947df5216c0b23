// Where long vectors lie that go to other nodes: memory of this process, or memory that other processes of this host can read (comm/shm). Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace paceline {

constexpr std::size_t kLongVectorBytes = std::size_t{16} << 10;

// Bytes aligned to 64; null: there are none. What is given goes back when its last owner goes, in any thread.
using VectorMemory = std::function<std::shared_ptr<void>(std::size_t bytes)>;

void useVectorMemory(VectorMemory memory);  // for what is made from now on; empty: this process's own
std::shared_ptr<void> vectorMemory(std::size_t bytes);  // null: there is no other memory than this process's own

// `size` values that nobody has written yet.
template <class T>
std::shared_ptr<T[]> newVector(std::size_t size) {
  if (size * sizeof(T) >= kLongVectorBytes)
    if (std::shared_ptr<void> memory = vectorMemory(size * sizeof(T))) return {memory, static_cast<T*>(memory.get())};
  return std::make_shared_for_overwrite<T[]>(size);
}

}  // namespace paceline
