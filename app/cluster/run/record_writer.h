// The thread that owns the store's writer: callers hand over values, rows land in one transaction per 200 ms or 500 rows.
// Every method may be called from any thread; those that return a value wait for the thread. An error of the store is kept for the run it
// concerns and thrown to that run's next flush(), and given to onError at once. A full disk concerns all runs: their records and states wait
// until there is room.
#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

#include "storage/store/store.h"

namespace paceline::run {

struct RecordHooks {  // called on that thread; may be empty
  std::function<void()> onRoom{};                                   // a full disk has room again, nothing was lost
  std::function<void(const std::set<std::string>& runs)> onRows{};  // rows of these runs were committed
};

class RecordWriter {
 public:
  // Opens the store on its own thread; throws here what opening threw.
  explicit RecordWriter(const std::string& storePath, std::function<void(const std::string&)> onError = {}, RecordHooks hooks = {});
  ~RecordWriter();  // writes what is queued, then closes

  void append(StampedEvent event);
  void flush(const std::string& run = "");  // returns when all that was handed over was tried; throws the Error of this run ("": of any)
  // Waits for the first attempt. On a full disk it is made again with the records; throws any other Error of the store.
  void setState(const std::string& run, store::RunState state, const std::string& error = "", const std::string& reason = "");

  // Runs `work` on that thread, after what is queued; waits and passes exceptions on.
  template <class Work>
  auto withWriter(Work work) -> decltype(work(std::declval<store::StoreWriter&>())) {
    using Result = decltype(work(std::declval<store::StoreWriter&>()));
    std::packaged_task<Result(store::StoreWriter&)> task(std::move(work));
    auto future = task.get_future();
    enqueue([&task](store::StoreWriter& writer) { task(writer); });
    return future.get();
  }
  const std::string& path() const { return path_; }

 private:
  struct StateChange {
    std::string run;
    store::RunState state;
    std::string error, reason;
  };
  void enqueue(std::function<void(store::StoreWriter&)> work);
  void loop(std::stop_token stop, std::promise<void> opened);
  void writeRecords(store::StoreWriter& writer, std::vector<StampedEvent> batch);
  void writeStates(store::StoreWriter& writer);
  void keep(const std::string& run, const std::exception& error);  // the one in flight, for that run's flush()

  std::string path_;
  std::function<void(const std::string&)> onError_;
  RecordHooks hooks_;
  std::mutex mutex_;  // guards the queues, errors_, noSpace_ and full_
  std::condition_variable_any wake_;
  std::deque<StampedEvent> events_;
  std::deque<std::function<void(store::StoreWriter&)>> work_;
  std::deque<StateChange> states_;  // that found no space
  std::map<std::string, std::exception_ptr> errors_;  // by run
  std::exception_ptr noSpace_;
  bool full_ = false;  // the last batch found no space and waits in events_ and states_
  std::jthread thread_;
};

}  // namespace paceline::run
