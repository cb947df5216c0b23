// Fibers: the simulator's nodes, each on a stack of its own, of which exactly one runs at a time and hands the turn to another. Two
// implementations with the same order of events: contexts that one thread switches between (some ten nanoseconds a switch), and, in builds
// with a sanitizer, which follows no foreign stacks, a thread per fiber. The object belongs to the thread that made it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace paceline::sim {

inline constexpr std::size_t kStackBytes = std::size_t{8} << 20;  // as a thread has; memory is taken where it is used

class Fibers {
 public:
  static constexpr std::size_t kMaker = static_cast<std::size_t>(-1);  // the thread that made the object

  explicit Fibers(std::size_t stackBytes = kStackBytes);  // of every fiber; threads have what the system gives them
  ~Fibers();  // when every body has ended or never begun
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  // The next fiber, from 0; it begins with its first turn. Its body returns the next fiber at its end and must not throw.
  // Throws Error{kHost} when the computer has no stack or thread for it.
  void add(std::function<std::size_t()> body);
  // Gives the turn to `to`; returns when it comes back.
  void pass(std::size_t to);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paceline::sim
