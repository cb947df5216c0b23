#include "engine/runtime/shard_groups.h"

#include <algorithm>

#include "engine/core/base/error.h"

namespace paceline {

struct ShardGroups::Result {
  std::vector<std::pair<int, Message>> messages;  // the thread's that does the work, until it is done
  bool done = false;                              // with mutex_
};

struct ShardGroups::Group {
  struct Posted {
    std::size_t bytes;
    double at;
    Work work;
    Result* result;
  };
  std::deque<Posted> waiting;
  bool busy = false;
  std::jthread thread;
};

class ShardGroups::Outgoing final : public Outbox {
 public:
  Outgoing(Result& result, double at) : result_(result), at_(at) {}
  void send(int to, Message message) override { result_.messages.emplace_back(to, std::move(message)); }
  double now() const override { return at_; }

 private:
  Result& result_;
  double at_;
};

ShardGroups::ShardGroups(int threads, std::function<void()> wake, std::size_t mostBytes) : wake_(std::move(wake)), mostBytes_(mostBytes) {
  PACELINE_CHECK(threads > 0, "threads of a server");
  for (int i = 0; i < threads; ++i) groups_.push_back(std::make_unique<Group>());
  for (const auto& group : groups_) group->thread = std::jthread([this, &own = *group](const std::stop_token& stop) { run(own, stop); });
}

ShardGroups::~ShardGroups() {
  for (const auto& group : groups_) group->thread.request_stop();
  groups_.clear();
}

void ShardGroups::run(Group& group, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return !group.waiting.empty(); })) {
    if (stop.stop_requested()) return;
    auto [bytes, at, work, result] = std::move(group.waiting.front());
    group.waiting.pop_front();
    group.busy = true;
    lock.unlock();
    try {
      Outgoing out(*result, at);
      work(out);
    } catch (...) {
      const std::lock_guard guard(mutex_);
      if (!failure_) failure_ = std::current_exception();
      wake_();
    }
    work = {};  // its message is let go before it counts as done
    lock.lock();
    group.busy = false;
    result->done = true;
    if (anySendable()) wake_();
    bytes_ -= bytes;
    room_.notify_one();
    if (group.waiting.empty()) changed_.notify_all();
  }
}

void ShardGroups::post(std::int32_t shard, std::size_t bytes, double at, Work work) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return bytes_ == 0 || bytes_ + bytes <= mostBytes_; });
  bytes_ += bytes;
  groups_[static_cast<std::size_t>(shard) % groups_.size()]->waiting.push_back({bytes, at, std::move(work), results_.emplace_back(std::make_unique<Result>()).get()});
  changed_.notify_all();
}

bool ShardGroups::anySendable() const {
  for (const std::unique_ptr<Result>& result : results_)
    if (!result->done || !result->messages.empty()) return result->done;
  return false;
}

bool ShardGroups::atRest(Outbox& out) {
  constexpr int kLong = 256;
  {
    const std::lock_guard lock(mutex_);
    if (results_.empty()) unrested_ = 0;
    else if (++unrested_ < kLong) return false;
  }
  if (std::exchange(unrested_, 0) > 0) finish(out);
  return true;
}

bool ShardGroups::idle() const {
  return std::ranges::all_of(groups_, [](const auto& group) { return group->waiting.empty() && !group->busy; });
}

void ShardGroups::sendTo(Outbox& out) {
  std::vector<std::unique_ptr<Result>> done;
  {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    for (; !results_.empty() && results_.front()->done; results_.pop_front()) done.push_back(std::move(results_.front()));
  }
  for (const std::unique_ptr<Result>& result : done)
    for (auto& [to, message] : result->messages) out.send(to, std::move(message));
}

void ShardGroups::finish(Outbox& out) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return failure_ || idle(); });
  }
  sendTo(out);
}

}  // namespace paceline
