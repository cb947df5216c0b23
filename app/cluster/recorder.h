// The recorder thread owns the store's writer: callers hand over values, rows land in one transaction per 200 ms or 500 rows.
// Every method may be called from any thread; those that return a value wait for the thread. An error of the store (disk full) is
// kept and thrown to the next caller of flush(), and given to onError at once.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "storage/store.h"

namespace paceline {

class Recorder {
 public:
  // Opens the store on its own thread; throws here what opening threw.
  explicit Recorder(const std::string& storePath, std::function<void(const std::string&)> onError = {});
  ~Recorder();  // writes what is queued, then closes

  void append(StampedEvent event);
  void flush();  // returns when all that was handed over is committed; throws Error of the store

  // Runs `work` on the recorder's thread, after what is queued; waits and passes exceptions on.
  template <class Work>
  auto withWriter(Work work) -> decltype(work(std::declval<StoreWriter&>())) {
    using Result = decltype(work(std::declval<StoreWriter&>()));
    std::packaged_task<Result(StoreWriter&)> task(std::move(work));
    auto future = task.get_future();
    enqueue([&task](StoreWriter& writer) { task(writer); });
    return future.get();
  }
  const std::string& path() const { return path_; }

 private:
  void enqueue(std::function<void(StoreWriter&)> work);
  void loop(std::stop_token stop, std::promise<void> opened);
  void commit(StoreWriter& writer, std::vector<StampedEvent>& batch);

  std::string path_;
  std::function<void(const std::string&)> onError_;
  std::mutex mutex_;  // guards the two queues, error_ and full_
  std::condition_variable_any wake_;
  std::deque<StampedEvent> events_;
  std::deque<std::function<void(StoreWriter&)>> work_;
  std::exception_ptr error_;
  bool full_ = false;  // the last batch found no space and waits in events_
  std::jthread thread_;
};

}  // namespace paceline
