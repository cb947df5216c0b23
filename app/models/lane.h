// A background thread that runs tasks in order. post() from any thread. The destructor asks the running task to stop, drops the rest and
// joins: a lane that is the last member of an object may capture it. An exception that leaves a task is a bug of the task: it is dropped
// after a message on stderr.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace paceline {

class Lane {
 public:
  using Task = std::function<void(std::stop_token)>;

  Lane();
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void post(Task task);

 private:
  void loop(const std::stop_token& stop);

  std::mutex mutex_;  // guards tasks_
  std::condition_variable_any wake_;
  std::deque<Task> tasks_;
  std::jthread thread_;
};

}  // namespace paceline
