// Threads of one server. Every shard belongs to one of them, which handles its messages one at a time and in their order; shards of different threads are
// independent. What they send leaves by the node's thread, which alone uses the wire, in the order in which it was posted what they send it for, whichever is done first: with any
// number of threads as with one.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/comm/transport/transport.h"

namespace paceline {

class ShardGroups {
 public:
  using Work = std::function<void(Outbox&)>;
  static constexpr std::size_t kMostBytes = 256 << 20;

  // `wake`, which any thread may call, ends the node's thread's waiting for messages; it outlives this. `mostBytes` of messages are posted and not yet done at any time, or one message; what is sent for those that are done waits
  // beside them.
  ShardGroups(int threads, std::function<void()> wake, std::size_t mostBytes = kMostBytes);
  ~ShardGroups();  // what is not begun is not done

  // The rest is for the node's thread.
  // Waits while there is too much: who takes no messages holds their senders back. `at`: what the work's Outbox says is now.
  void post(std::int32_t shard, std::size_t bytes, double at, Work work);
  void sendTo(Outbox& out);  // what comes of whatever is done, and of all that was posted before it. Throws what one of the threads threw
  bool atRest(Outbox& out);  // whether all that was posted is done and sent. Waits for that when it was not so for long
  void finish(Outbox& out);  // waits until all that was posted is done, and sends what comes of it. Throws the same

 private:
  struct Group;
  struct Result;
  class Outgoing;

  void run(Group& group, const std::stop_token& stop);
  bool idle() const;  // this and the next with mutex_
  bool anySendable() const;

  std::function<void()> wake_;
  std::size_t mostBytes_;
  std::mutex mutex_;  // guards what follows, the groups' queues included
  std::condition_variable_any changed_;
  std::condition_variable room_;  // bytes_ is less
  std::deque<std::unique_ptr<Result>> results_;  // of what was posted and has not been sent, in that order
  std::exception_ptr failure_;
  std::size_t bytes_ = 0;  // posted and not yet done
  int unrested_ = 0;       // questions in a row that found work: the node's thread's
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace paceline
