// A background thread, or a few, that run tasks in the order of posting. post() from any thread. The destructor asks the running tasks to
// stop, drops the rest and joins: a queue that is the last member of an object may capture it. An exception that leaves a task is a bug of the task: it is dropped
// after a message on stderr.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace paceline {

class TaskQueue {
 public:
  using Task = std::function<void(std::stop_token)>;

  explicit TaskQueue(int threads = 1);
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  void post(Task task);

 private:
  void loop(const std::stop_token& stop);

  std::mutex mutex_;  // guards tasks_
  std::condition_variable_any wake_;
  std::deque<Task> tasks_;
  std::vector<std::jthread> threads_;
};

// Is asked to stop when either of two is: the person's button, the window's end. Stays where it is.
class EitherStop {
 public:
  EitherStop(const std::stop_token& a, const std::stop_token& b) : byA_(a, [this] { source_.request_stop(); }), byB_(b, [this] { source_.request_stop(); }) {}
  std::stop_token token() const { return source_.get_token(); }
  bool asked() const { return source_.stop_requested(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> byA_, byB_;
};

}  // namespace paceline
