#include "engine/comm/transport/priority_wire.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/base/error.h"

namespace paceline {

// The helper leaves the wire below as soon as the node's thread wants it, and gets it back when that has done and something waits.
class PriorityWire::Turn {
 public:
  explicit Turn(PriorityWire& wire) : wire_(wire) {
    {
      const std::lock_guard lock(wire_.mutex_);
      ++wire_.wanted_;
    }
    if (wire_.helping_) wire_.below_.wake();
    wire_.use_.lock();
  }
  ~Turn() {
    wire_.use_.unlock();
    {
      const std::lock_guard lock(wire_.mutex_);
      --wire_.wanted_;
    }
    wire_.callHelper();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  PriorityWire& wire_;
};

PriorityWire::~PriorityWire() {
  if (helper_.joinable()) {
    helper_.request_stop();
    below_.wake();
    helper_.join();
  }
  try {
    handOnAll();
  } catch (const Error&) {
    // Its node leaves; nobody is told any more.
  }
}

void PriorityWire::send(int to, Message message) {
  PACELINE_CHECK(message.priority >= 0, "a message's priority");
  bool others = false;
  {
    const std::lock_guard lock(mutex_);
    others = queue_.waitsFor(to);
    queue_.push(to, std::move(message));
  }
  if (helping_) {
    if (!others) below_.wake();
    return;
  }
  const Turn turn(*this);
  handOn();
}

std::optional<Message> PriorityWire::receive(double timeoutSeconds) {
  const double deadline = clock_.now() + timeoutSeconds;
  const Turn turn(*this);
  while (true) {
    if (!came_.empty()) {
      Message message = std::move(came_.front());
      came_.pop_front();
      message.behind = static_cast<std::int64_t>(came_.size());
      return message;
    }
    if (failure_) {
      {
        const std::lock_guard lock(mutex_);
        failed_ = false;
      }
      std::rethrow_exception(std::exchange(failure_, nullptr));
    }
    const double room = handOn();
    const bool woken = woken_.exchange(false);  // the helper may have met it below
    const double left = woken ? 0 : std::max(0.0, deadline - clock_.now());
    if (std::optional<Message> message = fromBelow(std::clamp(room, 0.0, left))) return message;
    if (woken || woken_.exchange(false) || clock_.now() >= deadline) return std::nullopt;
  }
}

void PriorityWire::wake() {
  woken_ = true;
  below_.wake();
}

void PriorityWire::settle() {
  const Turn turn(*this);
  handOnAll();
  below_.settle();
}

void PriorityWire::tolerate(const std::vector<int>& nodes) {
  const Turn turn(*this);
  below_.tolerate(nodes);
}

void PriorityWire::renew(int node) {
  const Turn turn(*this);
  std::erase_if(came_, [node](const Message& message) { return message.from == node; });
  below_.renew(node);
}

WayCounts PriorityWire::wayTo(int to, bool settled) {
  const Turn turn(*this);
  if (settled) handOnAll();
  return below_.wayTo(to, settled);
}

std::optional<Message> PriorityWire::fromBelow(double timeoutSeconds) {
  std::optional<Message> message = below_.receive(timeoutSeconds);
  if (message) {
    const std::lock_guard lock(mutex_);
    credit_.came(*message, clock_.now());
  }
  return message;
}

double PriorityWire::handOn() {
  while (true) {
    double soonest = std::numeric_limits<double>::infinity();
    std::optional<SendQueue::Next> next;
    {
      const std::lock_guard lock(mutex_);
      next = queue_.pop([&](int to, const Message& message) {
        if (message.priority == 0) return true;
        const bool allowed = credit_.allows(to, message);  // else when an answer comes
        const double in = allowed ? below_.roomIn(to) : std::numeric_limits<double>::infinity();
        soonest = std::min(soonest, in);
        if (in <= 0) return true;
        if (std::isfinite(in)) roomAt_[to] = clock_.now() + in;
        else roomAt_.erase(to);
        return false;
      });
      if (next) {
        credit_.left(next->to, next->message, clock_.now());
        if (const auto room = roomAt_.find(next->to); room != roomAt_.end()) next->message.dueAt = room->second, roomAt_.erase(room);
      }
    }
    if (!next) return soonest;
    below_.send(next->to, std::move(next->message));
  }
}

void PriorityWire::handOnAll() {
  while (true) {
    std::optional<SendQueue::Next> next;
    {
      const std::lock_guard lock(mutex_);
      roomAt_.clear();
      next = queue_.pop();
    }
    if (!next) return;
    below_.send(next->to, std::move(next->message));
  }
}

void PriorityWire::callHelper() {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) return;
  }
  if (!helper_.joinable()) helper_ = std::jthread([this](const std::stop_token& stop) { help(stop); });
  changed_.notify_one();
}

void PriorityWire::help(const std::stop_token& stop) {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      helping_ = false;
      changed_.wait(lock, stop, [this] { return !queue_.empty() && wanted_ == 0 && !failed_; });
      if (stop.stop_requested()) return;
      helping_ = true;  // who wants the wire from here on wakes it
    }
    const std::lock_guard use(use_);
    try {
      while (!stop.stop_requested()) {
        const double room = handOn();
        {
          const std::lock_guard lock(mutex_);
          if (queue_.empty() || wanted_ > 0) break;
        }
        if (std::optional<Message> message = fromBelow(room)) {
          message->takenAt = clock_.now();
          came_.push_back(std::move(*message));
        }
      }
    } catch (...) {
      failure_ = std::current_exception();
      const std::lock_guard lock(mutex_);
      failed_ = true;
    }
  }
}

}  // namespace paceline
