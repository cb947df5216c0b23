#include "app/cluster/recorder.h"

#include <chrono>
#include <iterator>
#include <optional>

#include "engine/core/error.h"

namespace paceline {
namespace {

constexpr std::size_t kBatchRows = 500;
constexpr std::chrono::milliseconds kBatchTime{200};

}  // namespace

Recorder::Recorder(const std::string& storePath, std::function<void(const std::string&)> onError)
    : path_(storePath), onError_(std::move(onError)) {
  std::promise<void> opened;
  auto result = opened.get_future();
  thread_ = std::jthread([this, promise = std::move(opened)](std::stop_token stop) mutable { loop(stop, std::move(promise)); });
  result.get();
}

Recorder::~Recorder() {
  thread_.request_stop();
  thread_.join();
}

void Recorder::append(StampedEvent event) {
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
  if (events_.size() == 1 || events_.size() >= kBatchRows) wake_.notify_all();
}

void Recorder::enqueue(std::function<void(StoreWriter&)> work) {
  const std::lock_guard lock(mutex_);
  work_.push_back(std::move(work));
  wake_.notify_all();
}

void Recorder::flush() {
  withWriter([](StoreWriter&) {});
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Recorder::loop(std::stop_token stop, std::promise<void> opened) {
  std::optional<StoreWriter> writer;
  try {
    writer.emplace(path_);
  } catch (...) {
    return opened.set_exception(std::current_exception());
  }
  opened.set_value();
  for (;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, stop, [this] { return !events_.empty() || !work_.empty(); });
    wake_.wait_for(lock, stop, kBatchTime, [this] { return !work_.empty() || (events_.size() >= kBatchRows && !full_); });
    const bool last = stop.stop_requested();
    std::vector<StampedEvent> batch(std::make_move_iterator(events_.begin()), std::make_move_iterator(events_.end()));
    std::deque<std::function<void(StoreWriter&)>> work = std::exchange(work_, {});
    events_.clear();
    lock.unlock();
    commit(*writer, batch);
    for (const auto& task : work) task(*writer);
    if (!last) continue;
    lock.lock();
    if (work_.empty()) return;  // what could not be written now is still in its supervisor's spool
  }
}

// A full disk may have room again: the batch waits. Anything else is refused for good: what can be written is, the rest is told.
void Recorder::commit(StoreWriter& writer, std::vector<StampedEvent>& batch) {
  std::exception_ptr problem;
  std::string sentence;
  bool keep = false;
  const auto attempt = [&](std::span<const StampedEvent> events) {
    try {
      writer.append(events);
      return true;
    } catch (const std::exception& error) {
      const auto* known = dynamic_cast<const Error*>(&error);
      keep = known != nullptr && known->code() == Errc::kNoSpace;
      problem = std::current_exception();
      sentence = error.what();
      return false;
    }
  };
  if (!attempt(batch) && !keep)
    for (const StampedEvent& event : batch) attempt({&event, 1});
  std::unique_lock lock(mutex_);
  if (keep) events_.insert(events_.begin(), std::make_move_iterator(batch.begin()), std::make_move_iterator(batch.end()));
  const bool news = problem != nullptr && error_ == nullptr;
  if (full_ && problem == nullptr) error_ = nullptr;  // there was room again: nothing was lost
  if (problem != nullptr) error_ = problem;
  full_ = keep;
  lock.unlock();
  if (news && onError_) onError_(sentence);
}

}  // namespace paceline
