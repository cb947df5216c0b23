// What the hosts of a run say, in the order in which it came.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "app/cluster/run/agent_client.h"

namespace paceline::run {

// Many writers, one reader. A writer waits while it is full, so a slow reader holds the links, not the memory.
class HostQueue {
 public:
  void push(HostMessage message, const std::stop_token& stop);
  std::optional<HostMessage> pop(double timeoutSeconds);

 private:
  bool full() const;

  std::mutex mutex_;  // guards messages_, bytes_
  std::condition_variable_any changed_;
  std::deque<HostMessage> messages_;
  std::size_t bytes_ = 0;  // of them
};

}  // namespace paceline::run
