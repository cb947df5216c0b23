// The thread that owns the store's writer: callers hand over values, rows land in one transaction per 200 ms or 500 rows.
// Every method may be called from any thread; those that return a value wait for the thread. An error of the store is kept for the run it
// concerns and thrown to that run's next flush(), and given to onError at once. A store that takes nothing now (store::Unavailable: a full disk, a file
// that was deleted or replaced) concerns all runs: their records and states wait, and are written when it takes them again.
// Summaries of runs that have ended are kept one after the other, each begun while nothing else is to be written, and made on a thread of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

#include "storage/store/store.h"

namespace paceline::run {

// Of whoever waits for a store that takes nothing: what the run's state says, and the pause before it is asked again.
inline std::string storeWaitText(const std::string& why) { return strCat("waits for the store: ", why); }
constexpr double kStorePauseSeconds = 0.2;

struct RecordHooks {  // called on that thread unless they say otherwise; may be empty
  std::function<void()> onRoom{};                                   // the store takes everything again, nothing was lost
  std::function<void(const std::set<std::string>& runs)> onRows{};  // rows of these runs were committed
  std::function<void(const std::string& run)> onSummary{};          // its summary is made now; on the thread that makes it
  std::size_t mostWaiting = 20'000;  // records of one run that wait here; those behind them are for its hosts to keep (see missed())
};

class RecordWriter {
 public:
  // Opens the store on its own thread; throws here what opening threw.
  explicit RecordWriter(const std::string& storePath, std::function<void(const std::string&)> onError = {}, RecordHooks hooks = {});
  ~RecordWriter();  // writes what is queued, then closes

  void append(StampedEvent event);
  // Returns when all that was handed over is in the store, which stands where it was opened; else throws the Error of this run ("": of any).
  void flush(const std::string& run = "");
  // After flush(): while the store took nothing, more records of this run came than may wait, and the store lacks all from some point on. Told
  // once; from then on its records are taken again, and are to be handed over from there.
  bool missed(const std::string& run);

  // Behind the records. Waits for the first attempt; made again with the records while the store takes nothing. Throws any other Error.
  void write(const std::string& run, std::function<void(store::StoreWriter&)> work);
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
  bool summarises() const { return summarises_; }  // runs that have ended wait for that
  const std::string& path() const { return path_; }

 private:
  struct Later {
    std::string run;
    std::function<void(store::StoreWriter&)> work;
  };
  void enqueue(std::function<void(store::StoreWriter&)> work);
  void loop(std::stop_token stop, std::promise<void> opened);
  bool writeRecords(store::StoreWriter& writer, std::vector<StampedEvent> batch);
  void writeChunk(store::StoreWriter& writer, std::span<const StampedEvent> events);
  bool writeLater(store::StoreWriter& writer);
  void takesAgain(store::StoreWriter& writer);
  void tellNews(store::StoreWriter& writer);
  void listUnsummarised(store::StoreWriter& writer);
  void summariseNext();
  void keepSummary(store::StoreWriter& writer, const std::string& run, const std::optional<store::SummaryToKeep>& summary);
  void keep(const std::string& run, const std::exception& error);  // the one in flight, for that run's flush()
  bool waits(const store::Unavailable& error);                     // the one in flight; false

  std::string path_;
  std::function<void(const std::string&)> onError_;
  RecordHooks hooks_;
  std::mutex mutex_;  // guards all below but thread_ and what is the thread's own
  std::condition_variable_any wake_;
  std::deque<StampedEvent> events_;
  std::deque<std::function<void(store::StoreWriter&)>> work_;
  std::deque<Later> later_;  // while the store takes nothing
  std::map<std::string, std::exception_ptr> errors_;  // by run
  std::exception_ptr unavailable_;                    // why it takes nothing; null: it does
  std::map<std::string, std::size_t> waiting_;        // records that came since, by run
  std::set<std::string> missed_;                      // runs
  std::string told_;  // to onError, and not over yet; the thread's own
  std::deque<std::string> unsummarised_;   // runs that have ended; the thread's own
  std::set<std::string> unsummarisable_;   // refused while this lives; the thread's own
  std::set<std::string> refused_;          // there was no room for their summaries; the thread's own
  bool summarising_ = false;               // summariser_ is at one; the thread's own
  std::atomic<bool> summarises_ = false;
  std::jthread summariser_;
  std::jthread thread_;
};

}  // namespace paceline::run
