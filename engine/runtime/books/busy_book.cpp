#include "engine/runtime/books/busy_book.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace paceline {

void BusyBook::settle(double now) {
  const double passed = now - std::exchange(settled_, now);
  interval_.busy += static_cast<double>(active_) * passed;
  interval_.queued += static_cast<double>(waiting_) * passed;
}

// An interval that is long enough ends here.
void BusyBook::open() {
  settle(run_.clock.now());
  const bool over = open_ && (settled_ - began_ >= kSpanSeconds || (idle() && settled_ - idleSince_ >= kSpanSeconds));
  if (over) close(idle() ? idleSince_ : settled_);
  if (!open_) began_ = settled_;
  open_ = true;
}

void BusyBook::arrived(const Message& message) {
  const std::lock_guard lock(mutex_);
  open();
  bytesCome_ = meter_.traffic().bytesReceived;
  ++waiting_;
  ++interval_.messages;
  interval_.longestQueue = std::max(interval_.longestQueue, waiting_ + message.behind);
  if (message.takenAt > 0) interval_.queued += std::max(0.0, settled_ - message.takenAt);
}

void BusyBook::begun() {
  const std::lock_guard lock(mutex_);
  settle(run_.clock.now());
  --waiting_;
  ++active_;
}

void BusyBook::works() {
  const std::lock_guard lock(mutex_);
  open();
  ++active_;
}

void BusyBook::ended() {
  const std::lock_guard lock(mutex_);
  settle(run_.clock.now());
  --active_;
  idleSince_ = settled_;
}

void BusyBook::rest() {
  const std::lock_guard lock(mutex_);
  if (open_ && idle() && run_.clock.now() - idleSince_ >= kSpanSeconds) close(idleSince_);
}

void BusyBook::finish() {
  const std::lock_guard lock(mutex_);
  settle(run_.clock.now());
  if (open_) close(idle() ? idleSince_ : settled_);
}

double BusyBook::patience() const { return open_ && run_.nominalStepSeconds <= 0 ? kSpanSeconds : std::numeric_limits<double>::infinity(); }

// What has been sent since the last message came was sent in this interval; the newest message belongs to the next one unless it is finished with.
void BusyBook::close(double at) {
  const std::int64_t sent = meter_.traffic().bytesSent;
  interval_.t = at - start_;
  interval_.span = at - began_;
  interval_.bytesReceived = bytesCome_ - counted_.bytesReceived;
  interval_.bytesSent = sent - counted_.bytesSent;
  counted_.bytesReceived = bytesCome_;
  counted_.bytesSent = sent;
  if (run_.emit) run_.emit(interval_);
  interval_ = {};
  open_ = false;
}

}  // namespace paceline
