#include "app/cluster/run/record_writer.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "storage/summary/summary.h"

namespace paceline::run {
namespace {

constexpr std::size_t kBatchRows = 500;
constexpr std::chrono::milliseconds kBatchTime{200}, kLongestRetry{3200};  // while the store takes nothing the pause is doubled up to that; who flushes tries at once

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
  if (missed_.contains(event.run)) return;
  if (unavailable_ && ++waiting_[event.run] > hooks_.mostWaiting) return static_cast<void>(missed_.insert(event.run));
  events_.push_back(std::move(event));
  if (events_.size() == 1 || events_.size() >= kBatchRows) wake_.notify_all();
}

void RecordWriter::enqueue(std::function<void(store::StoreWriter&)> work) {
  const std::lock_guard lock(mutex_);
  work_.push_back(std::move(work));
  wake_.notify_all();
}

void RecordWriter::flush(const std::string& run) {
  withWriter([this](store::StoreWriter& writer) {
    try {
      writer.look();
    } catch (const store::Unavailable& error) {
      waits(error);
    }
  });
  const std::lock_guard lock(mutex_);
  if (unavailable_) std::rethrow_exception(unavailable_);
  const auto found = run.empty() ? errors_.begin() : errors_.find(run);
  if (found == errors_.end()) return;
  const std::exception_ptr error = found->second;
  errors_.erase(found);
  std::rethrow_exception(error);
}

bool RecordWriter::missed(const std::string& run) {
  const std::lock_guard lock(mutex_);
  return missed_.erase(run) > 0;
}

void RecordWriter::write(const std::string& run, std::function<void(store::StoreWriter&)> work) {
  withWriter([&](store::StoreWriter& writer) {
    std::unique_lock lock(mutex_);
    if (unavailable_) return later_.push_back({run, work});
    lock.unlock();
    try {
      work(writer);
    } catch (const store::Unavailable& error) {
      waits(error);
      lock.lock();
      later_.push_back({run, work});
    }
  });
}

void RecordWriter::setState(const std::string& run, store::RunState state, const std::string& error, const std::string& reason) {
  write(run, [=](store::StoreWriter& writer) { writer.setState(run, state, error, reason); });
}

void RecordWriter::loop(std::stop_token stop, std::promise<void> opened) {
  std::optional<store::StoreWriter> writer;
  try {
    writer.emplace(path_);
  } catch (...) {
    return opened.set_exception(std::current_exception());
  }
  opened.set_value();
  bool changed = true;  // runs may have ended
  for (auto pause = kBatchTime;;) {
    if (std::exchange(changed, false)) listUnsummarised(*writer);
    summarises_ = summarising_ || !unsummarised_.empty();
    std::unique_lock lock(mutex_);
    const auto busy = [this] { return !events_.empty() || !work_.empty() || unavailable_ || !told_.empty(); };
    if (!busy() && !summarising_ && !unsummarised_.empty() && !stop.stop_requested()) {
      lock.unlock();
      summariseNext();
      continue;
    }
    wake_.wait(lock, stop, busy);
    wake_.wait_for(lock, stop, pause, [this] { return !work_.empty() || (events_.size() >= kBatchRows && !unavailable_); });
    const bool last = stop.stop_requested();
    std::vector<StampedEvent> batch(std::make_move_iterator(events_.begin()), std::make_move_iterator(events_.end()));
    std::deque<std::function<void(store::StoreWriter&)>> work = std::exchange(work_, {});
    events_.clear();
    changed = !work.empty() || unavailable_;
    lock.unlock();
    if (writeRecords(*writer, std::move(batch)) && writeLater(*writer)) takesAgain(*writer);
    for (const auto& task : work) task(*writer);
    tellNews(*writer);
    lock.lock();
    pause = unavailable_ ? std::min(2 * pause, kLongestRetry) : kBatchTime;
    if (last && work_.empty()) return;  // what could not be written now is still in its supervisor's spool
  }
}

// A summary that cannot be kept is made from the records by whoever asks for it.
void RecordWriter::listUnsummarised(store::StoreWriter& writer) {
  try {
    const std::vector<std::string> runs = summary::unsummarised(writer);
    unsummarised_.assign(runs.begin(), runs.end());
    std::erase_if(unsummarised_, [this](const std::string& run) { return unsummarisable_.contains(run) || refused_.contains(run); });
  } catch (const std::exception&) {
    unsummarised_.clear();
  }
}

void RecordWriter::summariseNext() {
  summarising_ = true;
  summariser_ = std::jthread([this, run = unsummarised_.front()] {
    std::optional<store::SummaryToKeep> made;
    try {
      if (hooks_.onSummary) hooks_.onSummary(run);
      made = summary::summaryToKeep(store::StoreReader(path_), run);
    } catch (const std::exception&) {  // made anew by whoever asks
    }
    enqueue([this, run, made = std::move(made)](store::StoreWriter& writer) { keepSummary(writer, run, made); });
  });
  unsummarised_.pop_front();
}

void RecordWriter::keepSummary(store::StoreWriter& writer, const std::string& run, const std::optional<store::SummaryToKeep>& summary) {
  summarising_ = false;
  if (!summary) return static_cast<void>(unsummarisable_.insert(run));
  try {
    writer.keepSummary(run, *summary);
  } catch (const store::Unavailable&) {
    refused_.insert(run);
  } catch (const std::exception&) {
    unsummarisable_.insert(run);
  }
}

// Refused for good.
void RecordWriter::keep(const std::string& run, const std::exception& error) {
  std::unique_lock lock(mutex_);
  const bool news = std::exchange(errors_[run], std::current_exception()) == nullptr;
  lock.unlock();
  if (news && onError_) onError_(error.what());
}

bool RecordWriter::waits(const store::Unavailable& error) {
  {
    const std::lock_guard lock(mutex_);
    unavailable_ = std::current_exception();
  }
  const std::string text = strCat(error.what(), "; runs go on, and what they record waits");
  if (std::exchange(told_, text) != text && onError_) onError_(text);
  return false;
}

// False: the store takes nothing now, and the rest of the batch waits.
bool RecordWriter::writeRecords(store::StoreWriter& writer, std::vector<StampedEvent> batch) {
  std::size_t written = 0;
  try {
    for (; written < batch.size(); written += kBatchRows)
      writeChunk(writer, std::span(batch).subspan(written, std::min(kBatchRows, batch.size() - written)));
    return true;
  } catch (const store::Unavailable& error) {
    {
      const std::lock_guard lock(mutex_);
      events_.insert(events_.begin(), std::make_move_iterator(batch.begin() + static_cast<std::ptrdiff_t>(written)), std::make_move_iterator(batch.end()));
    }
    return waits(error);
  }
}

// What can be written is, the rest is told. Throws Unavailable.
void RecordWriter::writeChunk(store::StoreWriter& writer, std::span<const StampedEvent> events) {
  try {
    writer.append(events);
    std::set<std::string> runs;
    for (const StampedEvent& event : events) runs.insert(event.run);
    if (hooks_.onRows && !runs.empty()) hooks_.onRows(runs);
  } catch (const store::Unavailable&) {
    throw;
  } catch (const std::exception& error) {
    if (events.size() == 1) return keep(events.front().run, error);
    for (const StampedEvent& event : events) writeChunk(writer, {&event, 1});
  }
}

// Behind the records, in order. False: the store takes nothing now.
bool RecordWriter::writeLater(store::StoreWriter& writer) {
  for (;;) {
    std::unique_lock lock(mutex_);
    if (later_.empty()) return true;
    const Later next = later_.front();
    lock.unlock();
    try {
      next.work(writer);
    } catch (const store::Unavailable& error) {
      return waits(error);
    } catch (const std::exception& error) {
      keep(next.run, error);
    }
    lock.lock();
    later_.pop_front();
  }
}

// All that waited is written: nothing was lost, and nothing is wrong any more.
void RecordWriter::takesAgain(store::StoreWriter& writer) {
  if (told_.empty()) return;
  try {
    writer.look();
  } catch (const store::Unavailable& error) {
    return static_cast<void>(waits(error));
  }
  {
    const std::lock_guard lock(mutex_);
    unavailable_ = nullptr;
    waiting_.clear();
  }
  refused_.clear();
  tellNews(writer);
  told_.clear();
  if (hooks_.onRoom) hooks_.onRoom();
}

void RecordWriter::tellNews(store::StoreWriter& writer) {
  const std::string news = writer.takeNews();
  if (news.empty()) return;
  told_ = news;  // and is over as soon as everything is written
  if (onError_) onError_(news);
}

}  // namespace paceline::run
