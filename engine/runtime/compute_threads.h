// The threads that compute for the nodes of a simulation, or for a real node that has several. Who waits for a task computes, too: that task where nobody has begun it, else another one. So with one
// thread everything is computed where it is waited for. Used by one thread at a time; tasks end before this does.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/core/base/cores.h"

namespace paceline {

class ComputeThreads final : public Cores {
 public:
  // `threads`: with the one that waits; `onThread` is called on each of the others before it computes. Throws Error{kHost} when the computer has none.
  explicit ComputeThreads(int threads, const std::function<void()>& onThread = {});
  ~ComputeThreads() override;
  ComputeThreads(const ComputeThreads&) = delete;
  ComputeThreads& operator=(const ComputeThreads&) = delete;

  std::unique_ptr<Task> begin(std::function<void()> work) override;

 private:
  enum class State { kWaiting, kRunning, kDone };
  struct Job {
    std::function<void()> work;
    State state = State::kWaiting;  // it and the failure: guarded by mutex_
    std::exception_ptr failure = nullptr;
  };
  class Begun;

  void compute(std::unique_lock<std::mutex>& lock, Job& job);  // one that waits
  void finish(Job& job);
  void drop(Job& job);

  std::mutex mutex_;  // guards waiting_ and what the jobs say of themselves
  std::condition_variable_any more_;
  std::condition_variable done_;
  std::deque<Job*> waiting_;
  std::vector<std::jthread> threads_;
};

}  // namespace paceline
