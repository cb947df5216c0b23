// What happens next in virtual time: the smallest (time, sequence). Where links cost nothing most events are of the present instant: those wait in line, and only
// later ones in a heap. Events are small; a message waits in its place of a MessagePool. Header-only; one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "engine/comm/transport/message.h"

namespace paceline::sim {

enum class Step : std::uint8_t { kWake, kLinkFree, kAvailable, kAvailableToAll, kDeliver };

struct SimEvent {
  double time = 0;
  std::uint64_t sequence = 0;
  std::uint64_t what = 0;  // kWake: the block that it ends; a later one is not its business. kAvailable...: the message's place in the pool
  std::int32_t node = 0;
  Step step = Step::kWake;
};

class EventQueue {
 public:
  bool empty() const { return heap_.empty() && next_ == line_.size(); }
  std::uint64_t sequence() const { return sequence_; }  // events so far
  std::size_t room() const { return heap_.capacity() + line_.capacity(); }  // in memory, in events
  void clear() { heap_.clear(), line_.clear(), next_ = 0; }

  // `now`: the time of the newest event that was taken; `count`: events that this one stands for.
  void add(double now, SimEvent event, std::uint64_t count = 1) {
    event.sequence = sequence_;
    sequence_ += count;
    if (event.time == now) return line_.push_back(event);
    heap_.push_back(event);
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  SimEvent take() {  // of a queue that is not empty
    if (next_ < line_.size() && (heap_.empty() || later(heap_.front(), line_[next_]))) {
      const SimEvent event = line_[next_++];
      if (next_ == line_.size()) line_.clear(), next_ = 0;
      if (next_ >= kManyTaken && next_ > line_.size() / 2) line_.erase(line_.begin(), line_.begin() + static_cast<std::ptrdiff_t>(next_)), next_ = 0;
      return event;
    }
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const SimEvent event = heap_.back();
    heap_.pop_back();
    return event;
  }

 private:
  static bool later(const SimEvent& a, const SimEvent& b) { return a.time != b.time ? a.time > b.time : a.sequence > b.sequence; }

  static constexpr std::size_t kManyTaken = 4096;  // the present instant may last for a whole run, so what was taken goes meanwhile

  std::vector<SimEvent> heap_;  // earliest first
  std::vector<SimEvent> line_;  // in order from next_ on: time does not go back
  std::size_t next_ = 0;
  std::uint64_t sequence_ = 0;
};

// Messages under way. A place is a number, and its message stays where it is.
class MessagePool {
 public:
  std::uint32_t put(Message message) {
    if (free_.empty()) {
      messages_.push_back(std::move(message));
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    messages_[place] = std::move(message);
    return place;
  }
  const Message& at(std::uint64_t place) const { return messages_[place]; }
  Message take(std::uint64_t place) {
    free_.push_back(static_cast<std::uint32_t>(place));
    return std::move(messages_[place]);
  }
  void drop(std::uint64_t place) { (void)take(place); }

 private:
  std::deque<Message> messages_;
  std::vector<std::uint32_t> free_;
};

}  // namespace paceline::sim
