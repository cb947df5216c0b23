// Bodies of which exactly one runs at a time, each on a stack of its own, that hand each other the turn: the simulator's nodes. Two
// implementations with the same order of events: contexts that one thread switches between (a hundred nanoseconds a turn), and, in builds
// with a sanitizer, which follows no foreign stacks, a thread per body. The object belongs to the thread that made it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace paceline::sim {

class Turns {
 public:
  static constexpr std::size_t kMaker = static_cast<std::size_t>(-1);  // whoever made the object

  Turns();
  ~Turns();  // when every body has ended or never begun
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  // The next body, from 0; it begins when it is first given the turn. When it ends it returns who is next. It must not throw.
  // Throws Error{kHost} when the computer has no stack or thread for it.
  void add(std::function<std::size_t()> body);
  // Gives whoever has the turn's turn to `to`; returns when it comes back.
  void pass(std::size_t to);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paceline::sim
