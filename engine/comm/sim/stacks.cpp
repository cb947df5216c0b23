#include "engine/comm/sim/stacks.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "engine/core/base/error.h"

namespace paceline::sim {
namespace {

constexpr std::size_t kSlabBytes = std::size_t{1} << 30;
constexpr std::size_t kSplitting = 16384;  // guards that are mappings: of 65 530 half, and another quarter stays for the rest of the process
constexpr std::uint64_t kCanary = 0x9e3779b97f4a7c15;

#ifdef MADV_GUARD_INSTALL
constexpr int kGuardInstall = MADV_GUARD_INSTALL;
#else
constexpr int kGuardInstall = 102;  // of linux/mman.h since 6.13; older kernels answer EINVAL
#endif

}  // namespace

bool Stack::overrun() const { return canary != nullptr && *canary != kCanary; }

Stacks::Stacks(std::size_t stackBytes, Guards guards)
    : stackBytes_(stackBytes), pageBytes_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))), guards_(guards) {
  PACELINE_CHECK(stackBytes % pageBytes_ == 0 && stackBytes > pageBytes_, strCat("a stack of ", stackBytes, " bytes"));
}

Stacks::~Stacks() {
  for (const Slab& slab : slabs_) ::munmap(slab.begin, slab.bytes);
}

Stack Stacks::take() {
  if (left_ < stackBytes_) {
    const std::size_t bytes = std::max(kSlabBytes / stackBytes_, std::size_t{1}) * stackBytes_;
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw Error(Errc::kHost, strCat("cannot take stacks: ", std::strerror(errno)));
    (void)::madvise(memory, bytes, MADV_NOHUGEPAGE);  // a huge page would be taken whole for the few kB that a stack uses
    slabs_.push_back({static_cast<std::byte*>(memory), bytes});
    left_ = bytes;
  }
  Stack stack{.begin = slabs_.back().begin + (slabs_.back().bytes - left_)};
  left_ -= stackBytes_;
  if (!guard(stack.begin)) {
    stack.canary = reinterpret_cast<std::uint64_t*>(stack.begin);
    *stack.canary = kCanary;
  }
  return stack;
}

bool Stacks::guard(std::byte* page) {
  if (guards_ == Guards::kBest && ::madvise(page, pageBytes_, kGuardInstall) == 0) return true;
  if (guards_ == Guards::kCanaries || split_ == kSplitting || ::mprotect(page, pageBytes_, PROT_NONE) != 0) return false;
  ++split_;
  return true;
}

}  // namespace paceline::sim
