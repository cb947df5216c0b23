#include "app/cluster/run/host_queue.h"

namespace paceline::run {
namespace {

constexpr std::size_t kMostMessages = 20'000, kMostBytes = std::size_t{64} << 20;

}  // namespace

void HostQueue::push(HostMessage message, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return !full(); });
  bytes_ += message.bytes;
  messages_.push_back(std::move(message));
  changed_.notify_all();
}

bool HostQueue::full() const { return messages_.size() >= kMostMessages || bytes_ >= kMostBytes; }

std::optional<HostMessage> HostQueue::pop(double timeoutSeconds) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, std::chrono::duration<double>(timeoutSeconds), [this] { return !messages_.empty(); })) return std::nullopt;
  const bool waits = full();
  HostMessage message = std::move(messages_.front());
  messages_.pop_front();
  bytes_ -= message.bytes;
  if (waits) changed_.notify_all();
  return message;
}

}  // namespace paceline::run
