// Wakes a thread that waits in a poll set. raise() from any thread; the rest by the one that waits. Private to the ZeroMQ wire.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>

#include <sys/eventfd.h>
#include <unistd.h>

#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"

namespace paceline::zeromq {

class Alarm {
 public:
  Alarm() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!fd_) throw Error(Errc::kHost, strCat("cannot make an eventfd: errno ", errno));
  }
  void raise() {
    raised_.store(true);
    const std::uint64_t one = 1;
    (void)!::write(fd_.get(), &one, sizeof one);
  }
  bool taken() {  // whether it was raised since the last call
    if (!raised_.load(std::memory_order_relaxed) || !raised_.exchange(false)) return false;
    std::uint64_t count = 0;
    (void)!::read(fd_.get(), &count, sizeof count);
    return true;
  }
  int descriptor() const { return fd_.get(); }

 private:
  Fd fd_;
  std::atomic<bool> raised_ = false;
};

}  // namespace paceline::zeromq
