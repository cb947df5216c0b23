// A background thread, or a few, that run tasks in the order of posting. post() from any thread. The destructor asks the running tasks to
// stop, drops the rest and joins: a queue that is the last member of an object may capture it. An exception that leaves a task is a bug of the task: it is dropped
// after a message on stderr.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

namespace paceline {

class TaskQueue {
 public:
  using Task = std::function<void(std::stop_token)>;

  explicit TaskQueue(int threads = 1);
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  void post(Task task);
  static int underWay();  // tasks of all queues that wait or run; what they hand to the GUI thread is posted before they end

 private:
  void loop(const std::stop_token& stop);

  inline static std::atomic<int> underWay_ = 0;
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

// Work on a task queue whose answer arrives on the GUI thread.
template <class Then>
void onGuiThread(QObject* object, Then then) {
  QMetaObject::invokeMethod(object, std::move(then), Qt::QueuedConnection);
}

// Runs work(stop) on the queue, then then(result, error) on the thread of `object`. The error is "" or what `work` threw; its result is then one
// made by default. Nothing follows once `object` is gone.
template <class Work, class Then>
void inBackground(TaskQueue& queue, QObject* object, Work work, Then then) {
  queue.post([object, work = std::move(work), then = std::move(then)](const std::stop_token& stop) mutable {
    std::invoke_result_t<Work&, const std::stop_token&> result{};
    QString error;
    try {
      result = work(stop);
    } catch (const std::exception& e) {
      error = QString::fromUtf8(e.what());
    }
    onGuiThread(object, [then = std::move(then), result = std::move(result), error]() mutable { then(std::move(result), error); });
  });
}

}  // namespace paceline
