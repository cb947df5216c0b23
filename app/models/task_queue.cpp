#include "app/models/task_queue.h"

#include <iostream>

namespace paceline {

TaskQueue::TaskQueue(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this](const std::stop_token& stop) { loop(stop); });
}

TaskQueue::~TaskQueue() {
  for (std::jthread& thread : threads_) thread.request_stop();
  for (std::jthread& thread : threads_) thread.join();
  underWay_ -= static_cast<int>(tasks_.size());
}

int TaskQueue::underWay() { return underWay_; }

void TaskQueue::post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    ++underWay_;
  }
  wake_.notify_one();
}

void TaskQueue::loop(const std::stop_token& stop) {
  while (true) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !tasks_.empty(); }) || stop.stop_requested()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    try {
      task(stop);
    } catch (const std::exception& error) {
      std::cerr << "paceline-workbench: a background task failed: " << error.what() << '\n';
    }
    --underWay_;
  }
}

}  // namespace paceline
