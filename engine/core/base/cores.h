// Where a node computes. In a real run on its own thread, where whoever takes a Cores* gets none. In virtual time a step costs what the document says, whenever it is
// computed, so the simulator computes steps of several nodes at once, while virtual time goes on (runtime/compute_threads.h). Used by the nodes, of which one runs at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace paceline {

class Cores {
 public:
  // Work that was begun. Its node leaves alone what it touches until it is done.
  class Task {
   public:
    virtual ~Task() = default;   // waits for it; what no thread has begun is not done any more
    virtual void finish() = 0;   // once: returns when it is done, throws what it threw
  };
  virtual ~Cores() = default;
  virtual std::unique_ptr<Task> begin(std::function<void()> work) = 0;
};

// part(0) to part(count - 1), at once where there are cores for it. Throws what the first of those threw that did.
inline void inParts(Cores* cores, std::size_t count, const std::function<void(std::size_t)>& part) {
  if (cores == nullptr) {
    for (std::size_t i = 0; i < count; ++i) part(i);
    return;
  }
  std::vector<std::unique_ptr<Cores::Task>> tasks;
  for (std::size_t i = 0; i < count; ++i) tasks.push_back(cores->begin([&part, i] { part(i); }));
  for (const std::unique_ptr<Cores::Task>& task : tasks) task->finish();
}

}  // namespace paceline
