// The stacks of fibers, cut from slabs of many: a process may have 65 530 mappings, fewer than a simulation has nodes. Memory is taken where a
// stack is used. Used by one thread; stacks go with the object. What runs over its stack ends the process before it spoils its neighbour: the lowest page
// of each is a guard. Linux 6.13 has guards that are no mappings of their own; before, a guard splits the slab's mapping in two, so only the first
// kSplitting stacks have one. The others have a word that is not to change, which is looked at when its fiber gives the turn away: an overrun is found late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paceline::sim {

struct Stack {
  std::byte* begin = nullptr;  // lowest address
  std::uint64_t* canary = nullptr;  // null: the lowest page is a guard
  bool overrun() const;
};

class Stacks {
 public:
  enum class Guards { kBest, kSplitting, kCanaries };  // the last two are for tests: what older kernels have, and beyond what they have

  explicit Stacks(std::size_t stackBytes, Guards guards = Guards::kBest);
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  Stack take();  // throws Error{kHost} when the computer has no room
  std::size_t bytes() const { return stackBytes_; }  // of a stack

 private:
  struct Slab {
    std::byte* begin;
    std::size_t bytes;
  };
  bool guard(std::byte* page);

  std::size_t stackBytes_, pageBytes_;
  Guards guards_;
  std::vector<Slab> slabs_;
  std::size_t left_ = 0;    // bytes of the newest slab that are no stacks yet, at its end
  std::size_t split_ = 0;   // guards that are mappings of their own
};

}  // namespace paceline::sim
