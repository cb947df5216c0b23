#include "app/cluster/run/host_queue.h"

namespace paceline::run {
namespace {

constexpr std::size_t kMostMessages = 20'000;

}  // namespace

void HostQueue::push(HostMessage message, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return messages_.size() < kMostMessages; });
  messages_.push_back(std::move(message));
  changed_.notify_all();
}

std::optional<HostMessage> HostQueue::pop(double timeoutSeconds) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, std::chrono::duration<double>(timeoutSeconds), [this] { return !messages_.empty(); })) return std::nullopt;
  HostMessage message = std::move(messages_.front());
  messages_.pop_front();
  if (messages_.size() + 1 == kMostMessages) changed_.notify_all();
  return message;
}

}  // namespace paceline::run
