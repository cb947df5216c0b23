#include "engine/runtime/shard_groups.h"

#include <algorithm>

#include "engine/core/base/error.h"

namespace paceline {

struct ShardGroups::Group {
  struct Posted {
    std::size_t bytes;
    Work work;
  };
  std::deque<Posted> waiting;
  bool busy = false;
  std::jthread thread;
};

class ShardGroups::Outgoing final : public Outbox {
 public:
  explicit Outgoing(ShardGroups& all) : all_(all) {}
  void send(int to, Message message) override {
    const std::lock_guard lock(all_.mutex_);
    const bool first = all_.outgoing_.empty();
    all_.outgoing_.emplace_back(to, std::move(message));
    if (first) all_.wake_();
  }
  double now() const override { return all_.clock_.now(); }

 private:
  ShardGroups& all_;
};

ShardGroups::ShardGroups(int threads, const Clock& clock, std::function<void()> wake, std::size_t mostBytes)
    : clock_(clock), wake_(std::move(wake)), mostBytes_(mostBytes) {
  PACELINE_CHECK(threads > 0, "threads of a server");
  for (int i = 0; i < threads; ++i) groups_.push_back(std::make_unique<Group>());
  for (const auto& group : groups_) group->thread = std::jthread([this, &own = *group](const std::stop_token& stop) { run(own, stop); });
}

ShardGroups::~ShardGroups() {
  for (const auto& group : groups_) group->thread.request_stop();
  groups_.clear();
}

void ShardGroups::run(Group& group, const std::stop_token& stop) {
  Outgoing out(*this);
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return !group.waiting.empty(); })) {
    if (stop.stop_requested()) return;
    auto [bytes, work] = std::move(group.waiting.front());
    group.waiting.pop_front();
    group.busy = true;
    lock.unlock();
    try {
      work(out);
    } catch (...) {
      const std::lock_guard guard(mutex_);
      if (!failure_) failure_ = std::current_exception();
      wake_();
    }
    work = {};  // its message is let go before it counts as done
    lock.lock();
    group.busy = false;
    bytes_ -= bytes;
    room_.notify_one();
    if (group.waiting.empty()) changed_.notify_all();
  }
}

void ShardGroups::post(std::int32_t shard, std::size_t bytes, Work work) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return bytes_ == 0 || bytes_ + bytes <= mostBytes_; });
  bytes_ += bytes;
  groups_[static_cast<std::size_t>(shard) % groups_.size()]->waiting.push_back({bytes, std::move(work)});
  changed_.notify_all();
}

bool ShardGroups::idle() const {
  return std::ranges::all_of(groups_, [](const auto& group) { return group->waiting.empty() && !group->busy; });
}

void ShardGroups::sendTo(Outbox& out) {
  std::vector<std::pair<int, Message>> outgoing;
  {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    outgoing.swap(outgoing_);
  }
  for (auto& [to, message] : outgoing) out.send(to, std::move(message));
}

void ShardGroups::finish(Outbox& out) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return failure_ || idle(); });
  }
  sendTo(out);
}

}  // namespace paceline
