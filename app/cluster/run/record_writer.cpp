#include "app/cluster/run/record_writer.h"

#include <chrono>
#include <iterator>

namespace paceline::run {
namespace {

constexpr std::size_t kBatchRows = 500;
constexpr std::chrono::milliseconds kBatchTime{200};

}  // namespace

RecordWriter::RecordWriter(const std::string& storePath, std::function<void(const std::string&)> onError, RecordHooks hooks)
    : path_(storePath), onError_(std::move(onError)), hooks_(std::move(hooks)) {
  std::promise<void> opened;
  auto result = opened.get_future();
  thread_ = std::jthread([this, promise = std::move(opened)](std::stop_token stop) mutable { loop(stop, std::move(promise)); });
  result.get();
}

RecordWriter::~RecordWriter() {
  thread_.request_stop();
  thread_.join();
}

void RecordWriter::append(StampedEvent event) {
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
  if (events_.size() == 1 || events_.size() >= kBatchRows) wake_.notify_all();
}

void RecordWriter::enqueue(std::function<void(store::StoreWriter&)> work) {
  const std::lock_guard lock(mutex_);
  work_.push_back(std::move(work));
  wake_.notify_all();
}

void RecordWriter::flush(const std::string& run) {
  withWriter([](store::StoreWriter&) {});
  const std::lock_guard lock(mutex_);
  if (noSpace_) std::rethrow_exception(noSpace_);
  const auto found = run.empty() ? errors_.begin() : errors_.find(run);
  if (found == errors_.end()) return;
  const std::exception_ptr error = found->second;
  errors_.erase(found);
  std::rethrow_exception(error);
}

void RecordWriter::setState(const std::string& run, store::RunState state, const std::string& error, const std::string& reason) {
  withWriter([&](store::StoreWriter& writer) {
    std::unique_lock lock(mutex_);
    const bool waiting = !states_.empty();
    if (waiting) states_.push_back({run, state, error, reason});  // behind those
    lock.unlock();
    if (waiting) return;
    try {
      writer.setState(run, state, error, reason);
    } catch (const Error& problem) {
      if (problem.code() != Errc::kNoSpace) throw;
      lock.lock();
      states_.push_back({run, state, error, reason});
      noSpace_ = std::current_exception();
      full_ = true;
    }
  });
}

void RecordWriter::loop(std::stop_token stop, std::promise<void> opened) {
  std::optional<store::StoreWriter> writer;
  try {
    writer.emplace(path_);
  } catch (...) {
    return opened.set_exception(std::current_exception());
  }
  opened.set_value();
  for (;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, stop, [this] { return !events_.empty() || !work_.empty() || !states_.empty(); });
    wake_.wait_for(lock, stop, kBatchTime, [this] { return !work_.empty() || (events_.size() >= kBatchRows && !full_); });
    const bool last = stop.stop_requested();
    std::vector<StampedEvent> batch(std::make_move_iterator(events_.begin()), std::make_move_iterator(events_.end()));
    std::deque<std::function<void(store::StoreWriter&)>> work = std::exchange(work_, {});
    events_.clear();
    lock.unlock();
    writeRecords(*writer, std::move(batch));
    writeStates(*writer);
    for (const auto& task : work) task(*writer);
    if (!last) continue;
    lock.lock();
    if (work_.empty()) return;  // what could not be written now is still in its supervisor's spool
  }
}

void RecordWriter::keep(const std::string& run, const std::exception& error) {
  const auto* known = dynamic_cast<const Error*>(&error);
  const bool space = known != nullptr && known->code() == Errc::kNoSpace;
  std::unique_lock lock(mutex_);
  const bool news = std::exchange(space ? noSpace_ : errors_[run], std::current_exception()) == nullptr;
  full_ = full_ || space;
  lock.unlock();
  if (news && onError_) onError_(error.what());
}

// A full disk may have room again: the batch waits. Anything else is refused for good: what can be written is, the rest is told.
void RecordWriter::writeRecords(store::StoreWriter& writer, std::vector<StampedEvent> batch) {
  {
    const std::lock_guard lock(mutex_);
    full_ = false;
  }
  const auto attempt = [&](std::span<const StampedEvent> events) {
    try {
      writer.append(events);
      std::set<std::string> runs;
      for (const StampedEvent& event : events) runs.insert(event.run);
      if (hooks_.onRows && !runs.empty()) hooks_.onRows(runs);
      return true;
    } catch (const std::exception& error) {
      if (events.size() == 1 || events.empty()) keep(events.empty() ? "" : events.front().run, error);
      return false;
    }
  };
  if (attempt(batch)) return;
  std::vector<StampedEvent> waiting;
  for (StampedEvent& event : batch) {
    if (waiting.empty() && attempt({&event, 1})) continue;
    const std::lock_guard lock(mutex_);
    if (full_) waiting.push_back(std::move(event));
  }
  const std::lock_guard lock(mutex_);
  events_.insert(events_.begin(), std::make_move_iterator(waiting.begin()), std::make_move_iterator(waiting.end()));
}

// Behind the records, in order. Where there was room again nothing was lost, and nothing is wrong any more.
void RecordWriter::writeStates(store::StoreWriter& writer) {
  for (;;) {
    std::unique_lock lock(mutex_);
    if (full_) return;
    if (states_.empty()) {
      const bool room = std::exchange(noSpace_, nullptr) != nullptr;
      lock.unlock();
      if (room && hooks_.onRoom) hooks_.onRoom();
      return;
    }
    const StateChange change = states_.front();
    lock.unlock();
    try {
      writer.setState(change.run, change.state, change.error, change.reason);
    } catch (const std::exception& error) {
      keep(change.run, error);
    }
    lock.lock();
    if (!full_) states_.pop_front();
  }
}

}  // namespace paceline::run
