// Of messages with a priority only as many are with the wire below as keep its link busy; the others wait here, so that a later message that its receiver
// needs first still leaves first (P3: Jayarajan et al. 2019, "Priority-based Parameter Propagation for Distributed DNN Training"; the credits of ByteScheduler: Peng et al.
// 2019). While its node computes, a thread of its own hands them on and keeps what comes. Messages without a priority go straight down unless they are sent behind such.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "engine/comm/transport/send_queue.h"
#include "engine/comm/transport/sum_credit.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/base/clock.h"

namespace paceline {

// For the node's thread, as every wire. In real time only. What the wire below throws while the node computes is thrown by the next receive().
class PriorityWire final : public LayerWire {
 public:
  PriorityWire(Wire& below, const Clock& clock) : LayerWire(below), clock_(clock) {}
  ~PriorityWire() override;  // what waits is handed to the wire below
  void send(int to, Message message) override;
  std::optional<Message> receive(double timeoutSeconds) override;
  void settle() override;
  void wake() override;
  void tolerate(const std::vector<int>& nodes) override;
  void renew(int node) override;
  WayCounts wayTo(int to, bool settled) override;

 private:
  class Turn;  // of the node's thread at the wire below

  void help(const std::stop_token& stop);
  std::optional<Message> fromBelow(double timeoutSeconds);
  double handOn();   // what there is room for; seconds until there may be more
  void handOnAll();
  void callHelper();  // where something waits

  const Clock& clock_;
  std::mutex use_;  // of the wire below, came_ and failure_; taken before mutex_
  std::deque<Message> came_;    // while the helper used it
  std::exception_ptr failure_;  // the same
  std::mutex mutex_;  // guards what follows
  SendQueue queue_;
  SumCredit credit_;
  std::map<int, double> roomAt_;  // by receiver: when there is room for what waits, where the wire below says so
  bool failed_ = false;  // failure_ is not told yet: the helper rests
  int wanted_ = 0;       // the node's thread wants the wire below
  std::condition_variable_any changed_;
  std::atomic<bool> woken_ = false;    // by who is not the helper
  std::atomic<bool> helping_ = false;  // the helper uses the wire below, or is about to
  std::jthread helper_;                // begins with the first message that waits
};

}  // namespace paceline
