// How this process keeps the memory that it frees.
#pragma once

#include <malloc.h>

namespace paceline {

// Once at a program's start: freed memory stays with the process. By default glibc gives every freed message of 1 MB and every freed
// activation back to the kernel and takes a page fault for each 4 KiB of the next.
inline void keepFreedMemory() {
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);  // glibc's largest
  mallopt(M_TRIM_THRESHOLD, 2047 * kMegabyte);
  mallopt(M_TOP_PAD, 64 * kMegabyte);
  // One arena: its memory never goes back, while those of further threads (ZeroMQ's, where messages are received) are unmapped when empty.
  mallopt(M_ARENA_MAX, 1);
}

}  // namespace paceline
