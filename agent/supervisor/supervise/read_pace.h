// When the output of a node is to be read again. Whoever writes into a pipe that is waited for wakes the reader, and a worker of small steps would pay more
// for that than for its lines: what says much is left alone for some milliseconds. Until then its lines are in the pipe, whatever becomes of the node.
// Pure: seconds of one clock, as the caller reads it.
#pragma once

#include <algorithm>
#include <cstddef>

namespace paceline::supervise {

class ReadPace {
 public:
  // So many bytes were read now; seconds to leave it alone, 0: it is waited for.
  double pause(std::size_t bytes, double now) {
    bytes_ += bytes;
    if (const double past = now - began_; past >= kWindowSeconds) {
      rate_ = static_cast<double>(bytes_) / past;
      began_ = now, bytes_ = 0;
    }
    return rate_ < kMuch ? 0 : std::min(kLongestSeconds, kQuarterOfPipe / rate_);
  }

 private:
  static constexpr double kWindowSeconds = 0.01, kLongestSeconds = 0.005;
  static constexpr double kMuch = 400e3;              // bytes/s: a thousand rounds
  static constexpr double kQuarterOfPipe = 16 << 10;  // what comes meanwhile must find room in a pipe of 64 KiB

  std::size_t bytes_ = 0;
  double began_ = 0, rate_ = 0;  // of the window; of the one before, bytes/s
};

}  // namespace paceline::supervise
