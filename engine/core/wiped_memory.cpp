// Keys and passwords pass through documents, lines and buffers of libraries, which copy them. In a program that has this file among its own, memory is overwritten when it is let go,
// whoever had it, so that no copy outlives its use. Not under a sanitizer, which has these functions itself.
#include <malloc.h>
#include <string.h>

#include <cstdlib>
#include <new>

namespace {

[[gnu::noinline]] void letGo(void* memory) noexcept {
  if (memory == nullptr) return;
  ::explicit_bzero(memory, ::malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void operator delete(void* memory) noexcept { letGo(memory); }
void operator delete[](void* memory) noexcept { letGo(memory); }
void operator delete(void* memory, std::size_t) noexcept { letGo(memory); }
void operator delete[](void* memory, std::size_t) noexcept { letGo(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { letGo(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { letGo(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { letGo(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { letGo(memory); }
