#include "engine/core/base/freed_memory.h"

#include <malloc.h>

namespace paceline {

void keepFreedMemory() {
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);  // glibc's largest
  mallopt(M_TRIM_THRESHOLD, 2047 * kMegabyte);
  mallopt(M_TOP_PAD, 64 * kMegabyte);
  // One arena: its memory never goes back, while those of further threads (ZeroMQ's, where messages are received) are unmapped when empty.
  mallopt(M_ARENA_MAX, 1);
}

}  // namespace paceline
